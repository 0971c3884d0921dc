"""Values of one Trace that only what stood beside them gave away: known from then on wherever they stand.

A password is found by `password:` before it; three events later it stands alone, or in base64. Nothing that was
replaced once may stand elsewhere in the same Trace. Kept in memory alone. Paper: 5.1, 5.6.
Not here: finding values the first time (core.scan.private_values), their placeholders (core.scan.redact).
"""

import base64
import re
from collections.abc import Callable
from functools import cache
from urllib.parse import quote

from skillc.core.scan.detectors import gate, gate_text

MAX_KNOWN = 5000
_VALUES_PER_GATE = 200
_MIN_TOKEN_CHARS = 6
_MIN_DIGITS_CHARS = 8
_MIN_PHRASE_CHARS = 8
_MIN_ENCODED_CHARS = 8
_MIN_BASE64_CHARS = 10
_PLAIN_RUN = re.compile(r"[ !#-\[\]-~]+")
_META = re.compile(r"[.+*?()|\[\]{}^$#&~-]")  # of the gates' engine, where an escaped `<` means something else
_NO_NEIGHBOUR = r"[A-Za-z0-9]"


class KnownValues:
    """The values of one Trace, each with its placeholder."""

    def __init__(self) -> None:
        self._placeholders: dict[str, str] = {}
        self._inner: set[str] = set()  # encoded forms: they stand inside a longer run
        self._gates: list[Callable[[str | bytes], bool]] = []
        self._gated = 0

    def __bool__(self) -> bool:
        return bool(self._placeholders)

    @property
    def is_full(self) -> bool:
        """Says whether values were left out because there are too many."""
        return len(self._placeholders) >= MAX_KNOWN

    def add(self, value: str, placeholder: str) -> None:
        """Keeps a value. One that cannot be told from a word would be replaced where it means something else."""
        if value in self._placeholders or len(self._placeholders) >= MAX_KNOWN:
            return
        self._placeholders[value] = placeholder
        for form in _encoded_forms(value):
            self._placeholders.setdefault(form, placeholder)
            self._inner.add(form)

    def may_stand_in(self, text: str) -> bool:
        """Says in linear time whether one of the values may stand in a text of `gate_text`; False is certain."""
        self._make_gates()
        return any(may_match(text) for may_match in self._gates)

    def _make_gates(self) -> None:
        if self._gated < len(self._placeholders):
            whole = self._gated // _VALUES_PER_GATE
            del self._gates[whole:]
            values = list(self._placeholders)[whole * _VALUES_PER_GATE :]
            for start in range(0, len(values), _VALUES_PER_GATE):
                self._gates.append(gate("|".join(map(literal_gate, values[start : start + _VALUES_PER_GATE]))))
            self._gated = len(self._placeholders)

    def replaced(self, text: str, saw: Callable[[str, int], None]) -> str:
        """Returns the text with every known value replaced; `saw` is told each placeholder and how often."""
        self._make_gates()
        shown, values = gate_text(text.encode("utf-8", "replace")), list(self._placeholders)
        found = []
        for number, may_match in enumerate(self._gates):
            if may_match(shown):
                some = values[number * _VALUES_PER_GATE : (number + 1) * _VALUES_PER_GATE]
                found += [value for value in some if value in text]
        for value in sorted(found, key=len, reverse=True):
            pattern = re.escape(value)
            if value not in self._inner:
                pattern = rf"(?<!{_NO_NEIGHBOUR}){pattern}(?!{_NO_NEIGHBOUR})"
            placeholder = self._placeholders[value]  # it holds no backslash
            text, times = re.subn(pattern, placeholder, text)
            if times:
                saw(placeholder, times)
        return text


def is_telling(value: str) -> bool:
    """Says whether a value alone says what it is: a token with digits, a phrase, a long mix; never a plain word."""
    if len(value) < _MIN_TOKEN_CHARS:
        return False
    if any(c.isdigit() for c in value):
        return len(value) >= _MIN_DIGITS_CHARS or any(c.isalpha() for c in value)
    is_mixed = any(c.islower() for c in value) and any(c.isupper() for c in value[1:])
    has_marks = any(not c.isalnum() and c not in " _-." for c in value)
    return len(value) >= _MIN_PHRASE_CHARS and (" " in value or is_mixed or has_marks)


@cache
def literal_gate(value: str, *, any_case: bool = False) -> str:
    """Returns a gate for a value also where it stands JSON-escaped: its longest run of plain characters."""
    run = max(_PLAIN_RUN.findall(value), key=len, default="")
    if not run:
        return r"\x7f"  # what is not ASCII is this character in a text of `gate_text`
    escaped = _META.sub(r"\\\g<0>", run)
    return f"(?i:{escaped})" if any_case else escaped


def _encoded_forms(value: str) -> set[str]:
    """Returns what hex, URLs and base64 make of a value, the last at each of the three places in a group."""
    if len(value) < _MIN_ENCODED_CHARS:
        return set()
    data = value.encode()
    forms = {data.hex(), data.hex().upper(), quote(value, safe="")}
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + data + b"\0\0\0").decode()
        inner = whole[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(inner) >= _MIN_BASE64_CHARS:
            forms |= {inner, inner.replace("+", "-").replace("/", "_")}
    return forms - {value}
