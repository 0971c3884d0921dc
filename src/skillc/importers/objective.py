"""When a person's turn opens a new task inside one session (`--split objective`).

A heuristic, and it leans to one task: a turn is a new objective when the one before is finished, no call is open,
the turn does not refer back, and its words are other words. What it gets wrong joins or parts attempts; it never
changes what an event says. Paper: 5.1 (an attempt is one objective).
Not here: where a session ends (each importer).
"""

import re

MIN_WORDS = 4  # "run it again" is no task of its own
MAX_SHARED = 0.34  # of the turn's words with those of the objective so far
_WORD = re.compile(r"[^\W_][\w./-]{2,}")
_REFERS_BACK = re.compile(
    r"\s*(?:yes|no|nope|ok(?:ay)?|sure|right|good|great|thanks|thank you|perfect|continue|go on|go ahead|carry on"
    r"|proceed|and|also|but|so|then|still|again|instead|actually|wait|hmm|sorry|retry|undo|revert|why|how come"
    r"|what about"
    r"|that|this|these|those|it|they|you|the same|another|one more|same|keep|stop|don'?t)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|that|this|these|those|them|the (?:same|last|previous|above))\b(?!\s+(?:file|repo|project)\b)",
    re.IGNORECASE,
)
_POINTING_CHARS = 60
_COMMON = frozenset(
    {"the", "and", "for", "with", "from", "into", "that", "this", "please", "now", "then", "can", "could", "would"}
    | {"you", "should", "have", "has", "are", "was", "were", "will", "not", "all", "any", "our", "your", "new", "use"}
    | {"using", "make", "add", "let", "need", "want"}
)


class ObjectiveWatch:
    """Follows one session. Tell it each call, result, agent message and interrupt; ask it at each user turn."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._calls = 0
        self._agent_spoke = False
        self._words: set[str] = set()

    def call(self, call_id: str | None) -> None:
        """A tool was called."""
        self._calls += 1
        self._agent_spoke = False
        if call_id is not None:
            self._open.add(call_id)

    def result(self, call_id: str | None) -> None:
        """A call was answered."""
        self._agent_spoke = False
        self._open.discard(call_id or "")

    def said(self) -> None:
        """The agent said something; when that is the last thing, it ended its turn."""
        self._agent_spoke = True

    def interrupted(self) -> None:
        """The person stopped the agent: what is open stays without an answer, and nothing is finished."""
        self._open.clear()
        self._agent_spoke = False

    def starts_new(self, text: str) -> bool:
        """Says whether a user turn opens a new objective, and takes its words in either way."""
        words = _words_of(text)
        is_new = (
            bool(self._words)
            and not self._open
            and self._calls > 0
            and self._agent_spoke
            and len(words) >= MIN_WORDS
            and not _REFERS_BACK.match(text)
            and not _POINTS_BACK.search(text[:_POINTING_CHARS])
            and len(words & self._words) <= MAX_SHARED * len(words)
        )
        if is_new:
            self._words, self._calls = set(), 0
        self._words |= words
        self._agent_spoke = False
        return is_new


def _words_of(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()[:20_000]) if word not in _COMMON}
