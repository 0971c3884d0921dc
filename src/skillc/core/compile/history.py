"""The records of runs and outcomes that the ledger keeps, and what they mean for the next run.

A run names every source that it read and left out; an outcome says how a proposal ended. From both follows
which sources are consumed and which proposals or lines are not made again. Paper: 5.3, Cite-or-retain rule
and Outcome history. Not here: storing them (repo.ledger).
"""

from collections.abc import Iterable
from typing import Literal

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.compile.evidence import Evidence, LeftOut, PastProposal
from skillc.core.compile.proposal import ClaimVerdict, ProposalOperation, ProposalOutcome
from skillc.core.record import Moment, Record, digest_of
from skillc.core.trace.codec import Trace
from skillc.core.trace.verification import Standing

RUN_FORMAT = "skillc.run/1"
OUTCOME_FORMAT = "skillc.outcome/1"
FAMILY_FORMAT = "skillc.family/1"
PERSON = "person"  # stands as the engine of a run that is a person's edit


class RunSource(Record):
    """One source that a run read. `key` changes when a later verdict changes what the Trace is worth."""

    trace_id: str
    key: str
    role: str
    outcome: str
    strength: str


class LineRecord(Record):
    """A line as the ledger keeps it: where it stands, and the reason; no text of it."""

    field: str
    claim_id: str
    reason: str = ""
    skill: str | None = None


class RepairRecord(Record):
    """A repaired citation as the ledger keeps it."""

    field: str
    claim_id: str
    trace_id: str
    event: str


class RunProposal(Record):
    """One proposal of a run and how far it came.

    `dropped` are lines that fell without ending it, `repairs` citations that were moved to the certain event, `lost`
    lines of current Skills that it leaves out. They are absent where there are none.
    """

    id: str
    operation: ProposalOperation
    skill: str | None = None
    skill_id: str | None = None
    content: str | None = None
    claims: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    verdicts: tuple[ClaimVerdict, ...] = ()
    outcome: ProposalOutcome
    reasons: tuple[str, ...] = ()
    dropped: tuple[LineRecord, ...] | None = None
    repairs: tuple[RepairRecord, ...] | None = None
    lost: tuple[LineRecord, ...] | None = None
    conflict: str | None = None


class RunVersion(Record):
    """One Skill version of the run's result group; `tree` is the identity of its folder."""

    skill: str
    skill_id: str
    change: str
    tree: str


class RunRecord(Record):
    """One compilation run over one task family.

    `stale` are lines of current Skills that its sources contradict; `failure` says that a model call ended it: it
    consumed nothing.
    """

    format: Literal["skillc.run/1"] = "skillc.run/1"
    run: str
    namespace: str
    task_family: str
    engine: str
    engine_version: str
    base_commit: str | None = None
    ledger_commit: str | None = None
    at: Moment
    read: tuple[RunSource, ...]
    left_out: tuple[LeftOut, ...]
    proposals: tuple[RunProposal, ...]
    group: str | None = None
    versions: tuple[RunVersion, ...] = ()
    calls: tuple[ModelCall, ...] | None = None
    failure: CallFailure | None = None
    stale: tuple[LineRecord, ...] | None = None
    previous: tuple[str, ...] = ()


class OutcomeRecord(Record):
    """How a proposal, or single lines of it, ended after its run. `claims` empty means the whole proposal."""

    format: Literal["skillc.outcome/1"] = "skillc.outcome/1"
    namespace: str
    run: str
    proposal: str
    task_family: str
    outcome: ProposalOutcome
    reason: str
    content: str | None = None
    claims: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


class FamilyRecord(Record):
    """Traces that a person put into a task family: by accepting a group, or one by one."""

    format: Literal["skillc.family/1"] = "skillc.family/1"
    namespace: str
    slug: str
    description: str = ""
    operations: tuple[str, ...] = ()
    trace_ids: tuple[str, ...] = ()
    at: Moment
    previous: tuple[str, ...] = ()


def source_key(trace: Trace, standing: Standing) -> str:
    """Returns the identity of a source: its digest, effective outcome and strength."""
    return digest_of([trace.digest, standing.outcome, standing.strength, standing.conflicted])[7:39]


def keys_of(evidence: Evidence) -> frozenset[str]:
    """Returns the identities of the sources that a look into the history compares; none where there is no history."""
    return frozenset(source_key(s.trace, s.standing) for s in evidence.sources) if evidence.history else frozenset()


_CLOSED = (
    ProposalOutcome.HUMAN_REJECTED,
    ProposalOutcome.REVERTED,
    ProposalOutcome.EVALUATION_FAILED,
)


def past_proposals(outcomes: Iterable[OutcomeRecord], *, task_family: str) -> tuple[PastProposal, ...]:
    """Returns the closed proposals and lines of a family, oldest first, for the Reflector and the checks."""
    found = [o for o in outcomes if o.task_family == task_family and o.outcome in _CLOSED]
    found.sort(key=lambda o: (o.at, o.run, o.proposal, o.claims))
    return tuple(
        PastProposal(
            run=o.run,
            proposal=o.proposal,
            outcome=o.outcome.value,
            content=o.content or "",
            claims=o.claims,
            sources=o.sources,
        )
        for o in found
    )


def closed_lines(history: Iterable[PastProposal], *, sources: frozenset[str]) -> frozenset[str]:
    """Returns the lines that stay out: rejected alone, and no source is new since then."""
    return frozenset(c for past in history if sources <= set(past.sources) for c in past.claims)


def is_closed(history: Iterable[PastProposal], *, content: str, sources: frozenset[str]) -> bool:
    """Says whether the same words were rejected as a whole, and no source is new since then."""
    return any(not past.claims and past.content == content and sources <= set(past.sources) for past in history)
