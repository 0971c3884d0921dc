"""Reading objects: whole trees in one `ls-tree`, many blobs through one `cat-file --batch`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from skillc.errors import RepoError
from skillc.repo.git import Answer, failure
from skillc.repo.repository import Repository

_SKIP_BYTES = 1 << 20
_AT_ONCE = 64  # names asked for before their answers are read: far less than a pipe holds


@dataclass(frozen=True)
class Entry:
    """One entry of a tree. `mode` is git's six digits, `kind` blob, tree or commit (a submodule)."""

    mode: str
    kind: str
    object_id: str
    path: str


def list_tree(repository: Repository, revision: str, path: str = "", *, recursive: bool = True) -> list[Entry]:
    """Returns the entries below a path of a revision, in git's order; `recursive` lists folders too."""
    options = ["-r", "-t"] if recursive else []
    paths = [path.rstrip("/") + "/"] if path else []
    answer = repository.git.ask("ls-tree", "-z", *options, "--full-tree", revision, "--", *paths)
    if answer.code != 0:
        raise RepoError(f"cannot list {path or 'the tree'!r} of {revision}", hint="run: git fsck")
    return [entry for entry in _parse_entries(answer.stdout) if not paths or entry.path.startswith(paths[0])]


def _parse_entries(out: bytes) -> Iterator[Entry]:
    for item in out.split(b"\0"):
        if item:
            head, _, path = item.partition(b"\t")
            mode, kind, object_id = head.decode().split()
            yield Entry(mode, kind, object_id, path.decode("utf-8", "surrogateescape"))


class TooLargeError(RepoError):
    """A file is larger than its reader allows."""


class ObjectReader:
    """One `git cat-file --batch` that answers many reads."""

    def __init__(self, repository: Repository) -> None:
        self._process = repository.git.start("cat-file", "--batch")
        self.is_skipped = False

    def read(self, name: str, *, limit: int | None = None) -> bytes | None:
        """Returns the content of one file, named by id or `revision:path`; None when no file is there.

        A folder, a commit or a submodule is no file. Raises TooLargeError above `limit` bytes.
        """
        return self._read(name, b"blob", limit)

    def read_many(self, names: Sequence[str], *, limit: int | None = None) -> Iterator[bytes | None]:
        """Yields the content of each file in order, as `read`; git answers some while the next are asked for.

        What is above `limit` bytes is skipped and comes as an empty file: `is_skipped` says which.
        """
        stdin = self._process.stdin
        assert stdin is not None
        for start in range(0, len(names), _AT_ONCE):
            batch = names[start : start + _AT_ONCE]
            asked = [name for name in batch if "\n" not in name and "\0" not in name]
            try:
                stdin.write(b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in asked))
                stdin.flush()
            except BrokenPipeError as error:
                raise self._stopped() from error
            for name in batch:
                self.is_skipped = False
                try:
                    data = self._answer(name, b"blob", limit) if name in asked else None
                except TooLargeError:
                    self.is_skipped, data = True, b""
                yield data

    def read_commit(self, name: str) -> bytes | None:
        """Returns the bytes of a commit object, headers and signature included; None for anything else."""
        return self._read(name, b"commit", None)

    def _read(self, name: str, kind: bytes, limit: int | None) -> bytes | None:
        stdin = self._process.stdin
        assert stdin is not None
        if "\n" in name or "\0" in name:
            return None
        try:
            stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
            stdin.flush()
        except BrokenPipeError as error:
            raise self._stopped() from error
        return self._answer(name, kind, limit)

    def _answer(self, name: str, kind: bytes, limit: int | None) -> bytes | None:
        stdout = self._process.stdout
        assert stdout is not None
        head = stdout.readline().rstrip(b"\n")
        if head.endswith((b" missing", b" ambiguous", b" submodule")):
            return None
        fields = head.rsplit(b" ", 2)
        if len(fields) != 3 or not fields[2].isdigit():
            raise self._stopped()
        size = int(fields[2])
        is_wanted = fields[1] == kind
        if is_wanted and (limit is None or size <= limit):
            data = stdout.read(size)
            if len(data) != size or stdout.read(1) != b"\n":
                raise self._stopped()
            return data
        left = size + 1
        while left and (chunk := stdout.read(min(left, _SKIP_BYTES))):
            left -= len(chunk)
        if is_wanted:
            raise TooLargeError(f"{name!r} is larger than {limit} bytes")
        return None

    def _stopped(self) -> RepoError:
        """Returns the error for a git that ended before its answer was whole."""
        self._process.kill()
        stderr = self._process.stderr
        text = stderr.read().decode("utf-8", "replace") if stderr is not None else ""
        if "from promisor remote" in text:
            return failure("cat-file", Answer(128, b"", text))
        return RepoError("git stopped while objects were read", hint="run: git fsck")

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._process.wait()


@contextmanager
def open_reader(repository: Repository) -> Iterator[ObjectReader]:
    """Opens a reader for the length of a `with`."""
    reader = ObjectReader(repository)
    try:
        yield reader
    finally:
        reader.close()


def read_blob(repository: Repository, revision: str, path: str, *, limit: int) -> bytes | None:
    """Returns one file of a revision, None when no file is there. Raises TooLargeError above `limit`."""
    with open_reader(repository) as reader:
        try:
            return reader.read(f"{revision}:{path}", limit=limit)
        except TooLargeError as error:
            raise TooLargeError(f"{path!r} in {revision[:12]} is larger than {limit} bytes") from error
