"""Applicability within the evidence: a Skill acts with no tool that its cited Traces do not show.

A person's own line stands on the person's word. Paper: 5.4, Admission gates; 5.3, Validation.
Not here: the stricter rules of a single source (core.compile.checks).
"""

from collections.abc import Iterable, Iterator

from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import Contract, cited_events
from skillc.core.trace.codec import Trace


def outside_evidence(contract: Contract, traces: Iterable[Trace]) -> Iterator[str]:
    """Yields `<skill> <field> <id>` of every step whose tool no cited Trace used."""
    cited = cited_events(contract)
    tools = {e.tool for t in traces if t.trace_id in cited for e in t.events if e.tool}
    for step in contract.steps:
        is_own = step.basis not in (ClaimBasis.PERSON, ClaimBasis.PUBLISHED)
        if is_own and step.action is not None and step.action.tool not in tools:
            yield f"{contract.name} steps {step.id}"
