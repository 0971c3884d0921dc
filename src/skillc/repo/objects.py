"""Reading objects: whole trees in one `ls-tree`, many blobs through one `cat-file --batch`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from skillc.errors import RepoError
from skillc.repo.repository import Repository


@dataclass(frozen=True)
class Entry:
    """One entry of a tree. `mode` is git's six digits, `kind` blob, tree or commit (a submodule)."""

    mode: str
    kind: str
    object_id: str
    path: str


def list_tree(
    repository: Repository, revision: str, path: str = "", *, recursive: bool = True
) -> list[Entry]:
    """Returns the entries below a path of a revision, in git's order; with `recursive`, trees are listed too."""
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


class ObjectReader:
    """One `git cat-file --batch` that answers many reads."""

    def __init__(self, repository: Repository) -> None:
        self._process = repository.git.start("cat-file", "--batch")

    def read(self, name: str) -> bytes | None:
        """Returns the content of one object, named by id or `revision:path`; None when it is missing."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        if "\n" in name:
            return None
        try:
            stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
            stdin.flush()
            head = stdout.readline().rstrip(b"\n")
        except BrokenPipeError as error:
            raise RepoError("git stopped while objects were read", hint="run: git fsck") from error
        if head.endswith((b" missing", b" ambiguous")):
            return None
        fields = head.rsplit(b" ", 2)
        if len(fields) != 3 or not fields[2].isdigit():
            raise RepoError("git stopped while objects were read", hint="run: git fsck")
        data = stdout.read(int(fields[2]))
        stdout.read(1)
        return data

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
    """Returns one file of a revision, or None when it does not exist. Raises RepoError above `limit` bytes."""
    name = f"{revision}:{path}"
    answer = repository.git.ask("cat-file", "-s", name)
    if answer.code != 0:
        return None
    if int(answer.stdout) > limit:
        raise RepoError(f"{path!r} in {revision[:12]} is larger than {limit} bytes")
    return repository.git.run("cat-file", "blob", name)
