"""Out of service and back: the records and commits of one mechanism for conflict, weak evidence and retirement.

The ledger record counts at once. The folder goes with the run's result group, or, for a person's command, with a
commit on base; where policy protects base, it waits on a branch. Paper: 5.3 Curator, 5.4, 5.6.
Not here: which Skills are due (lifecycle.upkeep), conflicts that are resolved (lifecycle.resolve).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from skillc.core.compile.conflict import ConflictRecord, conflict_id, open_conflicts
from skillc.core.compile.group import Change
from skillc.core.compile.proposal import SkillConflict
from skillc.core.compile.withdrawal import LiftRecord, WithdrawalReason, WithdrawalRecord, WithdrawnNote
from skillc.core.record import Record, pretty_json
from skillc.core.skill.contract import ChangeKind, Contract
from skillc.core.skill.render import visible_line
from skillc.errors import UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.folder_commit import branch_of, commit_folder
from skillc.lifecycle.skills import StoredSkill, require_skill
from skillc.lifecycle.upkeep import Upkeep, withdrawal_reasons, withdrawals
from skillc.repo import layout
from skillc.repo.commits import Delete, FileChange, NewCommit, Put
from skillc.repo.ledger import LedgerFile, ledger_file
from skillc.repo.lock import write_lock

if TYPE_CHECKING:  # a run loads the whole trusted checks, and a person's command has none
    from skillc.lifecycle.judging import Run

MAX_REASON_CHARS = 300


class WithdrawalReport(Record):
    """What took a Skill out of service. `commit` is None in a dry run."""

    format: Literal["skillc.withdraw/1"] = "skillc.withdraw/1"
    skill: str
    skill_id: str
    tree: str
    reason: WithdrawalReason
    detail: str
    commit: str | None
    branch: str


def withdraw_change(skill: StoredSkill, reason: WithdrawalReason, detail: str) -> Change:
    """Returns the change that removes a Skill's folder and leaves its note."""
    assert skill.contract is not None
    note = WithdrawnNote(skill_id=skill.contract.skill_id, reason=reason, tree=skill.tree)
    return Change(
        kind=ChangeKind.WITHDRAW,
        contract=skill.contract,
        base_tree=skill.tree,
        proposal_id="",
        reason=f"{reason.value}: {detail}",
        withdrawn=note,
    )


def take_out_of_service(run: "Run") -> None:
    """Adds what must go out of service to a run: conflicts of the Curator too, and weak Skills that no patch mends."""
    known = {conflict_id(c.skill_id, c) for c in run.upkeep.conflicts}
    new = tuple(c for c in run.conflicts if conflict_id(c.skill_id, c) not in known)
    run.upkeep = replace(run.upkeep, conflicts=(*run.upkeep.conflicts, *new))
    in_conflict = {c.skill_id for c in run.upkeep.conflicts}
    past = {(skill_id, until) for skill_id, until in run.upkeep.expired.items()}  # a version that keeps its end is past
    run.changes = [
        c
        for c in run.changes
        if c.contract.skill_id not in in_conflict and (c.contract.skill_id, c.contract.validity.valid_until) not in past
    ]
    for skill in run.own:
        assert skill.contract is not None
        why = withdrawal_reasons(run.upkeep, skill.contract.skill_id)
        if any(c.contract.skill_id == skill.contract.skill_id for c in run.changes):
            continue
        if why is not None:
            run.changes.append(withdraw_change(skill, why[0], why[1]))
        elif (record := run.upkeep.out.get(skill.tree)) is not None:
            # It is out of service already, and no new version takes its place: its folder is still to go.
            run.changes.append(withdraw_change(skill, record.reason, record.detail))


def conflicts_of(context: Context, skill_ids: set[str]) -> tuple[str, ...]:
    """Returns the conflicts of these Skills that nobody resolved."""
    found = open_conflicts(context.ledger.conflicts, context.ledger.resolutions)
    return tuple(c.conflict for c in found if c.skill_id in skill_ids)


def upkeep_files(
    context: Context, own: Sequence[StoredSkill], upkeep: Upkeep, *, run: str, at: datetime
) -> list[LedgerFile]:
    """Returns the records that are due: conflicts with both sides, withdrawals, and lifts of those that ended."""
    files = [
        ledger_file("conflicts", conflict_record(context, skill, conflict, run=run, at=at))
        for skill in own
        for conflict in upkeep.conflicts
        if skill.contract is not None and conflict.skill_id == skill.contract.skill_id
    ]
    active = withdrawals(context)
    for skill in own:
        if skill.contract is None:
            continue
        why = withdrawal_reasons(upkeep, skill.contract.skill_id)
        known = active.get(skill.tree)
        if why is not None and (known is None or (known.reason, known.refs) != (why[0], why[2])):
            files.append(ledger_file("withdrawals", record_of(context, skill, *why, by="skillc", at=at)))
    lifts = (lift_record(context, ended, by="skillc", detail="strong again", at=at) for ended in upkeep.ended)
    return [*files, *(ledger_file("lifts", lift) for lift in lifts)]


def conflict_record(
    context: Context, skill: StoredSkill, conflict: SkillConflict, *, run: str, at: datetime
) -> ConflictRecord:
    """Returns the ledger's record of a conflict: both sides by their citations, none of their words."""
    assert skill.contract is not None
    first, second = conflict.sides
    return ConflictRecord(
        conflict=conflict_id(conflict.skill_id, conflict),
        namespace=context.policy.namespace,
        task_family=skill.contract.task_family,
        skill=skill.name,
        skill_id=conflict.skill_id,
        tree=skill.tree,
        field=conflict.field,
        claim_id=conflict.claim_id,
        kind=conflict.kind,
        sides=(first.citations, second.citations),
        families=(first.families, second.families),
        run=run,
        at=at,
        previous=context.ledger.heads("conflicts"),
    )


def lift_record(context: Context, withdrawal: WithdrawalRecord, *, by: str, detail: str, at: datetime) -> LiftRecord:
    """Returns the record that ends a withdrawal."""
    return LiftRecord(
        namespace=context.policy.namespace,
        skill_id=withdrawal.skill_id,
        tree=withdrawal.tree,
        reason=withdrawal.reason,
        refs=withdrawal.refs,
        detail=detail,
        by=by,
        at=max(at, withdrawal.at),
        previous=context.ledger.heads("lifts"),
    )


def record_of(
    context: Context,
    skill: StoredSkill,
    reason: WithdrawalReason,
    detail: str,
    refs: tuple[str, ...],
    *,
    by: str,
    at: datetime,
) -> WithdrawalRecord:
    """Returns the ledger's record that a version goes out of service. `refs` are what it rests on."""
    assert skill.contract is not None
    return WithdrawalRecord(
        namespace=context.policy.namespace,
        task_family=skill.contract.task_family,
        skill=skill.name,
        skill_id=skill.contract.skill_id,
        tree=skill.tree,
        reason=reason,
        detail=detail,
        refs=refs,
        by=by,
        at=at,
        previous=context.ledger.heads("withdrawals"),
    )


def retire(context: Context, name: str, *, reason: str, by: str, dry_run: bool = False) -> WithdrawalReport:
    """Takes a Skill out of service by a person's command; `restore` brings it back."""
    if not reason.strip():
        raise UsageError("say why: --reason TEXT", hint="the reason is kept and shown later")
    if dry_run:
        return withdraw(context, require_skill(context, name), WithdrawalReason.RETIRED, reason, by=by, dry_run=True)
    with write_lock(context.repository):  # the version that goes is read inside, so that it is still the newest
        context.read_again()
        return withdraw(context, require_skill(context, name), WithdrawalReason.RETIRED, reason, by=by)


def withdraw(
    context: Context, skill: StoredSkill, why: WithdrawalReason, detail: str, *, by: str, dry_run: bool = False
) -> WithdrawalReport:
    """Takes one version out of service outside of a run: one commit, and the record counts as soon as it is there."""
    assert skill.contract is not None
    commit = None
    if not dry_run:
        record = record_of(context, skill, why, detail, (), by=by, at=context.now)
        commit = commit_folder(
            context,
            removal_commit(context, skill, why, detail),
            skill=skill.name,
            command="retire",
            records=[ledger_file("withdrawals", record)],
            told=f"withdrawn: {skill.name}\n",
        )
    return WithdrawalReport(
        skill=skill.name,
        skill_id=skill.contract.skill_id,
        tree=skill.tree,
        reason=why,
        detail=detail,
        commit=commit,
        branch=branch_of(context, skill.name, "retire"),
    )


def removal_commit(context: Context, skill: StoredSkill, why: WithdrawalReason, detail: str) -> NewCommit:
    """Returns the commit that takes a Skill's folder away and leaves its note."""
    assert skill.contract is not None
    note = WithdrawnNote(
        skill_id=skill.contract.skill_id,
        reason=why,
        tree=skill.tree,
        commit=context.base.commit,
    )
    changes: list[FileChange] = [
        Delete(layout.skill_folder(context.policy.skills_dir, skill.name)),
        Put(layout.withdrawn_path(skill.name), pretty_json(note)),
    ]
    return NewCommit(_message(skill.name, skill.contract, why, detail), changes, context.now)


def _message(name: str, contract: Contract, why: WithdrawalReason, detail: str) -> str:
    told = visible_line(detail)[:MAX_REASON_CHARS]  # on one line: a person's words are no trailer
    return (
        f"skill({name}): withdraw\n\nOut of service: {why.value}: {told}\n\n"
        f"Skillc-Skill: {name}\nSkillc-Id: {contract.skill_id}\nSkillc-Change: withdraw\n"
    )
