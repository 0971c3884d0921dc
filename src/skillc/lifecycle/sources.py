"""Which files are sources: what a path or a folder stands for, and the sessions that the hosts keep of a project.

Looks at names and heads only; what a host does not say about its folder is not guessed.
Not here: where the hosts keep them (lifecycle.project_sessions), reading a session (importers), storing it
(lifecycle.capture).
"""

import io
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from skillc.core.trace.edits import matches_glob
from skillc.errors import DataError, RepoError, UsageError
from skillc.importers.base import ImportReport
from skillc.lifecycle.project_sessions import (
    claude_sessions,
    codex_sessions,
    gemini_folder,
    gemini_sessions,
    is_below,
    names_of,
    project_folders,
)
from skillc.lifecycle.walk import files_below

STDIN = "-"
HEAD_BYTES = 64 * 1024


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
    """Returns every session of a project that Claude Code, Codex and Gemini CLI keep, oldest file first.

    Those that began below its root or in a linked work tree are its own too.
    """
    folders = project_folders(root)
    found = [
        *(("claude-code", path) for path in claude_sessions(folders)),
        *(("codex", path) for path in codex_sessions(folders)),
        *(("gemini", path) for path in gemini_sessions(folders)),
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


def excluded_folders(patterns: Sequence[str], root: Path) -> tuple[str, ...]:
    """Returns the folders that the policy excludes, by all their names.

    A pattern is relative to the repository and to each of its linked work trees, absolute, or begins with `~`.
    """
    wanted = [os.path.expanduser(pattern.strip()) for pattern in patterns if pattern.strip()]
    tops = project_folders(root) if wanted else []
    return tuple(dict.fromkeys(name for top in tops for one in wanted for name in names_of(Path(top) / one)))


def is_left_out(report: ImportReport, excluded: Sequence[str]) -> bool:
    """Says whether a session worked below a folder that is excluded.

    The folders are those that the source names; for Gemini CLI also the one that its store names.
    """
    if not excluded:
        return False
    folders = set(report.folders)
    if report.kind == "gemini" and report.path and (folder := gemini_folder(report.path)) is not None:
        folders.add(folder)
    return any(is_below(name, excluded) for folder in folders for name in names_of(Path(folder)))


def _sessions_in(folder: Path) -> list[str]:
    """Returns the files of a folder that are sessions: all JSON lines in it, and what each importer's names find."""
    found: dict[str, None] = {}
    for file in files_below(folder):
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
