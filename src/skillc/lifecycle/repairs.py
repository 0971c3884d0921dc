"""What a compilation of now would do for Skills that something speaks against: asked before one is offered.

An offer that ends in "nothing new" helps nobody. Paper: 5.6, Deletion. Not here: the plan itself
(lifecycle.run_plan).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skillc.core.compile.select import Attempt
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import Record
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import withdrawals

if TYPE_CHECKING:
    from skillc.lifecycle.run_plan import RunPlan


class DueRepair(Record):
    """A family whose Skill went with deleted evidence, and that the next compilation makes again from what is left."""

    task_family: str
    skill: str


def due_repairs(context: Context, attempts: Sequence[Attempt]) -> tuple[DueRepair, ...]:
    """Returns what went out of service with deleted evidence and would be made again by a compilation now."""
    known = withdrawals(context)
    stored = ((s.contract, s.tree) for s in current_skills(context).values())
    served = {contract.task_family for contract, tree in stored if contract is not None and tree not in known}
    deleted = (w for w in known.values() if w.reason is WithdrawalReason.EVIDENCE_DELETED)
    out = {w.task_family: w.skill for w in deleted if w.task_family not in served}  # those of before stay on record
    return tuple(
        DueRepair(task_family=family, skill=skill)
        for family, skill in sorted(out.items())
        if _is_made_again(planned(context, family, attempts))
    )


def planned(context: Context, task_family: str, attempts: Sequence[Attempt] | None = None) -> "RunPlan":
    """Returns the plan of the offline engine for one family. `attempts` are all, where they were read already."""
    from skillc.engines.table import OFFLINE  # loads what a run needs, and most states have nothing to repair
    from skillc.lifecycle.attempts import load_attempts
    from skillc.lifecycle.engines import engine_for
    from skillc.lifecycle.run_plan import plan_run

    engine = engine_for(context, OFFLINE)
    known = load_attempts(context) if attempts is None else attempts
    members = [a for a in known if a.task_family == task_family]
    return plan_run(context, task_family, members, (engine.name, engine.version))


def _is_made_again(plan: "RunPlan") -> bool:
    return plan.is_due and plan.selection.has_support and not plan.own and plan.waiting is None
