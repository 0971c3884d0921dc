"""The steps of an ATIF trajectory become events: of the trajectory, what it goes on in, and its subagents.

A result belongs to a call of its own step only. Copied steps are no new evidence. Subagents stay inside the
attempt, under an actor of their own, before the result that refers to them. Unknown fields are counted.
Not here: the outcome of a trial (importers.atif).
"""

import posixpath
from collections.abc import Sequence
from typing import Any

from skillc.core.words import names
from skillc.errors import DataError
from skillc.importers.attempt import Attempt, Call, arguments_of
from skillc.importers.base import Companion, ImportReport
from skillc.importers.claude_blocks import safe_word
from skillc.importers.documents import read_document
from skillc.importers.times import normal_time

MAX_DEPTH = 8
MAX_FILES = 100

_FIELDS = {
    "trajectory": names(
        "schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref "
        "subagent_trajectories extra"
    ),
    "agent": names("name version model_name tool_definitions extra"),
    "step": names(
        "step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls observation "
        "metrics is_copied_context llm_call_count extra"
    ),
    "tool call": names("tool_call_id function_name arguments extra"),
    "observation": frozenset(("results",)),
    "result": names("source_call_id content subagent_trajectory_ref extra"),
}


class Trajectory:
    """One trajectory with all that belongs to it, on its way into an attempt."""

    def __init__(self, attempt: Attempt, report: ImportReport, companions: Sequence[Companion]) -> None:
        self.attempt = attempt
        self.report = report
        self.skipped = report.skipped
        self.files = {posixpath.normpath(companion.name): companion for companion in companions}
        self.opened: set[str] = set()
        self.model: str | None = None

    def read(self, document: dict[str, Any]) -> None:
        """Adds the events of the main trajectory and of the files that it goes on in."""
        self._trajectory(document, actor=None, depth=0)
        reference = document.get("continued_trajectory_ref")
        while reference is not None:
            following = self._opened(reference)
            if following is None:
                self.report.notes.append("the trajectory goes on in a file that is not beside it")
                return
            self._trajectory(following, actor=None, depth=0)
            reference = following.get("continued_trajectory_ref")

    def _trajectory(self, document: dict[str, Any], *, actor: str | None, depth: int) -> None:
        self._count_unknown("trajectory", document)
        self._count_unknown("agent", document.get("agent"))
        steps = document.get("steps")
        if not isinstance(steps, list):
            raise DataError(f"{self.report.path}:1: a trajectory has no list of steps")
        embedded = {
            name: item
            for item in _objects(document.get("subagent_trajectories"))
            if isinstance(name := item.get("trajectory_id") or item.get("session_id"), str)
        }
        for position, step in enumerate(steps, 1):
            if not isinstance(step, dict):
                self.skipped["step that is no object"] += 1
                continue
            if step.get("step_id") != position:
                self.skipped["step out of order (kept)"] += 1
            self._step(step, embedded, actor, depth)
        for name in list(embedded):  # those that no result refers to
            self._subagent(embedded.pop(name), name, depth)

    def _step(self, step: dict[str, Any], embedded: dict[str, Any], actor: str | None, depth: int) -> None:
        self._count_unknown("step", step)
        if step.get("is_copied_context") is True:
            self.skipped["copied step"] += 1
            return
        at = normal_time(step.get("timestamp"))
        text = self._text(step.get("message"))
        source = step.get("source")
        if step.get("reasoning_content"):
            self.skipped["thinking"] += 1
        if source == "user" and actor is None:
            if text.strip():
                self.attempt.asks(text, at)
        elif source in ("user", "system"):
            if text.strip():
                self.attempt.notes(text, at, *([actor] if actor else []))
        elif source == "agent":
            if actor is None and self.model is None and isinstance(step.get("model_name"), str):
                self.model = step["model_name"]
            if text.strip():
                self.attempt.says(text, at, actor)
        else:
            self.skipped[f"step of source {safe_word(source)}"] += 1
            return
        calls = self._calls(step, at, actor)
        self._results(step, calls, embedded, at, actor, depth)

    def _calls(self, step: dict[str, Any], at: str | None, actor: str | None) -> dict[str, Call]:
        made: dict[str, Call] = {}
        for call in _objects(step.get("tool_calls")):
            self._count_unknown("tool call", call)
            name = call.get("tool_call_id")
            written = self.attempt.calls(
                call.get("function_name"), arguments_of(call.get("arguments")), name, at, actor
            )
            if isinstance(name, str):
                made[name] = written
        return made

    def _results(
        self,
        step: dict[str, Any],
        calls: dict[str, Call],
        embedded: dict[str, Any],
        at: str | None,
        actor: str | None,
        depth: int,
    ) -> None:
        observation = step.get("observation")
        self._count_unknown("observation", observation)
        for result in _objects(observation.get("results")) if isinstance(observation, dict) else ():
            self._count_unknown("result", result)
            references = result.get("subagent_trajectory_ref")
            for reference in references if isinstance(references, list) else [references]:
                self._referenced(reference, embedded, depth)
            name, text = result.get("source_call_id"), self._text(result.get("content"))
            call = calls.get(name) if isinstance(name, str) else None
            if call is None and isinstance(name, str):
                self.skipped["result that names no call of its step"] += 1
            if call is None and name is None:
                if text.strip():
                    self.attempt.notes(text, at, *([actor] if actor else []))
                continue
            self.attempt.gets(call, text, at=at, actor=actor)

    def _referenced(self, reference: Any, embedded: dict[str, Any], depth: int) -> None:
        if not isinstance(reference, dict):
            return
        for field in ("trajectory_id", "session_id"):
            name = reference.get(field)
            if isinstance(name, str) and name in embedded:
                self._subagent(embedded.pop(name), name, depth)
                return
        document = self._opened(reference)
        if document is None:
            self.skipped["subagent whose trajectory is not here"] += 1
            return
        name = document.get("trajectory_id") or document.get("session_id")
        self._subagent(document, name if isinstance(name, str) else "subagent", depth)

    def _subagent(self, document: dict[str, Any], name: str, depth: int) -> None:
        if depth >= MAX_DEPTH or not isinstance(document.get("steps"), list):
            self.skipped["subagent that cannot be read"] += 1
            return
        self._trajectory(document, actor=f"subagent {name}", depth=depth + 1)

    def _opened(self, reference: Any) -> dict[str, Any] | None:
        """Returns the trajectory in the file that a reference names, once; None when it is not a companion."""
        path = reference.get("trajectory_path") if isinstance(reference, dict) else reference
        name = posixpath.normpath(path) if isinstance(path, str) and path else ""
        companion = self.files.get(name) or self.files.get(posixpath.basename(name))
        if companion is None or companion.name in self.opened or len(self.opened) >= MAX_FILES:
            return None
        self.opened.add(companion.name)
        with companion.open() as stream:
            try:
                document = read_document(stream, companion.name)
            except DataError:
                self.report.notes.append("a file that the trajectory refers to cannot be read")
                return None
        if isinstance(document, dict) and str(document.get("schema_version", "")).startswith("ATIF-"):
            return document if isinstance(document.get("steps"), list) else None
        return None

    def _text(self, content: Any) -> str:
        """Returns a text; of a list its text parts by lines, and media as references: they are files beside it."""
        if isinstance(content, str):
            return content
        return "\n".join(_part(part) for part in content) if isinstance(content, list) else ""

    def _count_unknown(self, what: str, value: Any) -> None:
        for name in value if isinstance(value, dict) else ():
            if name not in _FIELDS[what]:
                self.skipped[f"unknown field of a {what}: {safe_word(name)}"] += 1


def _part(part: Any) -> str:
    if not isinstance(part, dict):
        return "[part]"
    if part.get("type") == "text" and isinstance(part.get("text"), str):
        return str(part["text"])
    source = part.get("source")
    source = source if isinstance(source, dict) else {}
    path = source.get("path")
    where = f" {path}" if isinstance(path, str) else ""
    return f"[{safe_word(part.get('type'))} {safe_word(source.get('media_type'))}{where}]"


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
