"""What the words of a person's turn say: whether they ask for work of its own, or go on with what was done.

English only; a turn in another language asks for nothing here, so its session stays one task. Looks at the begin of
a turn, where a request stands. Not here: whether the work before is finished (importers.objective).
"""

import re

from skillc.core.words import names

_BEGIN_CHARS = 400
_POINTING_CHARS = 80
_MAX_CHARS = 20_000
_CLAUSES = 3
_WORD = re.compile(r"[^\W_][\w./-]{2,}")

_COMMON = names(
    "the and for with from into that this please now then can could would you should have has are was were will not"
    " all any our your new use using make add let need want next how what when where whether which why"
)
# What people have done at the end of a task: it is no other one.
_ROUTINE = names(
    "test tests commit commits push branch pull request lint tag merge docs docstring docstrings comment comments"
    " changelog"
)
_VERBS = names(
    "add analyse analyze audit build bump change clean compare configure connect convert create debug define delete"
    " deploy design disable document draft enable explain extract figure find fix generate implement improve install"
    " integrate introduce investigate look make merge migrate move optimise optimize port prepare profile publish"
    " refactor remove rename reorganise reorganize replace research restructure review rewrite set speed support"
    " translate update upgrade write"
)
_THANKS = re.compile(
    r"\s*(?:(?:great|thanks|thank you|thx|perfect|nice|cool|awesome|excellent|good|ok|okay|alright|lgtm|looks good"
    r"|works|well done)\b[\s,.!:;-]*)+",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\s*(?:(?:now|next|please|hey|hi|and now|first|(?:can|could|would|will) (?:you|we)|help me(?: to)?"
    r"|let'?s|let us|we should|(?:your )?next task(?: is)?(?: to)?)\b[\s,:-]*)+",
    re.IGNORECASE,
)
_WISH = re.compile(r"(?:i|we)(?:'d| would| will|'ll)? (?:need|want|like)\b(?: you)?(?: to)?\s*", re.IGNORECASE)
_OTHER_TOPIC = re.compile(
    r"\b(?:(?:different|new|another|other) (?:topic|task|thing|question|subject)|move on|moving on|something else"
    r"|unrelated(?:ly)?)\b|^\s*next\s*:",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.!?:;\n]\s+|,\s*(?=please\b)", re.IGNORECASE)

_GOES_ON = re.compile(
    r"\s*(?:yes|no|nope|sure|right|continue|go on|go ahead|carry on|proceed|and|also|but|so|then|still|again|instead"
    r"|actually|wait|hmm|sorry|retry|undo|revert|why|how come|what about|what happens|that|this|these|those|it|they|you"
    r"|the same|same|one more|keep|stop|don'?t)\b",
    re.IGNORECASE,
)
_EARLY = re.compile(r"\b(?:also|still|undo|revert|the other|both)\b", re.IGNORECASE)
_AT_END = re.compile(r"\b(?:too|as well|instead|again)\b\s*(?:[,.!?]|please\b|$)", re.IGNORECASE)
_WHAT_WAS_DONE = re.compile(
    r"\byou(?:'ve| have)?(?: just| already)? (?:added|broke|built|changed|chose|created|deleted|did|fixed|forgot|found"
    r"|implemented|introduced|left|made|mentioned|missed|moved|proposed|put|removed|renamed|said|suggested|used|wrote)\b"
    r"|\byour (?:last )?(?:answer|approach|changes?|code|commits?|fix|implementation|patch|solution|version)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:these|those|this(?!\s+(?:file|repo|repository|project|codebase|folder|module|package|week|month|year)\b)"
    r"|the (?:same|last|previous|above|others?|rest|remaining|first|second|latter|former|changes?|diff))\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|its|them|they|their)\b", re.IGNORECASE)
# "fix that", "with that": it stands for something. After a noun it begins a relative clause.
_THAT = re.compile(
    r"(?:(?:^|[.,;:!?])\s*|\b(?:and|don'?t|not|now|or|please|then|to|you)\s+)(?:add|apply|change|commit|delete|do|drop"
    r"|explain|fix|keep|make|merge|move|push|put|remove|rename|replace|revert|run|see|test|try|undo|update|use)\s+that\b"
    r"|\b(?:about|after|all|at|before|but|by|for|from|in|is|like|of|on|than|to|with)\s+that\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(r"\s*[a-z]+\s+(?:up\s+|out\s+)?(?:(a|an|another|some)|(the|our|its|their))?\b", re.IGNORECASE)
# How many words a request needs: a thing with "a" is new, one with "the" is rather known from the work before.
_WORDS_FOR_NEW, _WORDS_FOR_BARE, _WORDS_FOR_KNOWN = 3, 4, 5


def content_words(text: str) -> set[str]:
    """Returns the words of a turn that say what it is about, without a plural `s` and without routine ones."""
    words = {word for word in _WORD.findall(text.casefold()[:_MAX_CHARS]) if word not in _COMMON | _ROUTINE}
    return {word[:-1] if word.endswith("s") and len(word) > 4 else word for word in words}


def asks_for_work(text: str) -> bool:
    """Says whether a turn begins with a request: an imperative, a wish, or the word that this is something else."""
    begin = _without(_THANKS, text[:_BEGIN_CHARS])
    if _OTHER_TOPIC.search(begin):
        return True
    count = len(content_words(text))
    return any(count >= _words_needed(clause) for clause in _CLAUSE.split(begin)[:_CLAUSES])


def _words_needed(clause: str) -> int:
    """Returns how many words a turn with this clause needs to be a request; more than there are for none."""
    rest = _without(_LEAD, clause)
    wish = _WISH.match(rest)
    first = re.match(r"\s*([a-z]+)\b", rest, re.IGNORECASE)
    if wish is not None:
        rest = "want " + rest[wish.end() :]
    elif first is None or first[1].casefold() not in _VERBS:
        return _MAX_CHARS
    thing = _OBJECT.match(rest)
    if thing is None or not (thing[1] or thing[2]):
        return _WORDS_FOR_BARE
    return _WORDS_FOR_NEW if thing[1] else _WORDS_FOR_KNOWN


def refers_back(text: str) -> bool:
    """Says whether a turn goes on with the work before: it answers, adds to it, or points at what is not in it."""
    begin = _without(_THANKS, text[:_BEGIN_CHARS])
    if _GOES_ON.match(begin) or _AT_END.search(begin) or _WHAT_WAS_DONE.search(begin):
        return True
    begin = begin[:_POINTING_CHARS]
    if any(pattern.search(begin) for pattern in (_EARLY, _POINTS, _THAT)):
        return True
    return any(not content_words(begin[: found.start()]) - _VERBS for found in _IT.finditer(begin))


def _without(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return text[found.end() :] if found else text
