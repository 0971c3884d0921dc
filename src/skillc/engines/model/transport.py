"""The wire between a role and a model: a request, its answer, what can go wrong, and where answers are kept.

A request is known by its digest: the same question is asked once. A transport gives text and numbers and decides
nothing. Paper: 5.3. Not here: the transports (engines.claude, engines.claude_code), the questions (engines.model).
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

from pydantic import Field

from skillc.core.record import Record, digest_of

REQUEST_FORMAT = "skillc.model-request/1"

# Stop reasons after which a text may be read; any other makes the call a failed one.
COMPLETE = ("end_turn", "stop_sequence")
TRUNCATED = "max_tokens"


class PromptBlock(Record):
    """A piece of the question. `is_stable` when the next request is likely to begin with the same words."""

    text: str
    is_stable: bool = False


class ModelRequest(Record):
    """One question, whole: who is asked, how, and for an answer of which shape."""

    role: str
    model: str
    effort: str | None
    max_tokens: int
    system: str
    blocks: tuple[PromptBlock, ...]
    answer_schema: dict[str, Any]

    @property
    def digest(self) -> str:
        """Returns the identity of the question: everything that can change its answer."""
        return digest_of([REQUEST_FORMAT, self.model_dump(mode="json")])

    @property
    def chars(self) -> int:
        """Returns the length of what a model reads, its answer's shape included."""
        return len(self.system) + sum(len(b.text) for b in self.blocks) + len(str(self.answer_schema))


Tokens = Annotated[int, Field(ge=0)]


class Usage(Record):
    """What a call used. Input tokens are those that no cache gave."""

    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    cache_read_tokens: Tokens = 0
    cache_write_tokens: Tokens = 0
    is_batch: bool = False


class ModelAnswer(Record):
    """What came back. `model` is the one that says that it answered; `cost_usd` where the transport knows it."""

    text: str
    stop_reason: str | None
    model: str
    usage: Usage
    cost_usd: float | None = None


class TransportError(Exception):
    """A call that gave no answer. The message is ours: no text of a server is in it."""

    def __init__(self, kind: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint


AUTH = "auth"
TOO_LARGE = "too-large"
UNAVAILABLE = "unavailable"
MALFORMED = "malformed"
BAD_REQUEST = "bad-request"
NOT_RECORDED = "not-recorded"
NO_MODEL = "unknown-model"
STOPPING = (AUTH, NO_MODEL)  # no further call can do better


class Transport(Protocol):
    """Carries one request to a model."""

    name: str

    def ask(self, request: ModelRequest, *, timeout_s: float) -> ModelAnswer:
        """Returns the answer; raises TransportError."""
        ...

    def ask_many(self, requests: Sequence[ModelRequest], *, timeout_s: float) -> Mapping[str, ModelAnswer]:
        """Returns answers by request digest, at the price of a batch; those that failed are missing."""
        ...

    def count_tokens(self, request: ModelRequest) -> int | None:
        """Returns the input tokens of a request without asking it, or None where nobody counts."""
        ...

    def price(self, model: str) -> "Price | None":
        """Returns what a model costs, or None when that is not known."""
        ...

    def close(self) -> None:
        """Ends every open connection; a call that is under way fails."""
        ...


class Price(Record):
    """US dollars for a million tokens. Above `long_from` input tokens, every token costs `long_factor` times that."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    batch_factor: float = 0.5
    long_from: int | None = None
    long_factor: float = 1.0

    def cost(self, usage: Usage) -> float:
        """Returns what a call cost, in dollars."""
        whole = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
        total = (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        ) / 1_000_000
        if self.long_from is not None and whole > self.long_from:
            total *= self.long_factor
        return total * (self.batch_factor if usage.is_batch else 1.0)


class AnswerStore(Protocol):
    """Keeps answers by the digest of their request, outside git, thrown away at will."""

    def get(self, digest: str) -> bytes | None:
        """Returns what was kept under a digest."""
        ...

    def put(self, digest: str, data: bytes) -> None:
        """Keeps a record; an answer that cannot be kept costs money, not truth."""
        ...

    def set_aside(self, digest: str) -> None:
        """Moves a record away: its answer was no good, and the next run asks again."""
        ...
