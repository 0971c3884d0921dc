"""The lines of a newer Gemini CLI session: a log of changes to a list of messages, replayed by position.

The first line is about the session. A message is written again whenever it grows: its last form counts, in its
first place. `$set` changes what the first line says and may carry messages; `$rewindTo` takes back a message and
all after it. Only positions are kept in memory, so that a large session is never held whole.
Not here: what a message means (importers.gemini).
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from skillc.core.record import canonical_json, sha256_hex
from skillc.importers.base import ImportReport
from skillc.importers.lines import MAX_LINE_BYTES, iter_lines, parse_json

_FORMS = ("toolCalls", "thoughts", "tokens", "content")


class _Place(NamedTuple):
    """Where a message stands: the offset of its line, and its position in the line's `$set.messages`."""

    offset: int
    position: int | None


def is_log(objects: list[dict[str, Any]]) -> bool:
    """Says whether the first whole line of a file is that of a session's log."""
    first = objects[0] if objects else {}
    return isinstance(first.get("sessionId"), str) and "projectHash" in first and "type" not in first


def message_problem(record: dict[str, Any]) -> str | None:
    """Returns why an object is no message, or None."""
    if not isinstance(record.get("type"), str):
        return "has no type"
    return None if any(name in record for name in _FORMS) else "has no content"


class MessageLog:
    """The session that the lines of a file end with. The stream stays open for `messages`."""

    def __init__(self, stream: BinaryIO, report: ImportReport) -> None:
        self.meta: dict[str, Any] = {}
        self._stream = stream
        self._report = report
        self._places: dict[str, _Place] = {}
        offset = stream.tell()
        for line in iter_lines(stream):
            if line.strip():
                self._take(line, offset)
            offset = stream.tell()

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yields the messages in their order, each in its last form."""
        for place in self._places.values():
            self._stream.seek(place.offset)
            record = parse_json(self._stream.readline(MAX_LINE_BYTES).removeprefix(b"\xef\xbb\xbf"))
            yield record if place.position is None else _messages_of(record)[place.position]

    def _take(self, line: bytes, offset: int) -> None:
        skipped = self._report.skipped
        try:
            record = parse_json(line)
        except ValueError:
            if line.endswith(b"\n"):
                skipped["line that is not JSON"] += 1
            else:
                skipped["cut last line"] += 1
                self._report.notes.append("the last line is cut off and was left out")
            return
        if not isinstance(record, dict):
            skipped["line that is no object"] += 1
        elif isinstance(record.get("$rewindTo"), str):
            self._rewind(record["$rewindTo"])
        elif isinstance(record.get("$set"), dict):
            skipped["change of the session's head"] += 1
            self.meta |= {name: value for name, value in record["$set"].items() if name != "messages"}
            self._set(record, offset)
        elif message_problem(record) is None:
            self._put(record, _Place(offset, None))
        elif "sessionId" in record:
            self.meta |= {name: value for name, value in record.items() if name != "messages"}
            self._set(record, offset)
        else:
            skipped["line that is no message"] += 1

    def _set(self, record: dict[str, Any], offset: int) -> None:
        for position, message in enumerate(_messages_of(record)):
            if message_problem(message) is None:
                self._put(message, _Place(offset, position))
            else:
                self._report.skipped["line that is no message"] += 1

    def _put(self, message: dict[str, Any], place: _Place) -> None:
        found = message.get("id")
        key = found if isinstance(found, str) and found else sha256_hex(canonical_json(message))
        if key in self._places:
            self._report.skipped["earlier form of a message"] += 1
        self._places[key] = place

    def _rewind(self, target: str) -> None:
        """Takes back the target and all after it; all messages, when there is no such target."""
        ids = list(self._places)
        dropped = ids[ids.index(target) :] if target in self._places else ids
        for key in dropped:
            del self._places[key]
        self._report.skipped["rewind"] += 1
        if dropped:
            self._report.skipped["message of an abandoned branch"] += len(dropped)


def _messages_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    holder = record["$set"] if isinstance(record.get("$set"), dict) else record
    found = holder.get("messages")
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
