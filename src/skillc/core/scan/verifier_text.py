"""Verifier text: what only the judge of an attempt knows must not be in a Skill.

A check's expected string, a gold answer or a judge's rubric would teach the next agent the answer and not the work.
Strings that users said are no secret of the judge. Paper: 5.1, 5.3.
Not here: reading the files that checks protect (lifecycle.origins).
"""

import re
from collections.abc import Iterable, Iterator

from skillc.core.record import digest_of
from skillc.core.scan.contract_text import lines_of
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.contract import Contract
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import EventKind

VERIFIER_RULE = "verifier-text"
MIN_CHARS = 8
MAX_STRINGS = 5000
_QUOTED = r"""(?:"((?:[^"\\\n]|\\.){4,300})"|'((?:[^'\\\n]|\\.){4,300})')"""
# Where a test says what must come out: beside a comparison, or as the argument of an expectation.
_EXPECTED = (
    re.compile(rf"[!=]==?\s*{_QUOTED}"),
    re.compile(rf"{_QUOTED}\s*[!=]==?(?!=)"),
    re.compile(rf"\b(?:toBe|toEqual|toStrictEqual|toContain|toMatch|toHaveText|eq|equals?|contains?)\(\s*{_QUOTED}"),
    re.compile(rf"\bassert\w*(?:Equals?|In|Contains|Regex|Same)\w*\([^,\n]{{1,200}},\s*{_QUOTED}"),
    re.compile(rf"\bassert\w*(?:Equals?|In|Contains|Regex|Same)\w*\(\s*{_QUOTED}\s*,"),
    re.compile(rf"\bassert\s+{_QUOTED}\s+(?:not\s+)?in\b"),
    re.compile(rf"\b(?:expected|golden|want|answer)\w*\s*[:=]\s*{_QUOTED}", re.I),
)
# Options of a check that name what it looks for.
_WANTS = re.compile(r"^--?(?:e|q|F|expect\w*|contains?|match|equals?|answer|golden|pattern|regexp?|want\w*)$")
_TELLING = re.compile(r"\s\S|\d.*[A-Za-z]|[A-Za-z].*\d|\w[-_]\w+[-_]\w")
_PATH = re.compile(r"^[\w.@~-]*(?:/[\w.@*-]*)+$|^[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}$")
_SETTING = re.compile(r"^[\w.]+ (?:>=|=) \S{1,20}$")  # `reward >= 1`: the rule of a mapping, no answer


def expected_strings(text: str) -> tuple[str, ...]:
    """Returns the strings that a test file compares results with; messages of assertions are none of them."""
    found: dict[str, None] = {}
    for pattern in _EXPECTED:
        for match in pattern.finditer(text):
            value = next(g for g in match.groups() if g is not None)
            if is_telling(value) and len(found) < MAX_STRINGS:
                found.setdefault(value)
    return tuple(found)


def check_strings(argv: Iterable[str]) -> tuple[str, ...]:
    """Returns what a registered check looks for: the value behind an option that says so, or a text with blanks."""
    words = list(argv)
    found = []
    for before, word in zip(["", *words], words, strict=False):
        name, has_value, value = word.partition("=")
        if has_value and _WANTS.match(name):
            found.append(value)
        elif _WANTS.match(before) or (" " in word.strip() and before not in ("-c", "-lc")):
            found.append(word)
    return tuple(dict.fromkeys(w for w in found if len(w.strip()) >= MIN_CHARS or (is_telling(w) and len(w) >= 4)))


def is_telling(value: str) -> bool:
    """Says whether a string can be known again: long enough, more than one plain word, and no path or setting."""
    is_other = _SETTING.match(value) or _PATH.match(value.strip())
    return len(value.strip()) >= MIN_CHARS and _TELLING.search(value) is not None and not is_other


def verifier_findings(
    contract: Contract, strings: Iterable[str], traces: Iterable[Trace], *, path: str
) -> tuple[Finding, ...]:
    """Returns one blocking finding for each line that repeats a string of a verifier; the string is never shown."""
    wanted = {_plain(s): s for s in strings if len(_plain(s)) >= 4}
    if not wanted:
        return ()
    said = "\n".join(_plain(e.text or "") for t in traces for e in t.events if e.kind is EventKind.USER_MESSAGE)
    secret = [s for s in wanted if s not in said]
    found = []
    for line in lines_of(contract):
        text = _plain("\n".join(line.texts))
        hit = next((s for s in secret if s in text), None)
        if hit is not None:
            place = f"{path}#{line.place}"
            found.append(
                Finding(
                    path=place,
                    line=1,
                    column=1,
                    rule=VERIFIER_RULE,
                    severity=Severity.BLOCK,
                    title="Repeats what only the verifier of an attempt knows",
                    excerpt=f"<{len(hit)} characters of a verifier>",
                    fingerprint=digest_of([VERIFIER_RULE, place, len(hit)]),
                )
            )
    return tuple(found)


def rubric_strings(details: Iterable[str]) -> Iterator[str]:
    """Yields the sentences of a verdict's own words that a judge wrote: what it wanted, and what it saw."""
    for detail in details:
        for sentence in re.split(r"(?<=[.!?])\s+|[\n;]", detail):
            if len(sentence.split()) >= 4 and is_telling(sentence):
                yield sentence.strip().rstrip(".")


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`“”\"']", " ", text).split()).casefold()
