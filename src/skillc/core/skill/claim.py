"""Claims: statements of a contract, each with the events that it came from.

A claim's basis says what kind of evidence its citations are; the contract's field says which evidence it
needs (core.skill.contract). Paper: 5.2, 5.3. Not here: whether a citation resolves (core.compile.checks).
"""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from skillc.core.record import Record
from skillc.core.trace.operation import Effect as Effect
from skillc.core.trace.records import EVENT_ID_PATTERN, TRACE_ID_PATTERN

MAX_CLAIM_CHARS = 2000
PLACEHOLDER = re.compile(r"<([a-z][a-z0-9_]*)>")  # stands for a value in the texts and arguments of steps
CitedEvent = Annotated[str, Field(pattern=EVENT_ID_PATTERN)]


class ClaimBasis(StrEnum):
    """What stands behind a claim."""

    EVENTS = "events"
    PERSON = "person"
    USER = "user"
    PUBLISHED = "published"


class Citation(Record):
    """Events of one Trace, in order of their seq; at least one."""

    trace_id: Annotated[str, Field(pattern=TRACE_ID_PATTERN)]
    events: Annotated[tuple[CitedEvent, ...], Field(min_length=1)]


class Claim(Record):
    """One statement. `id` is unique in its contract and stable while the claim is unchanged.

    `person` is the registered id of who wrote a line by hand; absent where nobody is registered, and on other lines.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]
    text: Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)]
    citations: tuple[Citation, ...] = ()
    basis: ClaimBasis = ClaimBasis.EVENTS
    person: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")] | None = None

    @property
    def is_persons(self) -> bool:
        """Says whether a person wrote the line: no event stands behind it."""
        return self.basis is ClaimBasis.PERSON


class InputSource(StrEnum):
    """Where the value of a placeholder comes from."""

    USER = "user"
    STEP = "step"
    CONSTANT = "constant"
    CHOSEN = "chosen"


class InputClaim(Claim):
    """A placeholder, written `<name>` in steps, and where its value comes from.

    `text` says in words where to take it; `source` is the same for a machine.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    source: InputSource


class Action(Record):
    """What a step does, with placeholders in place of instance values."""

    tool: str
    operation: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)


class Frequency(Record):
    """In how many attempt families, of all that were read, an optional step was taken."""

    families: Annotated[int, Field(ge=1)]
    of: Annotated[int, Field(ge=1)]


class StepClaim(Claim):
    """One step. `repeat` names what it is repeated for, when it is a loop.

    `frequency` says how usual an optional step is, where no decision says when it is taken.
    """

    action: Action | None = None
    optional: bool = False
    repeat: str | None = None
    frequency: Frequency | None = None


class FailureClaim(Claim):
    """A failure mode: `text` is the symptom; `recovery` rests on a verified success or is absent.

    `citations` hold the events of symptom and recovery together; `recovery_citations` those of the recovery.
    """

    recovery: Annotated[str, Field(min_length=1, max_length=MAX_CLAIM_CHARS)] | None = None
    recovery_citations: tuple[Citation, ...] = ()


class EffectClaim(Claim):
    """One effect that the cited events show."""

    effect: Effect
