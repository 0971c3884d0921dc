"""Redaction: known secret formats and personal data become typed placeholders before anything is written.

Within one Trace the same value gets the same placeholder, `<aws_access_key:1>`, so that a reader still sees
that two calls used one key. Reads the detectors of core.scan.detectors. Paper: 5.1, 5.6.
Not here: findings about text that was written (core.scan.rules).
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from skillc.core.scan.detectors import Span, find_spans
from skillc.core.scan.secret_values import is_assigned_secret

MAX_DEPTH = 200
MAX_PASSES = 64
_SECRET_KEY = re.compile(
    r"pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization",
    re.IGNORECASE,
)


class Redactor:
    """The placeholders of one Trace. `counts` says how many values of each kind were replaced."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names` are words and phrases that policy lists; they are replaced as whole words, in any case."""
        listed = sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True)
        self._names = (
            re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, listed))})(?!\w)", re.IGNORECASE) if listed else None
        )
        self.counts: Counter[str] = Counter()
        self._placeholders: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def text(self, text: str) -> str:
        """Returns the text with every credential replaced. Redacting the result again changes nothing."""
        # What stands beside a placeholder may only now have the edge that its format needs.
        for _ in range(MAX_PASSES):
            spans = find_spans(text, with_examples=True, personal=True)
            if not spans:
                break
            text = self._replaced(text, spans)
        if self._names is not None:
            text = self._names.sub(lambda match: self._placeholder(match[0].casefold(), "name"), text)
        return text

    def holds_name(self, text: str | bytes) -> bool:
        """Says whether a text holds a listed name."""
        if self._names is None:
            return False
        return self._names.search(text if isinstance(text, str) else text.decode("utf-8", "replace")) is not None

    def _replaced(self, text: str, spans: list[Span]) -> str:
        parts: list[str] = []
        position = 0
        for span in spans:
            parts.append(text[position : span.start])
            parts.append(self._placeholder(text[span.start : span.end], span.kind))
            position = span.end
        parts.append(text[position:])
        return "".join(parts)

    def value(self, value: Any, *, key: str = "", depth: int = 0) -> Any:
        """Returns a JSON value with every credential in its strings and keys replaced.

        A string under a key such as `password` is replaced whole. Deeper than 200 levels nothing is kept.
        """
        if isinstance(value, str):
            if key and _SECRET_KEY.search(key) and is_assigned_secret(key, value, quoted=True):
                return self._placeholder(value, "assigned_secret")
            return self.text(value)
        if depth > MAX_DEPTH:
            return None if isinstance(value, dict | list) else value
        if isinstance(value, dict):
            return {self.text(k): self.value(v, key=k, depth=depth + 1) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item, key=key, depth=depth + 1) for item in value]
        return value

    def _placeholder(self, secret: str, kind: str) -> str:
        self.counts[kind] += 1
        found = self._placeholders.get(secret)
        if found is None:
            self._numbers[kind] += 1
            found = self._placeholders[secret] = f"<{kind}:{self._numbers[kind]}>"
        return found
