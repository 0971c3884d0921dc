"""Calls: the events of a source as a sequence of canonical tool calls with their results.

One shell call that runs several commands becomes several calls with the same events. Calls about the agent's
own work (plans, to-do lists, subagents) and restricted events are left out. Paper: 5.3.
Not here: aligning calls over attempt families (engines.offline.align).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from skillc.core.compile.evidence import Source, SourceRole
from skillc.core.record import json_value
from skillc.core.trace.operation import (
    OWN_TOOLS,
    READ_TOOLS,
    Effect,
    command_line,
    effect_of,
    is_change,
    is_edit,
    is_edit_operation,
    is_failed,
    is_shell,
    operation_name,
)
from skillc.core.trace.records import Event, EventKind
from skillc.core.trace.shell import PathRole, ShellCommand
from skillc.engines.offline.checks import is_check_command, verification_command
from skillc.engines.offline.lines import CommandInLine, from_root, read_line
from skillc.engines.offline.places import patched_files, path_argument, project_root, relative_path
from skillc.engines.offline.statements import changes_data, statement_of
from skillc.engines.offline.value_index import ValueIndex
from skillc.engines.offline.values import Leaf, leaves, number_paths, plain_fields

MAX_RESULT_CHARS = 200_000
_KEEPS_FOLDER = frozenset(("bash", "terminal", "execute_bash", "run_terminal_cmd"))
_MAKING = frozenset(("write", "create_file", "write_file", "create"))
_OPENING = frozenset(("open", "create", "open_file"))
_TOOL_NAME = re.compile(r"[\w.:/-]{1,128}")  # another name is no name: it would be text in a Skill
_CHECK_FAILED = re.compile(
    r"\b[1-9]\d* (failed|errors?|failing|failures?)\b|^\s*(FAILED|FAIL|ERROR)\b|^# fail [1-9]|^not ok \d"
    r"|^make(\[\d+\])?: \*\*\* |test result: FAILED",
    re.MULTILINE,
)
_NOT_STARTED = re.compile(
    r"No module named|not found|No such file|cannot find module|unknown command|missing script|ENOENT"
    r"|permission denied|not recognized",
    re.IGNORECASE,
)
_CHECK_SUMMARY = re.compile(
    r"\b\d+ (passed|failed|errors?|passing|failing)\b|^\s*(ok|OK|PASS|FAIL)\b|^# pass \d", re.MULTILINE
)


class CallKind(StrEnum):
    """What sort of work a call is."""

    RECORD = "record"  # a tool with named arguments that acts on records
    COMMAND = "command"  # a program
    CHECK = "check"  # a test run or a linter
    EDIT = "edit"  # a change of a file
    LOOK = "look"  # reading, listing, searching


@dataclass(frozen=True, eq=False)
class Call:
    """One canonical call. `path` is project-relative; `result` is `text` parsed, if it is JSON."""

    trace_id: str
    family: str
    position: int
    seq: int
    kind: CallKind
    tool: str
    operation: str | None
    arguments: dict[str, Any]
    command: ShellCommand | None
    path: str | None
    call_event: str
    result_event: str | None
    result_seq: int  # of the result; calls made at the same time end after all of them began
    text: str
    result: Any
    failed: bool
    after_change: bool
    ran: bool  # False for a check that did not even start: its result has no summary
    lead: tuple[str, ...] = ()  # `cd` and `source` that the command stands behind
    settings: tuple[str, ...] = ()  # `NAME=value` that its line gives it
    exported: tuple[str, ...] = ()  # what earlier lines exported
    filters: tuple[str, ...] = ()  # the programs that its output is piped into
    folder: str = ""  # of the project, in which its command runs
    creates: bool = False  # an edit that makes a new file

    @property
    def events(self) -> tuple[str, ...]:
        return (self.call_event,) if self.result_event is None else (self.call_event, self.result_event)

    @property
    def effect(self) -> Effect:
        return effect_of(self.tool, self.operation)

    @cached_property
    def argument_leaves(self) -> tuple[Leaf, ...]:
        """The values of the arguments; a long text counts as its beginning."""
        return tuple(leaves(self.arguments, cut=True))

    @cached_property
    def number_paths(self) -> frozenset[str]:
        """The paths of the arguments that are numbers."""
        return number_paths(self.arguments)

    @cached_property
    def fields(self) -> dict[str, str]:
        """Path -> value of the result's own fields, without those of its lists."""
        return plain_fields(self.result)

    @cached_property
    def is_changing(self) -> bool:
        if self.kind is CallKind.RECORD and self.operation is not None:
            return changes_data(self.operation)
        return self.kind is CallKind.EDIT or is_change(self.tool, self.operation)


@dataclass(frozen=True)
class Said:
    """A message of the user."""

    seq: int
    event: str
    text: str


@dataclass(frozen=True)
class Attempt:
    """One source. `weight` is its share of its attempt family, so that every family weighs 1."""

    trace_id: str
    family: str
    is_success: bool
    weight: float
    calls: tuple[Call, ...]
    said: tuple[Said, ...]
    source: Source
    is_alone: bool = False  # no other family succeeded
    root: str = ""  # the prefix of its project's absolute paths

    @cached_property
    def index(self) -> ValueIndex:
        """Where the values of its arguments occurred, over the calls that act on records."""
        return ValueIndex(c for c in self.calls if c.kind is CallKind.RECORD)


def attempts_of(sources: tuple[Source, ...]) -> tuple[Attempt, ...]:
    """Returns the sources as attempts, sorted by family and trace id; supports and contrasts alike."""
    sizes: dict[tuple[str, bool], int] = {}
    for source in sources:
        key = (source.attempt_family, source.role is SourceRole.SUPPORT)
        sizes[key] = sizes.get(key, 0) + 1
    found = []
    is_alone = len({family for family, is_success in sizes if is_success}) == 1
    for source in sorted(sources, key=lambda s: (s.attempt_family, s.trace_id)):
        is_success = source.role is SourceRole.SUPPORT
        reader = _Reader(source)
        found.append(
            Attempt(
                trace_id=source.trace_id,
                family=source.attempt_family,
                is_success=is_success,
                weight=1 / sizes[(source.attempt_family, is_success)],
                calls=tuple(reader.calls()),
                said=tuple(
                    Said(e.seq, e.id, e.text)
                    for e in source.trace.events
                    if e.kind is EventKind.USER_MESSAGE and e.text and e.restricted is None
                ),
                source=source,
                is_alone=is_alone,
                root=reader.root,
            )
        )
    return tuple(found)


class _Reader:
    """Reads the calls of one source in order, and remembers whether something was changed so far."""

    def __init__(self, source: Source) -> None:
        self._source = source
        events = source.trace.events
        self._results = {e.call_id: e for e in events if e.kind is EventKind.TOOL_RESULT and e.call_id}
        self._paths = {e.seq: p for e in events if e.arguments and (p := path_argument(e.arguments)) is not None}
        self.root = project_root((p for _, p in self._paths.values()), source.trace.header.environment.cwd_label)
        self._verified = verification_command(source)
        self._position = 0
        self._changed = False
        self._exported: tuple[str, ...] = ()
        self._folder = ""  # where the shell stands in the project
        self._open: str | None = None
        self._seen: set[str] = set()  # files that were read or written so far

    def calls(self) -> Iterator[Call]:
        for event in self._source.trace.events:
            if event.kind is not EventKind.TOOL_CALL or not event.tool or event.restricted is not None:
                continue
            if _TOOL_NAME.fullmatch(event.tool) and event.tool.rsplit("__", 1)[-1].lower() not in OWN_TOOLS:
                yield from self._of_shell(event) if is_shell(event.tool) else self._of_tool(event)

    def _of_shell(self, event: Event) -> Iterator[Call]:
        line = read_line(event.arguments, self.root, self._folder)
        kinds = [_command_kind(c.command, operation_name(c.command), self._verified) for c in line.commands]
        has_check = CallKind.CHECK in kinds
        for item, kind in zip(line.commands, kinds, strict=True):
            command = item.command
            operation = operation_name(command)
            path = _command_path(command, item.folder)
            call = self._call(event, kind, operation, item=item, path=path)
            if operation == "apply_patch":
                yield from self._of_patch(call, command_line(event.arguments) or "")
                continue
            # A line that ends in a failing check ran what stands before the check.
            ran_before = has_check and call.failed and bool(_CHECK_SUMMARY.search(call.text))
            call = replace(call, failed=False) if ran_before and call.kind is not CallKind.CHECK else call
            yield self._counted(call)
        self._exported += line.exported
        self._folder = self._folder_after(event, line.folder)

    def _folder_after(self, event: Event, folder: str) -> str:
        """Returns where the shell stands afterwards: some hosts keep it, others begin each line at the root."""
        result = self._results.get(event.call_id or "")
        plain = (event.tool or "").rsplit("__", 1)[-1].lower()
        if plain not in _KEEPS_FOLDER or (result is not None and "cwd was reset" in (result.text or "")):
            return ""
        return self._folder if result is not None and "cd: " in (result.text or "")[:400] else folder

    def _of_tool(self, event: Event) -> Iterator[Call]:
        named = self._paths.get(event.seq)
        plain = (event.tool or "").rsplit("__", 1)[-1].lower()
        kind = CallKind.RECORD
        if is_edit(event.tool) or (plain == "create" and named is not None):
            kind = CallKind.EDIT
        elif plain in READ_TOOLS:
            kind = CallKind.LOOK
        path = named[1] if named and kind is not CallKind.RECORD else None
        if kind is CallKind.EDIT and path is None:
            path = self._open  # some hosts edit the file that is open
        if plain in _OPENING:
            self._open = path
        operation = event.operation
        if operation is None and kind is CallKind.RECORD:
            operation = statement_of(event.arguments or {})
        call = self._call(event, kind, operation, item=None, path=path)
        if plain == "apply_patch":
            yield from self._of_patch(call, next((v for v in call.arguments.values() if isinstance(v, str)), ""))
        else:
            yield self._counted(call)

    def _of_patch(self, call: Call, patch: str) -> Iterator[Call]:
        """Yields an edit for each file of a patch."""
        files = patched_files(patch)
        for path, is_new in files:
            place = relative_path(from_root(call.folder, path), self.root)
            yield self._counted(replace(call, path=place, creates=is_new, position=self._position))
        if not files:
            yield self._counted(call)

    def _counted(self, call: Call) -> Call:
        if call.kind is CallKind.EDIT and not call.creates and call.path is not None:
            call = replace(call, creates=_makes_file(call, is_known=call.path in self._seen))
        if call.path is not None:
            self._seen.add(call.path)
        self._position += 1
        self._changed = self._changed or (call.is_changing and not call.failed)
        return call

    def _call(
        self, event: Event, kind: CallKind, operation: str | None, *, item: CommandInLine | None, path: str | None
    ) -> Call:
        result = self._results.get(event.call_id or "")
        text = result.text or "" if result is not None and result.restricted is None else ""
        failed = result is not None and is_failed(result)
        failed = failed or (kind is CallKind.CHECK and _shows_failure(result, text, item))
        return Call(
            trace_id=self._source.trace_id,
            family=self._source.attempt_family,
            position=self._position,
            seq=event.seq,
            kind=kind,
            tool=event.tool or "",
            operation=operation,
            arguments=event.arguments or {},
            command=item.command if item is not None else None,
            path=relative_path(path, self.root) if path else None,
            call_event=event.id,
            result_event=result.id if result is not None else None,
            result_seq=result.seq if result is not None else event.seq,
            text=text,
            result=_json(text) if kind is CallKind.RECORD else None,
            failed=failed,
            after_change=self._changed,
            ran=not failed or bool(_CHECK_SUMMARY.search(text)) or not _NOT_STARTED.search(text),
            lead=item.lead if item is not None else (),
            settings=item.settings if item is not None else (),
            exported=self._exported,
            filters=item.filters if item is not None else (),
            folder=item.folder if item is not None else "",
        )


def _makes_file(call: Call, *, is_known: bool) -> bool:
    """Says whether an edit made a new file, by the tool's name and its answer, or as the first sight of it."""
    if call.command is not None:
        return (call.operation or "").endswith(" >") and not is_known
    plain = call.tool.rsplit("__", 1)[-1].lower()
    return plain in _MAKING and "updated" not in call.text[:200].lower()


def _command_kind(command: ShellCommand, operation: str, verified: str) -> CallKind:
    if is_edit_operation(operation):
        return CallKind.EDIT
    if is_check_command(command, operation, verified):
        return CallKind.CHECK
    if operation.endswith((" -c", " -e")) or (operation == "python" and not command.arguments):
        return CallKind.LOOK  # a probe: code typed for this one question
    return CallKind.LOOK if effect_of("Bash", operation) is Effect.READ else CallKind.COMMAND


def _command_path(command: ShellCommand, folder: str) -> str | None:
    """Returns the file that a command is about, as the project's root sees it."""
    paths = [w.text for w in command.arguments if w.role is not None and w.role is not PathRole.SCRIPT]
    path = command.written_file if command.written_file is not None else next(reversed(paths), None)
    return from_root(folder, path) if path else None


def _shows_failure(result: Event | None, text: str, item: CommandInLine | None) -> bool:
    """A pipe hides the exit status of a check (`pytest | tail`), and some hosts tell none: its summary counts."""
    if result is not None and result.is_error is False and item is not None and not item.hides_status:
        return False
    if item is not None and item.hides_status and not _CHECK_SUMMARY.search(text) and _NOT_STARTED.search(text[:400]):
        return True  # it did not even start
    return bool(_CHECK_FAILED.search(text))


def _json(text: str) -> Any:
    if len(text) > MAX_RESULT_CHARS or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json_value(text)
    except (ValueError, RecursionError):
        return None
