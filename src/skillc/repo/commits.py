"""Writing commits off-ref: one fast-import stream, then one ref transaction with old values.

A stream builds any number of commits under refs/skillc/tmp; nothing is visible until `update_refs` moves the
real refs, all at once or not at all.
Not here: what a commit holds (lifecycle), checked-out trees (repo.checkout).
"""

import contextlib
import os
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import is_running
from skillc.repo.git import Answer, failure
from skillc.repo.repository import Repository

_COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class Put:
    """Writes a file. `data` is bytes, or a seekable stream at offset 0 with its size."""

    path: str
    data: bytes | IO[bytes]
    size_bytes: int | None = None


@dataclass(frozen=True)
class PutObject:
    """Puts an object that git already has: a whole folder (`tree`) or a file."""

    path: str
    object_id: str
    mode: str = "100644"


FOLDER_MODE = "040000"


@dataclass(frozen=True)
class Delete:
    """Removes a file or a whole folder."""

    path: str


FileChange = Put | PutObject | Delete


@dataclass(frozen=True)
class NewCommit:
    """One commit to write, on top of the one before it in the same stream; `merged` is a second parent."""

    message: str
    changes: Sequence[FileChange]
    at: datetime
    merged: str | None = None


@dataclass(frozen=True)
class RefUpdate:
    """A ref moves from `old` (None: must not exist) to `new` (None: is deleted)."""

    ref: str
    old: str | None
    new: str | None


@dataclass
class WrittenCommits:
    """The ids of the commits written, in order; `tmp_ref` keeps them alive until the refs move."""

    ids: list[str] = field(default_factory=list)
    tmp_ref: str = ""


def write_commits(
    repository: Repository, commits: Iterable[NewCommit], *, parent: str | None, label: str
) -> WrittenCommits:
    """Writes a line of commits on `parent` (None: an orphan) and returns their ids.

    Author and committer are skillc's fixed identity, the date is the commit's own: same input, same ids.
    Raises RepoError when git refuses; nothing is visible then.
    """
    assert not repository.is_dry, "a dry run writes no commit"
    from concurrent.futures import ThreadPoolExecutor  # brings logging along, and most commands write nothing

    tmp_ref = f"{layout.TMP_REFS}{label}-{threading.get_native_id()}-{os.getpid()}"
    process = repository.git.start("fast-import", "--quiet", "--done", "--date-format=raw", "--force")
    assert process.stdin is not None
    with ThreadPoolExecutor(2) as threads:  # both pipes are drained while we write, so that neither side blocks
        out = threads.submit(_drain, process.stdout)
        errors = threads.submit(_drain, process.stderr)
        try:
            with contextlib.suppress(BrokenPipeError):  # git died: its exit code and words say why
                _write_stream(process.stdin, tmp_ref, commits, parent)
        except BaseException:
            process.kill()  # else both drains wait for a git that waits for us
            raise
        finally:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            code = process.wait()
        text = errors.result().decode("utf-8", "replace").replace("fatal: ", "")
        if code != 0:
            raise failure("fast-import", Answer(code, b"", text))
        return WrittenCommits(out.result().decode().split(), tmp_ref)


def _drain(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    with pipe:
        return pipe.read()


def _write_stream(stdin: IO[bytes], tmp_ref: str, commits: Iterable[NewCommit], parent: str | None) -> None:
    stdin.write(b"feature done\n")
    count = 0
    for commit in commits:
        count += 1
        _write_commit(stdin, tmp_ref, count, commit, parent)
    stdin.write(b"".join(b"get-mark :%d\n" % n for n in range(1, count + 1)))
    stdin.write(b"done\n")
    stdin.flush()


def _write_commit(stdin: IO[bytes], tmp_ref: str, number: int, commit: NewCommit, parent: str | None) -> None:
    write = stdin.write
    stamp = f"{max(0, int(commit.at.timestamp()))} +0000"  # git knows no time before 1970
    who = f"{layout.IDENTITY_NAME} <{layout.IDENTITY_EMAIL}> {stamp}"
    message = commit.message.encode("utf-8")
    head = f"commit {tmp_ref}\nmark :{number}\nauthor {who}\ncommitter {who}\ndata {len(message)}\n".encode()
    write(head + message + b"\n")
    if number == 1 and parent is not None:
        write(f"from {parent}\n".encode())
    if commit.merged is not None:
        write(f"merge {commit.merged}\n".encode())
    for change in commit.changes:
        if isinstance(change, Delete):
            write(b"D " + quote_path(change.path) + b"\n")
        elif isinstance(change, PutObject):
            write(f"M {change.mode} {change.object_id} ".encode() + quote_path(change.path) + b"\n")
        else:
            _write_put(stdin, change)
    write(b"\n")


def _write_put(stdin: IO[bytes], change: Put) -> None:
    write = stdin.write
    write(b"M 100644 inline " + quote_path(change.path) + b"\n")
    if isinstance(change.data, bytes):
        write(b"data %d\n" % len(change.data))
        write(change.data)
    else:
        assert change.size_bytes is not None
        write(b"data %d\n" % change.size_bytes)
        change.data.seek(0)
        while chunk := change.data.read(_COPY_BYTES):
            write(chunk)
    write(b"\n")


def quote_path(path: str) -> bytes:
    """Returns a path as fast-import wants it: always quoted, with C escapes.

    Raises RepoError for a path that git must not hold: empty parts, `.`, `..`, `.git`, NUL.
    """
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        raise RepoError(f"{path!r} is no path for a file of a repository")
    raw = path.encode("utf-8", "surrogateescape")
    escaped = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


# git's words when a ref is not where it was: moved, made, or gone.
_MOVED = ("but expected", "reference already exists", "unable to resolve reference")


def update_refs(repository: Repository, updates: Sequence[RefUpdate], *, drop: Sequence[str] = ()) -> None:
    """Moves refs in one transaction, each only from its old value; `drop` names temporary refs to delete.

    Raises RefMovedError when a ref is no longer where it was; then none has moved.
    """
    assert not repository.is_dry, "a dry run moves no ref"
    commands = ["start"]
    for update in updates:
        old = update.old or repository.zero
        if update.new is None:
            commands += [f"delete {update.ref}", old]
        else:
            commands += [f"update {update.ref}", update.new, old]
    for ref in drop:
        commands += [f"delete {ref}", ""]
    commands += ["prepare", "commit", ""]
    stdin = "\0".join(commands).encode("utf-8", "surrogateescape")  # NUL: a name cannot smuggle in a command
    answer = repository.git.ask("update-ref", "--no-deref", "-z", "--stdin", stdin=stdin)
    if answer.code != 0:
        forget_refs(repository, drop)
        if any(words in answer.stderr for words in _MOVED):
            raise moved(*(update.ref for update in updates))
        raise failure("update-ref", answer)


class RefMovedError(RepoError):
    """A compare-and-swap of a ref failed: somebody else was faster."""


def moved(*refs: str) -> RefMovedError:
    """Returns the error for refs that are no longer where this command read them."""
    return RefMovedError(
        f"{', '.join(refs)} moved while this command ran", hint="run the command again; nothing was changed"
    )


def forget_refs(repository: Repository, refs: Sequence[str]) -> None:
    """Deletes temporary refs of work that came to nothing, as far as git can."""
    repository.git.ask("update-ref", "--stdin", stdin="".join(f"delete {ref}\n" for ref in refs).encode())


def drop_tmp_refs(repository: Repository) -> None:
    """Forgets work that a killed command left behind. Only refs of processes that are gone are dropped."""
    stale = [ref for ref in repository.refs(layout.TMP_REFS.rstrip("/")) if not _is_alive(ref)]
    if stale:
        forget_refs(repository, stale)


def _is_alive(ref: str) -> bool:
    pid = ref.rsplit("-", 1)[-1]
    return pid.isdigit() and is_running(int(pid))
