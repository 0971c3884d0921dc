"""`forget --purge`: the old bytes of forgotten Traces leave this clone's history, with the Skills that rested on them.

Only on a clean repository with one work tree, after a plan that a person said yes to, and with a backup beside it.
A purge that was killed is ended by the next one, which finds what it began in a note beside the repository.
Nothing is pushed: other clones and remotes keep what they have, and the report says what to do there. Paper: 5.6,
Deletion. Not here: the deletion itself (lifecycle.forget), git-filter-repo (repo.rewrite).
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from skillc.core.remove import rests_on
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, parse_contract
from skillc.errors import DataError, RepoError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.forget import ForgetReport
from skillc.lifecycle.forget_left import PurgeReport, drop_derived
from skillc.repo.lock import write_lock
from skillc.repo.objects import list_tree, open_reader
from skillc.repo.rewrite import (
    BegunPurge,
    drop_unreachable,
    is_installed,
    note_begun,
    note_ended,
    objects_below,
    refs_holding,
    signed_commits,
    still_here,
    strip_blobs,
    unfinished,
    write_backup,
)

Targets = Mapping[str, frozenset[str] | None]


def require_purgeable(context: Context) -> None:
    """Raises before anything is deleted where history cannot be rewritten safely."""
    repository = context.repository
    if not is_installed():
        raise UsageError("git-filter-repo is not installed", hint="install it, e.g.: pip install git-filter-repo")
    repository.require_full_history()
    if repository.object_format != "sha1":
        raise RepoError(
            f"git-filter-repo cannot rewrite a repository of {repository.object_format} objects",
            hint="forget it without --purge; then clone anew without the old history, or wait until git prunes it",
        )
    under_way = repository.operation_under_way()
    why = f"a {under_way} is under way" if under_way else None
    if repository.git.run("status", "--porcelain", "--untracked-files=no").strip():
        why = "there are changes that are not committed"
    elif len(repository.worktrees()) > 1:
        why = "there is another work tree"
    elif repository.refs("refs/stash"):
        why = "there is a stash, which may hold it too"
    if why is not None:
        raise RepoError(f"history is not rewritten here: {why}", hint="finish or clear that, then run it again")


def targets_of(report: ForgetReport) -> dict[str, frozenset[str] | None]:
    """Returns what a deletion was about: Trace -> its events, or None for all of it."""
    return {t.trace_id: None if t.is_whole else frozenset(t.events) for t in report.traces}


def plan_purge(context: Context, targets: Targets) -> PurgeReport:
    """Returns which blobs and refs a purge is about; nothing is changed.

    Before the deletion the stored bytes of today count as old ones too.
    """
    blobs = sorted({*_old_traces(context, targets)} | _old_skills(context, targets))
    refs = refs_holding(context.repository, blobs) if blobs else ()
    return PurgeReport(refs=refs, blobs=tuple(blobs), signed=signed_commits(context.repository, refs))


def purge(context: Context, targets: Targets, *, backup: Path | None = None) -> PurgeReport:
    """Rewrites the history of this clone after the deletion. Raises RepoError where a checked-out folder would go."""
    require_purgeable(context)
    plan = plan_purge(context, targets)
    repository = context.repository
    begun = unfinished(repository)
    if not plan.blobs and not begun.blobs:
        return plan
    _require_gone_from_tips(context, plan)
    blobs = tuple(sorted({*plan.blobs, *begun.blobs}))
    path = begun.backup
    with write_lock(repository):
        if plan.blobs:  # else a killed purge rewrote every ref already, and what is unreachable is still to go
            path = backup or _free_place(context)
            write_backup(repository, path)
            note_begun(repository, BegunPurge(blobs, begun.backup or path))
            try:
                strip_blobs(repository, plan.blobs, plan.refs)
            except RepoError as error:
                raise RepoError(error.message, hint=f"as it was before: {_way_back(path)}") from error
        drop_unreachable(repository)
        drop_derived(repository)
        note_ended(repository)
    left = still_here(repository, blobs)
    told = [*_next(plan, path)] if path is not None else []
    if begun.backup not in (None, path):
        told.insert(0, f"a purge before was interrupted, and its backup holds everything as it was: {begun.backup}")
    return plan.model_copy(
        update={"blobs": blobs, "backup": str(path) if path else None, "left": left, "next": tuple(told)}
    )


def _free_place(context: Context) -> Path:
    """Returns where the backup goes: beside the repository, and in nobody's way."""
    root = context.repository.root
    first = root.parent / f"{root.name}-before-purge-{context.now:%Y%m%dT%H%M%SZ}.bundle"
    places = (first, *(first.with_stem(f"{first.stem}-{number}") for number in range(2, 100)))
    return next((p for p in places if not os.path.lexists(p)), first)


def _old_traces(context: Context, targets: Targets) -> Iterator[str]:
    """Yields the blobs that the files of these Traces ever were, but for the tombstones that stand there now."""
    stored = context.traces.stored()
    for trace_id in targets:
        place = stored.get(trace_id)
        if place is None:
            continue
        is_forgotten = trace_id in context.ledger.tombstones
        for object_id in objects_below(context.repository, place.path):
            if not (is_forgotten and object_id == place.object_id):
                yield object_id


def _old_skills(context: Context, targets: Targets) -> set[str]:
    """Returns the files of every version of a Skill that cites what goes, wherever in history it is.

    A file that a version without such a citation has too is not among them: it says nothing that must go.
    """
    skills_dir = context.policy.skills_dir
    depth = skills_dir.count("/") + 1
    folders = [i for i, p in objects_below(context.repository, skills_dir).items() if p.count("/") == depth]
    going: set[str] = set()
    staying: set[str] = set()
    with open_reader(context.repository) as reader:
        for folder in sorted(folders):
            data = reader.read(f"{folder}:{CONTRACT_FILE}")
            if data is None:
                continue
            try:
                contract = parse_contract(data, path=CONTRACT_FILE)
            except DataError:
                continue
            rests = any(rests_on(contract, t, e) for t, e in targets.items())
            files = list_tree(context.repository, folder, recursive=False)
            (going if rests else staying).update(e.object_id for e in files if e.path in (CONTRACT_FILE, SKILL_FILE))
    return going - staying


def _require_gone_from_tips(context: Context, plan: PurgeReport) -> None:
    """What is checked out or admitted now is not taken away by a rewrite: its removal is merged first."""
    blobs = set(plan.blobs)
    for name in ("HEAD", context.base.commit, context.traces.tip):
        commit = context.repository.resolve(name) if name else None
        held = [e.path for e in list_tree(context.repository, commit) if e.object_id in blobs] if commit else []
        if held:
            raise RepoError(
                f"{held[0]!r} is still in {name if name == 'HEAD' else name and name[:12]}",
                hint="merge its removal, or switch to base, then run it again",
            )


def _way_back(path: Path) -> str:
    return f"git fetch --update-head-ok {shlex.quote(str(path))} '+refs/*:refs/*' && git reset --hard"


def _next(plan: PurgeReport, path: Path) -> Iterator[str]:
    yield f"look at it, then delete the backup, which holds what was forgotten: {path}"
    yield f"the way back: {_way_back(path)}"
    branches = [r.removeprefix("refs/remotes/") for r in plan.refs if r.startswith("refs/remotes/")]
    for branch in branches:
        remote, _, name = branch.partition("/")
        yield f"a remote has the old history: git push --force {remote} {name}"
    if branches:
        yield "then ask the forge to drop unreachable commits and cached views, and everybody to clone anew"
    if plan.signed:
        yield f"{plan.signed} signed commits lost their signature where they were rewritten: skillc audit --verify"


__all__ = ["PurgeReport", "plan_purge", "purge", "require_purgeable", "targets_of"]
