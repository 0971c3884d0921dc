"""Upkeep of a family's Skills: what the evidence of today says about the versions that are in service.

Finds cited Traces that weakened, lines that new attempts contradict, and conflicts that nobody resolved; compile,
check and status ask here, so that they say the same. Paper: 5.3; 5.6. Not here: the rules (core.compile.weakening,
core.compile.contradictions, core.compile.conflict), writing what follows (lifecycle.withdrawal).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from skillc.core.compile.adherence import failed_uses
from skillc.core.compile.conflict import ConflictRecord, conflict_id, conflict_of, open_conflicts, stale_skill
from skillc.core.compile.contradictions import contradictions
from skillc.core.compile.evidence import CurrentSkill, Evidence, StaleSkill
from skillc.core.compile.proposal import SkillConflict
from skillc.core.compile.select import Attempt, role_of
from skillc.core.compile.weakening import WeakTrace, weak_traces
from skillc.core.compile.withdrawal import WithdrawalReason, WithdrawalRecord, withdrawn_versions
from skillc.core.skill.contract import Contract, cited_events, parse_contract
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory, StoredSkill


@dataclass(frozen=True)
class Upkeep:
    """What is due for the Skills of one family. Keys are Skill ids."""

    stale: tuple[StaleSkill, ...] = ()
    weak: Mapping[str, tuple[WeakTrace, ...]] = field(default_factory=dict)
    conflicts: tuple[SkillConflict, ...] = ()
    waiting: tuple[ConflictRecord, ...] = ()
    ended: tuple[WithdrawalRecord, ...] = ()

    @property
    def is_due(self) -> bool:
        """Says whether something must be written, whatever the sources are."""
        return bool(self.weak or self.conflicts or self.ended)

    @property
    def key(self) -> list[object]:
        """What of it makes another run: weak Traces, new conflicts, withdrawals that end."""
        weak = sorted([skill_id, *(w.trace_id for w in weak)] for skill_id, weak in self.weak.items())
        ended = sorted([w.skill_id, w.tree, *w.refs] for w in self.ended)
        return [weak, sorted(conflict_id(c.skill_id, c) for c in self.conflicts), ended]


def examine(context: Context, own: Sequence[StoredSkill], attempts: Sequence[Attempt], evidence: Evidence) -> Upkeep:
    """Returns what the attempts of a family say about its Skills on base."""
    weak = {}
    stale: list[StaleSkill] = []
    conflicts: list[SkillConflict] = []
    known = {c.conflict for c in context.ledger.conflicts}
    share = context.policy.thresholds.mandatory_share
    for skill in own:
        contract = skill.contract
        if contract is None:
            continue
        if found := weakened(contract, attempts):
            weak[contract.skill_id] = found
        spoken = contradictions(contract, evidence, share=share)
        failed = failed_uses(contract, evidence, known=_read_for(context, skill))
        told = stale_skill(contract.skill_id, skill.name, skill.tree, spoken)
        lines = (*(told.lines if told else ()), *([failed] if failed else ()))
        if lines:
            stale.append(StaleSkill(skill_id=contract.skill_id, skill=skill.name, tree=skill.tree, lines=lines))
        made = (conflict_of(contract.skill_id, c) for c in spoken if c.is_conflict)
        conflicts += [c for c in made if conflict_id(c.skill_id, c) not in known]
    return Upkeep(
        tuple(stale),
        weak,
        tuple(conflicts),
        waiting_conflicts(context, evidence.task_family, own),
        _ended(context, own, weak),
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


def waiting_words(waiting: Sequence[ConflictRecord]) -> str:
    """Says that a conflict waits, and how a person ends it."""
    first = waiting[0]
    return (
        f"conflict {first.conflict} of {first.skill} waits for a person: "
        f"skillc resolve {first.skill} --keep A|B|split --reason TEXT"
    )


def withdrawals(context: Context) -> Mapping[str, WithdrawalRecord]:
    """Returns folder identity -> the withdrawal that counts today."""
    return withdrawn_versions(context.ledger.withdrawals, context.ledger.lifts)


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
        return WithdrawalReason.CONFLICT, f"{len(ids)} conflicts of verified attempts", ids
    weak = upkeep.weak.get(skill_id, ())
    if weak:
        refs = tuple(w.trace_id for w in weak)
        return WithdrawalReason.EVIDENCE_WEAKENED, f"{len(refs)} cited Traces support it no longer", refs
    return None


def _read_for(context: Context, skill: StoredSkill) -> set[str]:
    """Returns the Traces that the run of this version read."""
    assert skill.contract is not None
    run = skill.contract.origin.run
    return {s.trace_id for r in context.ledger.runs if r.run == run for s in r.read}
