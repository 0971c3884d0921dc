"""Near-duplicates of two families become one proposal with the evidence of both, and no others do."""

import pytest

from skillc.core.compile.checks import check_contract
from skillc.core.compile.decision import decide
from skillc.core.compile.duplicates import merge_proposal, near_duplicates
from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.proposal import CuratorDecision
from skillc.core.compile.twins import is_near_duplicate, similarity
from skillc.core.policy import Thresholds
from skillc.core.skill.contract import ChangeKind, SkillOrigin, Support
from skillc.engines.offline.reflect import propose
from tests.corpora import airline_sources
from tests.makers import make_evidence
from tests.refunds import (
    NEW,
    ONE,
    TWO,
    cites,
    current,
    line,
    order_input,
    refund,
    refund_contract,
    refunds,
    step,
    verdict,
)

OTHER_ID = "s-fedcba9876543210"


def other(**changes) -> CurrentSkill:
    fields = {
        "skill_id": OTHER_ID, "name": "money-back", "task_family": "money-back",
        "origin": SkillOrigin(skill_id=OTHER_ID, run="r-0", group=""),
        "description": line("Gives money back.", "description", "e0", traces=(NEW,)),
        "use_when": (line("Money is wanted back.", "use-1", "e0", traces=(NEW,)),),
        "inputs": (order_input((NEW,)),),
        "steps": (step("find_order", "e1", traces=(NEW,)), step("refund", "e3", traces=(NEW,))),
        "preconditions": (),
        "outputs": (line("The refund.", "o-9", traces=(NEW,)),),
        "support": Support(attempt_families=(NEW,), single_source=True),
    }  # fmt: skip
    return current(refund_contract(**(fields | changes)), "b" * 40)


def test_two_families_that_change_the_same_by_the_same_steps_are_a_pair():
    assert near_duplicates([other(), current()]) == ((current(), other()),)


def test_one_family_another_change_or_a_taken_partner_is_no_pair():
    assert near_duplicates([current(), other(task_family="some-family")]) == ()
    changed = (step("find_order", "e1"), step("cancel_order", "e3"))
    assert near_duplicates([current(), other(steps=changed)]) == ()
    third = other(skill_id="s-0000000000000003", task_family="third")
    assert len(near_duplicates([current(), other(), third])) == 1


def test_the_successor_has_every_line_of_both_with_its_evidence():
    evidence = refunds(refund(NEW), current=(current(), other()))
    made = merge_proposal(current(), other(), evidence, run="r-1")
    assert check_contract(made.contract, evidence) == ()
    assert [c.text for c in made.contract.use_when] == ["A refund is asked for.", "Money is wanted back."]
    assert made.contract.outputs[0].citations == cites("e4", traces=(ONE, TWO, NEW))
    assert made.contract.support.attempt_families == (ONE, TWO, NEW)
    found = decide(evidence, made, verdict(made, CuratorDecision.MERGE))
    assert found.change.kind is ChangeKind.MERGE
    assert [r.skill for r in found.change.removes] == ["money-back"]
    assert found.change.lost == ()


def airline_contract(tool: str, part: slice):
    sources = [s for s in airline_sources() if any(e.tool == tool for e in s.trace.events)]
    families = sorted({s.attempt_family for s in sources})[part]
    evidence: Evidence = make_evidence(
        *(s for s in sources if s.attempt_family in families), task_family=tool.replace("_", "-")
    )
    return next(p.contract for p in propose(evidence, run="r", thresholds=Thresholds()) if p.contract)


def test_real_contracts_of_two_kinds_of_task_are_no_duplicates():
    kinds = ["send_certificate", "update_reservation_flights", "transfer_to_human_agents"]
    whole = {tool: airline_contract(tool, slice(None)) for tool in kinds}
    for number, tool in enumerate(kinds):
        for another in kinds[number + 1 :]:
            assert not is_near_duplicate(whole[tool], whole[another])
            assert similarity(whole[tool], whole[another]) < 0.8


@pytest.mark.parametrize("family", ["some-family", "money-back"])
def test_the_order_of_skills_does_not_matter(family: str):
    assert near_duplicates([current(), other()]) == near_duplicates([other(), current()])
    assert near_duplicates([current()]) == ()
