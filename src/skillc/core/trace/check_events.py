"""The run of a registered check that a session itself shows: which one counts, and how it ended.

The last run after the last write counts, with its own exit status and nothing that masks it. Anything that is
not proved by the events is held for a person. Paper: 5.1; ADR 0010.
Not here: what a line runs (core.trace.check_lines), signing it (lifecycle.verify_events).
"""

import json
import re
from collections.abc import Callable, Sequence

from skillc.core.record import Record
from skillc.core.trace.check_lines import RunKind, leaves_folder, only_looks, read_run, shell_change
from skillc.core.trace.codec import Trace
from skillc.core.trace.edits import matches_glob, normal_path
from skillc.core.trace.operation import (
    EDIT_TOOLS,
    OWN_TOOLS,
    READ_TOOLS,
    Effect,
    command_line,
    effect_of,
    is_check,
    is_shell,
)
from skillc.core.trace.records import Event, EventKind, Outcome
from skillc.core.trace.shell import parse_command_line

# What the runners that people use say when they found nothing to run, and still exit 0.
_NO_TEST = re.compile(
    r"^Ran 0 tests\b|no tests ran\b|\bcollected 0 items\b|^running 0 tests\b(?![\s\S]*^running [1-9])"
    r"|^\s*0 passing\b|\bno tests found\b|\[no test files\](?![\s\S]*^ok\b)|^No tests were found",
    re.IGNORECASE | re.MULTILINE,
)
# How hosts tell an exit code, at the very beginning of a result, before any output of the command.
_EXIT_CODE = re.compile(
    r"\s*(?:(?:Chunk ID|Wall time)[^\n]{0,80}\n){0,3}(?:Exit code:?|Process exited with code) (\d{1,5})(?:\s|\Z)"
)
_NOT_ENDED = re.compile(r"\s*(?:Command running in background|Command timed out|Command did not complete)")
_BROKEN_CODES = frozenset((124, 125, 126, 127))
# Tools of the host that let somebody else write, or feed a program that already runs.
_DELEGATES = frozenset(("task", "agent", "write_stdin", "skill", "save_memory"))
_PATH_ARGUMENTS = ("file_path", "path", "notebook_path", "filename", "target_file")
_FOLDER_ARGUMENTS = ("workdir", "cwd", "directory", "dir_path")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Delete|Add|Move to)(?: File)?: (.+)$", re.MULTILINE)


class CheckRun(Record):
    """A run in a Trace: the call, its result, and how the check ended."""

    call: str
    result: str
    outcome: Outcome
    code: int

    @property
    def ref(self) -> str:
        return f"{self.call} {self.result}"


class CheckReading(Record):
    """Either the run that counts, or why none does."""

    run: CheckRun | None = None
    reason: str = ""


def ran_no_test(output: str) -> bool:
    """Says whether the output of a test runner tells that it found nothing to run."""
    return _NO_TEST.search(output) is not None


def read_check(
    trace: Trace,
    run: Sequence[str],
    *,
    protects: Sequence[str] = (),
    fails_before: bool = False,
    existed: Callable[[str], bool | None] | None = None,
) -> CheckReading:
    """Returns the run of a check that counts in a Trace, or the reason why none does.

    Args:
        run: the registered argv.
        protects: globs of files that the session may only add to; read only when `existed` is given.
        fails_before: the last run before the first write must have failed.
        existed: whether a path was there before the session; None when that is not known.
    """
    calls = [e for e in trace.events if e.kind is EventKind.TOOL_CALL]
    results: dict[str, list[Event]] = {}
    for event in trace.events:
        if event.kind is EventKind.TOOL_RESULT and event.call_id is not None:
            results.setdefault(event.call_id, []).append(event)
    command = f"`{' '.join(run)}`"
    matches: list[tuple[Event, str]] = []  # with the reason that masks it
    writes: list[tuple[int, int, Event]] = []  # begin and end
    changed, away = "", ""
    for call in calls:
        line = command_line(call.arguments) if is_shell(call.tool) else None
        found = read_run(line, run) if line is not None else None
        if found is not None and found.kind is not RunKind.OTHER:
            matches.append((call, found.reason or changed or away or _elsewhere(call)))
        elif may_write(call):
            ends = [r.seq for r in results.get(call.call_id or "", ())]
            writes.append((call.seq, max([call.seq, *ends]), call))
        if line is not None:
            change = shell_change(line)
            changed = changed or (f"the shell was changed before it: {call.id} {change}" if change else "")
            moved = leaves_folder(line)
            away = away if moved is None else f"the session had left its folder in {call.id}" if moved else ""
    if not matches:
        return CheckReading(reason=f"the session never ran {command}")
    last, masked = matches[-1]
    later = next((w for w in reversed(writes) if w[1] > last.seq), None)
    if masked:
        return CheckReading(reason=f"the last run of {command}, {last.id}, does not count: {masked}")
    if later is not None:
        return CheckReading(reason=f"{later[2].id} may have written files after the last run of {command}, {last.id}")
    ended = _ended(last, results.get(last.call_id or "", []))
    if ended.run is None:
        return CheckReading(reason=f"the last run of {command}, {last.id}, does not count: {ended.reason}")
    first_write = min((w[0] for w in writes), default=None)
    if fails_before and not _failed_before(matches, results, first_write):
        return CheckReading(reason=f"the events do not show that {command} failed before the first write")
    if protects and existed is not None:
        touched = sorted(p for p in written_paths(trace) if _is_protected(p, protects) and existed(p) is not False)
        if touched:
            return CheckReading(reason=f"tests changed: the session touched protected files, first {touched[0]!r}")
    return ended


def may_write(call: Event) -> bool:
    """Says whether a call may change a file: every edit, and everything that is not known to only look."""
    tool = call.tool or ""
    if is_shell(tool):
        line = command_line(call.arguments)
        return line is None or not only_looks(line)
    plain = tool.rsplit("__", 1)[-1].lower()
    if plain in EDIT_TOOLS or plain in _DELEGATES:
        return True
    return not (plain in READ_TOOLS or plain in OWN_TOOLS or effect_of(tool, call.operation) is Effect.READ)


def written_paths(trace: Trace) -> frozenset[str]:
    """Returns the paths that calls which may write name: files of edits and patches, words of shell lines."""
    found: set[str] = set()
    for call in trace.events:
        if call.kind is not EventKind.TOOL_CALL or not may_write(call):
            continue
        arguments = call.arguments or {}
        found.update(a for name in _PATH_ARGUMENTS if isinstance(a := arguments.get(name), str))
        for text in arguments.values():
            if isinstance(text, str) and "*** " in text:
                found.update(_PATCHED.findall(text))
        line = command_line(arguments) if is_shell(call.tool) else None
        for pipeline in parse_command_line(line) if line else ():
            for command in pipeline.commands:
                found.update(r.target for r in command.redirections if ">" in r.operator)
                if not is_check(command.operation):
                    found.update(part for word in command.words for part in (word, word.rpartition("=")[2]))
    return frozenset(normal_path(path.strip()) for path in found if path.strip())


def _is_protected(path: str, protects: Sequence[str]) -> bool:
    """A path is protected when a glob names it, or names something below it."""
    if matches_glob(path, protects):
        return True
    fixed = (re.split(r"[*?\[]", pattern, maxsplit=1)[0] for pattern in protects)
    return any(prefix.startswith(path.rstrip("/") + "/") for prefix in fixed)


def _elsewhere(call: Event) -> str:
    for name in _FOLDER_ARGUMENTS:
        folder = (call.arguments or {}).get(name)
        if isinstance(folder, str) and normal_path(folder) not in ("", "."):
            return "it ran in another folder"
    return ""


def _failed_before(
    matches: Sequence[tuple[Event, str]], results: dict[str, list[Event]], first_write: int | None
) -> bool:
    earlier = [call for call, masked in matches if not masked and (first_write is None or call.seq < first_write)]
    if not earlier or first_write is None:
        return False
    run = _ended(earlier[-1], results.get(earlier[-1].call_id or "", [])).run
    return run is not None and run.outcome is Outcome.FAILURE


def _ended(call: Event, results: list[Event]) -> CheckReading:
    """Reads how a clean run ended from its one result."""
    if len(results) != 1 or results[0].seq < call.seq:
        return CheckReading(reason="it has no result" if not results else "it has more than one result")
    result = results[0]
    if result.restricted is not None or result.text is None:
        return CheckReading(reason="its result is not stored")
    if (call.arguments or {}).get("run_in_background") is True or _NOT_ENDED.match(result.text):
        return CheckReading(reason="it did not run to its end")
    code = _code_of(result)
    if code is None:
        return CheckReading(reason="its result does not say how it ended")
    if code in _BROKEN_CODES or code >= 128:
        return CheckReading(reason=f"it did not run to its end: exit {code}")
    if code == 0 and ran_no_test(result.text):
        return CheckReading(reason="it ran no test")
    outcome = Outcome.SUCCESS if code == 0 else Outcome.FAILURE
    return CheckReading(run=CheckRun(call=call.id, result=result.id, outcome=outcome, code=code))


def _code_of(result: Event) -> int | None:
    """Returns the exit code, None where flag and text do not say one thing."""
    text = result.text or ""
    told = _told_code(text)
    if result.is_error is None:
        return told
    if result.is_error:
        return told or None  # an error without a code may be a refusal of the host: the check never ran
    return 0 if told in (None, 0) else None


def _told_code(text: str) -> int | None:
    found = _EXIT_CODE.match(text)
    if found:
        return int(found[1])
    if text.startswith("{") and '"exit_code"' in text and len(text) < 1 << 20:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return None
        metadata = value.get("metadata") if isinstance(value, dict) else None
        code = metadata.get("exit_code") if isinstance(metadata, dict) else None
        return code if isinstance(code, int) and not isinstance(code, bool) and code >= 0 else None
    return None
