"""The offline engine's alignment in the form of a Reflector's answer, so that a model's citations start correct.

A model may take lines over, word them better or leave them out; what it writes passes the same checks as if there
had been no draft. Not here: the induction (engines.offline), reading an answer (core.compile.reflector_answer).
"""

import json
from typing import Any

from skillc.core.compile.aliases import Aliases
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.reflector_answer import OfferedSkill
from skillc.core.policy import Thresholds
from skillc.core.skill.claim import Citation, Claim, FailureClaim, InputClaim, InputSource, StepClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields, event_order
from skillc.core.trace.records import EventKind
from skillc.engines.model.evidence_text import pairs_of
from skillc.engines.offline.induction import induce
from skillc.engines.offline.reflect import contract_of

_ASKED = ("tools", "effects", "inputs", "description")
_SOURCES = {
    InputSource.USER: "user",
    InputSource.STEP: "tool_result",
    InputSource.CONSTANT: "constant",
    InputSource.CHOSEN: "agent_choice",
}
MAX_CITES = 8


def offline_contract(evidence: Evidence, thresholds: Thresholds, *, run: str) -> Contract | None:
    """Returns the contract that the offline engine would write, or None when the attempts share no step."""
    induction = induce(evidence, thresholds)
    return contract_of(induction, run=run, current=None) if induction is not None else None


def draft_of(
    contract: Contract, evidence: Evidence, aliases: Aliases, *, skill: tuple[str, OfferedSkill] | None
) -> dict[str, Any]:
    """Returns a contract as a Reflector could propose it: an addition, or a patch of the offered Skill."""
    edits = []
    for field in contract_fields():
        if field in _ASKED and field != "description":
            continue
        claims = [
            _claim(claim, number, evidence, aliases) for number, claim in enumerate(claims_of(contract, field), 1)
        ]
        kept = [claim for claim in claims if claim is not None and claim["cites"]]
        if kept:
            edits.append({"action": "set", "removes": [], "removal_cites": [], "path": field, "claims": kept})
    placeholders = [p for claim in contract.inputs if (p := _placeholder(claim, aliases))["source_ref"]]
    body = {"proposal_key": "p1", "edits": edits, "placeholders": placeholders, "reason": "the offline alignment"}
    if skill is None:
        return {"op": "add", "name": contract.name, **body}
    alias, offered = skill
    return {"op": "patch", "target": {"skill": alias, "base_version": offered.version}, **body}


def _claim(claim: Claim, number: int, evidence: Evidence, aliases: Aliases) -> dict[str, Any]:
    if isinstance(claim, StepClaim) and claim.repeat:
        claim = claim.model_copy(update={"citations": (*_repeated_for(claim, evidence), *claim.citations)})
    row: dict[str, Any] = {"claim_id": f"k{number}", "text": claim.text, "cites": _cites(claim.citations, aliases)}
    if isinstance(claim, StepClaim):
        action = claim.action
        row |= {
            "tool": action.tool if action else "",
            "operation": (action.operation or "") if action else "",
            "arguments": [{"name": n, "value": _value(v)} for n, v in (action.arguments if action else {}).items()],
            "optional": claim.optional,
            "repeat": claim.repeat or "",
        }
    if isinstance(claim, FailureClaim):
        row |= {
            "recovery": claim.recovery or "",
            "recovery_cites": _cites(claim.recovery_citations, aliases),
        }
    return row


def _repeated_for(claim: StepClaim, evidence: Evidence) -> list[Citation]:
    """Returns the earlier results that a repeated step goes through, so that the line cites what it says."""
    found = []
    for citation in claim.citations[:3]:
        source = evidence.source(citation.trace_id)
        if source is None:
            continue
        first = min(map(event_order, citation.events))
        results = [
            e.id
            for e in source.trace.events
            if e.kind is EventKind.TOOL_RESULT and e.tool and f"`{e.tool}`" in (claim.repeat or "")
        ]
        earlier = [e for e in results if event_order(e) < first]
        if earlier:
            found.append(Citation(trace_id=citation.trace_id, events=(earlier[-1],)))
    return found


def _placeholder(claim: InputClaim, aliases: Aliases) -> dict[str, Any]:
    return {
        "name": claim.name,
        "meaning": claim.text,
        "source": _SOURCES[claim.source],
        "source_ref": _cites(claim.citations, aliases),
    }


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _cites(citations: tuple[Citation, ...], aliases: Aliases) -> list[str]:
    found = [aliases.of_event(trace_id, event_id) for trace_id, event_id in pairs_of(citations)]
    return [alias for alias in found if alias is not None][:MAX_CITES]
