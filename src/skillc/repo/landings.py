"""Where a session's work came into base, by content and not by name, and whether it was taken back later.

Merge, squash, rebase and commits on top all end with the work contained: merging it once more changes nothing.
A revert is known by its message or as the inverse patch. Paper: 5.1; ADR 0010.
Not here: whose signature counts, and what a landing is worth (lifecycle.landings).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from skillc.core.trace.edits import Edit, matches_content
from skillc.repo.base_history import BaseHistory
from skillc.repo.scratch import Scratch

MAX_TESTED = 300  # commits of the chain that are tried one by one; beyond, only those that touch the same paths
MAX_OWN_COMMITS = 200
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")


@dataclass(frozen=True)
class Work:
    """The commits of one session: where it began, where it ended, and its own commits in between."""

    start: str
    tip: str
    own: frozenset[str]


@dataclass(frozen=True)
class Landing:
    """How much of a session's work came into base, and with which commit of the chain.

    `approvals` are the commits whose signature speaks for it, `named` those whose revert takes it back.
    """

    commit: str
    shown: int
    total: int
    approvals: tuple[str, ...]
    named: frozenset[str]
    paths: frozenset[str]
    own: frozenset[str] = frozenset()
    changes: tuple[tuple[str, str], ...] = field(default=())  # (old, new) whose inverse takes it back

    @property
    def is_whole(self) -> bool:
        return self.shown == self.total


@dataclass(frozen=True)
class Fate:
    """What became of a landing until today: the commit that decided it last, and who can speak for that."""

    is_undone: bool
    commit: str
    approvals: tuple[str, ...]


def find_landing(scratch: Scratch, history: BaseHistory, work: Work) -> Landing | None:
    """Returns where work that has commits came into base, None when it did not, or changes nothing."""
    paths = scratch.changed_paths(work.start, work.tip)
    if not paths or not history.chain:
        return None
    window = _window(scratch, history, work.tip)
    merged = history.landed_at.get(work.tip)
    before = [c for c in window if merged is None or history.landed_at[c] < merged]
    if _holds_before(scratch, history, window, work.tip):
        return None
    found = _first_holding(scratch, history, before, work.tip)
    if found is None and merged is not None:
        # An ancestor is always contained: what the branch itself took back before it was merged is not.
        found = history.chain[merged]
        paths_left = paths & scratch.changed_paths(work.start, found)
        return _landing(scratch, history, work, found, paths, shown=len(paths_left)) if paths_left else None
    if found is not None:
        return _landing(scratch, history, work, found, paths, shown=len(paths))
    return _part(scratch, history, work, window, paths)


def find_content(
    history: BaseHistory, edits: Sequence[Edit], since: int, content_of: Callable[[str, str], str | None]
) -> Landing | None:
    """Returns where the content of edits that were never committed in the session shows up in base.

    Args:
        since: the place in the chain after which the work can have come in.
        content_of: the text of a path at a commit.
    """
    paths = frozenset(edit.path for edit in edits)
    if not paths or since >= len(history.chain):
        return None
    best = _shown(edits, history.chain[since], content_of)[0] if since >= 0 else 0
    found: tuple[str, int] | None = None
    for commit in history.chain[since + 1 :]:
        if not paths & history.chain_paths.get(commit, frozenset()):
            continue
        shown = _shown(edits, commit, content_of)[0]
        if shown > best:
            best, found = shown, (commit, shown)
        if shown == len(paths):
            break
    if found is None:
        return None
    commit, shown = found
    return Landing(
        commit=commit,
        shown=shown,
        total=len(paths),
        approvals=(commit,),
        named=frozenset((commit,)),
        paths=paths,
        changes=_change_of(history, commit),
    )


def follow(scratch: Scratch, history: BaseHistory, landing: Landing) -> Fate:
    """Returns whether a landing stands today: a later revert takes it back, a revert of that brings it again."""
    place = history.landed_at[landing.commit]
    undone = False
    fate = Fate(False, landing.commit, landing.approvals)
    named, changes = landing.named, landing.changes
    for commit in history.oldest_first:
        at = history.landed_at.get(commit, -1)
        if at < place or commit == landing.commit or commit in named:
            continue
        if not (_names(history, commit, named) or _inverts(scratch, history, commit, landing.paths, changes)):
            continue
        if not scratch.changed_paths(_parent_of(scratch, history, commit), commit) & landing.paths:
            continue  # its message names the work, and it changes none of it
        undone = not undone
        chained = history.chain[at]
        fate = Fate(undone, commit, tuple(dict.fromkeys((commit, chained))))
        renewed = frozenset((commit, chained))
        named = renewed if undone else landing.named | renewed
        changes = _change_of(history, chained) if undone else landing.changes
    return fate


def _window(scratch: Scratch, history: BaseHistory, tip: str) -> list[str]:
    """Returns the commits of the chain that the tip does not come from, oldest first."""
    out = scratch.run("rev-list", "--first-parent", history.chain[-1], f"^{tip}").decode().split()
    places = [history.landed_at[c] for c in out if c in history.landed_at]
    return history.chain[min(places) :] if places else []


def _holds_before(scratch: Scratch, history: BaseHistory, window: list[str], tip: str) -> bool:
    """Says whether the work was in base before it could have come in: then it changes nothing there."""
    parents = history.commits[window[0]].parents if window else ()
    if not parents or parents[0] not in history.commits:
        return False
    answer = scratch.merges([(parents[0], tip)])[0]
    return not answer.conflicts and answer.tree == history.commits[parents[0]].tree


def _first_holding(scratch: Scratch, history: BaseHistory, window: list[str], tip: str) -> str | None:
    if len(window) > MAX_TESTED:
        root = scratch.git.ask("merge-base", window[0], tip).stdout.decode().strip()
        paths = scratch.changed_paths(root, tip) if root else frozenset()
        window = [c for c in window if paths & history.chain_paths.get(c, frozenset())]
    answers = scratch.merges([(commit, tip) for commit in window])
    for commit, answer in zip(window, answers, strict=True):
        if not answer.conflicts and answer.tree == history.commits[commit].tree:
            return commit
    return None


def _landing(
    scratch: Scratch, history: BaseHistory, work: Work, commit: str, paths: frozenset[str], *, shown: int
) -> Landing:
    place = history.landed_at[commit]
    merges = [c for c in history.landed_with(place) if c != commit and _brings(scratch, history, c, work.tip)]
    approvals = tuple(c for c in (commit, *merges) if c not in work.own)
    copies = _copies(scratch, history, work, place) if work.tip not in history.landed_at else ()
    return Landing(
        commit=commit,
        shown=shown,
        total=len(paths),
        approvals=approvals,
        named=frozenset((commit, *merges, *work.own, *copies)),
        paths=paths,
        own=work.own,
        changes=(*_change_of(history, commit), (work.start, work.tip)),
    )


def _part(
    scratch: Scratch, history: BaseHistory, work: Work, window: list[str], paths: frozenset[str]
) -> Landing | None:
    """Returns the commit from which on the most of the work's paths are in base as the session left them."""
    touching = [c for c in window if paths & history.chain_paths.get(c, frozenset())][:MAX_TESTED]
    if not touching:
        return None
    before = history.commits[touching[0]].parents[:1]
    most, found = 0, None
    tested = [*before, *touching]
    for commit, answer in zip(tested, scratch.merges([(c, work.tip) for c in tested]), strict=True):
        missing = scratch.changed_paths(commit, answer.tree) | set(answer.conflicts)
        shown = len(paths - missing)
        if shown > most:
            most, found = shown, None if commit in before else commit
    return None if found is None else _landing(scratch, history, work, found, paths, shown=most)


def _brings(scratch: Scratch, history: BaseHistory, commit: str, tip: str) -> bool:
    """Says whether a commit is the merge that brought the tip in, by another parent than its first."""
    parents = history.commits[commit].parents
    if len(parents) < 2 or tip not in history.landed_at:
        return False
    return not _is_ancestor(scratch, tip, parents[0]) and any(_is_ancestor(scratch, tip, p) for p in parents[1:])


def _is_ancestor(scratch: Scratch, old: str, new: str) -> bool:
    return scratch.git.ask("merge-base", "--is-ancestor", old, new).code == 0


def _copies(scratch: Scratch, history: BaseHistory, work: Work, place: int) -> Iterable[str]:
    """Returns the commits of the chain that carry the patch of one of the session's own: what a rebase makes."""
    own = sorted(work.own)[:MAX_OWN_COMMITS]
    patches = {scratch.patch_id(_parent_of(scratch, history, c), c) for c in own} - {None}
    if len(own) < 2 or not patches:
        return ()
    wanted = scratch.changed_paths(work.start, work.tip)
    near = [c for c in history.chain[max(0, place - MAX_OWN_COMMITS) : place] if history.commits[c].parents]
    near = [c for c in near if wanted & history.chain_paths.get(c, frozenset())]
    return [c for c in near if scratch.patch_id(history.commits[c].parents[0], c) in patches]


def _names(history: BaseHistory, commit: str, named: frozenset[str]) -> bool:
    reverted = _REVERTS.findall(history.commits[commit].message)
    return any(one.startswith(short) for short in reverted for one in named)


def _inverts(
    scratch: Scratch, history: BaseHistory, commit: str, paths: frozenset[str], changes: tuple[tuple[str, str], ...]
) -> bool:
    """Says whether a commit of the chain is the inverse of one of the changes."""
    if history.chain[history.landed_at[commit]] != commit or not history.commits[commit].parents:
        return False
    touched = history.chain_paths.get(commit, frozenset())
    if not paths & touched:
        return False
    mine = None
    for old, new in changes:
        if scratch.changed_paths(old, new) != touched:
            continue
        mine = mine or scratch.patch_id(history.commits[commit].parents[0], commit)
        if mine is not None and mine == scratch.patch_id(new, old):
            return True
    return False


def _change_of(history: BaseHistory, commit: str) -> tuple[tuple[str, str], ...]:
    parents = history.commits[commit].parents
    return ((parents[0], commit),) if parents else ()


def _parent_of(scratch: Scratch, history: BaseHistory, commit: str) -> str:
    known = history.commits.get(commit)
    parents = known.parents if known else tuple(
        scratch.run("rev-list", "--parents", "--max-count=1", commit).decode().split()[1:]
    )  # fmt: skip
    return parents[0] if parents else empty_tree(scratch)


def empty_tree(scratch: Scratch) -> str:
    """Returns the id of the tree without files, which stands before a root commit."""
    return scratch.run("hash-object", "-t", "tree", "-w", "--stdin", stdin=b"").decode().strip()


def _shown(edits: Sequence[Edit], commit: str, content_of: Callable[[str, str], str | None]) -> tuple[int, int]:
    return matches_content(edits, lambda path: content_of(commit, path))
