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
from skillc.core.trace.operation import command_line, is_shell
from skillc.core.trace.patch import PatchPart, has_patch, patch_parts
from skillc.core.trace.records import Event, EventKind

_PATH_ARGUMENTS = ("file_path", "path", "notebook_path")
_PATCH_TOOL = "apply_patch"
_PATCH_COMMAND = re.compile(r"\s*(?:cd\s+(?P<folder>[^\s;&|'\"]+)\s*&&\s*)?(?:apply_patch|applypatch)\b")
# What hosts call the texts of an edit: (after, before), and the whole file of a write.
_REPLACED = (("new_string", "old_string"), ("new_str", "old_str"))
_WRITE_TOOLS = frozenset(("write", "write_file", "create_file", "write_to_file"))
_EDIT_TOOLS = frozenset(("edit", "replace", "edit_file", "replace_in_file"))
_EDITOR_TOOLS = frozenset(("str_replace_editor", "str_replace_based_edit_tool"))


class Edit(Record):
    """One successful write of a file. `whole` says that `text` is the whole file; `deleted`, that it is gone."""

    path: str
    text: str
    removed: str
    whole: bool
    event_id: str
    deleted: bool = False


def edits_of(trace: Trace) -> tuple[Edit, ...]:
    """Returns the successful edits of a Trace in order. Of shell commands, only patches are seen."""
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
    patch, folder = _patch_of(event, arguments)
    if patch is not None:
        return [_patched(part, folder, event) for part in patch_parts(patch)]
    path = next((arguments[name] for name in _PATH_ARGUMENTS if isinstance(arguments.get(name), str)), None)
    if path is None:
        return []
    tool = (event.tool or "").rsplit("__", 1)[-1].lower()
    whole = arguments.get("file_text") if tool in _EDITOR_TOOLS else arguments.get("content")
    if tool in _WRITE_TOOLS | _EDITOR_TOOLS and isinstance(whole, str):
        return [_edit(path, whole, "", True, event)]
    parts = arguments.get("edits") if tool == "multiedit" else [arguments]
    if tool not in _EDIT_TOOLS | _EDITOR_TOOLS | {"multiedit"} or not isinstance(parts, list):
        return []
    return [edit for part in parts if isinstance(part, dict) and (edit := _replaced(path, part, event)) is not None]


def _replaced(path: str, part: dict[str, Any], event: Event) -> Edit | None:
    for after, before in _REPLACED:
        if isinstance(part.get(after), str):
            return _edit(path, part[after], str(part.get(before, "")), False, event)
    return None


def _edit(path: str, text: Any, removed: str, whole: bool, event: Event) -> Edit:
    return Edit(path=normal_path(path), text=str(text), removed=removed, whole=whole, event_id=event.id)


def _patch_of(event: Event, arguments: dict[str, Any]) -> tuple[str | None, str]:
    """Returns the patch that a call applies, by a tool of its own or in a shell, and the folder it is applied in."""
    folder = arguments.get("workdir")
    folder = folder if isinstance(folder, str) else ""
    if (event.tool or "").rsplit("__", 1)[-1].lower() == _PATCH_TOOL:
        text = next((v for name in ("input", "patch", "_raw") if isinstance(v := arguments.get(name), str)), None)
        return (text if text is not None and has_patch(text) else None), folder
    if not is_shell(event.tool):
        return None, folder
    words = arguments.get("command")
    if isinstance(words, list | tuple) and len(words) == 2 and words[0] in ("apply_patch", "applypatch"):
        return (words[1] if isinstance(words[1], str) and has_patch(words[1]) else None), folder
    line = command_line(arguments) or ""
    found = _PATCH_COMMAND.match(line)
    if found is None or not has_patch(line):
        return None, folder
    return line, posixpath.join(folder, found["folder"]) if found["folder"] else folder


def _patched(part: PatchPart, folder: str, event: Event) -> Edit:
    return Edit(
        path=normal_path(posixpath.join(folder, part.path)),
        text=part.text,
        removed=part.removed,
        whole=part.whole,
        event_id=event.id,
        deleted=part.deleted,
    )


def normal_path(path: str) -> str:
    """Returns a path without `.` and `..` where they can be resolved, so that no detour hides a file."""
    return posixpath.normpath(path) if path else path


def matches_content(edits: Iterable[Edit], content_of: Callable[[str], str | None]) -> tuple[int, int]:
    """Returns (files whose content shows the session's last edit of them, files that the session edited)."""
    last: dict[str, Edit] = {edit.path: edit for edit in edits}
    shown = 0
    for path, edit in last.items():
        content = content_of(path)
        if content is None or edit.deleted:
            shown += content is None and edit.deleted
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
