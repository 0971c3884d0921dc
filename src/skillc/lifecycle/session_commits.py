"""The commits of a session: where it began, where it ended, and whether it left the protected files alone.

The end is what the hook pinned, else what the transcript shows, else a commit that a person names and the edits
confirm. Not here: running a check there (lifecycle.verify_run), containment in base (lifecycle.landings).
"""

from skillc.core.policy import Verifier
from skillc.core.trace.codec import Trace
from skillc.core.trace.edits import edits_of, matches_content, matches_glob
from skillc.errors import UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.verify import HeldError
from skillc.repo import layout
from skillc.repo.objects import ObjectReader, open_reader

MAX_FILE_BYTES = 4 * 1024 * 1024


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
    """Returns the commit that the hook pinned, when the session committed, or the commit holds all its edits."""
    pinned = context.repository.resolve(layout.session_ref(trace.trace_id))
    git = trace.header.environment.git
    if pinned is None or (git is not None and git.commits):
        return pinned
    shown, total = _shown_edits(context, trace, pinned)
    return pinned if shown == total else None


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
    """Holds the verdict when the session changed protected files other than by adding new ones."""
    if not check.protects:
        return
    start = start_of(context, trace)
    if start is not None:
        out = context.repository.git.run("diff-tree", "-r", "-z", "--name-status", "--no-renames", start, commit)
        fields = out.decode("utf-8", "surrogateescape").split("\0")
        changed = [p for s, p in zip(fields[0:-1:2], fields[1::2], strict=True) if s != "A"]
    else:
        with open_reader(context.repository) as reader:
            edited = {e.path for e in edits_of(trace)}
            changed = [p for p in sorted(edited) if reader.read(f"{commit}^:{p}") is not None]
    hit = sorted(p for p in changed if matches_glob(p, check.protects))
    if hit:
        raise HeldError(f"tests changed: the session changed {len(hit)} protected files, first {hit[0]!r}")


def start_of(context: Context, trace: Trace) -> str | None:
    """Returns the commit that the session began at: the one shown, else the parent of its first own commit."""
    git = trace.header.environment.git
    if git is None:
        return None
    if git.head_start:
        return context.repository.resolve(git.head_start)
    return context.repository.resolve(git.commits[0] + "^") if git.commits else None
