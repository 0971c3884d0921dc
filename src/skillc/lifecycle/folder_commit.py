"""One commit of a person's command on a Skill's folder, with the ledger records that belong to it: both or neither.

On an unprotected base the commit is made there and a checkout comes along; where policy says that base is protected,
it waits on a branch of its own. Paper: 5.4, Group admission and versions.
Not here: what the commit changes (lifecycle.restore, lifecycle.withdrawal), records due after a kill (repo.due).
"""

from collections.abc import Sequence
from typing import Literal

from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.checkout import move_branch, tip_to_move
from skillc.repo.commits import NewCommit, RefUpdate, update_refs, write_commits
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.ledger import LedgerFile
from skillc.repo.lock import write_lock
from skillc.repo.signing import signed

FolderCommand = Literal["restore", "retire"]


def branch_of(context: Context, skill: str, command: FolderCommand) -> str:
    """Returns the branch that the commit goes to."""
    if context.policy.approval.protected_base:
        return f"{layout.CANDIDATE_PREFIX}{skill}-{command}"
    return context.base.branch


def commit_folder(
    context: Context, new: NewCommit, *, skill: str, command: FolderCommand, records: Sequence[LedgerFile], told: str
) -> str:
    """Makes the commit, moves the branch, and appends the records, which are due as soon as it moved.

    Returns the commit. Raises RepoError, and changes nothing, where a checkout is not free or the branch moved.
    """
    repository, base = context.repository, context.base
    branch = branch_of(context, skill, command)
    ref = layout.LOCAL_REFS + branch
    with write_lock(repository):
        is_base = branch == base.branch
        old = tip_to_move(repository, base) if is_base else repository.refs(ref).get(ref)
        written = signed(repository, write_commits(repository, [new], parent=base.commit, label=command))
        tip = written.ids[-1]

        def move() -> None:
            if is_base:
                move_branch(repository, base, old=old, new=tip, drop=[written.tmp_ref])
            else:
                update_refs(repository, [RefUpdate(ref, old, tip)], drop=[written.tmp_ref])

        if records:
            move_with_records(repository, DueRecords(ref, tip, tuple(records), told, context.now), move)
        else:
            move()
        context.forget_ledger()
    return tip
