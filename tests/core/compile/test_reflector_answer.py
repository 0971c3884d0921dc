"""Proposals of a model: what is computed, what a patch touches, and that one bad item costs itself."""

import copy
import json
from typing import Any

from skillc.core.compile.aliases import Aliases, shown_events
from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.evidence import CurrentSkill
from skillc.core.compile.proposal import ProposalOperation
from skillc.core.compile.reflector_answer import ReflectorAnswer, offered_skills, read_reflector
from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import claims_of, contract_fields
from tests.makers import make_claim
from tests.model_case import edit_of, judge, refunds

DRAFT = next(a for a in judge().server.asked if a.role == "reflector").draft
CURRENT = CurrentSkill(contract=judge().changes[0].contract, tree="b" * 40)


def read(proposals: Any, **changes: Any) -> ReflectorAnswer:
    evidence = refunds(**changes)
    found = read_reflector(json.dumps({"proposals": proposals}), evidence, Aliases(shown_events(evidence)), run="r-1")
    assert isinstance(found, ReflectorAnswer)
    return found


def patch(*edits: dict[str, Any], **changes: Any) -> dict[str, Any]:
    target = {"skill": "s1", "base_version": "b" * 12}
    return {
        "op": "patch",
        "proposal_key": "p1",
        "target": target,
        "edits": list(edits),
        "placeholders": [],
        "reason": "",
    } | changes


def edit(path: str, *texts: str, action: str = "set", removes: tuple[str, ...] = ()) -> dict[str, Any]:
    claims = [{"claim_id": f"k{n}", "text": t, "cites": ["t3.e5"]} for n, t in enumerate(texts)]
    return {"action": action, "removes": list(removes), "removal_cites": [], "path": path, "claims": claims}


def test_an_addition_has_computed_support_tools_effects_and_ids():
    (proposal,) = read([DRAFT]).proposals
    contract = proposal.contract
    assert contract is not None
    assert contract.support.attempt_families == ("t-00000001", "t-00000002", "t-00000003")
    assert [e.effect.value for e in contract.effects] == ["read", "money"]
    assert contract.origin.run == "r-1"


def test_the_fields_of_an_answer_are_checked_before_its_items():
    aliases = Aliases({})
    for text in ("{}", '{"proposals": {}}', '{"proposals": [], "more": 1}', "[]"):
        assert isinstance(read_reflector(text, refunds(), aliases, run="r-1"), AnswerProblem)
    assert read(["text", {"op": "destroy"}, {"op": ["add"]}, None]).proposals == ()


def test_no_change_is_a_proposal_of_none():
    (proposal,) = read([{"op": "none", "proposal_key": "p1", "reason": "secret reason"}]).proposals
    assert proposal.operation is ProposalOperation.NONE
    assert "secret" not in proposal.model_dump_json()


def test_a_patch_leaves_every_other_field_as_it_was_byte_for_byte():
    (proposal,) = read([patch(edit("outputs", "A result with `status`."))], current=(CURRENT,)).proposals
    assert proposal.base_tree == CURRENT.tree
    assert proposal.fields == ("outputs",)
    assert proposal.contract is not None
    for field in contract_fields():
        if field != "outputs":
            assert claims_of(proposal.contract, field) == claims_of(CURRENT.contract, field)


def test_append_keeps_the_lines_that_are_there_and_remove_takes_the_named_ones():
    (made,) = read([patch(edit("completion_criteria", "A second one.", action="append"))], current=(CURRENT,)).proposals
    assert made.contract is not None
    before = CURRENT.contract.completion_criteria
    assert made.contract.completion_criteria[: len(before)] == before
    assert len(made.contract.completion_criteria) == len(before) + 1
    line = next(
        a
        for a, (f, _) in offered_skills(refunds(current=(CURRENT,)))["s1"].lines.items()
        if f == "expected_observations"
    )
    (gone,) = read(
        [patch(edit("expected_observations", action="remove", removes=(line,)))], current=(CURRENT,)
    ).proposals
    assert gone.contract is not None
    assert gone.contract.expected_observations == ()
    wrong = read([patch(edit("outputs", action="remove", removes=(line, "l999")))], current=(CURRENT,))
    assert wrong.proposals == ()


def test_unchanged_words_keep_their_line_and_a_persons_line_stays():
    own = make_claim("Ask the till first.", id="own", citations=(), basis=ClaimBasis.PERSON)
    contract = CURRENT.contract.model_copy(update={"completion_criteria": (*CURRENT.contract.completion_criteria, own)})
    current = CurrentSkill(contract=contract, tree="b" * 40)
    text = contract.completion_criteria[0].text
    (made,) = read([patch(edit("completion_criteria", text, "Something new."))], current=(current,)).proposals
    assert made.contract is not None
    found = made.contract.completion_criteria
    assert found[0].id == contract.completion_criteria[0].id
    assert own in found
    lines = offered_skills(refunds(current=(current,)))["s1"].lines
    alias = next(a for a, (_, claim_id) in lines.items() if claim_id == "own")
    removed = read([patch(edit("completion_criteria", action="remove", removes=(alias,)))], current=(current,))
    assert removed.proposals == ()


def test_a_patch_that_changes_nothing_is_no_proposal():
    answer = read([patch(edit("outputs"))], current=(CURRENT,))
    assert answer.proposals == ()
    assert answer.dropped[-1].reason == "changes nothing"


def test_undeclared_and_unused_placeholders_fall():
    draft = copy.deepcopy(DRAFT)
    edit_of({"proposals": [draft]}, "steps")["claims"][0]["text"] = "Call `get_order` for <somebody>."
    draft["placeholders"].append({"name": "unused", "meaning": "Nothing.", "source": "user", "source_ref": ["t1.e0"]})
    answer = read([draft])
    reasons = {d.reason for d in answer.dropped}
    assert {"undeclared-input", "declares a placeholder that no line uses"} <= reasons
    (proposal,) = answer.proposals
    assert proposal.contract is not None
    assert len(proposal.contract.steps) == 1


def test_reasons_of_a_proposal_say_what_was_left_out_and_repaired_in_our_words():
    draft = copy.deepcopy(DRAFT)
    claims = edit_of({"proposals": [draft]}, "completion_criteria")["claims"]
    claims[0]["cites"] = ["T1.e5"]
    claims.append({"claim_id": "k7", "text": "Secret words.", "cites": ["t9.e9"]})
    (proposal,) = read([draft]).proposals
    assert any(r.startswith("citation repaired: e5 of t-00000001") for r in proposal.reasons)
    assert any(r.startswith("left out: ") for r in proposal.reasons)
    assert "Secret" not in "".join(proposal.reasons)


def other_skill() -> CurrentSkill:
    stop = make_claim(
        "Stop when the order is not delivered.", id="stop-1", citations=CURRENT.contract.steps[0].citations
    )
    contract = CURRENT.contract.model_copy(
        update={
            "skill_id": "s-zzzzzzzzzzzz",
            "name": "refund-again",
            "stop_conditions": (stop,),
            "origin": CURRENT.contract.origin.model_copy(update={"skill_id": "s-zzzzzzzzzzzz"}),
        }
    )
    return CurrentSkill(contract=contract, tree="c" * 40)


def test_a_merge_keeps_the_lines_of_all_its_skills_and_names_them():
    targets = [{"skill": "s1", "base_version": "b" * 12}, {"skill": "s2", "base_version": "c" * 12}]
    merge = {"op": "merge", "proposal_key": "p1", "targets": targets, "edits": [], "placeholders": [], "reason": ""}
    (made,) = read([merge], current=(CURRENT, other_skill())).proposals
    assert made.operation is ProposalOperation.MERGE
    assert [t.tree for t in made.targets] == ["b" * 40, "c" * 40]
    assert made.contract is not None
    assert made.contract.skill_id == CURRENT.contract.skill_id
    assert [c.id for c in made.contract.stop_conditions] == ["stop-1"]
    twice = merge | {"targets": [targets[0], targets[0]]}
    assert read([twice], current=(CURRENT, other_skill())).proposals == ()


def test_a_conflict_cites_both_sides_and_names_the_line():
    lines = offered_skills(refunds(current=(CURRENT,)))["s1"].lines
    alias = next(a for a, (field, _) in lines.items() if field == "completion_criteria")
    says = {"claim_id": "k1", "text": "The result shows another `status`.", "cites": ["t3.e5"]}
    conflict = {
        "op": "conflict",
        "proposal_key": "p1",
        "target": {"skill": "s1", "base_version": "b" * 12},
        "field": "completion_criteria",
        "line": alias,
        "says": says,
        "reason": "",
    }
    (made,) = read([conflict], current=(CURRENT,)).proposals
    assert made.conflict is not None
    assert made.conflict.sides[0].citations == CURRENT.contract.completion_criteria[0].citations
    assert made.conflict.sides[1].citations[0].trace_id == "t-00000002"
    for change in ({"line": "l99"}, {"field": "outputs"}, {"says": says | {"cites": ["t9.e9"]}}):
        assert read([conflict | change], current=(CURRENT,)).proposals == ()


def test_a_removed_line_carries_the_events_that_speak_against_it():
    lines = offered_skills(refunds(current=(CURRENT,)))["s1"].lines
    alias = next(a for a, (field, _) in lines.items() if field == "expected_observations")
    gone = edit("expected_observations", action="remove", removes=(alias,)) | {"removal_cites": ["t3.e5"]}
    (made,) = read([patch(gone)], current=(CURRENT,)).proposals
    (loss,) = made.losses
    assert loss.reason
    assert loss.citations[0].events == ("e5",)
