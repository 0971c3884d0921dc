"""What `skillc compile` answers, as records with a published shape."""

from typing import TYPE_CHECKING, Any, Literal

from skillc.core.admit.gates import GateVerdict
from skillc.core.compile.calls import CallFailure, CostEstimate, ModelCall
from skillc.core.compile.evidence import LeftOut, StaleSkill
from skillc.core.compile.proposal import SkillConflict
from skillc.core.compile.weakening import WeakTrace
from skillc.core.record import Record
from skillc.core.skill.contract import Contract

if TYPE_CHECKING:  # the report knows what upkeep says, and needs none of its work
    from skillc.lifecycle.upkeep import Upkeep


class VersionReport(Record):
    """One Skill version of a group; commit and tree are None in a dry run.

    `reason`: why it goes out of service; `near_duplicates`: admitted Skills of other families that do the same.
    """

    skill: str
    skill_id: str
    change: str
    commit: str | None
    tree: str | None
    fields: tuple[str, ...] = ()
    claims: int = 0
    attempt_families: int = 0
    single_source: bool = False
    reason: str = ""
    near_duplicates: tuple[str, ...] = ()


class GroupReport(Record):
    """The result group of one family and where it stands."""

    branch: str | None
    state: str
    versions: tuple[VersionReport, ...]
    gates: tuple[GateVerdict, ...]


class ProposalReport(Record):
    """One proposal and how far it came."""

    id: str
    operation: str
    skill: str | None
    outcome: str
    reasons: tuple[str, ...]


class WeakSkill(Record):
    """A Skill that cites Traces which support it no longer."""

    skill_id: str
    traces: tuple[WeakTrace, ...]


class FamilyReport(Record):
    """What a run did for one task family.

    `stale` are current Skills with lines that verified attempts contradict, `weak` those whose evidence weakened,
    `conflicts` the opposite rules that this run recorded.
    """

    task_family: str
    run: str | None
    read: tuple[str, ...]
    attempt_families: int
    left_out: tuple[LeftOut, ...]
    proposals: tuple[ProposalReport, ...]
    group: GroupReport
    note: str = ""
    contracts: tuple[Contract, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    failure: CallFailure | None = None
    estimate: CostEstimate | None = None
    stale: tuple[StaleSkill, ...] = ()
    weak: tuple[WeakSkill, ...] = ()
    conflicts: tuple[SkillConflict, ...] = ()


class SeenGroup(Record):
    """Undeclared Traces that changed the same things: a possible task family."""

    slug: str
    operations: tuple[str, ...]
    traces: int
    attempt_families: int
    verified_families: int


class CompileReport(Record):
    """The answer of `skillc compile`. `groups` are undeclared Traces, listed when they are many enough."""

    format: Literal["skillc.compile/1"] = "skillc.compile/1"
    families: tuple[FamilyReport, ...]
    run: str | None = None
    groups: tuple[SeenGroup, ...] = ()


def upkeep_report(stale: tuple[StaleSkill, ...], upkeep: "Upkeep | None" = None) -> dict[str, Any]:
    """Returns the parts of a family's report that say what is due for its Skills."""
    weak = sorted(upkeep.weak.items()) if upkeep else []
    return {
        "stale": stale,
        "weak": tuple(WeakSkill(skill_id=skill_id, traces=traces) for skill_id, traces in weak),
        "conflicts": upkeep.conflicts if upkeep else (),
    }
