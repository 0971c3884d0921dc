"""Deeds: what the verified attempts of a run really did, one record a call or command, without any induction.

Trusted code compares lines of a Skill with these. Values are read with what explains them: words of the user or an
earlier result. Paper: 5.1, 5.3. Not here: comparing (core.compile.contradictions).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from skillc.core.compile.evidence import Source
from skillc.core.once import once_per_record
from skillc.core.record import json_value
from skillc.core.trace.operation import (
    Effect,
    command_line,
    commands_of,
    effect_of,
    is_check,
    is_failed,
    is_shell,
    operation_name,
)
from skillc.core.trace.records import Event, EventKind
from skillc.core.trace.shell import ShellCommand

MAX_VALUE_CHARS = 40
_MAX_RESULT_CHARS = 200_000
_SETTING = re.compile(r"(?:^|[;&|]\s*|\bexport\s+|\benv\s+)((?:[A-Z][A-Z0-9_]*=[^\s;&|]+\s*)+)")
_VALUE = re.compile(r"[^\s<>]{1,40}|<[a-z][a-z0-9_]{0,63}>")  # a placeholder of a Skill stands for a value too


@dataclass(frozen=True)
class Deed:
    """One call, or one command of a shell call. `values` are its plain arguments: path or option -> value."""

    family: str
    trace_id: str
    seq: int
    part: int
    events: tuple[str, ...]
    tool: str
    operation: str
    failed: bool
    values: Mapping[str, str] = field(default_factory=dict)
    answer: Event | None = None  # the result of a tool that worked

    @cached_property
    def shows(self) -> Mapping[str, str]:
        """The single values of its result, by their path."""
        return scalars(_json(self.answer.text)) if self.answer is not None else {}

    @property
    def is_change(self) -> bool:
        return effect_of(self.tool, self.operation or None) is not Effect.READ

    @property
    def is_check(self) -> bool:
        return is_check(self.operation or None)


@once_per_record
def deeds_of(source: Source) -> tuple[Deed, ...]:
    """Returns what one attempt did, in order."""
    results = {e.call_id: e for e in source.trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id is not None}
    return tuple(
        deed
        for event in source.trace.events
        if event.kind is EventKind.TOOL_CALL and event.tool and event.restricted is None
        for deed in _of_call(source, event, results.get(event.call_id or ""))
    )


def _of_call(source: Source, event: Event, result: Event | None) -> Iterator[Deed]:
    assert event.tool is not None
    failed = result is not None and is_failed(result)
    events = (event.id, result.id) if result is not None else (event.id,)
    place = (source.attempt_family, source.trace_id, event.seq)
    if is_shell(event.tool):
        for part, (operation, values) in enumerate(commands_with_values(event.tool, event.arguments)):
            yield Deed(*place, part, events, event.tool, operation, failed, values)
        return
    answer = result if result is not None and not failed and result.restricted is None else None
    yield Deed(*place, 0, events, event.tool, "", failed, plain_values(event.arguments or {}), answer)


def commands_with_values(tool: str, arguments: Mapping[str, Any] | None) -> Iterator[tuple[str, dict[str, str]]]:
    """Yields operation and options of each command of a shell call; settings before it count for all of them."""
    line = command_line(arguments) or ""
    settings: dict[str, str] = {}
    for found in _SETTING.findall(line):
        for word in found.split():
            name, _, value = word.partition("=")
            if _VALUE.fullmatch(value):
                settings[f"{name}="] = value.strip("'\"")
    for command in commands_of(tool, arguments):
        yield operation_name(command), settings | _options(command)


def _options(command: ShellCommand) -> dict[str, str]:
    """Returns `--name=value` and `--name value` of a command; `--no-name` counts as the name switched off."""
    found: dict[str, str] = {}
    words = command.words[command.named :]
    for word, following in zip(words, (*words[1:], ""), strict=False):
        if not word.startswith("--") or len(word) < 4:
            continue
        name, has_value, value = word.partition("=")
        if has_value:
            if _VALUE.fullmatch(value):
                found[name] = value
        elif name.startswith("--no-"):
            found[f"--{name[5:]}"] = "off"
        elif following and not following.startswith("-") and _VALUE.fullmatch(following):
            found[name] = following
        else:
            found[name] = "on"
    return found


def plain_values(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Returns the arguments that are one short word, number or truth: path -> value."""
    return {path: value for path, value in scalars(arguments).items() if _VALUE.fullmatch(value)}


def scalars(value: Any, path: str = "") -> dict[str, str]:
    """Returns the single values of a JSON object by their path; those inside lists are left out."""
    found: dict[str, str] = {}
    _add_scalars(value, path, found)
    return found


def _add_scalars(value: Any, path: str, found: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str):
                _add_scalars(item, f"{path}.{key}" if path else key, found)
    elif isinstance(value, bool):
        found[path] = "true" if value else "false"
    elif isinstance(value, (str, int, float)) and path:
        found[path] = str(value)


def is_explained(source: Source, deed: Deed, value: str) -> bool:
    """Says whether the user or an earlier result gave a value before it was used: then it is no rule."""
    wanted = re.compile(rf"(?<![\w-]){re.escape(value)}(?![\w-])", re.IGNORECASE)
    for event in source.trace.events:
        if event.seq >= deed.seq:
            return False
        is_origin = event.kind in (EventKind.USER_MESSAGE, EventKind.TOOL_RESULT) and event.restricted is None
        if is_origin and event.text and wanted.search(event.text[:_MAX_RESULT_CHARS]):
            return True
    return False


def by_family(deeds: Iterable[Deed]) -> dict[str, list[Deed]]:
    """Returns the deeds of each attempt family, in their order."""
    found: dict[str, list[Deed]] = {}
    for deed in deeds:
        found.setdefault(deed.family, []).append(deed)
    return found


def _json(text: str | None) -> Any:
    if not text or len(text) > _MAX_RESULT_CHARS or text.lstrip()[:1] != "{":
        return None
    try:
        return json_value(text)
    except (ValueError, RecursionError):
        return None
