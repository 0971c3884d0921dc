"""Rejected lines: what a person's no to one line means for a contract, and for what engines are shown.

A line stays out while no source is new. An input that was rejected takes no step along: its placeholder is said to be
worked out, and only when that is rejected too does the step go with it. Paper: 5.3, Outcome history.
Not here: recording a rejection (lifecycle.reject), which proposals are closed as a whole (core.compile.history).
"""

from collections.abc import Iterable

from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.history import closed_lines, keys_of
from skillc.core.compile.narrow import DroppedLine
from skillc.core.compile.proposal import LossReason, claim_digest
from skillc.core.record import digest_of
from skillc.core.skill.claim import PLACEHOLDER, Claim, InputClaim, InputSource
from skillc.core.skill.contract import Contract, claims_of, iter_claims

WORKED_OUT = "Work it out for the case at hand."
_MAX_ID = 50


def line_digest(field: str, claim: Claim) -> str:
    """Returns the identity of a line for a rejection: its field and words; of an input also which one it is.

    Many inputs say the same words, such as that the user states them: a no to one is no word on the others.
    """
    if isinstance(claim, InputClaim):
        return digest_of([field, claim.name, " ".join(claim.text.split())])
    return claim_digest(field, claim.text)


def rejected_lines(evidence: Evidence) -> frozenset[str]:
    """Returns the identities of the lines that stay out of this run."""
    return closed_lines(evidence.history, sources=keys_of(evidence))


def is_rejected(field: str, claim: Claim, rejected: frozenset[str]) -> bool:
    """Says whether a line was rejected; records from before inputs had names in their identity count by words."""
    if not rejected:
        return False
    return line_digest(field, claim) in rejected or claim_digest(field, claim.text) in rejected


def restated(contract: Contract, rejected: frozenset[str]) -> tuple[Contract, tuple[DroppedLine, ...]]:
    """Returns a contract whose rejected inputs are said to be worked out, and what was said of them before.

    One for which that was rejected too stays as it is: it falls by the checks, and its steps with it.
    """
    lines: list[InputClaim] = []
    gone: list[DroppedLine] = []
    for claim in contract.inputs:
        if is_rejected("inputs", claim, rejected):
            other = _worked_out(claim)
            if not is_rejected("inputs", other, rejected):
                reason = f"rejected by a person: <{claim.name}> is said to be worked out"
                gone.append(DroppedLine(field="inputs", claim_id=claim.id, reason=reason))
                claim = other
        lines.append(claim)
    return (contract.model_copy(update={"inputs": tuple(lines)}) if gone else contract), tuple(gone)


def as_engines_see(evidence: Evidence) -> Evidence:
    """Returns the evidence with the current Skills as a rejection leaves them, so that an engine mends them."""
    rejected = rejected_lines(evidence)
    current = tuple(_restated_skill(c, rejected) for c in evidence.current)
    return evidence if current == evidence.current else evidence.model_copy(update={"current": current})


def has_rejected_line(contracts: Iterable[Contract], rejected: frozenset[str]) -> bool:
    """Says whether a contract still has a line that a person rejected."""
    return any(is_rejected(field, claim, rejected) for c in contracts for field, claim in iter_claims(c))


def reasons_of_losses(current: Contract, successor: Contract, evidence: Evidence) -> tuple[LossReason, ...]:
    """Returns what trusted code knows of why lines of a current Skill go: a person rejected them, or nothing uses them.

    It stands before any reason that an engine gives.
    """
    closed = rejected_lines(evidence)
    used = {name for step in successor.steps for name in PLACEHOLDER.findall(step.model_dump_json())}
    found = []
    for field, claim in iter_claims(current):
        if claim in claims_of(successor, field):
            continue
        reason = ""
        if is_rejected(field, claim, closed):
            reason = "a person rejected this line"
        elif isinstance(claim, InputClaim) and claim.name not in used:
            reason = "no step of the new version uses it"
        if reason:
            found.append(LossReason(skill_id=current.skill_id, field=field, claim_id=claim.id, reason=reason))
    return tuple(found)


def _restated_skill(skill: CurrentSkill, rejected: frozenset[str]) -> CurrentSkill:
    return skill.model_copy(update={"contract": restated(skill.contract, rejected)[0]})


def _worked_out(claim: InputClaim) -> InputClaim:
    key = digest_of([claim.name, WORKED_OUT])[7:15]
    update = {"id": f"{claim.id[:_MAX_ID]}-{key}", "text": WORKED_OUT, "source": InputSource.CHOSEN}
    return claim.model_copy(update=update)
