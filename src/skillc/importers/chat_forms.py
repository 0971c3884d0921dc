"""The many forms of a chat message, made one: role, text, tool calls, and results of their own.

Reads OpenAI (chat and responses), Anthropic, Google, LangChain (constructors and dicts), the GenAI conventions
(`parts`) and the Vercel AI SDK. Values may be JSON in strings. What has no form known here gives nothing.
Not here: events (importers.chat), which messages are new (importers.spans).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from skillc.core.record import canonical_json
from skillc.importers.claude_blocks import media_placeholder, result_text
from skillc.importers.lines import parse_json

_ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_CALLS = frozenset(("tool_use", "tool_call", "tool-call", "function_call", "server_tool_call"))
_RESULTS = frozenset(
    ("tool_result", "tool-result", "tool_call_response", "function_call_output", "server_tool_call_response")
)
_THINKING = frozenset(("thinking", "redacted_thinking", "reasoning"))
_LISTS = ("prompt", "contents", "input", "output")  # a request or an answer of the responses form, or of Google
_MAX_NESTING = 6


@dataclass(frozen=True)
class Call:
    """A tool call inside a message; `arguments` as the source has them, often a JSON string."""

    id: str | None
    name: str
    arguments: Any


@dataclass
class Said:
    """One message in the one form. A message of role `tool` is the result of the call `call_id`."""

    role: str
    text: str = ""
    calls: list[Call] = field(default_factory=list)
    call_id: str | None = None
    tool: str | None = None
    is_error: bool | None = None
    thinking: int = 0


def messages_of(value: Any, *, role: str = "user", depth: int = 0) -> list[Said]:
    """Returns the messages that a value holds; `role` is that of a bare text. Nothing known gives an empty list."""
    value = opened(value)
    if depth > _MAX_NESTING or value is None:
        return []
    if isinstance(value, str):
        return [Said(role, value)] if value.strip() else []
    if isinstance(value, list):
        if value and all(isinstance(item, list) for item in value):
            return messages_of(value[0], role=role, depth=depth + 1)  # a batch; one span is one call
        if value and all(isinstance(item, dict) and isinstance(item.get("message"), dict) for item in value):
            return messages_of({"choices": value}, role=role, depth=depth + 1)
        return [said for item in value if isinstance(item, dict) for said in _message(item, role)]
    if not isinstance(value, dict):
        return []
    inside = _inside(value)
    if inside is not None:
        return messages_of(inside, role=role, depth=depth + 1)
    return list(_message(value, role))


def history_of(value: Any, *, role: str = "user") -> list[Said]:
    """Returns the messages of a program's state: a list of them, one of them, or what stands under `messages`."""
    value = opened(value)
    if isinstance(value, dict):
        value = value.get("messages", [value] if isinstance(value.get("role"), str) else None)
    is_chat = isinstance(value, list) and all(isinstance(item, dict | list) for item in value)
    return messages_of(value, role=role) if is_chat else []


def opened(value: Any) -> Any:
    """Returns the value that a JSON string holds; any other string stays as it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return parse_json(value.encode("utf-8", "replace"))
        except ValueError:
            return value
    return value


def plain(value: Any) -> str:
    """Returns the text of a tool's output: of a message its content, of anything else its JSON."""
    value = _output(value)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and value and all(isinstance(v, dict) and isinstance(v.get("type"), str) for v in value):
        return result_text(value)
    return canonical_json(value).decode()


def _output(value: Any) -> Any:
    for _ in range(_MAX_NESTING):
        if not isinstance(value, dict):
            return value
        if _is_constructor(value):
            value = value["kwargs"].get("content")
        elif value.get("type") in ("text", "json", "error-text", "error-json") and "value" in value:
            value = value["value"]
        elif value.get("type") in ("tool", "ToolMessage") and "content" in value:
            value = value["content"]
        elif len(value) == 1 and next(iter(value)) in ("output", "result", "content"):
            value = next(iter(value.values()))
        else:
            return value
    return value


def _inside(value: dict[str, Any]) -> Any:
    """Returns what an envelope holds: a request, a completion, a LangChain result; None when it is no envelope."""
    if isinstance(value.get("role"), str):
        return None
    if _is_constructor(value):
        inner = value["kwargs"].get("messages")
        return inner if isinstance(inner, list) else None
    if isinstance(value.get("messages"), list):
        system = value.get("system")
        return [
            *([{"role": "system", "content": system}] if isinstance(system, str | list) else []),
            *value["messages"],
        ]
    for name in ("choices", "generations", "candidates"):
        if isinstance(value.get(name), list) and value[name]:
            return _first_choice(value[name])
    if isinstance(value.get("message"), dict):
        return _first_choice([value])
    if isinstance(value.get("toolCalls"), list):
        calls = [{**call, "type": "tool-call"} for call in value["toolCalls"] if isinstance(call, dict)]
        return {"role": "assistant", "content": [value.get("text"), *calls]}
    if isinstance(value.get("prompt"), dict):
        return value["prompt"]
    inside = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    instructions = value.get("instructions")
    if inside is not None and isinstance(instructions, str):
        return [{"role": "system", "content": instructions}, *inside]
    return inside


def _first_choice(choices: list[Any]) -> Any:
    first = choices[0]
    for _ in range(2):
        first = first[0] if isinstance(first, list) and first else first
    if not isinstance(first, dict):
        return first
    message = first.get("message") or first.get("content")
    if isinstance(message, dict):
        return {"role": "assistant", **message} if not _is_constructor(message) else message
    text = first.get("text") if isinstance(first.get("text"), str) else message
    return {"role": "assistant", "content": text} if isinstance(text, str) else []


def _is_constructor(value: dict[str, Any]) -> bool:
    return "lc" in value and value.get("type") == "constructor" and isinstance(value.get("kwargs"), dict)


def _message(message: dict[str, Any], default: str) -> Iterator[Said]:
    """Yields a message in the one form; the results that it carries come first, as messages of their own."""
    message, role = _unwrapped(message)
    if _kind(message) in _CALLS | _RESULTS | _THINKING and role is None:
        role, parts = "assistant", [message]  # an item of the responses form
    elif role is None and ("content" in message or "parts" in message) and "type" not in message:
        role, parts = default, _parts(message)
    elif role is None:
        return
    else:
        parts = _parts(message)
    said = Said(
        role, calls=[*_calls(message)], call_id=_text(message.get("tool_call_id")), tool=_text(message.get("name"))
    )
    if role == "tool":
        yield from _tool_message(message, parts, said)
        return
    texts: list[str] = []
    for part in parts:
        if (call := _call(part)) is not None:
            said.calls.append(call)
        elif (result := _result(part)) is not None:
            yield result
        elif isinstance(part, dict) and (_kind(part) in _THINKING or part.get("thought") is True):
            said.thinking += 1
        else:
            texts.append(_shown(part))
    said.text = "\n".join(text for text in texts if text)
    said.thinking += bool(message.get("reasoning_content") or (role == "assistant" and message.get("reasoning")))
    if said.text.strip() or said.calls or said.thinking:
        yield said


def _unwrapped(message: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Returns the message without LangChain's wrapping, and its role."""
    if _is_constructor(message):
        path = message.get("id")
        name = path[-1] if isinstance(path, list) and path and isinstance(path[-1], str) else ""
        return message["kwargs"], _class_role(name) or _role(message["kwargs"].get("role"))
    inner = message.get("data")
    kind = message.get("type")
    if isinstance(inner, dict) and isinstance(kind, str) and _role(kind):
        return inner, _role(kind)
    role = _role(message.get("role"))
    if role is None and "content" in message and isinstance(kind, str):
        role = _role(kind) or _class_role(kind)
    return message, role


def _role(value: Any) -> str | None:
    return _ROLES.get(value.lower()) if isinstance(value, str) else None


def _class_role(name: str) -> str | None:
    """Returns the role of a LangChain class, as `AIMessageChunk`."""
    return _role(name.removesuffix("Chunk").removesuffix("Message")) if "Message" in name else None


def _parts(message: dict[str, Any]) -> list[Any]:
    content = message.get("parts") if isinstance(message.get("parts"), list) else message.get("content")
    if isinstance(content, list):
        return content
    if isinstance(content, dict):
        return [content]
    return [] if content is None else [content]


def _tool_message(message: dict[str, Any], parts: list[Any], said: Said) -> Iterator[Said]:
    results = [result for part in parts if (result := _result(part)) is not None]
    if results:
        yield from results
        return
    said.call_id = said.call_id or _text(message.get("id"))
    said.is_error = True if message.get("status") == "error" or message.get("is_error") is True else None
    content = message.get("content")
    said.text = content if isinstance(content, str) else plain(content if content is not None else parts or None)
    yield said


def _calls(message: dict[str, Any]) -> Iterator[Call]:
    extra = message.get("additional_kwargs")
    found = message.get("tool_calls") or (extra.get("tool_calls") if isinstance(extra, dict) else None)
    for item in found if isinstance(found, list) else ():
        if isinstance(item, dict) and (call := _named_call(item)) is not None:
            yield call
    legacy = message.get("function_call")
    if isinstance(legacy, dict) and not found and (call := _named_call(legacy)) is not None:
        yield call


def _named_call(item: dict[str, Any]) -> Call | None:
    function = item.get("function")
    named = function if isinstance(function, dict) else item
    name = _text(named.get("name") or named.get("toolName"))
    if name is None:
        return None
    call_id = _text(item.get("id") or item.get("toolCallId") or item.get("call_id"))
    given = [named[key] for key in ("arguments", "args", "input") if named.get(key) is not None]
    return Call(call_id, name, given[0] if given else None)


def _call(part: Any) -> Call | None:
    if not isinstance(part, dict):
        return None
    google = part.get("functionCall") or part.get("function_call")
    if isinstance(google, dict) and "type" not in part:
        return _named_call(google)
    if _kind(part) not in _CALLS:
        return None
    # A call of the responses form has an id of the item beside the id of the call.
    return _named_call({**part, "id": part.get("call_id") or part.get("id")})


def _result(part: Any) -> Said | None:
    if not isinstance(part, dict):
        return None
    google = part.get("functionResponse") or part.get("function_response")
    if isinstance(google, dict) and "type" not in part:
        return Said(
            "tool", plain(google.get("response")), call_id=_text(google.get("id")), tool=_text(google.get("name"))
        )
    if _kind(part) not in _RESULTS:
        return None
    call_id = next((part[k] for k in ("tool_use_id", "toolCallId", "call_id", "id") if part.get(k)), None)
    output = next((part[k] for k in ("content", "output", "response", "result") if part.get(k) is not None), None)
    is_error = part.get("is_error") is True or part.get("isError") is True
    is_error = is_error or (isinstance(output, dict) and str(output.get("type")).startswith("error-"))
    tool = _text(part.get("toolName") or part.get("name"))
    return Said("tool", plain(output), call_id=_text(call_id), tool=tool, is_error=is_error or None)


def _shown(part: Any) -> str:
    """Returns the text of a part; media is replaced by its type, size and digest."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if _kind(part) in ("", "text", "input_text", "output_text", "refusal"):
        return next((part[k] for k in ("text", "content", "refusal") if isinstance(part.get(k), str)), "")
    data = next((part[k] for k in ("data", "image", "content", "file_data", "image_url") if part.get(k)), None)
    if isinstance(data, dict):
        data = data.get("url")
    media = part.get("mime_type") or part.get("mediaType") or part.get("media_type")
    if isinstance(data, str) and data.startswith("data:") and "," in data:
        head, data = data.split(",", 1)
        media = media or head[5:].split(";")[0]
    source = part.get("source")
    if isinstance(source, dict):
        return media_placeholder(part)
    return media_placeholder({"type": part.get("type"), "source": {"media_type": media, "data": data}})


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _kind(part: dict[str, Any]) -> str:
    return _text(part.get("type")) or ""
