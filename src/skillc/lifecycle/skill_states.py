"""The Skills in the status: what each is worth today, on whose word it is there, and which are gone and why.

Paper: 5.4, 5.6. Not here: the rest of the status (lifecycle.status), proofs (lifecycle.admissions).
"""

from collections.abc import Mapping, Sequence

from skillc.core.compile.select import Attempt
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import Moment, Record
from skillc.core.skill.contract import Contract
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill
from skillc.lifecycle.stale import outdated_skills
from skillc.lifecycle.upkeep import waiting_conflicts, weakened, withdrawals
from skillc.repo.objects import open_reader


class AdmittedSkill(Record):
    """A Skill on base. `is_compiled` is false for one written by hand.

    `out_of_service` is the reason of a withdrawal, or `expired` before one is written; `weak` are cited Traces that
    support it no longer; `conflicts` wait for a person. `proof` says what stands for its admission, and `approved_by`
    whose word that is. `stale` are names of files, commands and flags that the checked-out commit has no more.
    """

    name: str
    is_compiled: bool
    task_family: str | None = None
    out_of_service: str | None = None
    weak: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    proof: str | None = None
    approved_by: str | None = None


class GoneSkill(Record):
    """A Skill that went out of service and whose folder is not on base any more; `tree` is its last version."""

    skill: str
    tree: str
    task_family: str
    reason: str
    detail: str
    by: str
    at: Moment


def admitted_skills(
    context: Context, skills: Mapping[str, StoredSkill], attempts: Sequence[Attempt]
) -> tuple[AdmittedSkill, ...]:
    """Returns the Skills of base, by name."""
    admissions: dict[str, Admission] = {}
    if any(s.contract is not None for s in skills.values()) and not context.repository.is_shallow:
        with open_reader(context.repository) as reader:
            admissions = Admissions(context, reader).of_current()
    outdated = outdated_skills(context, tuple(skills.values()), [a.trace.header for a in attempts])
    gone = {o.skill: tuple(dict.fromkeys(i.named for i in o.items)) for o in outdated}
    return tuple(
        _admitted(context, s, attempts, admissions.get(s.name)).model_copy(update={"stale": gone.get(s.name, ())})
        for s in skills.values()
    )


def gone_skills(context: Context, skills: Mapping[str, StoredSkill]) -> tuple[GoneSkill, ...]:
    """Returns the Skills that a withdrawal took away for good so far, by name; one that is back is none."""
    here = {s.contract.skill_id for s in skills.values() if s.contract is not None}
    newest = {w.skill_id: w for w in sorted(withdrawals(context).values(), key=lambda w: w.at)}
    return tuple(
        GoneSkill(
            skill=w.skill,
            tree=w.tree,
            task_family=w.task_family,
            reason=w.reason.value,
            detail=w.detail,
            by=w.by,
            at=w.at,
        )
        for w in sorted(newest.values(), key=lambda w: w.skill)
        if w.skill_id not in here
    )


def _expired(context: Context, contract: Contract) -> str | None:
    return WithdrawalReason.EXPIRED.value if contract.validity.is_past(context.now) else None


def _admitted(
    context: Context, skill: StoredSkill, attempts: Sequence[Attempt], admission: Admission | None
) -> AdmittedSkill:
    contract = skill.contract
    if contract is None:
        return AdmittedSkill(name=skill.name, is_compiled=False)
    withdrawal = withdrawals(context).get(skill.tree)
    waiting = waiting_conflicts(context, contract.task_family, [skill])
    return AdmittedSkill(
        name=skill.name,
        is_compiled=True,
        task_family=contract.task_family,
        out_of_service=withdrawal.reason.value if withdrawal else _expired(context, contract),
        weak=tuple(w.trace_id for w in weakened(contract, attempts)),
        conflicts=tuple(c.conflict for c in waiting if c.tree == skill.tree),
        proof=admission.proof if admission else None,
        approved_by=admission.by if admission else None,
    )
