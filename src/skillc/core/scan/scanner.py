"""The scanner: every rule over every view of a text, as findings in a fixed order.

Runs on proposals, on artifacts and on any file. A text that was compiled from Traces is held to more: it is
compared with the Traces' own values, and private addresses and home paths block. Paper: 5.3, Scanners.
Not here: the fields of a contract (core.scan.contract_scanner), what a finding stops (core.admit), files and output
(cli).
"""

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

from skillc.core.record import digest_of
from skillc.core.scan.excerpts import EXCERPT_CHARS, MIN_SECRET_CHARS, excerpt_of
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.rules import RULES
from skillc.core.scan.values import TraceValues, value_hits, value_rule
from skillc.core.scan.views import View, views_of

MAX_SECRETS = 400  # values that are masked in every excerpt of a text
MAX_LISTED = 200  # places of one rule in one text that are listed one by one; the rest is told as one finding
_ORDER = {Severity.INFO: 0, Severity.WARN: 1, Severity.BLOCK: 2}


def scan_text(text: str, *, path: str, values: TraceValues | None = None) -> tuple[Finding, ...]:
    """Returns the findings of a text by line, then rule; the same place is told once, in its first view.

    Args:
        values: the values of the Traces behind the text. Given, the text counts as compiled from Traces.
    """
    text = text.encode("utf-8", "replace").decode() if not text.isascii() else text
    starts = _line_starts(text)
    found: list[tuple[int, Finding]] = []
    seen: dict[str, _Spans] = {}
    more: dict[int, _More] = {}
    secrets: dict[str, str] = {}
    for view in views_of(text, path):
        for rank, rule, hit in _hits(view, values):
            start, end = view.place(hit.start, hit.end)
            if (
                len(secrets) < MAX_SECRETS
                and hit.shown is not None
                and rule.family == "secrets"
                and hit.end - hit.start >= MIN_SECRET_CHARS
            ):
                secrets[view.text[hit.start : hit.end]] = hit.shown
            severity = hit.severity or rule.severity
            if values is not None and rule.severity_in_artifact is not None:
                severity = max(severity, rule.severity_in_artifact, key=_ORDER.__getitem__)
            spans = seen.setdefault(rule.id, _Spans())
            if not spans.is_new(start, max(end, start + 1), severity):
                continue
            if spans.count > MAX_LISTED:
                more.setdefault(rank, _More(rule, view.name)).add(start, end, severity)
                continue
            line = bisect_right(starts, start)
            finding = Finding(
                path=path,
                line=line,
                column=start - starts[line - 1] + 1,
                span=(start, end),
                rule=rule.id,
                severity=severity,
                title=rule.title,
                excerpt=excerpt_of(view.text, hit.start, hit.end, hit.shown),
                view=view.name,
                fingerprint="",
            )
            found.append((rank, finding))
    found += [(rank, rest.finding(path, starts)) for rank, rest in more.items()]
    found.sort(key=lambda item: (item[1].line, item[0], item[1].column, item[1].view))
    return with_fingerprints(_without(secrets, finding) for _, finding in found)


def _without(secrets: dict[str, str], finding: Finding) -> Finding:
    """Returns a finding whose excerpt shows no value that any other finding of the text masks."""
    excerpt = finding.excerpt
    for secret, shown in secrets.items():
        if secret in excerpt:
            excerpt = excerpt.replace(secret, shown)
    return finding if excerpt == finding.excerpt else finding.model_copy(update={"excerpt": excerpt[:EXCERPT_CHARS]})


class _Spans:
    """The places that a rule has reported.

    A place that overlaps an earlier one is the same place, unless it is graver: what looks harmless in one view must
    not hide what another shows.
    """

    def __init__(self) -> None:
        self._spans: dict[Severity, list[tuple[int, int]]] = {severity: [] for severity in Severity}

    @property
    def count(self) -> int:
        return sum(map(len, self._spans.values()))

    def is_new(self, start: int, end: int, severity: Severity) -> bool:
        for other, spans in self._spans.items():
            if _ORDER[other] < _ORDER[severity]:
                continue
            at = bisect_right(spans, (start, end))
            if any(start < before[1] and before[0] < end for before in spans[max(0, at - 1) : at + 1]):
                return False
        insort(self._spans[severity], (start, end))
        return True


class _More:
    """The places of a rule that are not listed: told as one finding, as severe as the worst, where the first stands."""

    def __init__(self, rule: ScanRule, view: str) -> None:
        self._rule, self._view = rule, view
        self._first: tuple[int, int] | None = None
        self._severity = Severity.INFO
        self._count = 0

    def add(self, start: int, end: int, severity: Severity) -> None:
        self._first = min(self._first or (start, end), (start, end))
        self._severity = max(self._severity, severity, key=_ORDER.__getitem__)
        self._count += 1

    def finding(self, path: str, starts: list[int]) -> Finding:
        start, end = self._first or (0, 0)
        line = bisect_right(starts, start)
        return Finding(
            path=path,
            line=line,
            column=start - starts[line - 1] + 1,
            span=(start, end),
            rule=self._rule.id,
            severity=self._severity,
            title=self._rule.title,
            excerpt=f"<{self._count} more places, not listed>",
            view=self._view,
            fingerprint="",
        )


def worst(findings: Iterable[Finding]) -> Severity | None:
    """Returns the highest severity of findings that are not suppressed, or None."""
    return max((f.severity for f in findings if not f.suppressed), key=_ORDER.__getitem__, default=None)


def _hits(view: View, values: TraceValues | None) -> Iterator[tuple[int, ScanRule, Hit]]:
    for rank, rule in enumerate(RULES):
        find = rule.find if values is None or rule.find_in_artifact is None else rule.find_in_artifact
        # Where two places overlap, the graver one is told.
        for hit in sorted(find(view), key=lambda hit: (-_ORDER[hit.severity or rule.severity], hit.start)):
            yield rank, rule, hit
    if values is not None:
        for hit in value_hits(view, values):
            yield len(RULES), value_rule(), hit


def _line_starts(text: str) -> list[int]:
    """Returns the offset of every line's start, so that a place is found by bisection."""
    return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))


def with_fingerprints(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns findings with their fingerprints.

    One covers rule, path and masked excerpt, so it survives moved lines and tells no secret.
    """
    times: Counter[tuple[str, str]] = Counter()
    marked = []
    for finding in findings:
        key = (finding.rule, finding.excerpt)
        fingerprint = digest_of([finding.rule, finding.path, finding.excerpt, times[key]])
        times[key] += 1
        marked.append(finding.model_copy(update={"fingerprint": fingerprint}))
    return tuple(marked)
