"""Names: whether a contract has every tool and input that its lines name.

A reader who is sent to a tool that the Skill does not list, or given a placeholder without an input, cannot follow
the line. Such a line goes, and an input is worked out instead. Paper: 5.2.
Not here: which tools and inputs a contract has (engines.offline.describe, engines.offline.inputs).
"""

import re
from collections.abc import Iterable

from skillc.core.skill.claim import PLACEHOLDER, Claim, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields
from skillc.engines.offline.calls import Attempt, CallKind

SEE_DECISIONS = "see Decisions."
_CODE = re.compile(r"`([^`]+)`")
# A stop condition may name what the procedure never calls: that it would be needed is the reason to stop.
_MAY_NAME_OTHERS = frozenset(("stop_conditions",))


def record_tools(attempts: Iterable[Attempt]) -> frozenset[str]:
    """Returns the names of all tools that act on records: the words that a line can name one by."""
    return frozenset(c.tool for a in attempts for c in a.calls if c.kind is CallKind.RECORD)


def listed_tools(contract: Contract) -> frozenset[str]:
    """Returns the tools that a contract has: those of its steps, and those that it lists."""
    named = {name for claim in contract.tools for name in _CODE.findall(claim.text)}
    return frozenset(named | {step.action.tool for step in contract.steps if step.action is not None})


def names_what_it_lacks(field: str, claim: Claim, contract: Contract, tools: frozenset[str]) -> bool:
    """Says whether a line names a tool or an input that its contract does not have.

    `tools` are the words that are tools' names (record_tools).
    """
    text = _text_of(claim)
    inputs = {i.name for i in contract.inputs}
    if field == "inputs" and text.endswith(SEE_DECISIONS):
        return not any(set(_CODE.findall(text)) <= set(_CODE.findall(d.text)) for d in contract.decisions)
    if field not in ("inputs", "stop_conditions") and not set(PLACEHOLDER.findall(text)) <= inputs:
        return True
    if field in _MAY_NAME_OTHERS:
        return False
    return not (tools & set(_CODE.findall(text))) <= listed_tools(contract)


def lines_that_name_too_much(contract: Contract, tools: frozenset[str]) -> set[tuple[str, str]]:
    """Returns (field, claim id) of every line that names a tool or an input that the contract does not have."""
    return {
        (field, claim.id)
        for field in contract_fields()
        if field not in ("description", "tools")
        for claim in claims_of(contract, field)
        if names_what_it_lacks(field, claim, contract, tools)
    }


def _text_of(claim: Claim) -> str:
    if isinstance(claim, FailureClaim):
        return f"{claim.text} {claim.recovery or ''}"
    if isinstance(claim, StepClaim):
        return f"{claim.text} {claim.repeat or ''} {claim.action.arguments if claim.action else ''}"
    return claim.text
