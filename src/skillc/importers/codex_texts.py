"""What a text in a Codex rollout is: a person's words or the client's, a program's output or the client's word on it.

The client writes environment, instructions and IDE context as user messages, and puts a head with the exit
code before what a program printed. Shapes measured on versions 0.40 to 0.171.
Not here: the order and joining of items (importers.codex_session).
"""

import re
from typing import Any, NamedTuple

from skillc.importers.claude_blocks import safe_word
from skillc.importers.lines import parse_json

_INJECTED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions instructions|skills?_instructions|skill"
    r"|apps_instructions|plugins_instructions|collaboration_mode|model_switch|personality_spec|turn_aborted"
    r"|user_shell_command|subagent_notification|memory_tool|INSTRUCTIONS|environments)\b"
    r"|# AGENTS\.md instructions\b)"
)
_ABORTED = re.compile(r"\s*<turn_aborted>")
_IDE = re.compile(r"\s*# Context from my IDE setup:")
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*$\n?", re.MULTILINE)
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_OUTPUT = re.compile(r"^Output:$\n?", re.MULTILINE)
_HEAD = re.compile(r"(?:Chunk ID|Wall time|Process exited|Process running|Exit code)\b")
_NOT_DONE = re.compile(
    r"\s*(?:apply_patch verification failed|patch rejected|failed to parse function arguments"
    r"|unsupported (?:custom tool )?call|(?:exec_command|write_stdin|exec command|apply_patch) (?:failed|rejected)"
    r"|execution error:|failed in sandbox|aborted by user|command rejected|tool call error:)"
)
_FILE_URL = "file://"


class ToolOutput(NamedTuple):
    """The text of a result, what the program itself printed, and whether it failed; None where nothing says."""

    text: str
    printed: str
    is_error: bool | None


def is_injected(text: str) -> bool:
    """Says whether the client put a user text there."""
    return _INJECTED.match(text) is not None


def is_aborted(text: str) -> bool:
    """Says whether a user text is the client's mark that the person stopped the turn."""
    return _ABORTED.match(text) is not None


def request_of(text: str) -> str:
    """Returns the person's words: the request alone, when the client put the context of an IDE before it."""
    if _IDE.match(text):
        found = _REQUEST.search(text)
        return text[found.end() :].strip() if found else ""
    return text


def message_text(content: Any, kinds: tuple[str, ...]) -> str:
    """Returns the text parts of a message by lines, a placeholder for everything else."""
    if isinstance(content, str):
        return content
    parts = [_part(part, kinds) for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "\n".join(part for part in parts if part)


def words_of_user(payload: dict[str, Any]) -> str:
    """Returns a user message without the parts that the record itself marks as the client's."""
    content = payload.get("content")
    passed = payload.get("internal_chat_message_metadata_passthrough")
    marks = passed.get("content_item_metadata") if isinstance(passed, dict) else None
    if isinstance(content, list) and isinstance(marks, list) and len(marks) == len(content):
        content = [part for part, mark in zip(content, marks, strict=True) if not _is_by_harness(mark)]
    kept = [part for part in content if not _is_injected_part(part)] if isinstance(content, list) else content
    return message_text(kept, ("input_text", "text"))


def tool_output(value: Any) -> ToolOutput:
    """Returns what a call gave back, from any of the shapes that the versions wrote."""
    if isinstance(value, dict):
        inner = tool_output(value.get("content") if "content" in value else value.get("output"))
        success = value.get("success")
        return inner._replace(is_error=not success) if isinstance(success, bool) else inner
    if isinstance(value, list):
        text = message_text(value, ("input_text", "output_text", "text"))
    else:
        text = value if isinstance(value, str) else "" if value is None else f"[{type(value).__name__}]"
    if text.startswith('{"'):
        found = _from_json(text)
        if found is not None:
            return found
    if _NOT_DONE.match(text):
        return ToolOutput(text, text, True)
    return _from_head(text)


def local_folder(value: Any) -> str | None:
    """Returns a working folder, also from a file address; None when it is no absolute path."""
    if not isinstance(value, str):
        return None
    folder = value.removeprefix(_FILE_URL)
    return folder if folder.startswith("/") or re.match(r"[A-Za-z]:\\", folder) else None


def _from_json(text: str) -> ToolOutput | None:
    """Reads `{"output": text, "metadata": {"exit_code": n}}`."""
    try:
        value = parse_json(text.encode("utf-8", "replace"))
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("output"), str) or "metadata" not in value:
        return None
    metadata = value["metadata"]
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    is_error = code != 0 if isinstance(code, int) and not isinstance(code, bool) else None
    return ToolOutput(value["output"], value["output"], is_error)


def _from_head(text: str) -> ToolOutput:
    """Reads the head that the client puts before an output, and nothing of the output itself."""
    if not _HEAD.match(text):
        return ToolOutput(text, text, None)
    output = _OUTPUT.search(text)
    found = _EXIT.search(text, 0, output.start() if output else len(text.partition("\n\n")[0]))
    printed = text[output.end() :] if output else text
    return ToolOutput(text, printed, int(found[1]) != 0 if found else None)


def _is_by_harness(mark: Any) -> bool:
    provenance = mark.get("provenance") if isinstance(mark, dict) else None
    kind = provenance.get("type") if isinstance(provenance, dict) else None
    return isinstance(kind, str) and kind != "user"


def _is_injected_part(part: Any) -> bool:
    text = part.get("text") if isinstance(part, dict) else None
    return isinstance(text, str) and is_injected(text)


def _part(part: dict[str, Any], kinds: tuple[str, ...]) -> str:
    text = part.get("text")
    if part.get("type") in kinds and isinstance(text, str):
        return text
    return f"[{safe_word(part.get('type'))}]"
