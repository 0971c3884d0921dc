"""Request words: what users of a task family really say when they ask for it.

A word counts when half of the attempt families use it in any of its forms and it names the family, a tool or
what people commonly ask for; any other word when two thirds of at least three families use it. Values of
arguments never count. Paper: 5.2, 5.5. Not here: the sentences around them (engines.offline.describe).
"""

import re
from functools import lru_cache

from skillc.engines.offline.calls import CallKind
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.wording import content_words, spoken, words_of

MAX_REQUEST_WORDS = 6
MIN_FAMILIES = 3
MAX_MESSAGES = 3  # of a conversation: what comes later is about details

_ASKED_FOR = words_of(
    "add book bug cancel change check compensation complaint convert create delay delete document downgrade error"
    " exchange explain export extend fail fix generate implement import improve install merge migrate modify move"
    " order pay refactor refund release remove rename repair replace reset return schedule send test transfer"
    " translate update upgrade upload write"
)

_ORDERS = words_of("run make set edit regenerate rebuild deploy configure enable disable find give bump open close")
_SMALL = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]{2,}")
_ANSWERS = words_of("email remember proceed confirm confirmed agree correct sounds perfect provide information details")


def request_words(induction: Induction) -> list[str]:
    """Returns at most six words, those of the family's name first, then by how many families use them."""
    known = {_stem(w) for w in _name_words(induction) | _ASKED_FOR}
    values = {_stem(w) for w in _value_words(induction) | _input_words(induction) | _ANSWERS} - known
    users: dict[str, set[str]] = {}
    forms: dict[str, dict[str, set[str]]] = {}
    order: dict[str, int] = {}
    small: set[str] = set()  # in small letters somewhere: a word that never is may be somebody's name
    for attempt in induction.successes:
        for said in attempt.said[: 1 if induction.is_coding else MAX_MESSAGES]:
            small.update(_stem(w) for w in _SMALL.findall(said.text))
            for place, word in enumerate(content_words(said.text)):
                stem = _stem(word)
                users.setdefault(stem, set()).add(attempt.family)
                forms.setdefault(stem, {}).setdefault(word, set()).add(attempt.family)
                order[stem] = min(order.get(stem, place), place)
    total = len(induction.families)
    need = max(2, total / 2) if total > 1 else 1
    usual = max(MIN_FAMILIES, 2 * total / 3)
    often = [s for s in users if len(users[s]) >= need and s not in values]
    kept = [s for s in often if s in known or (len(users[s]) >= usual and s in small)]
    slug = [_stem(w) for w in spoken(induction.evidence.task_family).split()]
    kept.sort(key=lambda s: (_index(slug, s), -len(users[s]), s not in known, order[s], s))
    return [min(forms[s], key=lambda w: (-len(forms[s][w]), len(w), w)) for s in kept[:MAX_REQUEST_WORDS]]


def is_order(title: str) -> bool:
    """Says whether a family's name reads like an order: it begins with what people ask for."""
    return title.split(" ")[0] in _ASKED_FOR | _ORDERS and " " in title


def words_beside(title: str, words: list[str]) -> list[str]:
    """Returns the words that the title does not have in any form."""
    known = {_stem(w) for w in title.split()}
    return [w for w in words if _stem(w) not in known]


def _index(words: list[str], word: str) -> int:
    return words.index(word) if word in words else len(words)


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        return word[:-1]  # cancelled, cancel
    return word.removesuffix("e") if len(word) > 3 else word


def _name_words(induction: Induction) -> set[str]:
    """Returns the words of the family's name and of the tools that do what it is for."""
    words = set(spoken(induction.evidence.task_family).split())
    for column in induction.change_columns or induction.columns:
        words.update(spoken(column.tool).split())
    return {w for w in words if len(w) > 2}


def _input_words(induction: Induction) -> set[str]:
    """Returns the words of inputs: what a user gives when asked is not what the user asks for.

    What an id belongs to may well be.
    """
    names = (n for n in induction.placeholders if not n.endswith(("_id", "_ids")))
    return {word for name in names for word in name.split("_")}


def _value_words(induction: Induction) -> set[str]:
    """Returns the words of argument values: they belong to one case even when several users share them."""
    found: set[str] = set()
    for attempt in induction.attempts:
        for call in attempt.calls:
            if call.kind is CallKind.RECORD:
                for leaf in call.argument_leaves:
                    if len(leaf.value) < 40:
                        found.update(content_words(leaf.value.replace("_", " ")))
    return found
