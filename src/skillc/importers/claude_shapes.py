"""The parts of a Claude Code record that the importer needs, as types; everything else never becomes an object.

A line is decoded straight into these types by msgspec (ADR 0009), which skips usage, signatures and the second
copy of a result. A line of other types, or one that is damaged, is read as plain JSON and fitted, so an odd
value is as good as absent and never fatal. Texts and arguments stay encoded: most are only copied.
Not here: which lines are records (importers.claude_records), what they mean (importers.claude_session).
"""

from collections.abc import Mapping
from typing import Any

from msgspec import DecodeError, Raw, Struct, convert, field
from msgspec.json import Decoder
from pydantic_core import to_json

from skillc.importers.lines import is_utf8, parse_json

_NOTHING = Raw(b"")


class Block(Struct, gc=False):
    """One block of a message. An absent encoded part is empty."""

    type: str | None = None
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    text: Raw = _NOTHING
    input: Raw = _NOTHING
    content: Raw = _NOTHING
    source: Raw = _NOTHING


class Message(Struct, gc=False):
    """The API message of a record."""

    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None


class ClaudeRecord(Struct, rename="camel", gc=False):
    """One line of a transcript."""

    type: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    session_id: str | None = None
    old_session_id: str | None = field(default=None, name="session_id")
    timestamp: str | int | float | None = None
    cwd: str | None = None
    git_branch: str | None = None
    agent_id: str | None = None
    subtype: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_api_error_message: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    message: Message | None = None


_RESULT_COPY = b',"toolUseResult":'
_TEXT, _FLAG = (str,), (bool,)
_RECORD_TYPES = {
    **dict.fromkeys(("type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "session_id"), _TEXT),
    **dict.fromkeys(("cwd", "gitBranch", "agentId", "subtype"), _TEXT),
    **dict.fromkeys(("isSidechain", "isMeta", "isApiErrorMessage"), _FLAG),
    **dict.fromkeys(("isCompactSummary", "isVisibleInTranscriptOnly"), _FLAG),
    "timestamp": (str, int, float),
}
_MESSAGE_TYPES = dict.fromkeys(("id", "model"), _TEXT)
_BLOCK_TYPES = {**dict.fromkeys(("type", "id", "name", "tool_use_id"), _TEXT), "is_error": _FLAG}
_ENCODED = ("text", "input", "content", "source")
_decode = Decoder(ClaudeRecord).decode


def read_record(line: bytes) -> ClaudeRecord | None:
    """Returns the record of a line, or None for JSON that is no object. Raises ValueError when it is no JSON."""
    cut = line.find(_RESULT_COPY)
    if cut > 0:
        # One closing brace completes the object only when the key is at its top level.
        record = _decoded(line[:cut] + b"}")
        if record is not None and record.message is not None and record.uuid is not None:
            return _with_fields_after(record, line, cut)
    record = _decoded(line)
    if record is not None:
        return record
    fields = parse_json(line)
    return record_of(fields) if isinstance(fields, dict) else None


def _decoded(line: bytes) -> ClaudeRecord | None:
    # What is skipped or left encoded is not tested by the decoder, and must be UTF-8 when it is copied.
    try:
        return _decode(line) if is_utf8(line) else None
    except (DecodeError, RecursionError):
        return None


def _with_fields_after(record: ClaudeRecord, line: bytes, start: int) -> ClaudeRecord:
    """Adds what newer hosts write behind the second copy of a result."""
    if record.cwd is None:
        record.cwd = _last_string(line, b"cwd", start)
    if record.session_id is None:
        record.session_id = _last_string(line, b"sessionId", start)
    if record.agent_id is None and record.is_sidechain is True:
        record.agent_id = _last_string(line, b"agentId", start)
    return record


def _last_string(line: bytes, name: bytes, start: int) -> str | None:
    found = line.rfind(b'"%s":"' % name, start)
    if found < 0:
        return None
    found += len(name) + 3
    try:
        value = parse_json(line[found : line.index(b'"', found + 1) + 1])
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def record_of(fields: dict[str, Any]) -> ClaudeRecord:
    """Returns the record that a JSON object holds; a value of a type that no record has is left out."""
    record = convert(_typed(fields, _RECORD_TYPES), ClaudeRecord)
    message = fields.get("message")
    if isinstance(message, dict):
        record.message = convert(_typed(message, _MESSAGE_TYPES), Message)
        content = message.get("content")
        if isinstance(content, list):
            record.message.content = [_block_of(block) for block in content]
        elif isinstance(content, str):
            record.message.content = content
    return record


def text_of(encoded: Raw) -> str | None:
    """Returns the string that an encoded part holds, or None when it holds something else."""
    data = bytes(encoded)
    return str(parse_json(data)) if data.startswith(b'"') else None


def _block_of(value: Any) -> Block:
    if not isinstance(value, dict):
        return Block()
    block = convert(_typed(value, _BLOCK_TYPES), Block)
    for name in _ENCODED:
        if name in value:
            setattr(block, name, Raw(to_json(value[name])))
    return block


def _typed(fields: dict[str, Any], types: Mapping[str, tuple[type, ...]]) -> dict[str, Any]:
    return {name: fields[name] for name, wanted in types.items() if type(fields.get(name)) in wanted}
