"""Reflection: one proposal for the task family, from the aligned evidence and the current Skill.

One Skill per family: an existing one is patched, never doubled. Lines that a person rejected stay out while
no new source supports them. Paper: 5.3, Reflector and Outcome history.
Not here: what the lines say (the modules named after the fields), the Curator (engines.offline.curate).
"""

from typing import Any

from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.history import is_closed, keys_of
from skillc.core.compile.proposal import ClaimVerdict, Proposal, ProposalOperation, claim_digest, content_key
from skillc.core.compile.rejected import is_rejected, rejected_lines
from skillc.core.policy import CHARS_PER_TOKEN, MAX_BODY_TOKENS, Thresholds
from skillc.core.record import digest_of
from skillc.core.skill.claim import PLACEHOLDER, Claim, InputClaim, StepClaim
from skillc.core.skill.contract import (
    Contract,
    SkillOrigin,
    Support,
    Validity,
    cited_events,
    claims_of,
    contract_fields,
    skill_id_of,
)
from skillc.core.skill.render import render_agent_view
from skillc.engines.offline.calls import CallKind
from skillc.engines.offline.conditions import preconditions_of, refusals_of
from skillc.engines.offline.contrast import left_out_reads, stop_conditions_of
from skillc.engines.offline.curate import claim_verdicts
from skillc.engines.offline.decisions import decisions_of
from skillc.engines.offline.describe import description_of, effects_of, tools_of, use_when_of
from skillc.engines.offline.environments import environments_of
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.guard import InstanceGuard, OrderGuard, blocked_claims
from skillc.engines.offline.induction import Induction, induce
from skillc.engines.offline.inputs import inputs_of, worked_out
from skillc.engines.offline.names import lines_that_name_too_much, record_tools
from skillc.engines.offline.observe import completion_of, observations_of, outputs_of
from skillc.engines.offline.patch import losses_of, merged
from skillc.engines.offline.request import request_words
from skillc.engines.offline.splits import found_splits, splits_of
from skillc.engines.offline.steps import EVERYTHING, placeholders_in, steps_of
from skillc.engines.offline.wording import claim_id, code, sentence

MAX_CLAIMS = 12
MAX_STEPS = 20
COMMON_SHARE = 0.5  # of the attempt families; Choice, ADR 0020
LIMITS = {"steps": MAX_STEPS, "inputs": 40}


def propose(evidence: Evidence, *, run: str, thresholds: Thresholds) -> tuple[Proposal, ...]:
    """Returns the proposal of a run, or none when nothing is verified or the family shares no step."""
    induction = induce(evidence, thresholds)
    if induction is None:
        return ()
    current = _current(evidence)
    contract = contract_of(induction, run=run, current=current or _former(evidence))
    if contract is None:
        return ()
    if not has_common_step(induction, contract):
        return (_nothing(evidence, run=run, reason=_nothing_in_common(induction)),)
    if current is None:
        if _is_rejected(contract, evidence):
            return ()
        return (_proposal(contract, ProposalOperation.ADD, run=run),)
    patched, fields = merged(current.contract, contract, evidence)
    same_support = patched.support == current.contract.support
    if not fields and same_support:
        return (_no_change(contract, run=run, reason="the evidence gives the same lines"),)
    if _is_rejected(patched, evidence):
        return (_no_change(contract, run=run, reason="the same change was rejected before"),)
    losses = losses_of(current.contract, patched, evidence)
    changes = {"fields": fields, "base_tree": current.tree, "losses": losses}
    return (_proposal(patched, ProposalOperation.PATCH, run=run, **changes),)


def contract_of(induction: Induction, *, run: str, current: CurrentSkill | None) -> Contract | None:
    """Returns the whole contract that the evidence supports; None when no step is left."""
    evidence = induction.evidence
    steps = steps_of(induction)[:MAX_STEPS]
    splits = found_splits(steps, evidence)
    words = request_words(induction)
    closed = rejected_lines(evidence)
    fields: dict[str, Any] = {
        "description": description_of(induction, words, [s for s in steps if is_rejected("steps", s, closed)]),
        "use_when": use_when_of(induction, words),
        "do_not_use_when": refusals_of(induction),
        "preconditions": preconditions_of(induction),
        "decisions": (*splits_of(splits), *decisions_of(induction)),
        "tools": tools_of(induction),
        "environments": environments_of(induction),
        "inputs": inputs_of(induction, placeholders_in(steps), splits),
        "steps": steps,
        "expected_observations": observations_of(induction),
        "outputs": outputs_of(induction),
        "completion_criteria": completion_of(induction),
        "stop_conditions": stop_conditions_of(induction),
        "failure_modes": (*failures_of(induction), *left_out_reads(induction)),
        "effects": effects_of(induction),
    }
    known = current.contract if current is not None else None
    skill_id = known.skill_id if known else skill_id_of(evidence.namespace, evidence.task_family, run)
    contract = Contract(
        skill_id=skill_id,
        name=known.name if known else evidence.task_family,
        task_family=evidence.task_family,
        support=Support(attempt_families=induction.families, single_source=induction.single),
        origin=SkillOrigin(skill_id=skill_id, run=run, group=""),
        validity=Validity(tested_with=_tested_with(induction)),
        **fields,
    )
    kept = _without_blocked_lines(_without_weak_lines(contract, induction), evidence)
    left = _within_limits(naming_what_it_has(kept, induction))
    return _with_cited_support(left, evidence) if left is not None else None


def _with_cited_support(contract: Contract, evidence: Evidence) -> Contract:
    """Counts only the attempt families that the contract really cites."""
    cited = cited_events(contract)
    families = tuple(sorted({s.attempt_family for s in evidence.supports if s.trace_id in cited}))
    return contract.model_copy(update={"support": Support(attempt_families=families, single_source=len(families) == 1)})


def _without_weak_lines(contract: Contract, induction: Induction) -> Contract:
    """Drops lines that were rejected, that their citations do not show, or that keep an instance value.

    One weak line must not cost the whole proposal. An input whose source is not shown is said to be worked
    out; one that no step uses any more goes with its step.
    """
    evidence = induction.evidence
    closed = rejected_lines(evidence)
    guard, order_guard = InstanceGuard(evidence), OrderGuard()
    verdicts: dict[tuple[str, str], tuple[Claim, ClaimVerdict]] = {}
    for final in (False, True):
        weak = {(v.field, v.claim_id) for v in claim_verdicts(evidence, contract, verdicts) if not v.supported}
        orders = order_guard.lines_with_an_order(contract)
        fields: dict[str, Any] = {}
        for field in contract_fields():
            if field == "description":
                continue
            kept: dict[str, Claim] = {}
            for claim in claims_of(contract, field):
                if (closed and claim_digest(field, claim.text) in closed) or (field, claim.id) in orders:
                    continue
                if (field, claim.id) in weak or guard.keeps_instance_value(claim):
                    if not isinstance(claim, InputClaim) or final:
                        continue
                    claim = worked_out(induction.placeholders[claim.name])
                kept.setdefault(claim.id, claim)
            fields[field] = tuple(kept.values())[: LIMITS.get(field, MAX_CLAIMS)]
        fields["steps"] = tuple(_declared(step, {i.name for i in fields["inputs"]}) for step in fields["steps"])
        contract = contract.model_copy(update=fields)
    return contract


def _without_blocked_lines(contract: Contract, evidence: Evidence) -> Contract:
    """Drops lines that the scanner would block: a value of one case must not cost the whole proposal."""
    blocked = blocked_claims(contract, evidence)
    fields = {
        field: tuple(c for c in claims_of(contract, field) if c.id not in blocked)
        for field in contract_fields()
        if field != "description"
    }
    return contract.model_copy(update=fields) if blocked else contract


def naming_what_it_has(contract: Contract, induction: Induction) -> Contract:
    """Drops lines that name a tool or an input that the contract has not, until none does.

    An input is worked out instead, and a loop is one over everything.
    """
    tools = record_tools(induction.attempts)
    while lacking := lines_that_name_too_much(contract, tools):
        fields: dict[str, Any] = {}
        for field in {f for f, _ in lacking}:
            kept = []
            for claim in claims_of(contract, field):
                if (field, claim.id) not in lacking:
                    kept.append(claim)
                elif isinstance(claim, InputClaim):
                    kept.append(worked_out(induction.placeholders[claim.name]))
                elif isinstance(claim, StepClaim) and claim.repeat not in (None, EVERYTHING):
                    kept.append(claim.model_copy(update={"repeat": EVERYTHING}))
            fields[field] = tuple(kept)
        contract = contract.model_copy(update=fields)
    used = placeholders_in(contract.steps)
    return contract.model_copy(update={"inputs": tuple(i for i in contract.inputs if i.name in used)})


def _declared(step: StepClaim, names: set[str]) -> StepClaim:
    """Returns the step without the arguments whose placeholders have no input, and says so by naming none."""
    if step.action is None or placeholders_in((step,)) <= names:
        return step
    kept = {k: v for k, v in step.action.arguments.items() if set(PLACEHOLDER.findall(repr(v))) <= names}
    action = step.action.model_copy(update={"arguments": kept})
    text = step.text
    if not set(PLACEHOLDER.findall(text)) <= names:
        text = sentence(f"Use {code(step.action.operation or step.action.tool)} with what the case needs")
    return step.model_copy(update={"action": action, "text": text, "id": claim_id("steps", text + step.id)})


def _within_limits(contract: Contract) -> Contract | None:
    """Shortens a contract whose agent view would be too long, least needed fields first."""
    if not contract.steps or not contract.use_when:
        return None
    for field in ("outputs", "expected_observations", "decisions", "failure_modes"):
        if len(render_agent_view(contract)) <= MAX_BODY_TOKENS * CHARS_PER_TOKEN:
            break
        contract = contract.model_copy(update={field: claims_of(contract, field)[:3]})
    return contract


def has_common_step(induction: Induction, contract: Contract) -> bool:
    """Says whether a step is the family's: nearly all attempt families take it, or half of them do real work by it."""
    told = {step.action.tool for step in contract.steps if step.action is not None}
    columns = [c for c in induction.columns if c.tool in told]
    return any(not step.optional for step in contract.steps) or any(
        c.share >= COMMON_SHARE and c.kind is not CallKind.LOOK and not induction.is_in_vain(c) for c in columns
    )


def _nothing_in_common(induction: Induction) -> str:
    count = len(induction.families)
    return f"the {count} attempt families have no step in common: what they do differs from case to case"


def _nothing(evidence: Evidence, *, run: str, reason: str) -> Proposal:
    key = digest_of([run, evidence.task_family, ProposalOperation.NONE, reason])
    return Proposal(id=f"p-{key[7:19]}", operation=ProposalOperation.NONE, reasons=(reason,))


def _is_rejected(contract: Contract, evidence: Evidence) -> bool:
    if not evidence.history:
        return False
    return is_closed(evidence.history, content=content_key(contract), sources=keys_of(evidence))


def _no_change(contract: Contract, *, run: str, reason: str) -> Proposal:
    key = digest_of([run, contract.task_family, ProposalOperation.NONE, content_key(contract)])
    return Proposal(id=f"p-{key[7:19]}", operation=ProposalOperation.NONE, reasons=(reason,))


def _tested_with(induction: Induction) -> tuple[str, ...]:
    agents = (a.source.trace.header.agent for a in induction.successes)
    return tuple(sorted({f"{agent.name} ({agent.model})" if agent.model else agent.name for agent in agents}))[:8]


def _current(evidence: Evidence) -> CurrentSkill | None:
    return min(evidence.current, key=lambda c: c.contract.skill_id, default=None)


def _former(evidence: Evidence) -> CurrentSkill | None:
    """The family's Skill that is out of service: it comes back under its own id."""
    return min(evidence.former, key=lambda c: c.contract.skill_id, default=None)


def _proposal(contract: Contract, operation: ProposalOperation, *, run: str, **changes: Any) -> Proposal:
    key = digest_of([run, contract.task_family, operation, content_key(contract)])
    return Proposal(id=f"p-{key[7:19]}", operation=operation, contract=contract, **changes)
