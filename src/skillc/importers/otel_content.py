"""What the attributes of a GenAI span say: its kind, messages, tool call, model and scores.

Reads the GenAI conventions (structured or as JSON strings, old names, content in span events), OpenInference's
flattened keys, and the `ai.*` attributes of the Vercel AI SDK. Content is opt-in in all of them, so it may be
absent. Not here: how spans are written (importers.otel_spans), what their tree tells (importers.spans).
"""

import re
from typing import Any

from skillc.importers.chat_forms import Said, history_of, messages_of, opened, plain
from skillc.importers.otel_spans import OtelEvent, OtelSpan
from skillc.importers.scores import Score
from skillc.importers.spans import AGENT, GROUP, MODEL, OTHER, SCORER, TOOL, answer_text, task_text

_OPERATIONS = {
    "chat": MODEL,
    "text_completion": MODEL,
    "generate_content": MODEL,
    "execute_tool": TOOL,
    "retrieval": TOOL,
    "invoke_agent": AGENT,
    "create_agent": GROUP,
    "invoke_workflow": GROUP,
    "embeddings": OTHER,
}
_OPENINFERENCE = {
    "LLM": MODEL,
    "TOOL": TOOL,
    "RETRIEVER": TOOL,
    "AGENT": AGENT,
    "CHAIN": GROUP,
    "EVALUATOR": SCORER,
    "EMBEDDING": OTHER,
    "RERANKER": OTHER,
    "GUARDRAIL": OTHER,
    "PROMPT": OTHER,
}
_TRACELOOP = {"tool": TOOL, "agent": AGENT, "workflow": GROUP, "task": GROUP}
_EVENT_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_EVALUATION = "gen_ai.evaluation"
_FEEDBACK = re.compile(
    r"(?:(trace|session)\.)?(?:annotations|evaluations)\.(\d{1,4})\.(?:annotation|evaluation)\.(\w+)$"
)
_INDEX = re.compile(r"^(\d{1,4})(?:\.(.*))?$")


def kind_of(span: OtelSpan) -> tuple[str, str]:
    """Returns the kind of a span and the word of its source for it."""
    attributes = span.attributes
    for name, kinds in (
        ("openinference.span.kind", _OPENINFERENCE),
        ("gen_ai.operation.name", _OPERATIONS),
        ("traceloop.span.kind", _TRACELOOP),
    ):
        word = attributes.get(name)
        if isinstance(word, str) and word in kinds:
            return kinds[word], word
    operation = attributes.get("ai.operationId")
    if isinstance(operation, str):
        if operation == "ai.toolCall":
            return TOOL, operation
        return (OTHER if "mbed" in operation else MODEL), operation
    if any(key.startswith(("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.prompt")) for key in attributes):
        return MODEL, "model"
    if "gen_ai.tool.name" in attributes or "tool.name" in attributes:
        return TOOL, "tool"
    if any(event.name in _EVENT_ROLES or event.name == "gen_ai.choice" for event in span.events):
        return MODEL, "model"
    return GROUP, "span"


def input_messages(span: OtelSpan) -> list[Said]:
    """Returns what the model was given: the instructions, then the history."""
    attributes = span.attributes
    instructions = opened(attributes.get("gen_ai.system_instructions"))
    if isinstance(instructions, list):
        instructions = {"role": "system", "parts": instructions}
    found = messages_of(attributes.get("gen_ai.input.messages"))
    found = found or messages_of(_numbered(attributes, "llm.input_messages", "message"))
    found = found or messages_of(attributes.get("ai.prompt.messages")) or _vercel_prompt(attributes.get("ai.prompt"))
    found = found or messages_of(attributes.get("gen_ai.prompt")) or messages_of(_numbered(attributes, "gen_ai.prompt"))
    for event in span.events:
        if event.name in ("gen_ai.client.inference.operation.details", "gen_ai.content.prompt") and not found:
            given = event.attributes.get("gen_ai.input.messages") or event.attributes.get("gen_ai.prompt")
            instructions = instructions or event.attributes.get("gen_ai.system_instructions")
            found = messages_of(given)
    found = found or [said for event in span.events for said in _event_message(event)]
    return [*messages_of(instructions, role="system"), *found]


def output_messages(span: OtelSpan) -> list[Said]:
    """Returns what the model answered."""
    attributes = span.attributes
    found = messages_of(attributes.get("gen_ai.output.messages"), role="assistant")
    found = found or messages_of(_numbered(attributes, "llm.output_messages", "message"), role="assistant")
    found = found or _vercel_answer(attributes)
    found = found or messages_of(attributes.get("gen_ai.completion"), role="assistant")
    found = found or messages_of(_numbered(attributes, "gen_ai.completion"), role="assistant")
    for event in span.events:
        if found:
            break
        if event.name in ("gen_ai.client.inference.operation.details", "gen_ai.content.completion"):
            given = event.attributes.get("gen_ai.output.messages") or event.attributes.get("gen_ai.completion")
            found = messages_of(given, role="assistant")
        elif event.name == "gen_ai.choice":
            message = opened(event.attributes.get("message"))
            message = message if isinstance(message, dict) else event.attributes
            found = messages_of({**message, "role": "assistant", "tool_calls": opened(message.get("tool_calls"))})
    return [said for said in found if said.role == "assistant"]


def state_of(span: OtelSpan) -> tuple[str | None, str | None]:
    """Returns the task and the answer that a span names beside its messages."""
    given = next((span.attributes[k] for k in ("input.value", "traceloop.entity.input") if k in span.attributes), None)
    answer = next(
        (span.attributes[k] for k in ("output.value", "traceloop.entity.output") if k in span.attributes), None
    )
    return task_text(opened(given)), answer_text(opened(answer))


def program_history(span: OtelSpan, name: str, *, role: str) -> list[Said]:
    """Returns the messages in the state of a program, at `input.value` or `output.value`."""
    return history_of(span.attributes.get(name), role=role)


def tool_of(span: OtelSpan) -> tuple[str, Any, str | None, str | None]:
    """Returns a tool's name, arguments, result and call id; content that is absent is None."""
    attributes = span.attributes
    names = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
    name = next((attributes[k] for k in names if isinstance(attributes.get(k), str)), span.name)
    given = (
        "gen_ai.tool.call.arguments",
        "ai.toolCall.args",
        "tool.parameters",
        "input.value",
        "traceloop.entity.input",
    )
    results = ("gen_ai.tool.call.result", "ai.toolCall.result", "output.value", "traceloop.entity.output")
    arguments = next((opened(attributes[k]) for k in given if attributes.get(k) is not None), None)
    result = next((plain(opened(attributes[k])) for k in results if attributes.get(k) is not None), None)
    ids = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "message.tool_call_id")
    return name, arguments, result, next((attributes[k] for k in ids if isinstance(attributes.get(k), str)), None)


def model_of(span: OtelSpan) -> str | None:
    """Returns the name of the model."""
    names = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.response.model", "ai.model.id")
    return next((span.attributes[k] for k in names if isinstance(span.attributes.get(k), str)), None)


def scores_of(span: OtelSpan, *, is_whole: bool, judged: bool) -> list[Score]:
    """Returns the evaluations and annotations of a span; those of the trace are of the whole in any case."""
    rows = [span.attributes, *(event.attributes for event in span.events)]
    found = [
        Score(row[f"{_EVALUATION}.name"], row.get(f"{_EVALUATION}.score.value"), _annotator(row, judged), is_whole)
        for row in rows
        if isinstance(row.get(f"{_EVALUATION}.name"), str)
    ]
    groups: dict[tuple[str, str, str], dict[str, Any]] = {}
    for key, value in span.attributes.items():
        match = _FEEDBACK.fullmatch(key)
        if match:
            groups.setdefault((match[1] or "", key.split(".annotation")[0].split(".evaluation")[0], match[2]), {})[
                match[3]
            ] = value
    for (scope, _, _), row in groups.items():
        if isinstance(row.get("name"), str):
            source = row.get("annotator_kind")
            source = source if isinstance(source, str) else ("LLM" if judged else None)
            found.append(Score(row["name"], row.get("score"), source, is_whole or scope == "trace"))
    return found


def _annotator(row: dict[str, Any], judged: bool) -> str | None:
    """Returns who made an evaluation, as far as it is said. A model below the evaluator makes it a judge's."""
    kind = row.get("annotator_kind") or row.get(f"{_EVALUATION}.annotator_kind")
    return kind if isinstance(kind, str) else ("LLM" if judged else None)


def _event_message(event: OtelEvent) -> list[Said]:
    role = _EVENT_ROLES.get(event.name)
    if role is None:
        return []
    row = dict(event.attributes)
    for name in ("content", "gen_ai.event.content"):
        inner = opened(row.get(name))
        if name != "content" and isinstance(inner, dict):
            row |= inner
    return messages_of({**row, "role": role, "tool_calls": opened(row.get("tool_calls"))})


def _vercel_prompt(value: Any) -> list[Said]:
    value = opened(value)
    if not isinstance(value, dict):
        return messages_of(value)
    system = value.get("system")
    first = [Said("system", system)] if isinstance(system, str) and system else []
    given = value.get("messages") or value.get("prompt")
    return [*first, *messages_of(given)]


def _vercel_answer(attributes: dict[str, Any]) -> list[Said]:
    texts = [attributes.get("ai.response.text"), attributes.get("ai.response.object")]
    text = next((item for item in texts if isinstance(item, str) and item.strip()), "")
    calls = opened(attributes.get("ai.response.toolCalls"))
    parts = (
        [{**call, "type": "tool-call"} for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    )
    return messages_of({"role": "assistant", "content": [*([text] if text else []), *parts]}) if text or parts else []


def _numbered(attributes: dict[str, Any], prefix: str, item: str = "") -> list[dict[str, Any]]:
    """Returns the messages of flattened keys `<prefix>.<i>.<item>.<field>`, in the order of their numbers."""
    rows: dict[int, dict[Any, Any]] = {}
    start = prefix + "."
    for key, value in attributes.items():
        match = _INDEX.match(key.removeprefix(start)) if key.startswith(start) else None
        if match is None:
            continue
        row = rows.setdefault(int(match[1]), {})
        rest = (match[2] or "").removeprefix(item + ".") if item else match[2] or ""
        _put(row, rest, value)
    return [_flat_message(rows[number]) for number in sorted(rows)]


def _put(row: dict[Any, Any], path: str, value: Any) -> None:
    """Files `tool_calls.0.tool_call.function.name` and `contents.0.message_content.text` under their numbers.

    Their list has a key of its own kind, so that a value at `tool_calls` itself is another thing.
    """
    match = re.fullmatch(r"(tool_calls|contents)\.(\d{1,4})\.(?:tool_call\.|message_content\.)?(.+)", path)
    if match is None:
        row[path] = value
    else:
        row.setdefault((match[1],), {}).setdefault(int(match[2]), {})[match[3]] = value


def _flat_message(row: dict[Any, Any]) -> dict[str, Any]:
    calls, contents = row.get(("tool_calls",)), row.get(("contents",))
    found = {key: row[key] for key in ("role", "content", "tool_call_id", "name") if row.get(key) is not None}
    if calls is not None:
        found["tool_calls"] = [
            {
                "id": call.get("id"),
                "name": call.get("function.name") or call.get("name"),
                "arguments": call.get("function.arguments", call.get("arguments")),
            }
            for _, call in sorted(calls.items())
        ]
    if contents is not None and "content" not in found:
        found["content"] = [
            {"type": "text", "text": part["text"]} if isinstance(part.get("text"), str) else {"type": "image"}
            for _, part in sorted(contents.items())
        ]
    return found
