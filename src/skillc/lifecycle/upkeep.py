"""Upkeep of a family's Skills: what the evidence of today says about the versions that are in service.

Finds cited Traces that weakened, lines that new attempts contradict, and conflicts that nobody resolved; compile,
check and status ask here, so that they say the same. Paper: 5.3; 5.6. Not here: the rules (core.compile.weakening,
core.compile.contradictions, core.compile.conflict), writing what follows (lifecycle.withdrawal).
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from skillc.core.compile.conflict import (
    ConflictRecord,
    conflict_id,
    conflict_of,
    is_decided,
    open_conflicts,
    stale_skill,
)
from skillc.core.compile.evidence import CurrentSkill, Evidence, StaleLine, StaleSkill
from skillc.core.compile.history import OutcomeRecord, RunRecord
from skillc.core.compile.proposal import ProposalOutcome, SkillConflict
from skillc.core.compile.select import Attempt, role_of
from skillc.core.compile.weakening import WeakTrace, weak_traces
from skillc.core.compile.withdrawal import WithdrawalReason, WithdrawalRecord, withdrawn_versions
from skillc.core.skill.contract import ChangeKind, Contract, cited_events, parse_contract
from skillc.core.skill.render import plural
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory, StoredSkill, contract_at

if TYPE_CHECKING:  # what attempts did is read where new evidence is compared with a Skill, and nowhere else
    from skillc.core.compile.contradictions import Contradiction


@dataclass(frozen=True)
class Upkeep:
    """What is due for the Skills of one family. Keys are Skill ids.

    `told` is what of the stale lines is news: not those that a person decided on from the same attempts. `out` are
    the withdrawals, by folder identity, that go on counting for versions whose folders are still there. `expired` are
    Skills whose validity is past, with its end.
    """

    stale: tuple[StaleSkill, ...] = ()
    told: tuple[StaleSkill, ...] = ()
    weak: Mapping[str, tuple[WeakTrace, ...]] = field(default_factory=dict)
    conflicts: tuple[SkillConflict, ...] = ()
    waiting: tuple[ConflictRecord, ...] = ()
    ended: tuple[WithdrawalRecord, ...] = ()
    out: Mapping[str, WithdrawalRecord] = field(default_factory=dict)
    expired: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def is_due(self) -> bool:
        """Says whether something must be written, whatever the sources are."""
        return bool(self.weak or self.conflicts or self.ended or self.expired)

    @property
    def key(self) -> list[object]:
        """What of it makes another run: weak Traces, new conflicts, withdrawals that end, validity that is past."""
        weak = sorted([skill_id, *(w.trace_id for w in weak)] for skill_id, weak in self.weak.items())
        ended = sorted([w.skill_id, w.tree, *w.refs] for w in self.ended)
        past = sorted([skill_id, until.isoformat()] for skill_id, until in self.expired.items())
        conflicts = sorted(conflict_id(c.skill_id, c) for c in self.conflicts)
        return [weak, conflicts, ended, *([past] if past else [])]  # a run without any keeps the id that it had


def examine(context: Context, own: Sequence[StoredSkill], attempts: Sequence[Attempt], evidence: Evidence) -> Upkeep:
    """Returns what the attempts of a family say about its Skills on base."""
    from skillc.core.compile.adherence import failed_uses
    from skillc.core.compile.contradictions import contradictions

    weak = {}
    stale: list[StaleSkill] = []
    news: list[StaleSkill] = []
    conflicts: list[SkillConflict] = []
    known = {c.conflict for c in context.ledger.conflicts}
    decisions = context.ledger.conflicts, context.ledger.resolutions
    share = context.policy.thresholds.mandatory_share
    for skill in own:
        contract = skill.contract
        if contract is None:
            continue
        if found := weakened(contract, attempts):
            weak[contract.skill_id] = found
        spoken = contradictions(contract, evidence, share=share)
        failed = failed_uses(contract, evidence, known=_read_for(context, skill))
        stale += _stale(skill, spoken, failed)
        news += _stale(skill, [c for c in spoken if not is_decided(c, skill.tree, *decisions)], failed)
        made = (conflict_of(contract.skill_id, c) for c in spoken if c.is_conflict)
        conflicts += [c for c in made if conflict_id(c.skill_id, c) not in known]
    ended = _ended(context, own, weak)
    back, active = {w.tree for w in ended}, withdrawals(context)
    return Upkeep(
        tuple(stale),
        tuple(news),
        weak,
        tuple(conflicts),
        waiting_conflicts(context, evidence.task_family, own),
        ended,
        {s.tree: active[s.tree] for s in own if s.tree in active and s.tree not in back},
        expired_skills(context, own),
    )


def expired_skills(context: Context, skills: Iterable[StoredSkill]) -> dict[str, datetime]:
    """Returns the ids of the Skills whose validity is past, each with its end."""
    contracts = (s.contract for s in skills if s.contract is not None)
    past = ((c.skill_id, c.validity.valid_until) for c in contracts if c.validity.is_past(context.now))
    return {skill_id: until for skill_id, until in past if until is not None}


def expired_words(until: datetime) -> str:
    """Says until when a Skill was valid."""
    return f"valid until {until.isoformat().replace('+00:00', 'Z')}"


def _stale(skill: StoredSkill, spoken: "Sequence[Contradiction]", failed: StaleLine | None) -> list[StaleSkill]:
    """Returns a Skill with its stale lines, if it has any."""
    assert skill.contract is not None
    told = stale_skill(skill.contract.skill_id, skill.name, skill.tree, spoken)
    lines = (*(told.lines if told else ()), *([failed] if failed else ()))
    return (
        [StaleSkill(skill_id=skill.contract.skill_id, skill=skill.name, tree=skill.tree, lines=lines)] if lines else []
    )


def _ended(
    context: Context, own: Sequence[StoredSkill], weak: Mapping[str, tuple[WeakTrace, ...]]
) -> tuple[WithdrawalRecord, ...]:
    """Returns the withdrawals for weak evidence of Skills whose evidence is strong again."""
    active = withdrawals(context)
    found = (active.get(s.tree) for s in own if s.contract is not None and s.contract.skill_id not in weak)
    return tuple(w for w in found if w is not None and w.reason is WithdrawalReason.EVIDENCE_WEAKENED)


def weakened(contract: Contract, attempts: Sequence[Attempt]) -> tuple[WeakTrace, ...]:
    """Returns the cited Traces that no longer carry the lines of a contract. Those not given are not judged."""
    cited = cited_events(contract)
    return weak_traces(contract, {a.trace.trace_id: role_of(a) for a in attempts if a.trace.trace_id in cited})


def waiting_conflicts(context: Context, task_family: str, own: Sequence[StoredSkill]) -> tuple[ConflictRecord, ...]:
    """Returns the conflicts of a family that wait for a person: of versions on base, or whose folder is gone."""
    trees = {s.tree for s in own}
    here = {s.contract.skill_id for s in own if s.contract is not None}
    found = open_conflicts(context.ledger.conflicts, context.ledger.resolutions)
    return tuple(c for c in found if c.task_family == task_family and (c.tree in trees or c.skill_id not in here))


def condition_of(context: Context, conflict: ConflictRecord, evidence: Evidence) -> str:
    """Returns the condition that tells the sides of a recorded conflict apart today; empty where none does."""
    from skillc.core.compile.contradictions import contradictions

    contract = contract_at(context, conflict.tree)
    if contract is None:
        return ""
    line = conflict.field, conflict.claim_id, conflict.kind
    spoken = contradictions(contract, evidence, share=context.policy.thresholds.mandatory_share)
    return next((c.condition for c in spoken if (c.field, c.claim_id, c.kind) == line and c.condition), "")


def waiting_words(context: Context, waiting: Sequence[ConflictRecord], evidence: Evidence) -> str:
    """Says that a conflict waits, and how a person ends it: to split it is offered where a condition is known."""
    first = waiting[0]
    condition = condition_of(context, first, evidence)
    known = f" (split: {condition})" if condition else ""
    return (
        f"conflict {first.conflict} of {first.skill} waits for a person: "
        f"skillc resolve {first.skill} --keep {'A|B|split' if condition else 'A|B'} --reason TEXT{known}"
    )


def withdrawals(context: Context) -> Mapping[str, WithdrawalRecord]:
    """Returns folder identity -> the withdrawal that counts today."""
    return withdrawn_versions(context.ledger.withdrawals, context.ledger.lifts)


def decided_withdrawals(context: Context, busy: Container[str]) -> tuple[WithdrawalRecord, ...]:
    """Returns what is out of service for conflicts that a person decided, and that no run has followed yet.

    `busy` are the families whose candidate waits.
    """
    ledger = context.ledger
    kept = {r.conflict: r.keep for r in ledger.resolutions}
    made = {c.conflict: c for c in ledger.conflicts}
    found = []
    for record in withdrawals(context).values():
        is_decided = record.refs and all(ref in kept and ref in made for ref in record.refs)
        if record.reason is not WithdrawalReason.CONFLICT or not is_decided or record.task_family in busy:
            continue
        own = [r for r in ledger.runs if r.task_family == record.task_family and r.failure is None]
        if not all(any(_follows(run, made[ref], kept[ref]) for run in own) for ref in record.refs):
            found.append(record)
    return tuple(found)


def _follows(run: RunRecord, made: ConflictRecord, keep: str) -> bool:
    """Says whether a run was made after a decision: it left the other side out, or read both and made a version."""
    if keep != "split":
        return any(made.conflict in left.reason for left in run.left_out)
    both = {c.trace_id for side in made.sides for c in side}
    is_new = any(v.skill_id == made.skill_id and v.tree != made.tree for v in run.versions)
    return is_new and both <= {s.trace_id for s in run.read}


def former_skills(context: Context, task_family: str, own: Sequence[StoredSkill]) -> tuple[CurrentSkill, ...]:
    """Returns the Skills of a family that base once had and has no folder of now: they are never made a second time."""
    if own or context.base.commit is None or context.repository.is_shallow:
        return ()
    if not any(r.task_family == task_family and r.versions for r in context.ledger.runs):
        return ()
    from skillc.core.skill.contract import CONTRACT_FILE
    from skillc.errors import DataError
    from skillc.repo.objects import open_reader

    found: dict[str, CurrentSkill] = {}
    with open_reader(context.repository) as reader:
        for name, changes in sorted(SkillHistory(context).changes.items()):
            last = next((c.tree for c in reversed(changes) if c.tree), None)
            data = reader.read(f"{last}:{CONTRACT_FILE}") if last and changes[-1].tree is None else None
            if data is None or last is None:
                continue
            try:
                contract = parse_contract(data, path=f"{name}/{CONTRACT_FILE}")
            except DataError:
                continue
            if contract.task_family == task_family:
                found[contract.skill_id] = CurrentSkill(contract=contract, tree=last)
    return tuple(found.values())


def withdrawal_reasons(upkeep: Upkeep, skill_id: str) -> tuple[WithdrawalReason, str, tuple[str, ...]] | None:
    """Returns why a Skill must go out of service now: reason, words and refs; None when it may stay."""
    found = [c for c in upkeep.conflicts if c.skill_id == skill_id]
    if found:
        ids = tuple(sorted(conflict_id(c.skill_id, c) for c in found))
        return WithdrawalReason.CONFLICT, f"{len(ids)} {plural('conflict', len(ids))} of verified attempts", ids
    weak = upkeep.weak.get(skill_id, ())
    if weak:
        refs = tuple(w.trace_id for w in weak)
        return WithdrawalReason.EVIDENCE_WEAKENED, weak_words(len(refs)), refs
    until = upkeep.expired.get(skill_id)
    return (WithdrawalReason.EXPIRED, expired_words(until), ()) if until is not None else None


def refused_removal(context: Context, own: Sequence[StoredSkill], upkeep: Upkeep) -> OutcomeRecord | None:
    """Returns a person's no to the removals that are due, where they refused every one and no reason is new since.

    The Skills stay out of service all the same; what was refused is that their folders go.
    """
    if upkeep.ended or upkeep.conflicts:
        return None
    runs = {r.run: r for r in context.ledger.runs}
    refused: dict[tuple[str, str], OutcomeRecord] = {}
    for outcome in context.ledger.outcomes:
        run = runs.get(outcome.run)
        if run is None or outcome.outcome is not ProposalOutcome.HUMAN_REJECTED or outcome.claims:
            continue
        refused |= {(v.skill_id, v.tree): outcome for v in run.versions if v.change == ChangeKind.WITHDRAW.value}
    active = withdrawals(context)
    found = None
    for skill in own:
        why = withdrawal_reasons(upkeep, skill.contract.skill_id) if skill.contract is not None else None
        if skill.contract is None or why is None:
            continue
        known = active.get(skill.tree)
        found = refused.get((skill.contract.skill_id, skill.tree))
        if found is None or known is None or (known.reason, known.refs) != (why[0], why[2]):
            return None
    return found


def weak_words(count: int) -> str:
    """Says how many cited Traces a Skill lost."""
    return "1 cited Trace supports it no longer" if count == 1 else f"{count} cited Traces support it no longer"


def _read_for(context: Context, skill: StoredSkill) -> set[str]:
    """Returns the Traces that the run of this version read."""
    assert skill.contract is not None
    run = skill.contract.origin.run
    return {s.trace_id for r in context.ledger.runs if r.run == run for s in r.read}
