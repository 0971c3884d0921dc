"""Which files are sources: what a path or a folder stands for, and where the hosts keep this project's sessions.

Looks at names and heads only. Links are not followed, so that a hostile folder cannot make capture read
elsewhere; what a host does not say about its folder is not guessed.
Not here: reading a session (importers), storing it (lifecycle.capture).
"""

import hashlib
import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from skillc.core.trace.edits import matches_glob
from skillc.errors import DataError, RepoError, UsageError
from skillc.importers.base import ImportReport
from skillc.repo.host_folders import host_home, transcript_roots

STDIN = "-"
HEAD_BYTES = 64 * 1024
MAX_DEPTH = 12
MAX_FILES_SEEN = 200_000
_MAX_PROJECTS_BYTES = 4 * 1024 * 1024
_HEAD_ITEMS = 20


@dataclass(frozen=True)
class HostSession:
    """One session file of a host that belongs to a project; `modified` is UTC."""

    host: str
    path: str
    modified: datetime


def expanded(paths: Sequence[str]) -> list[str]:
    """Returns the paths with every folder replaced by the session files in it, each once."""
    found: list[str] = []
    for path in paths:
        if path != STDIN and os.path.isdir(path):
            inside = _sessions_in(Path(path))
            if not inside:
                raise UsageError(
                    f"the folder {path!r} has no session file (*.jsonl, rollout-*.jsonl, session-*.json, "
                    "trajectory.json, *.traj)",
                    hint="name the files",
                )
            found += inside
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def open_source(path: str) -> BinaryIO:
    """Opens a regular file, or standard input as a seekable stream. Other things are refused."""
    if path == STDIN:
        return io.BytesIO(sys.stdin.buffer.read())
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {path!r}", hint="name a session file, or use --all") from error
    except OSError as error:
        raise RepoError(f"cannot read {path!r}: {error.strerror}", hint="check the file's owner and mode") from error
    file = os.fdopen(handle, "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UsageError(f"{path!r} is not a regular file", hint="name session files, or - for standard input")
    return file


def unknown_source(path: str, head: bytes) -> DataError:
    """Returns the error for a file that no importer knows: what it is, as far as its head tells."""
    from skillc.importers.table import IMPORTERS
    from skillc.importers.unknown import unknown_format

    what, hint = unknown_format(head)
    kinds = "|".join(importer.kind for importer in IMPORTERS)
    return DataError(f"{path}:1: {what}", hint=hint or f"name it: skillc capture --from {kinds} PATH")


def host_sessions(root: Path) -> list[HostSession]:
    """Returns every session of a project folder that Claude Code, Codex and Gemini CLI keep, oldest file first."""
    roots = _names_of(root)
    found = [
        *(("claude-code", path) for path in _claude_sessions(roots)),
        *(("codex", path) for path in _codex_sessions(roots)),
        *(("gemini", path) for path in _gemini_sessions(roots)),
    ]
    sessions = []
    for host, path in found:
        try:
            state = path.lstat()
        except OSError:
            continue  # it went away meanwhile
        if stat.S_ISREG(state.st_mode) and state.st_size:
            modified = datetime.fromtimestamp(state.st_mtime, UTC)
            sessions.append(HostSession(host, str(path), modified))
    unique = {session.path: session for session in sessions}
    return sorted(unique.values(), key=lambda session: (session.modified, session.path))


def sessions_of_project(root: Path) -> list[str]:
    """Returns the paths of `host_sessions`, by name."""
    return sorted(session.path for session in host_sessions(root))


def is_left_out(report: ImportReport, patterns: Sequence[str], root: Path) -> bool:
    """Says whether a session worked below a path that the policy excludes.

    A pattern is relative to the repository, absolute, or begins with `~`. The folders are those that the source
    names; for Gemini CLI also the one that its store names.
    """
    if not patterns:
        return False
    excluded = [name for pattern in patterns if pattern.strip() for name in _names_of(_pattern_path(pattern, root))]
    folders = set(report.folders)
    if report.kind == "gemini" and report.path and (folder := _folder_of_gemini(report.path)) is not None:
        folders.add(folder)
    return any(_is_below(name, excluded) for folder in folders for name in _names_of(Path(folder)))


def _pattern_path(pattern: str, root: Path) -> Path:
    return root / os.path.expanduser(pattern.strip())


def _folder_of_gemini(path: str) -> str | None:
    """Returns the project folder of a Gemini CLI session by what lies beside it; its file holds only a hash."""
    store = Path(path).absolute().parent.parent
    marker = _small_text(store / ".project_root")
    if marker is not None and marker.strip().startswith("/"):
        return marker.strip()
    return next((folder for folder, name in _gemini_projects(store.parent.parent) if name == store.name), None)


def _sessions_in(folder: Path) -> list[str]:
    """Returns the files of a folder that are sessions: all JSON lines in it, and what each importer's names find."""
    found: dict[str, None] = {}
    for file in _files_below(folder):
        name = file.relative_to(folder).as_posix()
        is_line_file = "/" not in name and name.endswith(".jsonl") and not name.startswith("agent-")
        if is_line_file or _kind_by_name(file, name) is not None:
            found[str(file)] = None
    return sorted(found)


def _kind_by_name(file: Path, name: str) -> str | None:
    from skillc.importers.table import FOLDER_GLOBS, importer_for

    for kind, globs in FOLDER_GLOBS.items():
        if matches_glob(name, globs):
            try:
                with file.open("rb") as stream:
                    head = stream.read(HEAD_BYTES)
            except OSError:
                return kind  # capture says what is wrong with it
            if importer_for(kind).detect(head, file.name):
                return kind
    return None


def _files_below(folder: Path) -> Iterator[Path]:
    """Yields the regular files of a folder and its folders, by name; links are left out."""
    seen = 0
    depth_of_top = len(folder.parts)
    for parent, folders, files in os.walk(folder, followlinks=False):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if not (here / name).is_symlink() and name != ".git")
        if len(here.parts) - depth_of_top >= MAX_DEPTH:
            folders[:] = []
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES_SEEN:
                raise UsageError(f"the folder {str(folder)!r} has too many files", hint="name the files")
            if not (here / name).is_symlink() and (here / name).is_file():
                yield here / name


def _names_of(folder: Path) -> list[str]:
    """Returns the absolute names of a folder: as it is written, and with its links resolved."""
    written = os.path.normpath(os.path.abspath(folder))
    return list(dict.fromkeys((written, os.path.realpath(written))))


def _is_below(folder: str, tops: Iterable[str]) -> bool:
    return any(folder == top or folder.startswith(top.rstrip("/") + "/") for top in tops)


def _claude_sessions(roots: list[str]) -> Iterator[Path]:
    """Yields Claude Code's: its folder's name is the project path with every other character turned into a hyphen."""
    (projects,) = transcript_roots("claude-code")
    for root in roots:
        name = "".join(c if c.isascii() and c.isalnum() else "-" for c in root)
        for path in (projects / name).glob("*.jsonl"):
            if not path.name.startswith("agent-"):
                yield path


def _codex_sessions(roots: list[str]) -> Iterator[Path]:
    """Yields Codex's, of whose head the folder is the project or below it."""
    folders = [folder for folder in transcript_roots("codex") if folder.is_dir()]
    for path in (path for folder in folders for path in _files_below(folder)):
        if path.name.startswith("rollout-") and path.suffix == ".jsonl":
            folder = _codex_folder(path)
            if folder is not None and any(_is_below(name, roots) for name in _names_of(Path(folder))):
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


def _gemini_sessions(roots: list[str]) -> Iterator[Path]:
    """Yields Gemini CLI's: its folder's name is the hash of the project path, or a short name that it lists."""
    home = host_home("gemini")
    names = {hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest() for root in roots}
    names |= {name for folder, name in _gemini_projects(home) if folder in roots}
    for name in sorted(names):
        for pattern in ("session-*.json", "session-*.jsonl"):
            yield from (home / "tmp" / name / "chats").glob(pattern)


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
