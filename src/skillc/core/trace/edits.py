"""The edits of a Trace: which files the agent wrote, and whether a later state of the files still shows them.

Used to tie a session to a commit that the transcript does not name, and to see whether protected files were
changed. Not here: git (repo), verdicts (lifecycle.verify_run).
"""

import posixpath
import re
from collections.abc import Callable, Iterable
from typing import Any

from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Event, EventKind

_PATH_ARGUMENTS = ("file_path", "path", "notebook_path")


class Edit(Record):
    """One successful write of a file. `whole` says that `text` is the whole file, not a part of it."""

    path: str
    text: str
    removed: str
    whole: bool
    event_id: str


def edits_of(trace: Trace) -> tuple[Edit, ...]:
    """Returns the successful edits of a Trace in order. Writes by shell commands are not seen here."""
    results = [e for e in trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id is not None]
    failed = {e.call_id for e in results if e.is_error}
    answered = {e.call_id for e in results}
    found: list[Edit] = []
    for event in trace.events:
        if event.kind is EventKind.TOOL_CALL and event.call_id in answered and event.call_id not in failed:
            found += _edits_of_call(event)
    return tuple(found)


def _edits_of_call(event: Event) -> list[Edit]:
    arguments = event.arguments or {}
    path = next((arguments[name] for name in _PATH_ARGUMENTS if isinstance(arguments.get(name), str)), None)
    if path is None:
        return []
    if event.tool == "Write" and isinstance(arguments.get("content"), str):
        return [_edit(path, arguments["content"], "", True, event)]
    parts = arguments.get("edits") if event.tool == "MultiEdit" else [arguments] if event.tool == "Edit" else []
    return [
        _edit(path, part["new_string"], str(part.get("old_string", "")), False, event)
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict) and isinstance(part.get("new_string"), str)
    ]


def _edit(path: str, text: Any, removed: str, whole: bool, event: Event) -> Edit:
    return Edit(path=normal_path(path), text=str(text), removed=removed, whole=whole, event_id=event.id)


def normal_path(path: str) -> str:
    """Returns a path without `.` and `..` where they can be resolved, so that no detour hides a file."""
    return posixpath.normpath(path) if path else path


def matches_content(edits: Iterable[Edit], content_of: Callable[[str], str | None]) -> tuple[int, int]:
    """Returns (files whose content shows the session's last edit of them, files that the session edited)."""
    last: dict[str, Edit] = {edit.path: edit for edit in edits}
    shown = 0
    for path, edit in last.items():
        content = content_of(path)
        if content is None:
            continue
        if edit.whole:
            shown += content.rstrip("\n") == edit.text.rstrip("\n")
        elif edit.text:
            shown += edit.text in content
        else:
            shown += edit.removed not in content
    return shown, len(last)


def matches_glob(path: str, patterns: Iterable[str]) -> bool:
    """Says whether a path matches one of the globs: `**` crosses folders, `*` and `?` do not."""
    return any(_glob(pattern).fullmatch(path) for pattern in patterns)


def _glob(pattern: str) -> re.Pattern[str]:
    out = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            char = pattern[at]
            out.append({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)))
            at += 1
    return re.compile("".join(out), re.DOTALL)
