"""Citation repairs: a citation moves to the event that it certainly means, and to no other.

An id written in another case or with blanks around it is the id that it alone can be. A mark such as
`[t-12ab34cd#e3]` in a claim's text that names one stored event moves into the citations. A repair adds no evidence
that was not named, and support is checked again after it. Paper: 5.3, Validation.
Not here: aliases of a prompt (engines), whether the event supports the claim (the Curator).
"""

import re
from collections.abc import Iterable
from typing import Any

from skillc.core.compile.evidence import Evidence
from skillc.core.record import Record
from skillc.core.skill.claim import Citation, Claim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, event_order

_MARK = re.compile(r"\s*[\[(]\s*(?P<trace>[A-Za-z0-9-]{8,64})\s*[#.:]\s*(?P<event>[Ee][0-9]{1,10})\s*[\])]")
_AROUND = " \t\r\n[](){}<>\"'`"


class CitationRepair(Record):
    """One repair: which claim, what was written, and the event that it certainly means."""

    field: str
    claim_id: str
    written: str
    trace_id: str
    event: str


def certain_reference(written: str, known: Iterable[str]) -> str | None:
    """Returns the one known id that differs from what was written by case or blanks only; None when none or two do."""
    if written in (ids := set(known)):
        return written
    wanted = _plain(written)
    found = sorted(k for k in ids if _plain(k) == wanted)
    return found[0] if wanted and len(found) == 1 else None


def repaired(contract: Contract, evidence: Evidence) -> tuple[Contract, tuple[CitationRepair, ...]]:
    """Returns the contract with marks in its texts moved into citations, and each repair.

    A claim is repaired only when its text names events of one Trace of the run, all of them stored and readable,
    and it cites nothing else. An id that could be two events, or none, stays as it is.
    """
    repairs: list[CitationRepair] = []
    fields: dict[str, Any] = {}
    for field in contract_fields():
        claims = []
        for claim in claims_of(contract, field):
            mended, made = _mended(field, claim, evidence)
            repairs += made
            claims.append(mended)
        fields[field] = claims[0] if field == "description" else tuple(claims)
    return (contract.model_copy(update=fields), tuple(repairs)) if repairs else (contract, ())


def _mended(field: str, claim: Claim, evidence: Evidence) -> tuple[Claim, tuple[CitationRepair, ...]]:
    marks = list(_MARK.finditer(claim.text))
    if not marks or claim.citations:
        return claim, ()
    found: dict[str, dict[str, CitationRepair]] = {}
    traces = [s.trace_id for s in evidence.sources]
    for mark in marks:
        trace_id = certain_reference(mark["trace"], traces)
        source = evidence.source(trace_id) if trace_id else None
        if source is None or trace_id is None:
            return claim, ()
        readable = [e.id for e in source.trace.events if e.restricted is None]
        event = certain_reference(mark["event"], readable)
        if event is None:
            return claim, ()
        written = mark.group().strip()
        made = CitationRepair(field=field, claim_id=claim.id, written=written, trace_id=trace_id, event=event)
        found.setdefault(trace_id, {})[event] = made
    text = _MARK.sub("", claim.text).strip()
    if len(found) != 1 or not text:
        return claim, ()
    citations = tuple(Citation(trace_id=t, events=tuple(sorted(e, key=event_order))) for t, e in found.items())
    return (
        claim.model_copy(update={"text": text, "citations": citations}),
        tuple(r for events in found.values() for r in events.values()),
    )


def _plain(written: str) -> str:
    return "".join(written.split()).strip(_AROUND).casefold()
