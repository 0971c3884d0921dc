"""When a person's turn opens a new task inside one session (`--split objective`).

A heuristic for English, and it leans to one task: a turn is a new objective when the one before is finished, no call
is open, and the turn asks for work of its own (importers.request_words) in other words than those so far. What it gets
wrong joins or parts attempts; it never changes what an event says. Paper: 5.1 (an attempt is one objective).
Not here: where a session ends (each importer).
"""

from skillc.importers.request_words import asks_for_work, content_words, refers_back

MIN_WORDS = 3  # "run it again" is no task of its own
MAX_SHARED = 0.34  # of the turn's words with those of the objective so far


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
        words = content_words(text)
        is_new = (
            bool(self._words)
            and not self._open
            and self._calls > 0
            and self._agent_spoke
            and len(words) >= MIN_WORDS
            and len(words & self._words) <= MAX_SHARED * len(words)
            and asks_for_work(text)
            and not refers_back(text)
        )
        if is_new:
            self._words, self._calls = set(), 0
        self._words |= words
        self._agent_spoke = False
        return is_new
