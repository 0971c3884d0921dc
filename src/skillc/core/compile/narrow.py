"""Narrowing: what is left of a proposed contract when single lines fall away.

A line that is not supported takes away its own change and nothing else: a new line is dropped, a changed one
becomes the current line again. Lines that hang on it follow; support is counted anew. No text is ever cut or
written here. Paper: 5.3, Curator. Not here: why a line falls (core.compile.checks, core.compile.decision).
"""

from collections.abc import Mapping
from typing import Any

from skillc.core.compile.evidence import Evidence
from skillc.core.record import Record, strings_in
from skillc.core.skill.claim import PLACEHOLDER, Claim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, Support, cited_events, claims_of, contract_fields

Line = tuple[str, str]  # field, claim id


class DroppedLine(Record):
    """A proposed line that did not stay, and why."""

    field: str
    claim_id: str
    reason: str


def narrowed(
    contract: Contract, weak: Mapping[Line, str], evidence: Evidence, *, current: Contract | None = None
) -> tuple[Contract | None, tuple[DroppedLine, ...]]:
    """Returns the contract without the weak lines, and what fell; None when no valid contract is left.

    Args:
        weak: (field, claim id) -> why the line must not stay.
        current: the version that a patch starts from; its lines come back where their changes fall.
    """
    fields: dict[str, tuple[Claim, ...]] = {}
    fallen: list[DroppedLine] = []
    for field in contract_fields():
        before = claims_of(current, field) if current is not None else ()
        kept, gone = _kept(field, claims_of(contract, field), before, weak)
        fallen += gone
        fields[field] = kept
    fallen += _settle_inputs(fields, current)
    description = fields.pop("description")
    if not description or not fields["use_when"] or not fields["steps"]:
        return None, tuple(fallen)
    update: dict[str, Any] = {**fields, "description": description[0]}
    return counted(contract.model_copy(update=update), evidence), tuple(fallen)


def counted(contract: Contract, evidence: Evidence) -> Contract:
    """Returns the contract with the support that its citations give: the verified attempt families behind it."""
    cited = cited_events(contract)
    families = tuple(sorted({s.attempt_family for s in evidence.supports if s.trace_id in cited}))
    support = Support(attempt_families=families, single_source=len(families) == 1)
    return contract if support == contract.support else contract.model_copy(update={"support": support})


def placeholders_of(step: StepClaim) -> set[str]:
    """Returns the names of the placeholders that a step's text and arguments use."""
    found = set(PLACEHOLDER.findall(step.text))
    if step.action is not None:
        for text in strings_in(step.action.arguments):
            found.update(PLACEHOLDER.findall(text))
    return found


def _kept(
    field: str, claims: tuple[Claim, ...], before: tuple[Claim, ...], weak: Mapping[Line, str]
) -> tuple[tuple[Claim, ...], list[DroppedLine]]:
    known = {c.id: c for c in before}
    kept: list[Claim] = []
    fallen: list[DroppedLine] = []
    for claim in claims:
        reason = weak.get((field, claim.id))
        if reason is None or known.get(claim.id) == claim:
            kept.append(claim)
            continue
        fallen.append(DroppedLine(field=field, claim_id=claim.id, reason=reason))
        if claim.id in known:
            kept.append(known[claim.id])
    if fallen and not kept:
        kept = list(before)
    return tuple(kept), fallen


def _settle_inputs(fields: dict[str, tuple[Claim, ...]], current: Contract | None) -> list[DroppedLine]:
    """Makes steps and inputs agree: an input comes back with its step, a step goes with its input, and a new input
    that no line uses goes too."""
    declared = {c.name: c for c in fields["inputs"] if isinstance(c, InputClaim)}
    old = {c.name: c for c in current.inputs} if current is not None else {}
    own = claims_of(current, "steps") if current is not None else ()
    fallen: list[DroppedLine] = []
    steps: list[Claim] = []
    for step in fields["steps"]:
        assert isinstance(step, StepClaim)
        missing = sorted(placeholders_of(step) - set(declared))
        if missing and step in own and all(name in old for name in missing):
            declared |= {name: old[name] for name in missing}
        elif missing:
            reason = f"the placeholder <{missing[0]}> has no input"
            fallen.append(DroppedLine(field="steps", claim_id=step.id, reason=reason))
            continue
        steps.append(step)
    used = {name for step in steps if isinstance(step, StepClaim) for name in placeholders_of(step)}
    texts = (c.text for field, claims in fields.items() if field not in ("steps", "inputs") for c in claims)
    used.update(name for text in texts for name in PLACEHOLDER.findall(text))
    used.update(name for name, claim in declared.items() if claim == old.get(name))
    for name, claim in sorted(declared.items()):
        if name not in used:
            fallen.append(DroppedLine(field="inputs", claim_id=claim.id, reason="no line uses it"))
    fields["steps"] = tuple(steps)
    fields["inputs"] = tuple(c for name, c in declared.items() if name in used)
    return fallen
