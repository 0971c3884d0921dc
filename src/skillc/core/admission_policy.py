"""The settings of skillc.yaml that say who lets a Skill in, on which evaluations, and how large it may be.

Part of the policy: `core.policy` reads the file and holds everything else. Paper: 5.4.
Not here: what a gate does with them (core.admit.gates).
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from skillc.core.record import Record
from skillc.core.trace.records import FAMILY_PATTERN

# Limits of the Agent Skills format, and of ours on top of it.
MAX_NAME_CHARS = 64
MAX_DESCRIPTION_CHARS = 1024
TARGET_DESCRIPTION_CHARS = 300
MAX_BODY_LINES = 500
MAX_BODY_TOKENS = 5000
CHARS_PER_TOKEN = 4  # rule of thumb for English and code; Choice, ADR 0005

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
Slug = Annotated[str, Field(pattern=FAMILY_PATTERN, max_length=MAX_NAME_CHARS)]
# The values of core.trace.operation.Effect; spelled out, because every command reads the policy and few need calls.
EffectName = Literal["read", "write", "message", "money", "delete"]


class KeyClass(StrEnum):
    """What it takes to use a key: this account alone, a person, or a CI that no developer account reaches."""

    LOCAL = "local"
    ATTENDED = "attended"
    ISOLATED = "isolated"


class ApprovalMode(StrEnum):
    """`pr`: a merge is the approval. `auto`: at once, when all gates pass. Paper: 5.4; ADR 0004."""

    PR = "pr"
    AUTO = "auto"


class AutoApproval(Record):
    """What `approval.mode: auto` may admit without a person. `families`: None is every family, an empty list none."""

    families: tuple[Slug, ...] | None = None
    minimum_assurance: KeyClass = KeyClass.ATTENDED


class PersonFor(Record):
    """What always waits for a person: effects, and tools by name or glob."""

    effects: tuple[EffectName, ...] = ("money", "delete")
    tools: tuple[str, ...] = ()


class ApprovalPolicy(Record):
    """Who lets a candidate in. `risky_assurance`: what the evidence of a message, money or deletion needs."""

    mode: ApprovalMode = ApprovalMode.PR
    protected_base: bool = False
    auto: AutoApproval = Field(default_factory=AutoApproval)
    person_for: PersonFor = Field(default_factory=PersonFor)
    risky_assurance: KeyClass = KeyClass.ATTENDED


class Evaluator(Record):
    """A registered evaluator: whoever runs candidates in an environment of its own, and signs what came out."""

    id: Identifier
    key: str
    key_class: KeyClass = KeyClass.LOCAL


class EvaluationPolicy(Record):
    """Evaluations that a candidate of a family needs before admission, and who may record them. Paper: 5.4.

    `required`: family -> evaluator ids; `*` stands for every family.
    """

    required: dict[Slug | Literal["*"], tuple[Identifier, ...]] = Field(default_factory=dict)
    evaluators: tuple[Evaluator, ...] = ()

    @model_validator(mode="after")
    def _registered(self) -> "EvaluationPolicy":
        ids = [e.id for e in self.evaluators]
        doubled = sorted({i for i in ids if ids.count(i) > 1})
        if doubled:
            raise ValueError(f"two evaluators have the id {doubled[0]!r}")
        return self

    def evaluator(self, evaluator_id: str) -> Evaluator | None:
        return next((e for e in self.evaluators if e.id == evaluator_id), None)

    def required_for(self, task_family: str) -> tuple[str, ...]:
        """Returns the evaluators whose pass a family needs, those of every family first."""
        return tuple(dict.fromkeys((*self.required.get("*", ()), *self.required.get(task_family, ()))))


class LimitsPolicy(Record):
    """How large a Skill may be: at most what the hosts read whole. `versions` counts those of one result group."""

    body_lines: Annotated[int, Field(ge=20, le=MAX_BODY_LINES)] = MAX_BODY_LINES
    body_tokens: Annotated[int, Field(ge=200, le=MAX_BODY_TOKENS)] = MAX_BODY_TOKENS
    description_chars: Annotated[int, Field(ge=40, le=MAX_DESCRIPTION_CHARS)] = MAX_DESCRIPTION_CHARS
    versions: Annotated[int, Field(ge=1, le=200)] = 20


class UnmanagedRule(StrEnum):
    """What `check` does with a finding in a Skill that skillc did not compile."""

    WARN = "warn"
    BLOCK = "block"


class CompileTrigger(StrEnum):
    """When Skills are compiled: on request, on a schedule, or when a session was captured."""

    REQUEST = "request"
    SCHEDULE = "schedule"
    CLOSE = "close"


class CompilePolicy(Record):
    """When `skillc compile` runs by itself."""

    on: CompileTrigger = CompileTrigger.REQUEST


class MaintainPolicy(Record):
    """What `skillc maintain` retires: provisional Skills unused in this many sessions of their families; 0 is none."""

    retire_unused_after: Annotated[int, Field(ge=0, le=100_000)] = 0
