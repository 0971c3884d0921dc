"""The scanner on a contract: every string of its fields, each alone and beside its neighbours.

A claim is read as a paragraph of its own. What is split over two fields, an order or a value, is found where two of
them stand one after the other. Paper: 5.3, Scanners.
Not here: the rules (core.scan.rules), where words came from (core.scan.tainted_origin).
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skillc.core.scan.finding import Finding
from skillc.core.scan.scanner import scan_text, with_fingerprints
from skillc.core.scan.values import TraceValues
from skillc.core.skill.claim import Claim, FailureClaim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, iter_claims

# A text with one of these begins something that could swallow the texts after it.
_OPENING = ("```", "~~~", "<!--", "---", "{#", "$")


class Part(NamedTuple):
    """One text of several that are scanned together, each for itself, and what its place is called."""

    place: str
    text: str


def scan_contract(contract: Contract, *, path: str, values: TraceValues | None) -> tuple[Finding, ...]:
    """Returns the findings of every string that a contract's fields hold, ids and citations left out.

    A finding's path is `<path>#<field>/<claim id>`, so that a caller can find the claim; what is split over two claims
    carries the first one's.
    """
    parts = list(_parts(contract))
    found = [*scan_parts(parts, path=path, values=values)]
    found += _placed([part for part in parts if _is_plain(part)], "\n", path, values, across=True)
    order = {f"{path}#{part.place}": number for number, part in enumerate(parts)}
    return with_fingerprints(sorted(found, key=lambda finding: order[finding.path]))


def scan_parts(parts: Sequence[Part], *, path: str, values: TraceValues | None) -> Iterator[Finding]:
    """Yields the findings of texts, each a paragraph of its own, under the path `<path>#<place>`, in one reading."""
    for part in parts:
        if not _is_plain(part):
            yield from scan_text(part.text, path=f"{path}#{part.place}", values=values)
    yield from _placed([part for part in parts if _is_plain(part)], "\n\n", path, values, across=False)


def claim_strings(claim: Claim) -> Iterator[str]:
    """Yields every text of a claim, ids and citations left out."""
    yield claim.text
    if isinstance(claim, InputClaim):
        yield claim.name
    if isinstance(claim, StepClaim):
        yield claim.repeat or ""
        if claim.action is not None:
            yield claim.action.tool
            yield claim.action.operation or ""
            yield from _leaves(claim.action.arguments)
    if isinstance(claim, FailureClaim):
        yield claim.recovery or ""


def _is_plain(part: Part) -> bool:
    return not any(mark in part.text for mark in _OPENING)


def _parts(contract: Contract) -> Iterator[Part]:
    yield Part("name", f"{contract.name}\n{contract.task_family}")
    for field, claim in iter_claims(contract):
        yield Part(f"{field}/{claim.id}", "\n".join(claim_strings(claim)))
    if contract.validity.tested_with:
        yield Part("validity", "\n".join(contract.validity.tested_with))


def _placed(
    parts: Sequence[Part], between: str, path: str, values: TraceValues | None, *, across: bool
) -> Iterator[Finding]:
    """Yields the findings of all parts in one reading, each at the place in its part; or only those across two."""
    starts: list[int] = []
    position = 0
    for part in parts:
        starts.append(position)
        position += len(part.text) + len(between)
    text = between.join(part.text for part in parts)
    for finding in scan_text(text, path=f"{path}#", values=values):
        begin, end = finding.span
        first, last = bisect_right(starts, begin) - 1, bisect_right(starts, max(begin, end - 1)) - 1
        if across == (first == last):
            continue
        part, start = parts[first], starts[first]
        before = text[start:begin]
        yield finding.model_copy(
            update={
                "path": f"{path}#{part.place}",
                "line": before.count("\n") + 1,
                "column": len(before) - (before.rfind("\n") + 1) + 1,
                "span": (begin - start, end - start),
            }
        )


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
