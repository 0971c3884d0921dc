"""Quoting: text of Traces as data that cannot leave its block.

Every text is JSON, so that no line end is its own, and stands between two marks that are made from the digest of what
they enclose and occur nowhere inside. Paper: 5.3 (untrusted context).
Not here: which text is shown (engines.model.evidence_text), what is asked about it (engines.model.prompts).
"""

import json
from collections.abc import Sequence
from typing import Any

from skillc.core.record import sha256_hex

_LINE_ENDS = {0x2028: "\\u2028", 0x2029: "\\u2029", 0x85: "\\u0085"}


def quoted(title: str, rows: Sequence[Any]) -> str:
    """Returns JSON values, one a line, between marks that the values cannot hold. `title` is ours."""
    body = "\n".join(line_of(row) for row in rows)
    mark = mark_for(body)
    return f"{title}\n<<<DATA {mark}\n{body}\nDATA {mark}>>>"


def line_of(value: Any) -> str:
    """Returns a value as JSON on one line, whatever reader counts the lines."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=False)
    return text.translate(_LINE_ENDS)


def mark_for(body: str) -> str:
    """Returns a mark that does not occur in the body; the same body has the same mark."""
    mark = sha256_hex(body.encode("utf-8", "replace"))[:24]
    while mark in body:
        mark = sha256_hex(mark.encode())[:24]
    return mark


def cut(text: str, limit: int) -> str:
    """Returns a text with its middle left out where it is longer than the limit, and says how much."""
    if len(text) <= limit:
        return text
    half = (limit - 40) // 2
    return f"{text[:half]} [... {len(text) - 2 * half} characters left out ...] {text[-half:]}"
