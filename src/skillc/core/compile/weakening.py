"""Weakening: what stands behind a Skill today, and whether that is still enough.

A cited Trace whose verification was withdrawn, contradicted or turned into a failure, or whose verifier is no longer
registered, supports nothing; a Skill that cites it as support has lost evidence that it was admitted on.
Paper: 5.3, Cite-or-retain rule; 5.6. Not here: the withdrawal that follows (lifecycle.upkeep).
"""

from collections.abc import Mapping

from skillc.core.compile.evidence import SourceRole
from skillc.core.record import Record
from skillc.core.skill.contract import Contract, EvidenceRule, all_citations, contract_fields, iter_claims


class WeakTrace(Record):
    """A cited Trace that no longer carries the lines that cite it. `lines` are (field, claim id)."""

    trace_id: str
    reason: str
    lines: tuple[tuple[str, str], ...]


def weak_traces(contract: Contract, roles: Mapping[str, tuple[SourceRole | None, str]]) -> tuple[WeakTrace, ...]:
    """Returns the cited Traces that may no longer stand where they stand, by id.

    `roles` gives what each Trace may do today, and why it may do nothing. A Trace that is not in it is not here:
    that is no weakening, because nobody said anything about it.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    reasons: dict[str, str] = {}
    rules = {field: declared.rule for field, declared in contract_fields().items()}
    for field, claim in iter_claims(contract):
        known = {c.trace_id: roles[c.trace_id] for c in all_citations(claim) if c.trace_id in roles}
        has_support = any(role is SourceRole.SUPPORT for role, _ in known.values())
        recovery = {c.trace_id for c in getattr(claim, "recovery_citations", ())}
        for trace_id, (role, reason) in known.items():
            if role is SourceRole.SUPPORT:
                continue
            rule = rules[field]
            may_contrast = rule is EvidenceRule.FAILURE or (rule is EvidenceRule.CONTRAST and has_support)
            if role is SourceRole.CONTRAST and may_contrast and trace_id not in recovery:
                continue
            found.setdefault(trace_id, []).append((field, claim.id))
            reasons[trace_id] = reason or "it is verified as a failure now"
    return tuple(WeakTrace(trace_id=t, reason=reasons[t], lines=tuple(lines)) for t, lines in sorted(found.items()))
