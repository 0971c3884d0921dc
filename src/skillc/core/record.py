"""The base of every record, and the one way in which a record becomes bytes.

Same record, same bytes: keys sorted, no blanks, UTF-8, absent optional fields left out. Every digest of
skillc is taken over these bytes. Not here: what any record means.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))
_SPOKEN = json.JSONEncoder(ensure_ascii=False)

# A time in a record carries its zone: without one, two records could not be put in order.
Moment = AwareDatetime


class Record(BaseModel):
    """A frozen value with a closed set of fields. Change one by making a new one."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def canonical_json(value: Any) -> bytes:
    """Returns the canonical bytes of a record or a JSON value, without a final newline.

    Fields that are None are left out, at every depth of a record. Lone surrogates cannot occur: importers
    replace them.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_none=True)
    return _CANONICAL.encode(value).encode("utf-8")


def pretty_json(value: Any) -> bytes:
    """Returns the canonical content in lines, for files that people read in a diff; ends with a newline."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_none=True)
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"


def json_text(value: Any) -> str:
    """Returns a JSON value as text on one line, in its own order, every letter as it is."""
    return _SPOKEN.encode(value)


def json_value(text: str) -> Any:
    """Returns the value of a JSON text, as the standard reader gives it; raises ValueError where there is none.

    The quick reader knows no half of a surrogate pair and less depth: what it refuses, the standard one reads.
    """
    try:
        return from_json(text)
    except (ValueError, TypeError):
        return json.loads(text)


def strings_in(value: Any) -> Iterator[str]:
    """Yields every string of a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from strings_in(item)


def sha256_hex(data: bytes) -> str:
    """Returns the sha256 of the bytes as 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest_of(value: Any) -> str:
    """Returns `sha256:` and the hex digest of the canonical bytes of a record or JSON value."""
    return "sha256:" + sha256_hex(canonical_json(value))


_FORMAT_NAME = re.compile(r"skillc\.[a-z-]{1,32}/[0-9]{1,4}")


def other_format(value: Any, known: str) -> str | None:
    """Says that a JSON object has another format than the known one, by name; None when it has the known one.

    Only what looks like a format of skillc is named: anything else is a stranger's text.
    """
    found = value.get("format") if isinstance(value, dict) else None
    if found == known:
        return None
    if isinstance(found, str) and _FORMAT_NAME.fullmatch(found):
        return f"has the format {found}, and this skillc reads {known}; a newer skillc may read it"
    return f"has a format that this skillc does not know; it reads {known}"


def first_problem(error: ValidationError, whole: str = "record") -> str:
    """Returns the first thing that is wrong with a record as `field: what`, without any of its content.

    The name of a field that no record has is content too: a stranger chose it.
    """
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    parts = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        parts[-1] = "a field that this skillc does not know"
        return f"{'.'.join(parts)}: is not allowed"
    return f"{'.'.join(parts) or whole}: {first['msg']}"
