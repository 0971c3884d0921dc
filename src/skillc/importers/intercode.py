"""InterCode results: one file of attempts at shell or SQL tasks becomes one Trace per attempt.

The lists of a turn history run in parallel. Rewards become a verdict through a registered mapping only, over
the record: `summary.max_reward` is the best turn, `turn_history.rewards.-1` the last. Only query, thoughts,
actions and observations are read: `info` holds what the gold command printed.
Not here: what a mapped outcome is worth (core.trace.verification).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json
from skillc.errors import DataError
from skillc.importers.attempt import Attempt
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, content_key
from skillc.importers.claude_blocks import safe_word
from skillc.importers.claude_subagents import stem_of
from skillc.importers.documents import head_value, read_document
from skillc.importers.verdicts import field_verdict

_EXECUTE = re.compile(r"\s*execute\[(.*)\]\s*\Z", re.DOTALL)
_TOOLS = {"bash": ("execute_bash", "command"), "sql": ("query_sql", "query"), "python": ("run_python", "code")}
_MODEL = re.compile(r"^ic_[a-z]+_multiturn_(.+?)[-_]\d+_turns")


class InterCodeImporter:
    """Reads an object keyed by index, each value an attempt; or one that holds such records under `logs`."""

    kind = "intercode"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        value = head_value(head)
        return isinstance(value, dict) and any(_is_attempt(record) for record in _records(value)[:3])

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per attempt, in the order of the file."""
        document = read_document(stream, report.path)
        nth: Counter[str] = Counter()
        written = 0
        for record in _records(document) if isinstance(document, dict) else []:
            if not _is_attempt(record):
                report.skipped["record that is no attempt"] += 1
                continue
            digest = content_key(context, canonical_json(record))
            nth[digest] += 1
            finished = _read_attempt(record, f"{digest} {nth[digest]}", context, report)
            if finished is None:
                report.skipped["attempt without events"] += 1
                continue
            written += 1
            yield finished
        if not written:
            raise DataError(
                f"{report.path}:1: holds no attempt with a turn history",
                hint="an InterCode result has query and turn_history {actions, observations} in each record",
            )


def _records(document: dict[str, Any]) -> list[Any]:
    logs = document.get("logs")
    if isinstance(logs, dict | list):
        return list(logs.values()) if isinstance(logs, dict) else logs
    return list(document.values())


def _is_attempt(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("turn_history"), dict) and "query" in record


def _read_attempt(
    record: dict[str, Any], number: str, context: ImportContext, report: ImportReport
) -> ImportedTrace | None:
    """Writes one attempt. Its key is the task's number with its dataset: numbers alone repeat in other datasets."""
    stem = stem_of(report.path)
    key = _key_of(record)
    attempt = Attempt(context, report, ref=f"{stem} {key or 'record'}", session=f"{stem}\x00{key}", attempt=number)
    if isinstance(record.get("query"), str) and record["query"].strip():
        attempt.asks(record["query"])
    environment = record.get("environment")
    environment = environment.rpartition("_")[2] if isinstance(environment, str) else ""
    history = record["turn_history"]
    _write_turns(attempt, history, environment, report)
    model = _MODEL.match(stem)
    return attempt.finish(
        agent="intercode",
        model=model[1] if model else None,
        attempt_key=key,
        verdict=field_verdict(record, context.mapping, report),
    )


def _key_of(record: dict[str, Any]) -> str | None:
    dataset, task = record.get("dataset"), record.get("task_id")
    if isinstance(task, bool) or not isinstance(task, int | str) or task == "":
        return None
    return f"{dataset if isinstance(dataset, str) else record.get('environment')} task_id {task}"


def _write_turns(attempt: Attempt, history: dict[str, Any], environment: str, report: ImportReport) -> None:
    thoughts, actions = _list(history.get("thoughts")), _list(history.get("actions"))
    observations, valid = _list(history.get("observations")), _list(history.get("valid_action"))
    if not environment:
        environment = "bash"
    tool, argument = _TOOLS.get(environment, (f"execute_{safe_word(environment)}", "input"))
    for turn, action in enumerate(actions):
        thought = thoughts[turn] if turn < len(thoughts) else None
        if isinstance(thought, str) and thought.strip():
            attempt.says(thought)
        if not isinstance(action, str):
            report.skipped["action that is no text"] += 1
            continue
        if action == "blocked" and turn >= len(observations):
            attempt.fails("the model's answer was blocked")
            continue
        wrapped = _EXECUTE.match(action)
        if action.strip() == "submit":
            call = attempt.calls("submit", {}, f"turn-{turn}")
        else:
            call = attempt.calls(tool, {argument: wrapped[1] if wrapped else action}, f"turn-{turn}")
        if turn >= len(observations):
            report.skipped["call without a result (kept)"] += 1
            continue
        text = observations[turn]
        text = text if isinstance(text, str) else canonical_json(text).decode()
        is_failed = (turn < len(valid) and valid[turn] is False) or text.startswith("Error")
        attempt.gets(call, text, is_error=True if is_failed else None)
    if len(observations) > len(actions):
        report.skipped["observation without its action"] += len(observations) - len(actions)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
