"""Lines that people wrote are in every version, whatever a model answers: also when its answers are replayed."""

from functools import cache
from typing import Any

import pytest

from skillc.core.compile.amendment import identities_of
from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.skill.claim import Claim, ClaimBasis, StepClaim
from skillc.core.skill.contract import Contract, iter_claims
from skillc.engines.model.transport import UNAVAILABLE, TransportError
from tests.makers import make_evidence
from tests.model_case import (
    FAMILY,
    MemoryStore,
    ScriptedTransport,
    engine_with,
    judge,
    refunds,
    success,
)
from tests.model_server import ModelServer, honest

MINE = {"basis": ClaimBasis.PERSON, "person": "alice", "citations": ()}


@cache
def original() -> StepClaim:
    """The cited step that the person changed."""
    return judge().changes[0].contract.steps[-1]


def amended(contract: Contract) -> Contract:
    """A person changed the step that moves money and wrote a precondition between cited lines."""
    step = contract.steps[-1]
    own = StepClaim(
        **(step.model_dump() | MINE | {"text": "Call `refund_order` with `<order_id>` and `<payment_id>`, once."})
    )
    rule = Claim(
        id="preconditions-mine", text="The customer has confirmed it.", basis=ClaimBasis.PERSON, person="alice"
    )
    use = Claim(id="use-mine", text="The shop asks for it.", basis=ClaimBasis.PERSON, person="alice")
    steps = (*contract.steps[:-1], own)
    return contract.model_copy(update={"steps": steps, "preconditions": (rule,), "use_when": (use, *contract.use_when)})


def lines_of(contract: Contract) -> list[tuple[str, Claim]]:
    return [(f, c) for f, c in iter_claims(contract) if c.is_persons]


@pytest.fixture(scope="module")
def skill() -> CurrentSkill:
    return CurrentSkill(contract=amended(judge().changes[0].contract), tree="0" * 40)


def evidence(skill: CurrentSkill, number: int = 1) -> Evidence:
    new = success(number, trace_id=f"t-0000001{number}")
    return make_evidence(
        *refunds().sources, new, task_family=FAMILY, current=(skill,), replaced=identities_of("steps", original())
    )


def aliases_of(asked: Any) -> dict[str, list[str]]:
    """The names that the lines of the current Skill were offered under, by field."""
    found: dict[str, list[str]] = {}
    for row in asked.block("Current Skills and their lines:"):
        if "line" in row:
            found.setdefault(row["field"], []).append(row["line"])
    return found


def leaves_them_out(answer: Any, asked: Any) -> Any:
    """Sets every field anew without a person's line, and takes every line that is there away."""
    lines = aliases_of(asked)
    for proposal in answer["proposals"]:
        for edit in proposal["edits"]:
            if edit["path"] != "description":
                edit |= {"action": "set", "removes": lines.get(edit["path"], []), "removal_cites": ["t6.e1"]}
        removal = {"action": "remove", "path": "preconditions", "claims": [], "removes": lines["preconditions"]}
        proposal["edits"].append(removal | {"removal_cites": ["t6.e1"]})
    return answer


def rewords_them(answer: Any, asked: Any) -> Any:
    for proposal in answer["proposals"]:
        for edit in proposal["edits"]:
            for claim in edit["claims"]:
                claim["text"] = claim["text"].replace("Call ", "Never call ").replace("The request", "No request")
    return answer


def claims_to_be_theirs(answer: Any, asked: Any) -> Any:
    for proposal in answer["proposals"]:
        for edit in proposal["edits"]:
            for claim in edit["claims"]:
                claim |= {"basis": "person", "person": "alice"}
    return answer


def merges_them_away(answer: Any, asked: Any) -> Any:
    for proposal in answer["proposals"]:
        proposal |= {"op": "add", "name": "refund-order"}
        proposal.pop("target", None)
    return answer


HOSTILE = [leaves_them_out, rewords_them, claims_to_be_theirs, merges_them_away]


@pytest.mark.parametrize("change", HOSTILE, ids=lambda f: f.__name__)
def test_no_answer_of_a_model_takes_a_persons_line_away_or_makes_one(skill: CurrentSkill, change: Any):
    def behave(asked: Any) -> Any:
        answer = honest(asked)
        return change(answer, asked) if asked.role == "reflector" else answer

    store = MemoryStore()
    judged = judge(behave, evidence(skill), engine_with(behave, store=store))
    replayed = judge(behave, evidence(skill), engine_with(store=store, transport=NoNetwork(ModelServer(behave))))
    assert [c.contract for c in replayed.changes] == [c.contract for c in judged.changes]
    assert judged.changes or change is claims_to_be_theirs
    for made in judged.changes:
        assert lines_of(made.contract) == lines_of(skill.contract)
        assert {e.effect for e in made.contract.effects} >= {e.effect for e in skill.contract.effects}
        assert made.contract.use_when[0] == skill.contract.use_when[0]


class NoNetwork(ScriptedTransport):
    """Only answers that are kept already."""

    def ask(self, request: Any, *, timeout_s: float) -> Any:
        raise TransportError(UNAVAILABLE, "not available")


def test_ten_further_runs_with_new_attempts_keep_them_byte_for_byte(skill: CurrentSkill):
    current, sources, count = skill, list(refunds().sources), 0
    for number in range(10):
        sources.append(success(number % 3, trace_id=f"t-000001{number:02}"))
        hostile = (leaves_them_out, merges_them_away)[number % 2]

        def behave(asked: Any, hostile: Any = hostile) -> Any:
            answer = honest(asked)
            return hostile(answer, asked) if asked.role == "reflector" else answer

        judged = judge(
            behave,
            make_evidence(
                *sources, task_family=FAMILY, current=(current,), replaced=identities_of("steps", original())
            ),
        )
        for made in judged.changes:
            current = CurrentSkill(contract=made.contract, tree=f"{number:040}")
            assert original().text not in [step.text for step in made.contract.steps]
            assert lines_of(current.contract) == lines_of(skill.contract)
            count += 1
    assert count >= 1
