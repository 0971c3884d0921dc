"""Real git repositories for tests, made with plain git as a person would make them."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.repository import Repository

AT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def run_git(folder: Path, *arguments: str, stdin: bytes | None = None) -> str:
    """Runs plain git and returns its output without the final newline."""
    done = subprocess.run(["git", *arguments], cwd=folder, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def commit_files(root: Path, files: dict[str, str], message: str = "work") -> str:
    """Writes, adds and commits files; returns the commit."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))
    run_git(root, "add", "--force", "--", *files)
    run_git(root, "commit", "--quiet", "-m", message)
    return run_git(root, "rev-parse", "HEAD")


def put_commit(repository: Repository, ref: str, files: dict[str, bytes], *, message: str = "put\n") -> str:
    """Puts one commit with these files on a ref, off any checkout; returns it."""
    old = repository.refs(ref).get(ref)
    new = NewCommit(message, [Put(path, data) for path, data in files.items()], AT)
    written = write_commits(repository, [new], parent=old, label="test")
    update_refs(repository, [RefUpdate(ref, old, written.ids[-1])], drop=[written.tmp_ref])
    return written.ids[-1]


def seen_by_a_person(root: Path) -> dict[str, bytes]:
    """Every file of a work tree, what is staged, where HEAD is and which branches there are."""
    found = {
        str(path.relative_to(root)): os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
        for path in sorted(root.rglob("*"))
        if ".git" not in path.relative_to(root).parts and (path.is_symlink() or path.is_file())
    }
    for name, arguments in {
        ":staged": ("ls-files", "--stage"),
        ":head": ("rev-parse", "--symbolic-full-name", "HEAD"),
        ":branches": ("for-each-ref", "refs/heads"),
    }.items():
        found[name] = run_git(root, *arguments).encode("utf-8", "surrogateescape")
    return found
