"""Rule `hidden-unicode`: a text holds characters that a reader cannot see, or that show it in another order."""

import re
import unicodedata
from collections.abc import Iterator

from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import BIDI_CONTROLS, INVISIBLE, RAW, View

_HIDDEN = re.compile("[" + "".join(sorted(INVISIBLE)) + "\U000e0000-\U000e007f\U000e0100-\U000e01ef]+")
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_LATIN = re.compile("[A-Za-z]")
_OTHER = re.compile("[\u0370-\u03ff\u0400-\u052f\u13a0-\u13ff]")
_MIXED = re.compile(r"[^\W\d_]{3,40}")
_FORMULA_LETTERS = re.compile(
    "(?:[\U0001d400-\U0001d7ff\u24b6-\u24e9\uff21-\uff3a\uff41-\uff5a\U0001f130-\U0001f189]+[ ,.]{0,2}){6,}"
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\u0080-\u009f\ufff0-\ufff8]+")
_JOINERS = frozenset("\u200c\u200d")
_MARKS = frozenset("\u200e\u200f\u061c")


def find(view: View) -> Iterator[Hit]:
    """Yields runs of hidden characters. Joiners inside emoji and inside scripts that need them are no finding."""
    if view.name != RAW:
        return
    yield from _disguised(view.text)
    if view.text.isascii() or not gate(_HIDDEN.pattern)(view.text):
        return
    flags = {match.start() + 1 for match in _FLAG.finditer(view.text)}
    for match in _HIDDEN.finditer(view.text):
        run = match.group()
        if match.start() in flags:
            continue
        if match.start() == 0 and run == "\ufeff":
            continue
        if len(run) == 1 and _is_orthography(view.text, match.start(), run):
            continue
        yield Hit(match.start(), match.end(), _name(run), Severity.WARN if _is_sample(view.text, match) else None)


def _disguised(text: str) -> Iterator[Hit]:
    """Yields letters that stand in for others: words of two alphabets, and whole words in letters of formulas."""
    if not text.isascii() and gate(_OTHER.pattern)(text):
        words = [m for m in _MIXED.finditer(text) if not m.group().isascii() and _is_mixed(m.group())]
        if len(words) > 1:
            yield from (Hit(m.start(), m.end(), "<a word of two alphabets>", Severity.WARN) for m in words)
    if not text.isascii():
        for match in _FORMULA_LETTERS.finditer(text) if gate(_FORMULA_LETTERS.pattern)(text) else ():
            yield Hit(match.start(), match.end(), "<letters of formulas>", Severity.WARN)
    for match in _CONTROLS.finditer(text) if gate(_CONTROLS.pattern)(text) else ():
        yield Hit(
            match.start(),
            match.end(),
            f"<{len(match.group())} control characters U+{ord(match.group()[0]):04X}>",
            Severity.WARN,
        )


def _is_mixed(word: str) -> bool:
    return _LATIN.search(word) is not None and _OTHER.search(word) is not None


def _is_sample(text: str, match: re.Match[str]) -> bool:
    """Says whether a few characters stand in a literal of code that names or removes them."""
    if (
        len(match.group()) > 8
        or text[match.start() - 1 : match.start()] not in ("'", '"')
        or text[match.end() : match.end() + 1] not in ("'", '"')
    ):
        return False
    line = text[max(0, match.start() - 400) : match.start()].rpartition("\n")[2]
    return (
        re.search(
            r"(?i)zero.?width|invisible|hidden|strip|remove|replace|translate|fromkeys|ord|sub\(|unicode|bidi", line
        )
        is not None
    )


def _is_orthography(text: str, at: int, char: str) -> bool:
    """Says whether one joiner or mark stands where a script or an emoji sequence needs it."""
    before, after = text[max(0, at - 2) : at], text[at + 1 : at + 2]
    if not before or not after:
        return False
    if "\U000e0100" <= char <= "\U000e01ef":  # a variant of one ideograph
        return _is_ideograph(before[-1])
    if char in _JOINERS and (_is_emoji(before) and _is_emoji(after)):
        return char == "\u200d"
    if char in _JOINERS or char in _MARKS:
        return _needs_joiners(before[-1]) or (char in _MARKS and _needs_joiners(after))
    return False


def _is_ideograph(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000"


def _is_emoji(text: str) -> bool:
    return any(
        ord(c) >= 0x1F000 or c in "\ufe0f\u2640\u2642\u2695\u2696\u2708\u2764\u2b1b" or 0x2600 <= ord(c) <= 0x27BF
        for c in text
    )


def _needs_joiners(char: str) -> bool:
    name = unicodedata.name(char, "")
    return name.startswith(
        ("ARABIC", "HEBREW", "DEVANAGARI", "BENGALI", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "GUJARATI", "GURMUKHI",
         "ORIYA", "SINHALA", "KHMER", "MYANMAR", "MONGOLIAN", "SYRIAC", "THAANA", "TIBETAN")
    )  # fmt: skip


def _name(run: str) -> str:
    kind = "text direction" if any(c in BIDI_CONTROLS for c in run) else "hidden"
    return f"<{len(run)} {kind} U+{ord(run[0]):04X}>"


RULE = ScanRule(
    id="hidden-unicode",
    family="hidden text",
    title="Hidden characters",
    severity=Severity.BLOCK,
    meaning="Characters that no reader sees can carry instructions that a model reads.",
    fix="Delete the characters; the excerpt names the first one by its code point.",
    find=find,
)
