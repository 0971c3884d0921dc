"""Which session files of the hosts belong to a project: begun in its folder, below it, or in a linked work tree.

Claude Code and Gemini CLI name a folder after the project's path in a way that cannot be read back, so the
name only says where to look, and what the records or the store say decides.
Not here: what capture makes of them (lifecycle.sources).
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from skillc.errors import RepoError
from skillc.importers.base import ImportReport
from skillc.lifecycle.walk import files_below
from skillc.repo.host_folders import host_home, transcript_roots
from skillc.repo.repository import Repository
from skillc.repo.worktree import work_trees

_MAX_PROJECTS_BYTES = 4 * 1024 * 1024
_HEAD_ITEMS = 20
_HEADS_BYTES = (4 * 1024, 256 * 1024)
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')


def project_folders(root: Path) -> list[str]:
    """Returns the folders of a project: its root first, then every other work tree, each by all its names.

    A root that is no repository stands for itself.
    """
    folders = [root]
    with contextlib.suppress(RepoError):
        repository = Repository.open(root)
        if os.path.realpath(repository.root) == os.path.realpath(root):
            folders += work_trees(repository)
    return list(dict.fromkeys(name for folder in folders for name in names_of(folder)))


def names_of(folder: Path) -> list[str]:
    """Returns the absolute names of a folder: as it is written, and with its links resolved."""
    written = os.path.normpath(os.path.abspath(folder))
    return list(dict.fromkeys((written, os.path.realpath(written))))


def is_below(folder: str, tops: Iterable[str]) -> bool:
    """Says whether a folder is one of the tops or lies below it, by name."""
    return any(folder == top or folder.startswith(top.rstrip("/") + "/") for top in tops)


def claude_sessions(folders: Sequence[str]) -> Iterator[Path]:
    """Yields Claude Code's sessions that began in one of the folders or below.

    `/a/b-c` and `/a/b/c` have the same name there: of a folder with the name of one of ours only what began
    elsewhere under that very name is left out, of a longer name only what began below is taken.
    """
    (projects,) = transcript_roots("claude-code")
    names = {_claude_name(folder) for folder in folders}
    begins = tuple(name + "-" for name in names)
    try:
        found = sorted(e.name for e in os.scandir(projects) if e.is_dir(follow_symlinks=e.name in names))
    except OSError:
        return
    for name in found:
        if name not in names and not name.startswith(begins):
            continue
        for path in sorted((projects / name).glob("*.jsonl")):
            if path.name.startswith("agent-"):
                continue
            began = _first_folder(path)
            is_own = began is not None and any(is_below(one, folders) for one in names_of(Path(began)))
            is_elsewhere = began is not None and _claude_name(began) == name
            if is_own or (name in names and not is_elsewhere):
                yield path


def _claude_name(folder: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in folder)


def _first_folder(path: Path) -> str | None:
    """Returns the folder that the first records of a Claude Code session name; little is read where that suffices."""
    try:
        with path.open("rb") as stream:
            for size in _HEADS_BYTES:
                head = stream.read(size)
                stream.seek(0)
                folder = _cwd_of(head, guesses=size == _HEADS_BYTES[-1])
                if folder is not None or len(head) < size:
                    return folder
    except OSError:
        return None
    return None


def _cwd_of(head: bytes, *, guesses: bool) -> str | None:
    """Returns the folder of the first whole record that has one; with `guesses` also of a record that is cut."""
    for line in head.split(b"\n"):
        if (found := _CWD.search(line)) is None:
            continue
        try:
            record = json.loads(line)
            folder = record.get("cwd") if isinstance(record, dict) else None
        except (ValueError, RecursionError):
            folder = _text_of(found[1]) if guesses else None
        if isinstance(folder, str) and folder.startswith("/"):
            return folder
    return None


def _text_of(literal: bytes) -> str | None:
    try:
        value = json.loads(literal)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def codex_sessions(folders: Sequence[str]) -> Iterator[Path]:
    """Yields Codex's sessions, of whose head the folder is one of these or below it."""
    stores = [folder for folder in transcript_roots("codex") if folder.is_dir()]
    for path in (path for store in stores for path in files_below(store)):
        if path.name.startswith("rollout-") and path.suffix == ".jsonl":
            folder = _codex_folder(path)
            if folder is not None and any(is_below(name, folders) for name in names_of(Path(folder))):
                yield path


def _codex_folder(path: Path) -> str | None:
    """Returns the folder in the first lines of a rollout; lines are read one by one, and few of them."""
    from skillc.importers.codex_lines import iter_items, session_id_of

    try:
        with path.open("rb") as stream:
            for number, item in enumerate(iter_items(stream, ImportReport(path=path.name, kind="codex"))):
                folder = item.payload.get("cwd")
                if isinstance(folder, str) and folder.startswith("/"):
                    return folder
                if number >= _HEAD_ITEMS or (item.type == "session_meta" and not session_id_of(item.payload)):
                    break
    except OSError:
        return None
    return None


def gemini_sessions(folders: Sequence[str]) -> Iterator[Path]:
    """Yields Gemini CLI's sessions of these folders and those below.

    A store of sessions has the hash of the project's path as its name, or a short name that a list or a file in the
    store explains. A hash tells nothing about the folders above, so an old store of a folder below is not found.
    """
    home = host_home("gemini")
    hashes = {hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest() for folder in folders}
    listed = {name for folder, name in _gemini_projects(home) if is_below(os.path.normpath(folder), folders)}
    try:
        stores = sorted(entry.name for entry in os.scandir(home / "tmp") if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in stores:
        store = home / "tmp" / name
        if name in hashes or name in listed or ((own := _marked_folder(store)) is not None and is_below(own, folders)):
            for pattern in ("session-*.json", "session-*.jsonl"):
                yield from (store / "chats").glob(pattern)


def gemini_folder(path: str) -> str | None:
    """Returns the project folder of a Gemini CLI session by what lies beside it; its file holds only a hash."""
    store = Path(path).absolute().parent.parent
    marked = _marked_folder(store)
    if marked is not None:
        return marked
    return next((folder for folder, name in _gemini_projects(store.parent.parent) if name == store.name), None)


def _marked_folder(store: Path) -> str | None:
    marker = (_small_text(store / ".project_root") or "").strip()
    return os.path.normpath(marker) if marker.startswith("/") else None


def _gemini_projects(home: Path) -> list[tuple[str, str]]:
    """Returns (folder, short name) of the projects that Gemini CLI lists; a bad list is none."""
    try:
        value = json.loads(_small_text(home / "projects.json") or "{}")
    except (ValueError, RecursionError):
        return []
    projects = value.get("projects") if isinstance(value, dict) else None
    pairs = projects.items() if isinstance(projects, dict) else ()
    return [
        (folder, name)
        for folder, name in pairs
        if isinstance(name, str) and re.fullmatch(r"(?!\.+$)[\w.-]{1,128}", name)
    ]


def _small_text(path: Path) -> str | None:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_PROJECTS_BYTES:
            return None
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None
