"""What a patch may touch: the fields that new evidence speaks of, and nothing else.

Compared with the current contract by trusted code, whoever wrote the patch and whatever it says that it touches.
Every other field is put back, byte for byte. New is a source that the current version does not cite. A field may
also lose a line that a person rejected, whose evidence is gone, or that new evidence speaks against.
Paper: 5.3, Reflector. Not here: whether the touched lines are supported (the Curator).
"""

from typing import Any

from skillc.core.compile.carrying import carried
from skillc.core.compile.evidence import Evidence, SourceRole
from skillc.core.compile.losses import RETOLD
from skillc.core.compile.narrow import DroppedLine
from skillc.core.compile.proposal import LossReason
from skillc.core.compile.rejected import has_rejected_line, is_rejected, rejected_lines
from skillc.core.record import Record
from skillc.core.skill.claim import Citation, Claim, ClaimBasis
from skillc.core.skill.contract import Contract, all_citations, cited_events, claims_of, contract_fields

# Steps and inputs are one: a step names its inputs.
_TOGETHER = (("steps", "inputs"),)


class Patched(Record):
    """A patch after trusted code looked at it: `fields` are those that really differ from the current version."""

    contract: Contract
    fields: tuple[str, ...]
    put_back: tuple[DroppedLine, ...] = ()


def patched(current: Contract, proposed: Contract, evidence: Evidence, losses: tuple[LossReason, ...] = ()) -> Patched:
    """Returns the patch with every field put back that no new evidence speaks of.

    Identity, name, family and validity stay those of the current version; a person's own lines always stay.
    """
    new = {s.trace_id for s in evidence.sources} - set(cited_events(current))
    fields: dict[str, Any] = {}
    put_back: list[DroppedLine] = []
    proposed = carried(current, proposed, evidence)
    for group in _groups():
        before = {f: claims_of(current, f) for f in group}
        after = {f: claims_of(proposed, f) for f in group}
        if before != after and not any(_is_due(current, f, before[f], after[f], evidence, new, losses) for f in group):
            reason = "no new evidence speaks of this field"
            fallen = [(f, c) for f in group for c in after[f] if c not in before[f]]
            put_back += [DroppedLine(field=f, claim_id=c.id, reason=reason) for f, c in fallen]
            after = before
        fields.update(after)
    touched = tuple(f for f in contract_fields() if fields[f] != claims_of(current, f))
    description = fields.pop("description")
    contract = proposed.model_copy(
        update={
            **fields,
            "description": description[0],
            "skill_id": current.skill_id,
            "name": current.name,
            "task_family": current.task_family,
            "validity": _validity(current, proposed, evidence),
        }
    )
    return Patched(contract=contract, fields=touched, put_back=tuple(put_back))


def _groups() -> tuple[tuple[str, ...], ...]:
    joined = {f for group in _TOGETHER for f in group}
    return (*_TOGETHER, *((f,) for f in contract_fields() if f not in joined))


def _is_due(
    current: Contract,
    field: str,
    before: tuple[Claim, ...],
    after: tuple[Claim, ...],
    evidence: Evidence,
    new: set[str],
    losses: tuple[LossReason, ...],
) -> bool:
    """Says whether something new speaks of the field: for a line that comes, or against a line that goes."""
    coming = [c for c in after if c not in before]
    if any(c.trace_id in new for claim in coming for c in all_citations(claim)):
        return True
    going = [c for c in before if c not in after]
    rejected = rejected_lines(evidence)
    if field in RETOLD and has_rejected_line([current], rejected):
        return True  # it tells the steps anew, and one of those goes by a person's word
    stale = {(line.field, line.claim_id) for s in evidence.stale if s.skill_id == current.skill_id for line in s.lines}
    named = {
        r.claim_id
        for r in losses
        if r.skill_id == current.skill_id and r.field == field and _speaks(r.citations, new, evidence)
    }
    return any(
        is_rejected(field, c, rejected)
        or (field, c.id) in stale
        or c.id in named
        or not _is_citable(field, c, evidence)
        for c in going
    )


def _speaks(citations: tuple[Citation, ...], new: set[str], evidence: Evidence) -> bool:
    """Says whether citations name stored events of a new source, and nothing that is not there."""
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None or any(source.trace.event(e) is None for e in citation.events):
            return False
    return any(c.trace_id in new for c in citations)


def _is_citable(field: str, claim: Claim, evidence: Evidence) -> bool:
    """Says whether what stands behind a line is still here and may still stand there."""
    if claim.basis is not ClaimBasis.EVENTS:
        return True
    for citation in all_citations(claim):
        source = evidence.source(citation.trace_id)
        if source is None or (contract_fields()[field].rule == "success" and source.role is not SourceRole.SUPPORT):
            return False
    return True


def _validity(current: Contract, proposed: Contract, evidence: Evidence) -> Any:
    """The current validity, with the agents of the cited successes that the patch adds to it."""
    agents = set()
    for source in evidence.supports:
        agent = source.trace.header.agent
        agents.add(f"{agent.name} ({agent.model})" if agent.model else agent.name)
    known = set(current.validity.tested_with) | (set(proposed.validity.tested_with) & agents)
    return current.validity.model_copy(update={"tested_with": tuple(sorted(known))[:8]})
