"""Sifting: what of a proposal may go on to the scanner and the Curator.

Certain citations are repaired, a patch is brought back to the fields that new evidence speaks of, and lines that
break a rule of their own fall; a rule of the whole contract ends the proposal. What is left was checked again.
Paper: 5.3, Validation. Not here: the rules (core.compile.checks), support (the Curator).
"""

from skillc.core.compile.checks import CheckFailure, check_proposal
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.narrow import DroppedLine, counted, narrowed
from skillc.core.compile.patching import patched
from skillc.core.compile.proposal import Proposal, ProposalOperation
from skillc.core.compile.rejected import rejected_lines, restated
from skillc.core.compile.repair import CitationRepair, repaired
from skillc.core.record import Record
from skillc.core.skill.contract import Contract, OriginNote

_MAX_ROUNDS = 8


class Sifted(Record):
    """A proposal after the trusted checks: `proposal` is None where nothing valid is left, and `failures` say why."""

    proposal: Proposal | None
    dropped: tuple[DroppedLine, ...] = ()
    repairs: tuple[CitationRepair, ...] = ()
    failures: tuple[CheckFailure, ...] = ()


def sift(proposal: Proposal, evidence: Evidence) -> Sifted:
    """Returns what is left of a proposal when every rule holds, and what fell on the way."""
    if proposal.contract is None:
        return Sifted(proposal=proposal)
    contract, repairs = repaired(proposal.contract, evidence)
    contract, restatements = restated(contract, rejected_lines(evidence))
    contract = _with_own_origin(counted(contract, evidence), repairs)
    base = _base_of(proposal, evidence)
    dropped: list[DroppedLine] = list(restatements)
    fields = proposal.fields
    if base is not None:
        patch = patched(base, contract, evidence, proposal.losses)
        contract, fields, dropped = patch.contract, patch.fields, [*restatements, *patch.put_back]
        if not fields and contract.support == base.support:
            failure = CheckFailure(code="no-new-evidence", message="no field of the patch has new evidence")
            return Sifted(proposal=None, dropped=tuple(dropped), repairs=repairs, failures=(failure,))
    first: tuple[CheckFailure, ...] = ()
    for _ in range(_MAX_ROUNDS):
        made = proposal.model_copy(update={"contract": contract, "fields": fields})
        failures = check_proposal(made, evidence)
        first = first or failures
        if not failures:
            return Sifted(proposal=made, dropped=tuple(dropped), repairs=repairs)
        if any(f.field is None or f.claim_id is None for f in failures):
            return Sifted(proposal=None, dropped=tuple(dropped), repairs=repairs, failures=failures)
        weak = {(f.field or "", f.claim_id or ""): f"{f.code}: {f.message}" for f in failures}
        left, fallen = narrowed(contract, weak, evidence, current=base)
        dropped += [f for f in fallen if f not in dropped]
        if left is None or left == contract:
            break
        contract = left
    return Sifted(proposal=None, dropped=tuple(dropped), repairs=repairs, failures=first)


def _with_own_origin(contract: Contract, repairs: tuple[CitationRepair, ...]) -> Contract:
    """An engine says nothing about where a version comes from but its Skill; repairs are noted in the sidecar."""
    notes = tuple(
        OriginNote(kind="repaired", field=r.field, claim_id=r.claim_id, note=f"{r.trace_id}#{r.event}") for r in repairs
    )
    origin = contract.origin.model_copy(update={"replaces": None, "notes": notes or None})
    return contract.model_copy(update={"origin": origin})


def _base_of(proposal: Proposal, evidence: Evidence) -> Contract | None:
    """Returns the version that a patch was made against, when it is the current one under its own name."""
    if proposal.operation is not ProposalOperation.PATCH or proposal.contract is None:
        return None
    for current in evidence.current:
        same = current.contract.skill_id == proposal.contract.skill_id and current.tree == proposal.base_tree
        if same and current.contract.name == proposal.contract.name:
            return current.contract
    return None
