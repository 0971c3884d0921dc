"""Resolving a conflict: a person says which of two opposite rules holds, or that both do.

`A` is what the Skill says: it is in service again, and the other side's attempts stay out of later runs. `B` is what
spoke against it: the next run is made without the first side. `split` keeps both, each under the condition that the
evidence shows; where it shows none, it is refused. Paper: 5.3, Curator; 5.5.
Not here: finding conflicts (lifecycle.upkeep).
"""

from pathlib import Path
from typing import Literal

from skillc.core.compile.conflict import ConflictRecord, ResolutionRecord, open_conflicts
from skillc.core.compile.splitting import MIN_SIDE
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import Record
from skillc.errors import UsageError
from skillc.lifecycle.candidates import Candidate, candidates, drop_candidate, is_admitted
from skillc.lifecycle.context import Context
from skillc.lifecycle.decisions import Decision, decision_files
from skillc.lifecycle.restore import RestoreReport, bring_back
from skillc.lifecycle.run_inputs import evidence_today
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import condition_of, withdrawals
from skillc.lifecycle.withdrawal import lift_record
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.layout import candidate_ref
from skillc.repo.ledger import LedgerFile, append_to_ledger

Keep = Literal["A", "B", "split"]


class ResolveReport(Record):
    """What a resolution did. `in_service` says whether the version is in service again; else a run makes a new one."""

    format: Literal["skillc.resolve/1"] = "skillc.resolve/1"
    skill: str
    conflict: str
    keep: Keep
    in_service: bool
    dropped_branch: str | None
    restored: RestoreReport | None
    left: int


def resolve(
    context: Context,
    name: str,
    keep: Keep,
    *,
    reason: str,
    by: str,
    conflict: str | None = None,
    key_path: Path | None = None,
    dry_run: bool = False,
) -> ResolveReport:
    """Ends one open conflict of a Skill, named by Skill, id or conflict; signed where an approver is registered."""
    if not reason.strip():
        raise UsageError("say why: --reason TEXT", hint="the reason is kept and shown later")
    found = open_conflicts_of(context, name)
    chosen = [c for c in found if conflict in (None, c.conflict)]
    if not chosen:
        raise UsageError(f"no conflict of {name!r} waits for a decision", hint="run: skillc status")
    if len(chosen) > 1:
        ids = ", ".join(c.conflict for c in chosen)
        raise UsageError(f"{name!r} has {len(chosen)} open conflicts", hint=f"name one with --conflict: {ids}")
    made = chosen[0]
    if keep == "split":
        _require_condition(context, made)
    left = sum(1 for c in _open(context) if c.tree == made.tree) - 1
    comes_back = left == 0 and {keep, *_kept_of(context, made.tree)} == {"A"}
    if dry_run:
        return _report(made, keep, in_service=comes_back, left=left)
    files = _decision(context, made, keep, reason, by=by, comes_back=comes_back, key_path=key_path)
    told = f"resolved: {made.conflict}\n"
    removal = _removal(context, made) if left == 0 else None
    restored = None
    if comes_back and made.skill not in current_skills(context):
        restored = bring_back(context, made.skill, made.tree, records=files, told=told)
    elif removal is not None:
        due = DueRecords(candidate_ref(removal.task_family), None, tuple(files), told, context.now)
        move_with_records(context.repository, due, lambda: drop_candidate(context, removal))
    else:
        append_to_ledger(context.repository, files, message=told, at=context.now)
    context.forget_ledger()
    branch = removal.branch if removal is not None and restored is None else None
    return _report(made, keep, in_service=comes_back, left=left, branch=branch, restored=restored)


def open_conflicts_of(context: Context, name: str) -> list[ConflictRecord]:
    """Returns the conflicts that wait for a person, of a Skill by name or id, or the one with this id."""
    return [c for c in _open(context) if name in (c.skill, c.skill_id, c.conflict)]


def _decision(
    context: Context,
    made: ConflictRecord,
    keep: Keep,
    reason: str,
    *,
    by: str,
    comes_back: bool,
    key_path: Path | None,
) -> list[LedgerFile]:
    """Returns the records of a decision: the resolution, and the end of the withdrawal where the version comes back."""
    withdrawal = withdrawals(context).get(made.tree)
    ends = comes_back and withdrawal is not None and withdrawal.reason is WithdrawalReason.CONFLICT

    def records(who: str) -> list[tuple[str, Decision]]:
        resolution = ResolutionRecord(
            conflict=made.conflict,
            namespace=context.policy.namespace,
            skill_id=made.skill_id,
            keep=keep,
            reason=reason,
            by=who,
            at=context.now,
            previous=context.ledger.heads("resolutions"),
        )
        found: list[tuple[str, Decision]] = [("resolutions", resolution)]
        if ends and withdrawal is not None:
            detail = f"resolved: {made.conflict}"
            found.append(("lifts", lift_record(context, withdrawal, by=who, detail=detail, at=context.now)))
        return found

    return decision_files(context, records, by=by, key_path=key_path)


def _kept_of(context: Context, tree: str) -> set[str]:
    """Returns what people kept in the conflicts of a version that they decided before."""
    own = {c.conflict for c in context.ledger.conflicts if c.tree == tree}
    return {r.keep for r in context.ledger.resolutions if r.conflict in own}


def _require_condition(context: Context, made: ConflictRecord) -> None:
    """Raises UsageError where nothing tells the two sides apart: to keep both would mean to say neither."""
    if not condition_of(context, made, evidence_today(context, made.task_family)):
        raise UsageError(
            f"conflict {made.conflict} of {made.skill!r} cannot be split: no fact that the attempts read tells its "
            "sides apart, so the next version would say neither",
            hint="choose --keep A (what the Skill says) or --keep B (what spoke against it); split is a choice once "
            f"at least {MIN_SIDE} attempt families of each side show when each holds",
        )


def _open(context: Context) -> tuple[ConflictRecord, ...]:
    return open_conflicts(context.ledger.conflicts, context.ledger.resolutions)


def _removal(context: Context, made: ConflictRecord) -> Candidate | None:
    """Returns the candidate that would remove the folder, to drop: a decision is made, and the next run follows it."""
    waiting = candidates(context).get(made.task_family)
    if waiting is None or waiting.foreign or is_admitted(context, waiting):
        return None
    if not any(v.change == "withdraw" and v.skill_id == made.skill_id for v in waiting.versions):
        return None
    return waiting


def _report(
    made: ConflictRecord,
    keep: Keep,
    *,
    in_service: bool,
    left: int,
    branch: str | None = None,
    restored: RestoreReport | None = None,
) -> ResolveReport:
    return ResolveReport(
        skill=made.skill,
        conflict=made.conflict,
        keep=keep,
        in_service=in_service,
        dropped_branch=branch,
        restored=restored,
        left=left,
    )
