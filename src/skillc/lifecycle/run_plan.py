"""What a run over one family would start from, or why there is no run: `compile` asks here, and so does `status`.

Reads base, ledger, candidates and attempts; writes nothing and asks no engine. Paper: 5.3, Evidence selection.
Not here: the parts of the evidence (lifecycle.run_inputs), the stages of the run (lifecycle.compile).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from skillc.core.compile.conflict import set_aside
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.select import Attempt, Selection, consumed_keys, read_keys, select_evidence
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.skill.contract import cited_events
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.lifecycle.run_inputs import (
    decided_words,
    evidence_of,
    has_closed_line,
    is_read,
    refused_words,
    run_id_of,
    waiting_candidate,
    work_of_people,
)
from skillc.lifecycle.skills import StoredSkill, current_skills
from skillc.lifecycle.upkeep import Upkeep, examine, refused_removal, waiting_words, withdrawals


@dataclass(frozen=True)
class RunPlan:
    """The inputs of a run. `nothing` says why there is none; `waits` that its candidate is there already.

    `skills` are all of base, by name. `own` are the family's that the run starts from: not those whose evidence was
    deleted, for a version of them is made again from what is left, also while their folder stands on a protected base.
    """

    run_id: str
    skills: dict[str, StoredSkill]
    evidence: Evidence
    selection: Selection
    own: tuple[StoredSkill, ...]
    upkeep: Upkeep
    waiting: Candidate | None
    nothing: str | None = None
    waits: bool = False

    @property
    def is_due(self) -> bool:
        return self.nothing is None and not self.waits


def plan_run(
    context: Context, task_family: str, attempts: Sequence[Attempt], engine: tuple[str, str], *, single: bool = False
) -> RunPlan:
    """Returns what a run of an engine (name, version) over one family would start from.

    `single`: a person names these very attempts, so that what was read or closed before does not stand in their way.
    """
    skills = current_skills(context)
    of_family = [s for s in skills.values() if s.contract is not None and s.contract.task_family == task_family]
    deleted = deleted_skills(context, of_family)
    own = [s for s in of_family if s not in deleted]
    cited = frozenset(t for s in own if s.contract for t in cited_events(s.contract))
    waiting = waiting_candidate(context, task_family)
    selection = _selection(context, task_family, attempts, cited, waiting, single=single)
    names = set(skills) - {s.name for s in deleted}
    evidence = evidence_of(
        context, task_family, selection, own, names, deleted=deleted, reopens=single, waiting=waiting
    )
    upkeep = examine(context, own, attempts, evidence)
    evidence = evidence.model_copy(update={"stale": upkeep.stale})
    run_id = run_id_of(context, evidence, upkeep, *engine)
    is_known = bool(waiting and waiting.is_amended and is_read(context, waiting, selection) and not upkeep.is_due)
    waits = waiting is not None and (waiting.run == run_id or (is_known and not single))
    nothing = (
        work_of_people(context, task_family, skills, of_family)
        or _stands_in_the_way(context, own, upkeep, selection, evidence)
        or (None if waits else _nothing_new(context, evidence, upkeep, selection, waiting, run_id, single=single))
    )
    return RunPlan(run_id, skills, evidence, selection, tuple(own), upkeep, waiting, nothing, waits and nothing is None)


def deleted_skills(context: Context, skills: Sequence[StoredSkill]) -> list[StoredSkill]:
    """Returns the Skills that are out of service since evidence of theirs was deleted, and whose folder is there."""
    known = withdrawals(context)
    out = ((s, known.get(s.tree)) for s in skills)
    return [s for s, w in out if w is not None and w.reason is WithdrawalReason.EVIDENCE_DELETED]


def _selection(
    context: Context,
    task_family: str,
    attempts: Sequence[Attempt],
    cited: frozenset[str],
    waiting: Candidate | None,
    *,
    single: bool,
) -> Selection:
    ledger = context.ledger
    undecided = {waiting.run, *waiting.amends} if waiting is not None else set()
    decided = (r for r in ledger.runs if r.run not in undecided)
    return select_evidence(
        attempts,
        cited=cited,
        consumed=consumed_keys(ledger.runs, task_family=task_family, thresholds=context.policy.thresholds),
        single=single,
        set_aside=set_aside(ledger.conflicts, ledger.resolutions),
        read_before=read_keys(decided, task_family=task_family),
    )


def _stands_in_the_way(
    context: Context, own: Sequence[StoredSkill], upkeep: Upkeep, selection: Selection, evidence: Evidence
) -> str | None:
    """Says what a person has to decide first, or that there is nothing to compile from."""
    if upkeep.waiting:
        return waiting_words(context, upkeep.waiting, evidence)
    refusal = refused_removal(context, own, upkeep)
    if refusal is not None and not (selection.has_support and selection.fresh):
        return refused_words(refusal)
    if not selection.has_support and not upkeep.is_due:
        return "no strongly verified success in this family"
    return None


def _nothing_new(
    context: Context,
    evidence: Evidence,
    upkeep: Upkeep,
    selection: Selection,
    waiting: Candidate | None,
    run_id: str,
    *,
    single: bool,
) -> str | None:
    """Says that the same run was made before, or that an earlier one read all of this."""
    if not (selection.fresh or single or upkeep.is_due or has_closed_line(evidence)):
        return "nothing new: every source was read by an earlier run"
    made = next((r for r in context.ledger.runs if r.run == run_id and r.failure is None), None)
    return decided_words(context, made) if made is not None and waiting is None and not single else None
