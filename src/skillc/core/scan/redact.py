"""Redaction: credentials, personal data and private places become typed placeholders before anything is written.

Within one Trace the same value gets the same placeholder, `<aws_access_key:1>`, plain or encoded, so that a reader
still sees that two calls used one key. What only its context gave away is replaced wherever it stands again.
Reads core.scan.private_values. Paper: 5.1, 5.6.
Not here: findings about text that was written (core.scan.rules), paths of the machine (importers.paths).
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from skillc.core.scan.detectors import Gate, Span, gate
from skillc.core.scan.known_values import KnownValues, is_telling, literal_gate
from skillc.core.scan.private_values import passed_gates, private_spans
from skillc.core.scan.secret_values import is_assigned_secret

MAX_DEPTH = 200
MAX_PASSES = 64
_MAX_FIELD_CHARS = 200
_MIN_WORD_CHARS = 16  # letters alone and shorter are a word: most names of tools and actors
_SECRET_KEY = re.compile(
    r"pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|authorization",
    re.IGNORECASE,
)
_NUMBERS = frozenset(("phone", "payment_card", "ssn", "iban", "personal_id"))
_KNOWN_OTHERWISE = frozenset(("name", "restricted", "told_secret"))
_NAMING_KEYS = ("name", "key", "field", "selector", "element", "label")
_NAMED_KEYS = frozenset(("value", "text"))
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")


class Redactor:
    """The placeholders of one Trace. `counts` says how many values of each kind were replaced."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names` are words and phrases that policy lists; they are replaced as whole words, in any case."""
        listed = sorted({name.strip() for name in names if name.strip()}, key=len, reverse=True)
        phrases = (r"[\s_.-]*".join(map(re.escape, name.split())) for name in listed)
        self._names = re.compile(rf"(?<![^\W_])(?:{'|'.join(phrases)})(?![^\W_])", re.IGNORECASE) if listed else None
        firsts = {literal_gate(name.split()[0], any_case=True) for name in listed}
        self._may_hold_name = gate("|".join(sorted(firsts))) if listed else None
        self.counts: Counter[str] = Counter()
        self.known = KnownValues()
        self._placeholders: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def passed_gates(self, text: str) -> tuple[Gate, ...]:
        """Returns the gates that a text of `gate_text` passes: a part of it without one of these stays as it is.

        What became known only now is not asked for: see `known`.
        """
        passed = passed_gates(text)
        return (*passed, self._may_hold_name) if self._may_hold_name and self._may_hold_name(text) else passed

    def text(self, text: str, gates: Sequence[Gate] | None = None) -> str:
        """Returns the text with everything private replaced. Redacting the result again changes nothing.

        `gates` are those that passed for a line which holds this text; what became known is then left to a later call.
        """
        if len(text) < _MIN_WORD_CHARS and text.isalpha() and self._names is None and not self.known:
            return text
        # What stands beside a placeholder may only now have the edge that its format needs.
        gates_of_pass = gates
        for _ in range(MAX_PASSES):
            spans = private_spans(text, gates_of_pass)
            if not spans:
                break
            text, gates_of_pass = self._replaced(text, spans), None
        if self.known and gates is None:
            text = self.known.replaced(text, self._saw)
        if self._names is not None:
            text = self._names.sub(lambda match: self.placeholder(match[0], "name"), text)
        return text

    def value(self, value: Any, *, key: str = "", depth: int = 0) -> Any:
        """Returns a JSON value with everything private in its strings and keys replaced.

        A string under a key such as `password` is replaced whole. Deeper than 200 levels nothing is kept.
        """
        if isinstance(value, str):
            return self._field(value, key)
        if depth > MAX_DEPTH:
            return None if isinstance(value, dict | list) else value
        if isinstance(value, dict):
            named = next((found for name in _NAMING_KEYS if isinstance(found := value.get(name), str)), "")
            keys = {k: named if named and k in _NAMED_KEYS else k for k in value}
            return {self.text(k): self.value(v, key=keys[k], depth=depth + 1) for k, v in value.items()}
        if isinstance(value, int) and not isinstance(value, bool) and key:
            shown = self._field(str(value), key)
            return value if shown == str(value) else shown
        if isinstance(value, list | tuple):
            return [self.value(item, key=key, depth=depth + 1) for item in value]
        return value

    def placeholder(self, value: str, kind: str) -> str:
        """Returns the placeholder of a value, and counts it once more."""
        self.counts[kind] += 1
        return self._placeholder(value, kind)

    def withhold(self, value: str) -> None:
        """Makes a value known that no later text may show, because a restricted event held it."""
        self.known.add(value, self._placeholder(value, "restricted"))

    def _placeholder(self, value: str, kind: str) -> str:
        form = _form_of(value, kind)
        found = self._placeholders.get(form)
        if found is None:
            self._numbers[kind] += 1
            found = self._placeholders[form] = f"<{kind}:{self._numbers[kind]}>"
            if kind not in _KNOWN_OTHERWISE and is_telling(value) and not _is_found_alone(value):
                self.known.add(value, found)
        return found

    def _replaced(self, text: str, spans: list[Span]) -> str:
        parts: list[str] = []
        position = 0
        for span in spans:
            parts.append(text[position : span.start])
            parts.append(self.placeholder(span.value or text[span.start : span.end], span.kind))
            position = span.end
        parts.append(text[position:])
        return "".join(parts)

    def _field(self, value: str, key: str) -> str:
        """Redacts a string under a key, which says of it what a word before it says in a text: `passport_no`."""
        if key and _SECRET_KEY.search(key) and is_assigned_secret(key, value, quoted=True):
            return self.placeholder(value, "assigned_secret")
        if key and len(value) <= _MAX_FIELD_CHARS and len(key) <= _MAX_FIELD_CHARS:
            before = f"{_HUMP.sub(' ', key)}: "
            whole = before + value
            size = len(before)
            value = self._replaced(
                value,
                [s._replace(start=s.start - size, end=s.end - size) for s in private_spans(whole) if s.start >= size],
            )
        return self.text(value)

    def _saw(self, placeholder: str, times: int) -> None:
        self.counts[placeholder[1:].partition(":")[0]] += times


def _form_of(value: str, kind: str) -> str:
    """Returns a value in the one form in which equal values are the same."""
    if kind in _NUMBERS:
        return "".join(c for c in value if c.isalnum() or c == "+").upper()
    if kind == "birth_date":
        return _day_of(value)
    return " ".join(value.casefold().split()) if kind in ("email", "name") else value


def _day_of(value: str) -> str:
    """Returns a date as year, month and day where its order is plain: 2 June 1990 is 1990-06-02."""
    plain = " ".join(value.replace(",", " ").replace(".", " ").split())
    for form in ("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y"):
        try:
            return datetime.strptime(plain, form).date().isoformat()
        except ValueError:
            continue
    return value


def _is_found_alone(value: str) -> bool:
    return any(span.end - span.start == len(value) for span in private_spans(value))
