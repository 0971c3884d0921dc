"""Reflection: one proposal for the task family, from the aligned evidence and the current Skill.

One Skill per family: an existing one is patched, never doubled. Lines that a person rejected stay out while no
new source supports them. Paper: 5.3, Reflector and Outcome history.
Not here: what the lines say (the modules named after the fields), the Curator (engines.offline.curate).
"""

from collections.abc import Iterable
from typing import Any

from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.proposal import Proposal, ProposalOperation, claim_digest, content_key
from skillc.core.policy import Thresholds
from skillc.core.record import digest_of
from skillc.core.skill.claim import Claim
from skillc.core.skill.contract import (
    Contract,
    SkillOrigin,
    Support,
    Validity,
    claims_of,
    contract_fields,
    skill_id_of,
)
from skillc.engines.offline.conditions import decisions_of, preconditions_of
from skillc.engines.offline.describe import description_of, effects_of, tools_of, use_when_of
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import Induction, induce
from skillc.engines.offline.inputs import inputs_of
from skillc.engines.offline.observe import completion_of, observations_of, outputs_of
from skillc.engines.offline.steps import placeholders_in, steps_of

MAX_CLAIMS = 12
MAX_STEPS = 20


def propose(evidence: Evidence, *, run: str, thresholds: Thresholds) -> tuple[Proposal, ...]:
    """Returns the proposal of a run, or none when nothing is verified or the family shares no step."""
    induction = induce(evidence, thresholds)
    if induction is None:
        return ()
    current = _current(evidence)
    contract = contract_of(induction, run=run, current=current)
    if contract is None:
        return ()
    return (_proposal(contract, ProposalOperation.ADD, run=run),)


def contract_of(induction: Induction, *, run: str, current: CurrentSkill | None) -> Contract | None:
    """Returns the whole contract that the evidence supports; None when no step is left."""
    evidence = induction.evidence
    steps = steps_of(induction)[:MAX_STEPS]
    fields: dict[str, Any] = {
        "description": description_of(induction),
        "use_when": use_when_of(induction),
        "preconditions": preconditions_of(induction),
        "decisions": decisions_of(induction),
        "tools": tools_of(induction),
        "inputs": inputs_of(induction, placeholders_in(steps)),
        "steps": steps,
        "expected_observations": observations_of(induction),
        "outputs": outputs_of(induction),
        "completion_criteria": completion_of(induction),
        "failure_modes": failures_of(induction),
        "effects": effects_of(induction),
    }
    if not steps:
        return None
    known = current.contract if current is not None else None
    skill_id = known.skill_id if known else skill_id_of(evidence.namespace, evidence.task_family, run)
    return Contract(
        skill_id=skill_id,
        name=known.name if known else evidence.task_family,
        task_family=evidence.task_family,
        support=Support(attempt_families=induction.families, single_source=induction.single),
        origin=SkillOrigin(skill_id=skill_id, run=run, group=""),
        validity=Validity(tested_with=_tested_with(induction)),
        **fields,
    )


def _tested_with(induction: Induction) -> tuple[str, ...]:
    agents = (a.source.trace.header.agent for a in induction.successes)
    return tuple(sorted({f"{agent.name} ({agent.model})" if agent.model else agent.name for agent in agents}))[:8]


def _current(evidence: Evidence) -> CurrentSkill | None:
    return min(evidence.current, key=lambda c: c.contract.skill_id, default=None)


def _proposal(contract: Contract, operation: ProposalOperation, *, run: str, **changes: Any) -> Proposal:
    key = digest_of([run, contract.task_family, operation, content_key(contract)])
    return Proposal(id=f"p-{key[7:19]}", operation=operation, contract=contract, **changes)


__all__ = ["Claim", "Iterable", "claim_digest", "claims_of", "contract_fields", "contract_of", "propose"]
