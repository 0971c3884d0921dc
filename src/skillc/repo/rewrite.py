"""Rewriting history so that some blobs were never in it, by git-filter-repo where it is installed.

The refs that hold them move to histories without them; trees, messages and dates of everything else stay, signatures
of rewritten commits go. A note says what was begun. Nothing is pushed.
Not here: which blobs, and whether this is the time (lifecycle.purge).
"""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.files import is_running, read_small, write_whole
from skillc.repo.git import failure
from skillc.repo.repository import Repository
from skillc.repo.temporary import temporary_folder

_MAX_NOTE_BYTES = 64 * 1024 * 1024
_OBJECT_ID = re.compile(r"[0-9a-f]{40,64}")
_BACKUP_PREFIX = ".skillc-backup-"
_KEEP = ("--prune-empty", "never", "--prune-degenerate", "never", "--preserve-commit-hashes")


def is_installed() -> bool:
    """Says whether git-filter-repo is there for git to start."""
    return shutil.which("git-filter-repo") is not None


def objects_below(repository: Repository, path: str) -> dict[str, str]:
    """Returns object id -> path of everything that any ref ever had at or below a path."""
    out = repository.git.run("rev-list", "--objects", "--all", "--full-history", "--", path)
    found = {}
    for line in out.decode("utf-8", "surrogateescape").split("\n"):
        object_id, _, name = line.partition(" ")
        if name == path or name.startswith(path + "/"):
            found[object_id] = name
    return found


def refs_holding(repository: Repository, blobs: Iterable[str]) -> tuple[str, ...]:
    """Returns the refs whose history holds any of these blobs, sorted."""
    wanted = set(blobs)
    found = []
    for ref in sorted(repository.refs()):
        out = repository.git.run("rev-list", "--objects", ref)
        if any(line.split(" ", 1)[0] in wanted for line in out.decode("utf-8", "surrogateescape").split("\n")):
            found.append(ref)
    return tuple(found)


def signed_commits(repository: Repository, refs: Iterable[str]) -> int:
    """Counts the signed commits in the history of these refs."""
    names = list(refs)
    if not names:
        return 0
    raw = repository.git.run("rev-list", "--header", *names)
    return sum(b"\ngpgsig " in block.split(b"\n\n", 1)[0] for block in raw.split(b"\0"))


@dataclass(frozen=True)
class BegunPurge:
    """A purge that was begun and has not ended: the blobs it takes out, and where its backup is."""

    blobs: tuple[str, ...] = ()
    backup: Path | None = None


def note_begun(repository: Repository, begun: BegunPurge) -> None:
    """Notes a purge before it begins: once no ref has a blob, nothing else says that it is still here."""
    record = {"blobs": list(begun.blobs), "backup": str(begun.backup)}
    write_whole(repository.private / layout.PURGE_FILE, json.dumps(record).encode(), mode=0o600)


def note_ended(repository: Repository) -> None:
    """Takes the note away."""
    (repository.private / layout.PURGE_FILE).unlink(missing_ok=True)


def unfinished(repository: Repository) -> BegunPurge:
    """Returns the purge that was begun and did not end; nothing where the note is none."""
    try:
        record = json.loads(read_small(repository.private / layout.PURGE_FILE, limit=_MAX_NOTE_BYTES) or b"null")
        blobs, backup = list(record["blobs"]), Path(record["backup"])
    except (RepoError, ValueError, KeyError, TypeError, RecursionError):
        return BegunPurge()
    sound = tuple(b for b in blobs if isinstance(b, str) and _OBJECT_ID.fullmatch(b))
    return BegunPurge(sound, backup if backup.is_file() else None)


def write_backup(repository: Repository, path: Path) -> None:
    """Writes every ref and its history into a bundle that only this account reads; it never replaces a file."""
    for left in path.parent.glob(f"{_BACKUP_PREFIX}*"):  # of a killed one: it holds what was forgotten
        pid = left.name.removeprefix(_BACKUP_PREFIX).split("-")[0]
        if pid.isdecimal() and not is_running(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory(prefix=f"{_BACKUP_PREFIX}{os.getpid()}-", dir=path.parent) as folder:
            made = Path(folder) / "bundle"
            repository.git.run("bundle", "create", "--quiet", str(made), "--all")
            made.chmod(0o600)
            os.link(made, path)
    except FileExistsError as error:
        raise RepoError(f"there is a file at {str(path)!r} already", hint="move it away") from error
    except OSError as error:
        raise RepoError(f"cannot write the backup {str(path)!r}: {error.strerror}") from error


def strip_blobs(repository: Repository, blobs: Iterable[str], refs: Iterable[str]) -> None:
    """Rewrites these refs so that no commit of them has one of the blobs. Raises RepoError when it did not end well."""
    with temporary_folder("purge") as folder:
        wanted = folder / "blobs"
        wanted.write_text("".join(f"{blob}\n" for blob in sorted(set(blobs))), "ascii")
        shutil.rmtree(repository.common_dir / "filter-repo", ignore_errors=True)  # a killed run would be gone on with
        options = ["--force", "--partial", "--quiet", *_KEEP, "--strip-blobs-with-ids", str(wanted)]
        answer = repository.git.ask("filter-repo", *options, "--refs", *refs)
    shutil.rmtree(repository.common_dir / "filter-repo", ignore_errors=True)
    if answer.code != 0:
        raise failure("filter-repo", answer)


def drop_unreachable(repository: Repository) -> None:
    """Empties the reflogs and prunes what nothing reaches any more."""
    for name in ("ORIG_HEAD", "FETCH_HEAD"):
        (repository.git_dir / name).unlink(missing_ok=True)
    repository.git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    answer = repository.git.ask("gc", "--quiet", "--prune=now")
    if answer.code != 0 and "already running" in answer.stderr:
        lock = str(repository.common_dir / "gc.pid")
        raise RepoError(
            f"another git gc runs, or was killed and left {lock!r}",
            hint="run the command again when it has ended; if none runs, delete that file first",
        )
    if answer.code != 0:
        raise failure("gc", answer)


def still_here(repository: Repository, blobs: Iterable[str]) -> tuple[str, ...]:
    """Returns those of the blobs that this repository still has."""
    names = sorted(set(blobs))
    out = repository.git.run(
        "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin="".join(f"{n}\n" for n in names).encode()
    )
    return tuple(n for n, line in zip(names, out.decode().splitlines(), strict=True) if line.endswith(" blob"))
