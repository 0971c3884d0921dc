"""The whole state of a repository as one mapping, and what must hold of it at any moment after a kill."""

import os
import subprocess
from pathlib import Path

State = dict[str, bytes]
# The person's own work, in every scenario: it must be the same bytes before, between and after.
OWN_FILES = {
    "mine.txt": "not committed\n",
    "staged.txt": "staged\n",
    ".claude/skills/by-hand/SKILL.md": "---\nname: by-hand\ndescription: Mine.\n---\n",
}


def git(root: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def state_of(root: Path) -> State:
    """Returns refs (work under way left out), HEAD, the staging area, every file, and what git lists as checkouts."""
    found: State = {}
    for line in git(root, "for-each-ref", "--format=%(refname) %(objectname)").splitlines():
        name, _, commit = line.partition(b" ")
        if not name.startswith(b"refs/skillc/tmp/"):
            found[f"ref {name.decode()}"] = commit
    found["HEAD"] = (root / ".git" / "HEAD").read_bytes()
    for line in git(root, "ls-files", "--stage").splitlines():
        entry, _, name = line.partition(b"\t")
        found[f"staged {name.decode()}"] = entry
    for folder, names, files in os.walk(root):
        names[:] = [n for n in names if n != ".git"]
        for name in files:
            path = Path(folder) / name
            found[f"file {path.relative_to(root)}"] = path.read_bytes()
    return found


def require_each_old_or_new(now: State, old: State, new: State) -> None:
    """Each ref, staged entry and file is as it was or as it will be; nothing is in between, nothing is lost."""
    for key in sorted(now.keys() | old.keys() | new.keys()):
        if key not in old and key not in new and key.endswith(".tmp"):
            continue  # the neighbour that a killed write leaves; the next write takes it away
        assert now.get(key) in (old.get(key), new.get(key)), f"{key} is neither old nor new: {now.get(key)!r}"


def require_sound(root: Path) -> None:
    """`git fsck` finds nothing but objects that no ref needs yet."""
    done = subprocess.run(
        ["git", "fsck", "--no-progress", "--no-dangling"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.strip(), done.stdout


def difference(now: State, wanted: State) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Returns what differs, for the message of a failed test."""
    keys = sorted(now.keys() | wanted.keys())
    return {k: (now.get(k, b"-")[:80], wanted.get(k, b"-")[:80]) for k in keys if now.get(k) != wanted.get(k)}
