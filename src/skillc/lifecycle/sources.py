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

from skillc.errors import DataError, RepoError, UsageError
from skillc.importers.base import ImportReport
from skillc.lifecycle.capture_report import FailedSource
from skillc.lifecycle.folder_sessions import SourceFile, sessions_in
from skillc.lifecycle.project_sessions import (
    claude_sessions,
    codex_sessions,
    gemini_folder,
    gemini_sessions,
    is_below,
    names_of,
    project_folders,
)
from skillc.lifecycle.walk import MAX_DEPTH

STDIN = "-"


@dataclass(frozen=True)
class HostSession:
    """One session file of a host that belongs to a project; `modified` is UTC."""

    host: str
    path: str
    modified: datetime


@dataclass(frozen=True)
class Expanded:
    """What paths stand for: files to read, and what was not looked into."""

    files: tuple[SourceFile, ...]
    failed: tuple[FailedSource, ...]


def expanded(paths: Sequence[str], kind: str | None = None) -> Expanded:
    """Returns the files of the paths, each once: a folder stands for the sessions below it.

    With `kind`, of a folder only the files of that kind count, where it has any.
    """
    files: dict[str, SourceFile] = {}
    failed: list[FailedSource] = []
    for path in paths:
        if path == STDIN or not os.path.isdir(path):
            files.setdefault(path, SourceFile(path))
            continue
        inside = sessions_in(Path(path))
        if inside.too_deep:
            failed.append(_too_deep(path, inside.too_deep))
        elif not inside.files:
            raise UsageError(
                f"no file below the folder {path!r} is a session that skillc knows",
                hint="name the files; the formats are listed in: skillc capture --help",
            )
        named = [file for file in inside.files if file.kind in (kind, None)] if kind else []
        for file in named or inside.files:
            files.setdefault(file.path, file)
    return Expanded(tuple(files.values()), tuple(failed))


def _too_deep(path: str, folders: Sequence[str]) -> FailedSource:
    count = f"{len(folders)} folders are" if len(folders) > 1 else "a folder is"
    return FailedSource(
        path=path,
        message=f"{count} more than {MAX_DEPTH} folders below {path!r} and not looked into: {folders[0]!r}",
        hint=f"capture what is in there too: skillc capture {folders[0]}",
    )


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
