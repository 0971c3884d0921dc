"""The questions: aliases for ids, data only in quoted blocks, the history in a block of its own, stable parts first."""

import pytest

from skillc.core.compile.evidence import CurrentSkill, PastProposal, StaleLine, StaleSkill
from skillc.core.compile.roles import FamilyQuestion
from skillc.core.policy import ClaudePolicy
from skillc.engines.model.prompts import again, family_request
from tests.engines.model.test_asking import REQUEST
from tests.makers import make_citation
from tests.model_case import SECRETS, judge, refunds

ASKED = judge().server.asked


@pytest.mark.parametrize("asked", ASKED, ids=lambda a: a.role)
def test_no_real_id_of_a_trace_is_in_a_question(asked):
    assert "t-0000000" not in asked.prompt
    assert all(secret not in str(asked.body["system"]) for secret in SECRETS)


def test_the_system_part_is_the_same_for_every_question_of_a_role_and_marked_for_the_cache():
    for role in ("summarizer", "reflector", "curator", "scanner"):
        systems = {str(a.body["system"]) for a in ASKED if a.role == role}
        assert len(systems) == 1
        assert "cache_control" in systems.pop()


def test_the_curator_is_not_told_which_claims_are_canaries():
    claims = next(a for a in ASKED if a.role == "curator").block("Claims:")
    for field in {c["field"] for c in claims}:
        assert len({frozenset(c) for c in claims if c["field"] == field}) == 1, "all of a field look alike"
    assert all("action" in c for c in claims if c["field"] == "steps")
    assert {c["proposal"] for c in claims} == {"p1"}
    assert all(c["cites"] for c in claims)


def test_a_rejected_proposal_is_told_in_the_history_block_without_its_words():
    past = PastProposal(run="r-canary", proposal="p-canary", outcome="human-rejected", content="sha256:canary")
    asked = next(a for a in judge(evidence=refunds(history=(past,))).server.asked if a.role == "reflector")
    (row,) = asked.block("Outcome history: earlier proposals that people did not take:")
    assert row == {"outcome": "human-rejected", "whole": True}
    assert "canary" not in asked.prompt


def test_the_current_skill_is_offered_with_aliases_for_its_lines():
    current = CurrentSkill(contract=judge().changes[0].contract, tree="d" * 40)
    asked = next(a for a in judge(evidence=refunds(current=(current,))).server.asked if a.role == "reflector")
    head, *lines = asked.block("Current Skills and their lines:")
    assert head["base_version"] == "d" * 12
    assert lines[0]["line"] == "l1"
    assert asked.draft["op"] == "patch"


def test_lines_that_new_attempts_speak_against_are_told_with_their_events():
    contract = judge().changes[0].contract
    claim = contract.completion_criteria[0]
    line = StaleLine(
        field="completion_criteria", claim_id=claim.id, kind="value", text=claim.text, says="another",
        against=(make_citation("t-00000002", "e5"),), agreeing=1, opposing=1,
    )  # fmt: skip
    stale = StaleSkill(skill_id=contract.skill_id, skill=contract.name, tree="d" * 40, lines=(line,))
    evidence = refunds(current=(CurrentSkill(contract=contract, tree="d" * 40),), stale=(stale,))
    asked = next(a for a in judge(evidence=evidence).server.asked if a.role == "reflector")
    (row,) = asked.block("Lines that new attempts speak against:")
    assert (row["skill"], row["against"]) == ("s1", ["t3.e5"])
    assert row["line"].startswith("l")


def test_a_second_question_says_what_was_wrong_and_nothing_of_the_answer():
    found = again(REQUEST, "the answer is JSON, but not an object")
    assert found.digest != REQUEST.digest
    assert "not an object" in found.blocks[-1].text


def test_a_family_scorer_sees_objective_summary_and_names_alone():
    question = FamilyQuestion(
        trace_id="t-00000001",
        objective="Refund it",
        summary=("Looked.",),
        names=("get_order",),
        families=(("refunds", "x"),),
    )
    request = family_request(ClaudePolicy(), question)
    text = "".join(b.text for b in request.blocks)
    assert "Refund it" in text
    assert "t-00000001" not in text
