"""tau2-bench results: one object with tasks and simulations, or a folder with one simulation per file.

Calls that the simulated user makes are the user's, not the agent's. `tasks` and `reward_info` hold the answer
key: they are compared and mapped, and nothing of them becomes an event. A simulation whose task id
contradicts its own checks is not imported (importers.tau2_tasks), and the report names it.
Not here: tau-bench, the first version (importers.tau_bench).
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from skillc.core.record import canonical_json
from skillc.core.trace.records import Agent
from skillc.errors import DataError
from skillc.importers.base import (
    ACTOR_AGENT,
    ACTOR_TOOL,
    ACTOR_USER,
    Companion,
    ImportContext,
    ImportedTrace,
    ImportReport,
    content_key,
)
from skillc.importers.chat import Chat
from skillc.importers.claude_blocks import result_text
from skillc.importers.companions import MAX_COMPANIONS
from skillc.importers.documents import head_records, objects_of, read_records
from skillc.importers.lines import key_text, parse_json
from skillc.importers.scores import CODE, Score, mapped_verdict
from skillc.importers.tau2_tasks import TaskIds
from skillc.importers.times import normal_time
from skillc.importers.writer import TraceWriter

_JUDGED = "NL_ASSERTION"


class Tau2Importer:
    """Reads results files, and files of single simulations."""

    kind = "tau2"
    companion_globs: tuple[str, ...] = ("simulations/*.json",)

    def detect(self, head: bytes, name: str) -> bool:
        first = next(iter(head_records(head)), {})
        info = first.get("info")
        if isinstance(first.get("simulations"), list):
            return "tasks" in first or "info" in first
        if isinstance(info, dict) and not {"environment_info", "agent_info", "user_info"}.isdisjoint(info):
            return "timestamp" in first or "tasks" in first
        return "task_id" in first and not {"termination_reason", "reward_info"}.isdisjoint(first)

    def read(
        self,
        stream: BinaryIO,
        context: ImportContext,
        report: ImportReport,
        companions: Sequence[Companion] = (),
    ) -> Iterator[ImportedTrace]:
        """Yields one Trace per simulation, in the order of the file, then of the files beside it."""
        records = objects_of(read_records(stream, report), report)
        found = [pair for record in records for pair in _simulations(record, report)]
        results = next((record for record in records if "simulations" in record or "tasks" in record), None)
        if results is not None:
            found += _beside(results, companions, report, known={key_text(s.get("id")) for _, s in found})
        held = TaskIds([(_list(results.get("tasks")), s) for results, s in found])
        written = 0
        for position, (results, simulation) in enumerate(found):
            if (why := held.why_held(position)) is not None:
                report.skipped[why] += 1
                continue
            imported = _attempt(simulation, results, context, report, place=position)
            if imported is not None:
                written += 1
                yield imported
        held.tell(report)
        if held.any_held and not written:
            raise DataError(held.message(report.path), hint=held.hint)
        if not written:
            raise DataError(
                f"{report.path}:1: holds no tau2 simulation with messages",
                hint="name the results file, or the files of the folder simulations/ beside it",
            )


def _list(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


_Pair = tuple[dict[str, Any], dict[str, Any]]  # results, simulation


def _simulations(record: dict[str, Any], report: ImportReport) -> list[_Pair]:
    """Returns the simulations of a record, each with the results object that it stands in."""
    inside = record.get("simulations")
    if isinstance(inside, list):
        return [(record, item) for item in objects_of(inside, report)]
    return [] if "tasks" in record else [({}, record)]


def _beside(
    results: dict[str, Any], companions: Sequence[Companion], report: ImportReport, *, known: set[str | None]
) -> list[_Pair]:
    """Returns the simulations of the folder beside a results file that the file itself does not hold."""
    found: list[_Pair] = []
    if len(companions) >= MAX_COMPANIONS:
        report.skipped["simulation files beyond the limit of one folder"] += 1
        report.notes.append(f"only {MAX_COMPANIONS} files of simulations/ were read; import the others by their names")
    for companion in companions:
        try:
            with companion.open() as stream:
                records = read_records(stream, ImportReport(path=companion.name, kind=report.kind))
        except (DataError, OSError):
            report.skipped["simulation file that cannot be read"] += 1
            report.notes.append(f"a file of the folder simulations/ is no JSON and was left out: {companion.name}")
            continue
        for record in objects_of(records, report):
            if key_text(record.get("id")) in known:
                report.skipped["simulation that the results file holds too"] += 1
            else:
                found.append((results, record))
    return found


def _attempt(
    simulation: dict[str, Any], results: dict[str, Any], context: ImportContext, report: ImportReport, *, place: int
) -> ImportedTrace | None:
    messages = _list(simulation.get("messages"))
    if not messages:
        report.skipped["simulation with no messages"] += 1
        return None
    session = key_text(simulation.get("id")) or content_key(context, canonical_json(messages))
    task = key_text(simulation.get("task_id"))
    trial = key_text(simulation.get("trial"))
    whole = "\x00".join((session, task or "", trial or ""))
    writer = TraceWriter(context, report, session=whole, place=str(place))
    chat = Chat(context, report, writer)
    chat.seen(normal_time(simulation.get("start_time")))
    for message in messages:
        _message(chat, message)
    chat.seen(normal_time(simulation.get("end_time")))
    if not writer.events:
        report.skipped["simulation with no messages"] += 1
        writer.discard()
        return None
    domain = _domain(results)
    return chat.finish(
        source_ref=f"simulation {session}",
        agent=Agent(name="tau2", model=_model(results)),
        attempt_key=None if task is None else f"task_id {domain} {task}" if domain else f"task_id {task}",
        verdict=mapped_verdict(_rewards(simulation), context.mapping, report, low=0.0, high=1.0),
    )


def _message(chat: Chat, message: dict[str, Any]) -> None:
    """Adds the events of one message. A call of the user is told from the agent's by its actor."""
    at = normal_time(message.get("timestamp"))
    chat.seen(at)
    role = message.get("role")
    if role == "tool":
        for part in _list(message.get("tool_messages")) or [message]:
            is_error = part.get("error")
            is_failed = is_error if is_error is True else None
            by_user = part.get("requestor") == "user"
            chat.result(
                part.get("id"), None, part.get("content"), is_failed, at, actor=ACTOR_USER if by_user else ACTOR_TOOL
            )
    elif role == "assistant":
        chat.assistant({"content": _said(message.get("content"))}, at)
        _calls(chat, message, at, ACTOR_AGENT)
    elif role == "user":
        chat.user({"content": message.get("content")}, at)
        _calls(chat, message, at, ACTOR_USER)
    else:
        chat.message(message)


def _calls(chat: Chat, message: dict[str, Any], at: str | None, default: str) -> None:
    for call in _list(message.get("tool_calls")):
        requestor = call.get("requestor")
        actor = {"user": ACTOR_USER, "assistant": ACTOR_AGENT}.get(
            requestor if isinstance(requestor, str) else "", default
        )
        chat.call(call.get("id"), call.get("name"), call.get("arguments"), at, actor=actor)


def _said(content: Any) -> Any:
    """Returns the agent's words: some agents write them as a JSON object with the text in `message`."""
    if isinstance(content, str) and content.lstrip().startswith("{"):
        try:
            value = parse_json(content.strip().encode("utf-8", "replace"))
        except ValueError:
            return content
        if isinstance(value, dict) and isinstance(value.get("message"), str):
            return value["message"]
    return content if isinstance(content, str) else result_text(content)


def _rewards(simulation: dict[str, Any]) -> list[Score]:
    """Returns the reward under its names. A reward that a model judged in part is a judge's."""
    info = simulation.get("reward_info")
    if not isinstance(info, dict) or "reward" not in info:
        return []
    basis = info.get("reward_basis")
    parts = info.get("reward_breakdown")
    names = [*(basis if isinstance(basis, list) else ()), *(parts if isinstance(parts, dict) else ())]
    source = _JUDGED if _JUDGED in names else CODE
    return [Score("reward", info["reward"], source)]


def _domain(results: dict[str, Any]) -> str | None:
    info = results.get("info")
    environment = info.get("environment_info") if isinstance(info, dict) else None
    return key_text(environment.get("domain_name")) if isinstance(environment, dict) else None


def _model(results: dict[str, Any]) -> str | None:
    info = results.get("info")
    agent = info.get("agent_info") if isinstance(info, dict) else None
    return key_text(agent.get("llm")) if isinstance(agent, dict) else None
