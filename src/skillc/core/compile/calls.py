"""Model calls as a run record keeps them: which request, which model answered, what it used and what became of it.

Ids, digests and numbers alone: no word of a request or an answer is here. A negative number of tokens is none.
Paper: 5.6 Audit. Not here: making calls (engines.model), the answers themselves (kept outside git).
"""

from typing import Annotated

from pydantic import Field

from skillc.core.record import Record

ANSWERED = "answered"  # the outcome of a call that gave an answer of use; any other is a kind of failure
Tokens = Annotated[int, Field(ge=0)]


class DroppedInput(Record):
    """How many events of a Trace a request left out for its size."""

    trace_id: str
    events: int


class ModelCall(Record):
    """One question to a model. `outcome` is `answered`, or the kind of failure; `reason` says it in our words.

    `model` is the one that answered, as it says itself; `is_recorded` when an earlier answer was used again.
    """

    role: str
    request: str
    model: str
    outcome: str
    reason: str = ""
    input_tokens: Tokens = 0
    output_tokens: Tokens = 0
    cache_read_tokens: Tokens = 0
    cache_write_tokens: Tokens = 0
    cost_usd: Annotated[float, Field(ge=0)] = 0.0
    is_recorded: bool = False
    dropped: tuple[DroppedInput, ...] = ()
    notes: tuple[str, ...] = ()


class CallFailure(Record):
    """Why a run ended without a result: the call that failed. Nothing was admitted and every source is kept."""

    role: str
    kind: str
    reason: str
    stops_run: bool = False
    hint: str | None = None


class CostEstimate(Record):
    """What a run would ask and pay at most, retries aside, told by a dry run that makes no call but token counting."""

    calls: int
    recorded: int
    input_tokens: int
    output_tokens_at_most: int
    cost_usd_at_most: float | None
    counted_by: str
    models: tuple[str, ...]
