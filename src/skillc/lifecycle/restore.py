"""Undo and restore: an earlier version of a Skill becomes a new one. Plain `git revert` does the same.

Paper: 5.4, Group admission and versions. Not here: where the commit goes (lifecycle.folder_commit).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from skillc.core.compile.conflict import open_conflicts
from skillc.core.compile.withdrawal import WithdrawalReason, WithdrawalRecord
from skillc.core.record import Record
from skillc.errors import UsageError
from skillc.lifecycle.candidates import withdrawn_names
from skillc.lifecycle.context import Context
from skillc.lifecycle.decisions import Decision, decision_files
from skillc.lifecycle.folder_commit import branch_of, commit_folder
from skillc.lifecycle.overtaken import until_not_overtaken
from skillc.lifecycle.skills import SkillHistory, Version, contract_at
from skillc.lifecycle.upkeep import withdrawals
from skillc.lifecycle.withdrawal import lift_record
from skillc.repo import layout
from skillc.repo.commits import FOLDER_MODE, Delete, FileChange, NewCommit, PutObject
from skillc.repo.ledger import LedgerFile, append_to_ledger


class RestoreReport(Record):
    """What `undo` or `restore` did. `tree` is None when the Skill is out of service now.

    `ends_withdrawal`: the version had been retired, and is in service again.
    """

    format: Literal["skillc.restore/1"] = "skillc.restore/1"
    skill: str
    from_version: int
    to_version: int
    tree: str | None
    commit: str | None
    branch: str
    ends_withdrawal: bool = False


def undo(context: Context, skill: str, *, key_path: Path | None = None, dry_run: bool = False) -> RestoreReport:
    """Takes the newest version of a Skill back: the folder becomes what it was before it."""
    versions = _versions(context, skill)
    if len(versions) == 1:
        _require_no_rename(context, skill, versions[0])
    before = versions[-2] if len(versions) > 1 else Version(0, "", versions[-1].at, None, None)
    return _write(context, skill, versions[-1], before, dry_run, key_path)


def restore(
    context: Context, skill: str, wanted: str, *, key_path: Path | None = None, dry_run: bool = False
) -> RestoreReport:
    """Makes an earlier version, named by number, commit or tree, the newest one again.

    The end of a retirement is signed where an approver is registered.
    """
    return until_not_overtaken(context, lambda: _restore(context, skill, wanted, key_path, dry_run))


def _restore(context: Context, skill: str, wanted: str, key_path: Path | None, dry_run: bool) -> RestoreReport:
    versions = _versions(context, skill)
    target = next((v for v in versions if _is_named(v, wanted)), None)
    if target is None:
        raise UsageError(f"{skill!r} has no version {wanted!r}", hint=f"run: skillc log {skill}")
    if target.tree == versions[-1].tree:
        if target.tree is None or target.tree not in withdrawals(context):
            raise UsageError(f"{skill!r} has exactly the content of version {target.number} already")
        return _lifted(context, skill, target, key_path, dry_run)
    return _write(context, skill, versions[-1], target, dry_run, key_path)


def _versions(context: Context, skill: str) -> list[Version]:
    versions = SkillHistory(context).versions(skill)
    if not versions:
        raise UsageError(
            f"there is no Skill {skill!r} in the history of {context.base.branch}", hint="run: skillc show"
        )
    if not any(v.tree and _contract_id(context, v.tree) for v in versions):
        raise UsageError(f"{skill!r} is written by hand; skillc does not change it", hint="use git revert")
    return versions


def _require_no_rename(context: Context, skill: str, only: Version) -> None:
    """Raises when the Skill's only version is another folder's version under a new name: undo would delete it."""
    for name, changes in SkillHistory(context).changes.items():
        if name != skill and any(c.tree == only.tree for c in changes):
            raise UsageError(
                f"{skill!r} is {name!r} under a new name, so there is nothing of its own to undo",
                hint=f"take the renaming back: git revert {only.commit[:12]}",
            )


def _is_named(version: Version, wanted: str) -> bool:
    if wanted.isdigit() and len(wanted) < 7:
        return version.number == int(wanted)
    hexadecimal = len(wanted) >= 7 and all(c in "0123456789abcdef" for c in wanted)
    return hexadecimal and (version.commit.startswith(wanted) or (version.tree or "").startswith(wanted))


def bring_back(context: Context, skill: str, tree: str, *, records: Sequence[LedgerFile], told: str) -> RestoreReport:
    """Makes the version with this folder the newest one again, with the records of the decision that says so."""
    versions = _versions(context, skill)
    target = next(v for v in versions if v.tree == tree)
    return _committed(context, skill, versions[-1], target, records, told, dry_run=False)


def _write(
    context: Context, skill: str, now: Version, target: Version, dry_run: bool, key_path: Path | None = None
) -> RestoreReport:
    ended = _ended(context, skill, target.tree)
    lifts = _lifts(context, ended, key_path) if ended is not None and not dry_run else []
    report = _committed(context, skill, now, target, lifts, f"restored: {skill}\n", dry_run=dry_run)
    return report.model_copy(update={"ends_withdrawal": ended is not None})


def _committed(
    context: Context,
    skill: str,
    now: Version,
    target: Version,
    records: Sequence[LedgerFile],
    told: str,
    *,
    dry_run: bool,
) -> RestoreReport:
    folder = layout.skill_folder(context.policy.skills_dir, skill)
    changes: list[FileChange] = [Delete(folder)]
    if skill in withdrawn_names(context, context.base.commit):
        changes.append(Delete(layout.withdrawn_path(skill)))
    if target.tree is not None:
        changes.append(PutObject(folder, target.tree, FOLDER_MODE))
    skill_id = _contract_id(context, target.tree or now.tree)
    what = f"restores version {target.number}" if target.tree else "removes the Skill, as before it was added"
    message = (
        f"skill({skill}): restore\n\nThis {what}, by a person's command.\n\n"
        f"Skillc-Skill: {skill}\n" + (f"Skillc-Id: {skill_id}\n" if skill_id else "") + "Skillc-Change: restore\n"
    )
    commit = None
    if not dry_run:
        commit = commit_folder(
            context,
            NewCommit(message, changes, context.now),
            skill=skill,
            command="restore",
            records=records,
            told=told,
        )
    return RestoreReport(
        skill=skill,
        from_version=now.number,
        to_version=target.number,
        tree=target.tree,
        commit=commit,
        branch=branch_of(context, skill, "restore"),
    )


def _lifts(context: Context, withdrawal: WithdrawalRecord, key_path: Path | None) -> list[LedgerFile]:
    """Returns the record that ends a retirement."""
    by = context.repository.settings.get("user.name", "somebody")

    def records(who: str) -> list[tuple[str, Decision]]:
        return [("lifts", lift_record(context, withdrawal, by=who, detail="restored", at=context.now))]

    return decision_files(context, records, by=by, key_path=key_path)


def _ended(context: Context, skill: str, tree: str | None) -> WithdrawalRecord | None:
    """Returns the retirement that a restore ends; a version out of service for another reason does not come back so."""
    withdrawal = withdrawals(context).get(tree or "")
    if withdrawal is None or withdrawal.reason is WithdrawalReason.RETIRED:
        return withdrawal
    waiting = {c.conflict for c in open_conflicts(context.ledger.conflicts, context.ledger.resolutions)}
    if withdrawal.reason is WithdrawalReason.CONFLICT and waiting & set(withdrawal.refs):
        raise UsageError(
            f"this version of {skill!r} is out of service for a conflict",
            hint=f"decide it: skillc resolve {skill} --keep A|B --reason TEXT",
        )
    raise UsageError(
        f"this version of {skill!r} is out of service: {withdrawal.reason.value}, {withdrawal.detail}",
        hint="make a new version from the evidence of today: skillc compile",
    )


def _lifted(context: Context, skill: str, version: Version, key_path: Path | None, dry_run: bool) -> RestoreReport:
    """Ends the retirement of a version whose folder is there: no commit is needed."""
    ended = _ended(context, skill, version.tree)
    if ended is not None and not dry_run:
        lifts = _lifts(context, ended, key_path)
        append_to_ledger(context.repository, lifts, message=f"restored: {skill}\n", at=context.now)
        context.forget_ledger()
    return RestoreReport(
        skill=skill,
        from_version=version.number,
        to_version=version.number,
        tree=version.tree,
        commit=None,
        branch=context.base.branch,
        ends_withdrawal=ended is not None,
    )


def _contract_id(context: Context, tree: str | None) -> str | None:
    contract = contract_at(context, tree)
    return contract.skill_id if contract else None
