"""Rewriting history so that some blobs were never in it, by git-filter-repo where it is installed.

The refs that hold them move to histories without them; trees, messages and dates of everything else stay, signatures
of rewritten commits go. Nothing is pushed. Not here: which blobs, and whether this is the time (lifecycle.purge).
"""

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo.git import failure
from skillc.repo.repository import Repository
from skillc.repo.temporary import temporary_folder

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


def write_backup(repository: Repository, path: Path) -> None:
    """Writes every ref and its history into a bundle that only this account reads; it never replaces a file."""
    try:
        with tempfile.TemporaryDirectory(prefix=".skillc-backup-", dir=path.parent) as folder:
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
    repository.git.run("gc", "--quiet", "--prune=now")


def still_here(repository: Repository, blobs: Iterable[str]) -> tuple[str, ...]:
    """Returns those of the blobs that this repository still has."""
    names = sorted(set(blobs))
    out = repository.git.run(
        "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin="".join(f"{n}\n" for n in names).encode()
    )
    return tuple(n for n, line in zip(names, out.decode().splitlines(), strict=True) if line.endswith(" blob"))
