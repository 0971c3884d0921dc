"""Decisions that tell two constants of a step apart, by the condition that the evidence shows. Paper: 5.2, 5.3.

Not here: finding the condition (core.compile.splitting).
"""

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.splitting import deeds_by_family, split_of
from skillc.core.skill.claim import Claim, StepClaim
from skillc.core.trace.operation import Effect, effect_of, is_shell
from skillc.engines.offline.wording import claim_id


def splits_of(steps: tuple[StepClaim, ...], evidence: Evidence) -> tuple[Claim, ...]:
    """Returns one decision for each argument of a changing step whose two values a fact separates."""
    found = []
    deeds = deeds_by_family(evidence)
    for step in steps:
        action = step.action
        if action is None or is_shell(action.tool) or effect_of(action.tool, action.operation) is Effect.READ:
            continue
        for argument in sorted(action.arguments):
            split = split_of(action.tool, argument, evidence, deeds)
            if split is not None:
                citations = tuple(c for case in split.cases for c in case.citations)
                ordered = tuple(sorted(citations, key=lambda c: c.trace_id))
                found.append(Claim(id=claim_id("decisions", split.text), text=split.text, citations=ordered))
    return tuple({c.id: c for c in found}.values())
