"""A baseline: the findings that were there when scanning began, so that only new ones stop anybody.

It holds fingerprints, rules and paths, never what was found. Not here: reading and writing the file
(lifecycle.scan.by_hand), suppression with a reason (core.scan.suppression).
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pydantic import ValidationError

from skillc.core.record import Record, first_problem, pretty_json
from skillc.core.scan.finding import Finding
from skillc.errors import DataError

REASON = "is in the baseline"
MAX_BYTES = 16 * 1024 * 1024


class KnownFinding(Record):
    """One finding that was known when the baseline was written. Rule and path are for the reader."""

    fingerprint: str
    rule: str
    path: str


class Baseline(Record):
    """The file that `--write-baseline` writes and `--baseline` reads."""

    format: Literal["skillc.scan-baseline/1"] = "skillc.scan-baseline/1"
    findings: tuple[KnownFinding, ...]


class Applied(NamedTuple):
    """The findings with the known ones marked, and how many of the baseline were not found any more."""

    findings: tuple[Finding, ...]
    gone: int


def baseline_of(findings: Iterable[Finding]) -> bytes:
    """Returns the baseline of the findings that nothing else suppresses, sorted, as the bytes of its file."""
    known = {
        f.fingerprint: KnownFinding(fingerprint=f.fingerprint, rule=f.rule, path=f.path)
        for f in findings
        if not f.suppressed or f.suppressed_by == "baseline"
    }
    ordered = sorted(known.values(), key=lambda k: (k.path, k.rule, k.fingerprint))
    return pretty_json(Baseline(findings=tuple(ordered)).model_dump(mode="json"))


def parse_baseline(data: bytes, *, path: str) -> Baseline:
    """Reads a baseline. Raises DataError that names the file and what is wrong with it."""
    try:
        return Baseline.model_validate_json(data)
    except ValidationError as error:
        raise DataError(
            f"{path}:1: is no baseline of findings: {first_problem(error, 'file')}",
            hint=f"write it again: skillc scan --write-baseline {path}",
        ) from error


def with_baseline(findings: Iterable[Finding], baseline: Baseline) -> Applied:
    """Marks the findings that a baseline knows, and counts what it knows that is gone."""
    known = {k.fingerprint for k in baseline.findings}
    marked, seen = [], set()
    for finding in findings:
        is_known = finding.fingerprint in known
        seen |= {finding.fingerprint} & known
        if is_known and not finding.suppressed:
            update = {"suppressed": True, "suppressed_by": "baseline", "reason": REASON}
            finding = finding.model_copy(update=update)
        marked.append(finding)
    return Applied(tuple(marked), len(known - seen))
