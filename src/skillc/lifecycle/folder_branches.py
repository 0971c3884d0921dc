"""Branches of people's commands that wait for a merge: a removal or a restoration on a protected base.

`forget`, `retire` and `restore` put their commit there where policy protects base; no run made it, so it is no
candidate. Paper: 5.4; 5.6, Deletion. Not here: making them (lifecycle.folder_commit), candidates
(lifecycle.candidates).
"""

import shlex

from skillc.core.record import Record
from skillc.core.skill.contract import ChangeKind
from skillc.errors import UsageError
from skillc.lifecycle.candidates import told_commits
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import skill_trees
from skillc.repo import layout

_CHANGES = (ChangeKind.WITHDRAW.value, ChangeKind.RESTORE.value)


class FolderChangeTold(Record):
    """What one commit of such a branch does to a Skill."""

    skill: str
    skill_id: str
    change: str
    commit: str


class FolderBranch(Record):
    """A branch that waits: what it changes, and the commands that merge it here or propose it on a forge."""

    branch: str
    changes: tuple[FolderChangeTold, ...]
    local: tuple[str, ...]
    forge: tuple[str, ...]

    def is_named(self, name: str) -> bool:
        """Says whether a person's word means this branch: itself, or a Skill of it."""
        return name == self.branch or any(name in (c.skill, c.skill_id) for c in self.changes)


def folder_branches(context: Context) -> tuple[FolderBranch, ...]:
    """Returns the branches of people's commands that base has not taken and that still change something there."""
    base = context.base.commit
    refs = context.repository.refs(layout.CANDIDATE_REFS.rstrip("/"))
    if base is None or not refs:
        return ()
    found = []
    for ref, tip in sorted(refs.items()):
        changes = _changes(context, tip)
        if changes and _still_changes(context, base, tip, changes):
            found.append(_branch(context, ref.removeprefix(layout.LOCAL_REFS), changes))
    return tuple(found)


def only_named(branches: tuple[FolderBranch, ...], name: str) -> tuple[FolderBranch, ...]:
    """Returns those that a person's word means. Raises UsageError where none does."""
    found = tuple(b for b in branches if b.is_named(name))
    if not found:
        raise UsageError(f"no candidate {name!r} waits for review", hint="run: skillc review, or skillc compile")
    return found


def _changes(context: Context, tip: str) -> tuple[FolderChangeTold, ...]:
    """Returns what the commits above base say that they do, oldest first; nothing for what a run made."""
    assert context.base.commit is not None
    found = []
    for commit, _, told in told_commits(context, f"{context.base.commit}..{tip}"):
        if told["Skillc-Run"]:
            return ()
        if told["Skillc-Change"] in _CHANGES:
            found.append(
                FolderChangeTold(
                    skill=told["Skillc-Skill"],
                    skill_id=told["Skillc-Id"],
                    change=told["Skillc-Change"],
                    commit=commit,
                )
            )
    return tuple(reversed(found))


def _still_changes(context: Context, base: str, tip: str, changes: tuple[FolderChangeTold, ...]) -> bool:
    """Says whether base has what the branch was made against, and not yet what it makes of it.

    A removal whose Skill has a new version meanwhile is overtaken: merged, it would only be in conflict with that.
    """
    now, then = skill_trees(context, base), skill_trees(context, tip)
    start = context.repository.git.line("merge-base", base, tip)
    before = skill_trees(context, start)
    return any(now.get(c.skill) == before.get(c.skill) and now.get(c.skill) != then.get(c.skill) for c in changes)


def _branch(context: Context, branch: str, changes: tuple[FolderChangeTold, ...]) -> FolderBranch:
    base, named = shlex.quote(context.base.branch), shlex.quote(branch)
    title = shlex.quote("; ".join(f"{c.change} {c.skill}" for c in changes)[:200])
    return FolderBranch(
        branch=branch,
        changes=changes,
        local=(f"git switch {base}", f"git merge --no-ff {named}"),
        forge=(
            f"git push origin {named}",
            f"gh pr create --base {base} --head {named} --title {title} --body ''",
        ),
    )
