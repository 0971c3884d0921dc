"""What may tell the task family of a Trace: words of its objective, and names of tools and operations.

Never arguments, results, identifiers or URLs: text that names one customer, order or address must not decide
which family's Skill a Trace supports. Paper: 5.1.
Not here: how marks become a family (core.trace.family_score).
"""

import re

from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.family import EDIT
from skillc.core.trace.operation import is_change, is_edit, is_edit_operation, is_shell
from skillc.core.trace.records import EventKind

MAX_OBJECTIVE_CHARS = 2000
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,12}://\S+|\bwww\.\S+|\S+@\S+", re.IGNORECASE)
_QUOTED = re.compile(r"`[^`]{0,200}`|\"[^\"]{0,200}\"|<[^<>]{0,80}>")
_TOKEN = re.compile(r"\S+")
_PLAIN = re.compile(r"[a-z]{3,24}(?:-[a-z]{2,24})?")
_SENTENCE_END = frozenset(".!?:;\n")
_COMMON = frozenset(
    {"the", "and", "for", "with", "from", "into", "that", "this", "please", "now", "then", "can", "could", "would"}
    | {"you", "should", "have", "has", "had", "are", "was", "were", "will", "not", "all", "any", "our", "your", "but"}
    | {"want", "need", "like", "help", "hello", "there", "some", "its", "let", "get", "due", "also", "just", "about"}
    | {"been", "did", "does", "here", "how", "may", "them", "they", "what", "when", "which", "who", "why", "out", "too"}
)


class FamilyMarks(Record):
    """The marks of one Trace: `changes` are what it changed, `names` everything that it called, `words` its words."""

    changes: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


def marks_of(trace: Trace) -> FamilyMarks:
    """Returns the marks of a Trace."""
    failed = {e.call_id for e in trace.events if e.kind is EventKind.TOOL_RESULT and e.is_error and e.call_id}
    names: set[str] = set()
    changes: set[str] = set()
    for event in trace.events:
        if event.kind is not EventKind.TOOL_CALL or not event.tool:
            continue
        name = event.operation if is_shell(event.tool) else event.tool
        if name:
            names.add(name)
            if event.call_id not in failed and is_change(event.tool, event.operation):
                changes.add(EDIT if is_edit(event.tool) or is_edit_operation(name) else name)
    return FamilyMarks(
        changes=frozenset(changes),
        names=frozenset(names),
        words=frozenset(objective_words(trace.header.objective)),
    )


def objective_words(text: str) -> list[str]:
    """Returns the plain words of an objective, in order.

    URLs, addresses, quoted values, words with digits or signs, all-capital words, and capital words inside a
    sentence (names) are left out.
    """
    text = _QUOTED.sub(" ", _URL.sub(" ", text[:MAX_OBJECTIVE_CHARS]))
    words: list[str] = []
    begins = True
    for found in _TOKEN.finditer(text):
        token = found[0]
        bare = token.strip(".,;:!?()[]{}'*_#-")
        begins_here, begins = begins or "\n" in text[max(0, found.start() - 2) : found.start()], False
        begins = token[-1] in _SENTENCE_END
        word = bare.removesuffix("'s").removesuffix("\u2019s")
        if word[:1].isupper() and not begins_here:
            continue
        word = word[:1].lower() + word[1:]
        if _PLAIN.fullmatch(word) and word not in _COMMON:
            words.append(_stem(word))
    return words


def _stem(word: str) -> str:
    """Takes off the commonest English endings, so that `cancelled flights` meets `cancel a flight`."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
