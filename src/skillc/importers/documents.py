"""Whole files of JSON in, within a size limit: one document, or a list of records from a list, an object or JSONL.

Also what a file's head holds, for `detect`: the head may end anywhere.
Not here: what a record means (the importers), single lines (importers.lines).
"""

import re
from json import JSONDecodeError
from typing import Any, BinaryIO, Literal

from pydantic_core import from_json

from skillc.errors import DataError, lines_error
from skillc.importers.base import ImportReport
from skillc.importers.lines import BOM, iter_lines, parse_json

MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_HEAD_RECORDS = 20
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_BLANKS = bytes(32 if byte < 32 else byte for byte in range(256))


def read_document(stream: BinaryIO, path: str) -> Any:
    """Returns the JSON value of a whole file. Raises DataError when it is too large or no JSON."""
    try:
        return parse_json(_data_of(stream, path))
    except ValueError as error:
        line = error.lineno if isinstance(error, JSONDecodeError) else 1
        what = "is nested too deeply" if "nested" in str(error) else "is not JSON, or its end is missing"
        raise DataError(f"{path}:{line}: {what}", hint="copy the file again; a cut document is not imported") from error


def read_records(stream: BinaryIO, report: ImportReport) -> list[Any]:
    """Returns the values of a file: the items of a list, the lines of JSONL, or the one object.

    Raises DataError for every bad line. A cut last line is left out and counted.
    """
    try:
        value = parse_json(_data_of(stream, report.path))
    except ValueError:
        stream.seek(0)
        return _json_lines(stream, report)
    if isinstance(value, dict):
        return [value]
    if not isinstance(value, list):
        raise DataError(f"{report.path}:1: is JSON, but neither a list nor an object")
    return value


def objects_of(values: list[Any], report: ImportReport) -> list[dict[str, Any]]:
    """Returns the objects among the values; the others are counted."""
    others = sum(not isinstance(item, dict) for item in values)
    if others:
        report.skipped["record that is no object"] += others
    return [item for item in values if isinstance(item, dict)]


def _data_of(stream: BinaryIO, path: str) -> bytes:
    data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise DataError(f"{path}:1: is larger than {MAX_FILE_BYTES} bytes", hint="split the file")
    return data.removeprefix(BOM)


def _json_lines(stream: BinaryIO, report: ImportReport) -> list[Any]:
    values: list[Any] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(iter_lines(stream), 1):
        if not line.strip():
            continue
        try:
            values.append(parse_json(line))
        except ValueError:
            if line.endswith(b"\n") or not values:
                problems.append((number, "is not JSON"))
            else:
                report.skipped["cut last line"] += 1
                report.notes.append("the last line is cut off and was left out")
    if problems:
        raise lines_error(report.path, problems)
    return values


def head_records(head: bytes) -> list[dict[str, Any]]:
    """Returns the first objects of a head: of a list, of JSONL, or the one object, as far as it is there."""
    head = head.removeprefix(BOM).lstrip()
    if head[:1] not in (b"{", b"["):
        return []
    lines = [line for line in head.split(b"\n")[: MAX_HEAD_RECORDS * 2] if line.strip()]
    is_lines = head[:1] == b"{" and len(lines) > 1 and _partial(lines[0], is_whole=True) is not None
    value = [_partial(line) for line in lines] if is_lines else _partial(head)
    if isinstance(value, dict):
        return [value]
    return [item for item in value[:MAX_HEAD_RECORDS] if isinstance(item, dict)] if isinstance(value, list) else []


def head_value(head: bytes) -> Any:
    """Returns the JSON value that a file begins with, as far as the head holds it; None when there is none."""
    head = head.removeprefix(BOM).lstrip()
    return _partial(head) if head[:1] in (b"{", b"[") else None


def head_object(head: bytes) -> dict[str, Any]:
    """Returns the JSON object that a file begins with, as far as the head holds it; empty when it is none."""
    value = head_value(head)
    return value if isinstance(value, dict) else {}


def _partial(data: bytes, *, is_whole: bool = False) -> Any:
    """Returns the JSON value of bytes that may be cut off, or None."""
    mode: Literal["off", "trailing-strings"] = "off" if is_whole else "trailing-strings"
    try:
        return from_json(data, allow_partial=mode)
    except ValueError:
        pass
    mended = _SURROGATE_ESCAPE.sub(rb"\\ufffd", data.translate(_BLANKS)).decode("utf-8", "replace")
    try:
        return from_json(mended, allow_partial=mode)
    except ValueError:
        return None
