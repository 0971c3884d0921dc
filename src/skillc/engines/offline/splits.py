"""Decisions that tell two constants of a step apart, by the condition that the evidence shows. Paper: 5.2, 5.3.

Not here: finding the condition (core.compile.splitting).
"""

from collections.abc import Iterable

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.splitting import Split, deeds_by_family, split_of
from skillc.core.skill.claim import Citation, Claim, StepClaim
from skillc.core.trace.operation import Effect, effect_of, is_shell
from skillc.engines.offline.wording import claim_id


def splits_of(splits: Iterable[Split]) -> tuple[Claim, ...]:
    """Returns one decision for each argument whose two values a fact separates."""
    claims = (Claim(id=claim_id("decisions", s.text), text=s.text, citations=cited_by(s)) for s in splits)
    return tuple({c.id: c for c in claims}.values())


def cited_by(split: Split) -> tuple[Citation, ...]:
    """Returns the events of both sides: the fact, and what followed from it."""
    return tuple(sorted((c for case in split.cases for c in case.citations), key=lambda c: c.trace_id))


def found_splits(steps: Iterable[StepClaim], evidence: Evidence) -> tuple[Split, ...]:
    """Returns the condition of each argument of a changing step whose two values a fact separates."""
    changing = [a for s in steps if (a := s.action) is not None and not is_shell(a.tool)]
    changing = [a for a in changing if a.arguments and effect_of(a.tool, a.operation) is not Effect.READ]
    deeds = deeds_by_family(evidence) if changing else {}
    splits = (split_of(a.tool, name, evidence, deeds) for a in changing for name in sorted(a.arguments))
    return tuple(s for s in splits if s is not None)
