"""Adherence: whether an attempt did what a Skill says, by its acts alone. Paper: 5.5 (a use is seen in the Trace).

Not here: what failed uses mean for a Skill (core.compile.conflict, lifecycle.upkeep).
"""

from collections.abc import Iterable

from skillc.core.compile.deeds import deeds_of
from skillc.core.compile.evidence import Evidence, Source, StaleLine
from skillc.core.compile.twins import Act
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import Contract
from skillc.core.trace.operation import is_shell

MAX_CITED = 4


def required_acts(contract: Contract) -> tuple[Act, ...]:
    """Returns the acts of the steps that are not optional, in order."""
    return tuple(
        (s.action.tool, s.action.operation or "") for s in contract.steps if s.action is not None and not s.optional
    )


def follows(contract: Contract, source: Source) -> bool:
    """Says whether an attempt did every required act of a Skill, each without an error and in order.

    A Skill without two required acts is followed by anything, so nothing is said of it.
    """
    wanted = list(required_acts(contract))
    if len(wanted) < 2:
        return False
    for deed in deeds_of(source):
        act = (deed.tool, deed.operation if is_shell(deed.tool) else "")
        if wanted and act == wanted[0] and not deed.failed:
            wanted.pop(0)
    return not wanted


def failed_uses(contract: Contract, evidence: Evidence, *, known: Iterable[str]) -> StaleLine | None:
    """Returns the verified failures that did every required step, as a contradicted line; None without any.

    `known` are the Traces that the current version was made from: what it was made with is no news.
    """
    old = set(known)
    found = [s for s in evidence.contrasts if s.trace_id not in old and follows(contract, s)]
    if not found:
        return None
    against = []
    for source in sorted(found, key=lambda s: s.trace_id)[:MAX_CITED]:
        last = deeds_of(source)[-1]
        against.append(Citation(trace_id=source.trace_id, events=last.events))
    succeeded = {s.attempt_family for s in evidence.supports if follows(contract, s)}
    return StaleLine(
        field="steps",
        claim_id=contract.steps[0].id,
        kind="failed-use",
        text="every required step",
        says="every required step was done, and the attempt is a verified failure",
        against=tuple(against),
        agreeing=len(succeeded),
        opposing=len({s.attempt_family for s in found}),
    )
