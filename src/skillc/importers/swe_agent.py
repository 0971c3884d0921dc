"""SWE-agent trajectories (.traj): one file becomes one Trace.

Three ways of calling: a command line as text, function calls, and XML; a file may hold the steps, the chat, or
both. `exit_status` is kept as a note: that a patch was handed in says nothing of its worth.
Not here: reading a call out of a text (importers.swe_agent_calls).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json
from skillc.errors import DataError
from skillc.importers.attempt import Attempt, Call, arguments_of
from skillc.importers.base import Companion, ImportContext, ImportedTrace, ImportReport, content_key
from skillc.importers.claude_blocks import result_text, safe_word
from skillc.importers.claude_subagents import stem_of
from skillc.importers.documents import head_object, read_document
from skillc.importers.lines import parse_json
from skillc.importers.swe_agent_calls import PlannedCall, calls_in, text_without_call

_INSTANCE = re.compile(r"(?:^|__)([^_][\w.-]*?__[\w.-]+-\d+)$")
_ISSUE = re.compile(r"^(?:ISSUE:|<(?:pr_description|issue_description)>)\s*$\n", re.MULTILINE)
_ROLES = frozenset(("system", "user", "assistant", "tool"))


class SweAgentImporter:
    """Reads `<instance>.traj`."""

    kind = "swe-agent"
    companion_globs: tuple[str, ...] = ()

    def detect(self, head: bytes, name: str) -> bool:
        first = head_object(head)
        return _is_steps(first.get("trajectory")) or _is_chat(first.get("history"))

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields the one Trace of a file."""
        document = read_document(stream, report.path)
        document = document if isinstance(document, dict) else {}
        steps, history = _objects(document.get("trajectory")), _objects(document.get("history"))
        instance = _instance(document, stem_of(report.path))
        digest = content_key(context, canonical_json([steps, history]))
        attempt = Attempt(context, report, ref=instance[:200], session=instance, attempt=digest)
        run = _Run(attempt, report)
        if steps:
            run.steps(steps, history)
        else:
            run.chat(history)
        info = document.get("info")
        status = info.get("exit_status") if isinstance(info, dict) else None
        if isinstance(status, str) and attempt.writer.events:
            attempt.notes(f"exit status: {status}")
        if context.mapping is not None:
            report.notes.append("a .traj file holds no verified outcome, so no verdict was read from it")
        finished = attempt.finish(agent="swe-agent", model=_model(document), attempt_key=f"instance_id {instance}")
        if finished is None:
            raise DataError(
                f"{report.path}:1: holds no step of a SWE-agent run",
                hint="a .traj file has trajectory [{action, observation}] or history [{role, content}]",
            )
        yield finished


class _Run:
    """The steps of one run on their way to events."""

    def __init__(self, attempt: Attempt, report: ImportReport) -> None:
        self.attempt = attempt
        self.skipped = report.skipped
        self.waiting: list[Call] = []
        self.folders: set[str] = set()

    def steps(self, steps: list[dict[str, Any]], history: list[dict[str, Any]]) -> None:
        """Adds the task from the chat and the rest from the steps; the chat gives a step its function calls."""
        chat = [item for item in history if item.get("is_demo") is not True]
        turns = [item for item in chat if item.get("role") == "assistant"]
        first = next((n for n, item in enumerate(chat) if item.get("role") == "assistant"), len(chat))
        for item in chat[:first]:
            self._before(item)
        for name, count in (
            ("message that a step repeats", len(chat) - first),
            ("demonstration", len(history) - len(chat)),
        ):
            if count:
                self.skipped[name] += count
        at = 0
        for step in steps:
            found = next((n for n in range(at, len(turns)) if _same_action(turns[n], step)), None)
            turn = turns[found] if found is not None else {}
            at = found + 1 if found is not None else at
            self._step(step, turn)

    def chat(self, history: list[dict[str, Any]]) -> None:
        """Adds a file that holds the chat alone: a demonstration that was written down."""
        asked = False
        for item in history:
            role = item.get("role")
            if item.get("is_demo") is True:
                self.skipped["demonstration"] += 1
            elif role == "assistant":
                self._turn(item, _text(item.get("content")))
                asked = True
            elif not asked:
                self._before(item)
            elif role in ("user", "tool"):
                self._results(_text(item.get("content")), item)
            else:
                self.skipped[f"message of role {safe_word(role)}"] += 1

    def _before(self, item: dict[str, Any]) -> None:
        text, role = _text(item.get("content")), item.get("role")
        if not text.strip():
            self.skipped["message without content"] += 1
        elif role == "system":
            self.attempt.notes(text)
        elif role == "user":
            issue = _ISSUE.search(text)
            if issue is not None:
                self.attempt.writer.set_objective(text[issue.end() :])
            self.attempt.asks(text)
        else:
            self.skipped[f"message of role {safe_word(role)}"] += 1

    def _step(self, step: dict[str, Any], turn: dict[str, Any]) -> None:
        folder = _folder(step.get("state"))
        if folder is not None and folder not in self.folders:
            self.folders.add(folder)
            self.attempt.writer.add_root(folder)
        self._turn(
            {**step, "tool_calls": step.get("tool_calls") or turn.get("tool_calls")}, _text(step.get("response"))
        )
        observation = step.get("observation")
        if isinstance(observation, str):
            self._results(observation, {})
        elif self.waiting:
            self.skipped["call without a result (kept)"] += len(self.waiting)
            self.waiting = []

    def _turn(self, item: dict[str, Any], response: str) -> None:
        planned = calls_in(item, response)
        thought = item.get("thought")
        said = thought if isinstance(thought, str) and thought.strip() else text_without_call(response, planned)
        if said.strip():
            self.attempt.says(said.strip())
        if self.waiting:
            self.skipped["call without a result (kept)"] += len(self.waiting)
        self.waiting = [self._call(call) for call in planned]

    def _call(self, call: PlannedCall) -> Call:
        return self.attempt.calls(call.tool, call.arguments, call.id or f"call-{self.attempt.writer.events}")

    def _results(self, text: str, item: dict[str, Any]) -> None:
        """Gives an observation to the calls that wait: to each by its id, or one text to the last of them."""
        ids = item.get("tool_call_ids")
        wanted = [name for name in ids if isinstance(name, str)] if isinstance(ids, list) else []
        if wanted and len(self.waiting) > 1:
            found = next((call for call in self.waiting if call.id in wanted), None)
            if found is not None:
                self.waiting.remove(found)
                self.attempt.gets(found, text)
                return
        if not self.waiting:
            self.attempt.notes(text, None, "tool")
            return
        *others, last = self.waiting
        if others:
            self.skipped["call without a result (kept)"] += len(others)
        self.waiting = []
        self.attempt.gets(last, text)


def _is_steps(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and "action" in first and bool(first.keys() & {"observation", "response", "thought"})


def _is_chat(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return (
        isinstance(first, dict) and str(first.get("role")) in _ROLES and bool(first.keys() & {"agent", "message_type"})
    )


def _same_action(turn: dict[str, Any], step: dict[str, Any]) -> bool:
    action = turn.get("action")
    return isinstance(action, str) and isinstance(step.get("action"), str) and action.strip() == step["action"].strip()


def _instance(document: dict[str, Any], stem: str) -> str:
    """Returns the task's id: as the run's configuration says it, else as the file is named."""
    config = _configuration(document)
    problem = config.get("problem_statement")
    found = problem.get("id") if isinstance(problem, dict) else None
    if isinstance(found, str) and found:
        return found
    match = _INSTANCE.search(stem)
    return match[1].rsplit("__", 2)[-2] + "__" + match[1].rsplit("__", 1)[-1] if match else stem


def _model(document: dict[str, Any]) -> str | None:
    agent = _configuration(document).get("agent")
    model = agent.get("model") if isinstance(agent, dict) else None
    name = model.get("name") if isinstance(model, dict) else None
    return name if isinstance(name, str) and name else None


def _configuration(document: dict[str, Any]) -> dict[str, Any]:
    config = document.get("replay_config")
    if isinstance(config, str):
        try:
            config = parse_json(config.encode("utf-8", "replace"))
        except ValueError:
            return {}
    return config if isinstance(config, dict) else {}


def _folder(state: Any) -> str | None:
    """Returns the working folder in the state after a step: an object, or one as text."""
    if isinstance(state, str):
        state = arguments_of(state)
    folder = state.get("working_dir") if isinstance(state, dict) else None
    return folder if isinstance(folder, str) and folder.startswith("/") else None


def _text(content: Any) -> str:
    return result_text(content) if isinstance(content, str | list) else ""


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
