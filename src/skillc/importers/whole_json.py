"""One JSON document in: read whole with a size limit, or known from its first bytes alone.

Not here: files of JSON lines (importers.lines), what a document means (each importer).
"""

import re
from json import JSONDecodeError
from typing import Any, BinaryIO

from pydantic_core import from_json

from skillc.errors import DataError
from skillc.importers.lines import BOM, parse_json

MAX_DOCUMENT_BYTES = 512 * 1024 * 1024
_NOT_PLAIN = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|[\x00-\x08\x0b\x0c\x0e-\x1f]")


def read_document(stream: BinaryIO, path: str) -> Any:
    """Returns the JSON value of a whole file. Raises DataError when it is too large or no JSON."""
    data = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        raise DataError(f"{path}:1: is larger than {MAX_DOCUMENT_BYTES} bytes", hint="split the file")
    try:
        return parse_json(data.removeprefix(BOM))
    except ValueError as error:
        line = error.lineno if isinstance(error, JSONDecodeError) else 1
        what = "is nested too deeply" if "nested" in str(error) else "is not JSON, or its end is missing"
        raise DataError(f"{path}:{line}: {what}", hint="copy the file again; a cut document is not imported") from error


def head_value(head: bytes) -> Any:
    """Returns the JSON value that a file begins with, as far as the head holds it; None when there is none."""
    text = head.removeprefix(BOM).decode("utf-8", "ignore").lstrip()
    if not text.startswith(("{", "[")):
        return None
    for tried in (text, _NOT_PLAIN.sub(" ", text)):
        try:
            return from_json(tried, allow_partial="trailing-strings")
        except ValueError:
            continue
    return None


def head_object(head: bytes) -> dict[str, Any]:
    """Returns the JSON object that a file begins with, as far as the head holds it; empty when it is none."""
    value = head_value(head)
    return value if isinstance(value, dict) else {}
