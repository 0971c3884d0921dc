"""Patches: what really changes in a current Skill, and how unchanged lines keep their place and evidence.

A line whose words are unchanged keeps its id, and its citations are merged. A person's own lines stay.
Paper: 5.3, Reflector (a patch changes only the fields that new evidence supports).
Not here: making the new lines (engines.offline.reflect).
"""

from typing import Any

from skillc.core.compile.carrying import carried
from skillc.core.compile.evidence import Evidence, Source, SourceRole
from skillc.core.compile.losses import lost_lines
from skillc.core.compile.proposal import LossReason
from skillc.core.skill.claim import Citation, Claim, ClaimBasis, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, cited_events, claims_of, contract_fields, event_order
from skillc.core.trace.records import Event, EventKind

MAX_MERGED_TRACES = 6
MAX_MERGED_EVENTS = 4


def merged(current: Contract, fresh: Contract, evidence: Evidence) -> tuple[Contract, tuple[str, ...]]:
    """Returns the new contract for a patch and the fields that it touches, in the contract's order.

    Fields without any new line and without new support keep the current version's claims as they are.
    """
    fresh = carried(current, fresh, evidence)
    grew = set(fresh.support.attempt_families) - set(current.support.attempt_families)
    changed: list[str] = []
    fields: dict[str, Any] = {}
    for field in contract_fields():
        before = claims_of(current, field)
        after = _with_history(before, claims_of(fresh, field), evidence)
        words_changed = [_words(c) for c in before] != [_words(c) for c in after]
        evidence_grew = bool(grew) and any(_cites_new(old, new) for old, new in zip(before, after, strict=False))
        if words_changed or evidence_grew or not _all_citable(before, evidence):
            if before != after:
                changed.append(field)
            fields[field] = after[0] if field == "description" else after
        else:
            fields[field] = before[0] if field == "description" else before
    return fresh.model_copy(update=fields), tuple(changed)


def losses_of(current: Contract, patched: Contract, evidence: Evidence) -> tuple[LossReason, ...]:
    """Returns why each line that goes is left out, with the new attempts that do not show it."""
    known = cited_events(current)
    citations = tuple(
        Citation(trace_id=s.trace_id, events=(first.id,))
        for s in evidence.supports
        if s.trace_id not in known and (first := _first_act(s)) is not None
    )[:MAX_MERGED_TRACES]
    count = len(patched.support.attempt_families)
    reason = f"{count} attempt families together do not show it any more"
    return tuple(
        LossReason(skill_id=current.skill_id, field=x.field, claim_id=x.claim_id, reason=reason, citations=citations)
        for x in lost_lines(current, patched)
    )


def _first_act(source: Source) -> Event | None:
    return next((e for e in source.trace.events if e.kind is EventKind.TOOL_CALL and e.restricted is None), None)


def _with_history(before: tuple[Claim, ...], after: tuple[Claim, ...], evidence: Evidence) -> tuple[Claim, ...]:
    known = {_words(c): c for c in before}
    found: list[Claim] = []
    for claim in after:
        old = known.get(_words(claim))
        found.append(claim if old is None else _merge(old, claim, evidence))
    return tuple(found)


def _merge(old: Claim, new: Claim, evidence: Evidence) -> Claim:
    if old.basis is not ClaimBasis.EVENTS:
        return old
    update: dict[str, Any] = {
        "id": old.id,
        "basis": old.basis,
        "citations": _citations(old.citations, new.citations, evidence),
    }
    if isinstance(old, FailureClaim) and isinstance(new, FailureClaim):
        update["recovery_citations"] = _citations(old.recovery_citations, new.recovery_citations, evidence)
    return new.model_copy(update=update)


def _citations(old: tuple[Citation, ...], new: tuple[Citation, ...], evidence: Evidence) -> tuple[Citation, ...]:
    """Joins citations: those of before that can still be read, then the new ones, within the limits."""
    events: dict[str, dict[str, None]] = {}
    for citation in (*(c for c in old if _is_citable(c, evidence)), *new):
        if citation.trace_id in events or len(events) < MAX_MERGED_TRACES:
            kept = events.setdefault(citation.trace_id, {})
            for event in citation.events:
                if len(kept) < MAX_MERGED_EVENTS:
                    kept.setdefault(event, None)
    if not old and not new:
        return ()
    return tuple(Citation(trace_id=t, events=tuple(sorted(ids, key=event_order))) for t, ids in sorted(events.items()))


def _is_citable(citation: Citation, evidence: Evidence) -> bool:
    source: Source | None = evidence.source(citation.trace_id)
    return source is not None and source.role is SourceRole.SUPPORT


def _all_citable(claims: tuple[Claim, ...], evidence: Evidence) -> bool:
    return all(
        evidence.source(c.trace_id) is not None
        for claim in claims
        if claim.basis is ClaimBasis.EVENTS
        for c in claim.citations
    )


def _cites_new(old: Claim, new: Claim) -> bool:
    return {c.trace_id for c in new.citations} != {c.trace_id for c in old.citations}


def _words(claim: Claim) -> tuple[Any, ...]:
    """Returns what a reader of the Skill sees of a claim."""
    if isinstance(claim, StepClaim):
        action = claim.action.model_dump_json() if claim.action else ""
        return claim.text, action, claim.optional, claim.repeat
    if isinstance(claim, FailureClaim):
        return claim.text, claim.recovery
    return claim.text, getattr(claim, "name", None), getattr(claim, "effect", None)
