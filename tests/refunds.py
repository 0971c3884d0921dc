"""A small family for tests of the trusted code: three verified refunds, one failure, and a contract of the first two.

Every attempt asks, looks the order up, refunds it and sees it done: `e0` the request, `e1`/`e2` and `e3`/`e4` the two
calls with their results.
"""

from typing import Any

from skillc.core.compile.evidence import CurrentSkill, Evidence, Source
from skillc.core.compile.proposal import (
    ClaimVerdict,
    CuratorDecision,
    Proposal,
    ProposalOperation,
    SkillRef,
    Verdict,
)
from skillc.core.skill.claim import Action, Citation, InputClaim, InputSource, StepClaim
from skillc.core.skill.contract import Contract, Support, iter_claims
from skillc.core.trace.records import Outcome
from tests.makers import call, fails, gives, make_citation, make_claim, make_contract, make_evidence, make_source, user

ONE, TWO, NEW, BAD = "t-00000001", "t-00000002", "t-00000003", "t-00000009"
TREE = "a" * 40


def refund(trace_id: str, *, status: str = "delivered", method: str = "original", said: str = "") -> Source:
    return make_source(
        user(f"please refund my order {said}"),
        call("find_order", {"order": "o"}), gives({"status": status}),
        call("refund", {"order": "o", "method": method}), gives({"done": "yes"}),
        trace_id=trace_id,
    )  # fmt: skip


def failed(trace_id: str = BAD) -> Source:
    return make_source(
        user("please refund my order"), call("refund", {"order": "o"}), fails("not possible"),
        trace_id=trace_id, outcome=Outcome.FAILURE,
    )  # fmt: skip


def refunds(*more: Source, **changes: Any) -> Evidence:
    return make_evidence(refund(ONE), refund(TWO), *more, **changes)


def cites(*events: str, traces: tuple[str, ...] = (ONE, TWO)) -> tuple[Citation, ...]:
    return tuple(make_citation(t, *events) for t in traces)


def line(text: str, id: str, *events: str, traces: tuple[str, ...] = (ONE, TWO), **changes: Any):
    return make_claim(text, id=id, citations=cites(*(events or ("e4",)), traces=traces), **changes)


def step(
    tool: str, event: str, *, id: str | None = None, traces: tuple[str, ...] = (ONE, TWO), **changes: Any
) -> StepClaim:
    arguments = changes.pop("arguments", {"order": "<order>"})
    return StepClaim(
        id=id or f"step-{tool.replace('_', '-')}",
        text=changes.pop("text", f"Call `{tool}` with `<order>`."),
        action=Action(tool=tool, arguments=arguments),
        citations=cites(event, traces=traces),
        **changes,
    )


def order_input(traces: tuple[str, ...] = (ONE, TWO)) -> InputClaim:
    return InputClaim(
        id="input-order", name="order", source=InputSource.USER, text="Stated by the user.",
        citations=cites("e0", "e1", traces=traces),
    )  # fmt: skip


def refund_contract(**changes: Any) -> Contract:
    fields: dict[str, Any] = {
        "description": line("Refunds an order. Use when a refund is asked for.", "description", "e0"),
        "use_when": (line("A refund is asked for.", "use-1", "e0"),),
        "preconditions": (line("`status` is `delivered` in the result of `find_order`.", "pre-1", "e2"),),
        "inputs": (order_input(),),
        "steps": (step("find_order", "e1"), step("refund", "e3")),
        "outputs": (line("The refund.", "out-1"),),
        "support": Support(attempt_families=(ONE, TWO), single_source=False),
    }
    return make_contract(**(fields | changes))


def current(contract: Contract | None = None, tree: str = TREE) -> CurrentSkill:
    return CurrentSkill(contract=contract or refund_contract(), tree=tree)


def proposal(
    contract: Contract | None, operation: ProposalOperation = ProposalOperation.ADD, **changes: Any
) -> Proposal:
    changes.setdefault("base_tree", TREE if operation is ProposalOperation.PATCH else None)
    return Proposal(id=changes.pop("id", "p-1"), operation=operation, contract=contract, **changes)


def verdict(made: Proposal, decision: CuratorDecision, *, unsupported: tuple[str, ...] = (), **changes: Any) -> Verdict:
    """A verdict that supports every claim but those whose ids are named."""
    claims = tuple(
        ClaimVerdict(field=f, claim_id=c.id, supported=c.id not in unsupported)
        for f, c in (iter_claims(made.contract) if made.contract else ())
    )
    return Verdict(**({"proposal_id": made.id, "decision": decision, "claims": claims} | changes))


def ref(skill: CurrentSkill) -> SkillRef:
    return SkillRef(skill_id=skill.contract.skill_id, tree=skill.tree)
