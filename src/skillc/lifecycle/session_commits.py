"""The commits of a session: where it began, where it ended, and whether it left the protected files alone.

The end is what the hook pinned, else what the transcript shows, else a commit that a person names and the edits
confirm. Not here: running a check there (lifecycle.verify_run), containment in base (lifecycle.landings).
"""

from typing import NamedTuple

from skillc.core.policy import Verifier
from skillc.core.trace.codec import Trace
from skillc.core.trace.edits import edits_of, matches_content, matches_glob
from skillc.errors import UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.verify import HeldError
from skillc.repo import layout
from skillc.repo.objects import ObjectReader, open_reader

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_COMMITS = 1000
CLOCK_SLACK_S = 60


def commit_of(context: Context, trace: Trace, at: str | None) -> str:
    """Returns the commit that holds the session's work: its last own one, else `at` when the edits match."""
    git = trace.header.environment.git
    if at is None:
        pinned = _pinned(context, trace)
        if pinned is not None:
            return pinned
        if git is None or git.head_end is None:
            raise HeldError(f"the transcript shows no commit; {_at_words(context, trace)}")
        commit = context.repository.resolve(git.head_end)
        if commit is None:
            raise HeldError(
                f"the session's last commit {git.head_end[:12]} is not in this clone; fetch it, or use --at COMMIT"
            )
        return commit
    commit = context.repository.resolve(at)
    if commit is None:
        raise UsageError(f"there is no commit {at!r}")
    shown, total = _shown_edits(context, trace, commit)
    if total == 0 or shown < total:
        raise HeldError(f"{shown} of {total} files that the session edited have its content in {commit[:12]}")
    return commit


def _pinned(context: Context, trace: Trace) -> str | None:
    """Returns the commit that was pinned, when the session committed, or the commit holds all its edits."""
    pinned = context.repository.resolve(layout.session_ref(trace.trace_id))
    git = trace.header.environment.git
    if pinned is None or (git is not None and git.commits):
        return pinned
    shown, total = _shown_edits(context, trace, pinned)
    return pinned if total and shown == total else None


def _shown_edits(context: Context, trace: Trace, commit: str) -> tuple[int, int]:
    """Returns how many of the files that the session edited have its content in a commit, and how many there are."""
    with open_reader(context.repository) as reader:
        return matches_content(edits_of(trace), lambda path: _text_at(reader, commit, path))


def _at_words(context: Context, trace: Trace) -> str:
    """Says which commit to name: HEAD, when it holds everything that the session edited."""
    head = context.repository.resolve("HEAD")
    if head is not None:
        shown, total = _shown_edits(context, trace, head)
        if total and shown == total:
            return f"HEAD holds its edits, so name it: skillc verify --run CHECK {trace.trace_id[:12]} --at HEAD"
    return "name the one that holds its work: --at COMMIT"


def _text_at(reader: ObjectReader, commit: str, path: str) -> str | None:
    data = reader.read(f"{commit}:{path}")
    return None if data is None or len(data) > MAX_FILE_BYTES else data.decode("utf-8", "replace")


def require_tests_unchanged(context: Context, trace: Trace, check: Verifier, commit: str) -> None:
    """Holds the verdict when the session changed protected files other than by adding new ones.

    What commits of the session changed counts, not what a pull or a change of branch brought. Where there are none,
    everything counts that changed between its begin and the commit.
    """
    if not check.protects:
        return
    made, start = _made_since(context, trace, commit), start_of(context, trace, commit)
    if made:
        changed = {path for own in made for path in _changed_by(context, own)}
    elif start is not None:
        changed = _changed(context, start, commit)
    else:
        with open_reader(context.repository) as reader:
            edited = {e.path for e in edits_of(trace)}
            changed = {p for p in edited if reader.read(f"{commit}^:{p}") is not None}
    hit = sorted(p for p in changed if matches_glob(p, check.protects))
    if hit:
        raise HeldError(f"tests changed: the session changed {len(hit)} protected files, first {hit[0]!r}")


def start_of(context: Context, trace: Trace, commit: str | None = None) -> str | None:
    """Returns the commit that the session's work began at: the parent of its first commit, else the one shown.

    `commit` is the one that holds the work, without it the session's last own one.
    """
    made = _made_since(context, trace, commit)
    if made:
        return made[0].parents[0] if made[0].parents else None
    git = trace.header.environment.git
    return context.repository.resolve(git.head_start) if git is not None and git.head_start else None


class _Made(NamedTuple):
    """A commit with its parents."""

    id: str
    parents: tuple[str, ...]


def _made_since(context: Context, trace: Trace, commit: str | None) -> list[_Made]:
    """Returns the commits up to `commit` that may be the session's, oldest first; none when it has no own one there.

    Its own ones are; so is every other one that was committed since it began, for a quiet commit shows no id. What is
    older was there before, and a pull or a merge brought it.
    """
    git = trace.header.environment.git
    shown = map(context.repository.resolve, git.commits if git is not None else ())
    own = [sha for sha in shown if sha is not None]
    if git is None or not own:
        return []
    begin = context.repository.resolve(git.head_start) if git.head_start else None
    since = [f"^{begin}"] if begin is not None else [f"^{parent}" for parent in _parents(context, own[0])]
    words = ("rev-list", "--reverse", "--topo-order", "--parents", "--timestamp", f"--max-count={MAX_COMMITS}")
    out = context.repository.git.run(*words, commit or own[-1], *since, "--").decode()
    started = trace.header.started_at
    earliest = started.timestamp() - CLOCK_SLACK_S if started is not None else 0.0
    lines = [line.split() for line in out.splitlines()]
    found = [(int(at), _Made(sha, tuple(parents))) for at, sha, *parents in lines]
    if not any(made.id in own for _, made in found):
        return []
    return [made for at, made in found if made.id in own or at >= earliest]


def _parents(context: Context, commit: str) -> list[str]:
    return context.repository.git.run("rev-list", "--parents", "-n1", commit, "--").decode().split()[1:]


def _changed_by(context: Context, made: _Made) -> set[str]:
    """Returns the files that were there before a commit and that it changed, against each of its parents."""
    sides = [_changed(context, parent, made.id) for parent in made.parents]
    return set.intersection(*sides) if sides else set()


def _changed(context: Context, before: str, after: str) -> set[str]:
    out = context.repository.git.run("diff-tree", "-r", "-z", "--name-status", "--no-renames", before, after)
    fields = out.decode("utf-8", "surrogateescape").split("\0")
    return {path for state, path in zip(fields[0:-1:2], fields[1::2], strict=True) if state != "A"}
