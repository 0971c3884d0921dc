"""The offline alignment, in the form of an answer, passes the reading of answers unchanged."""

import json

from skillc.core.compile.aliases import Aliases, shown_events
from skillc.core.compile.reflector_answer import OfferedSkill, ReflectorAnswer, read_reflector
from skillc.core.policy import Thresholds
from skillc.core.skill.contract import claims_of
from skillc.engines.model.draft import draft_of, offline_contract
from tests.makers import make_evidence
from tests.model_case import judge, refunds

ALIASES = Aliases(shown_events(refunds()))


def test_a_draft_that_is_taken_over_gives_the_offline_lines():
    contract = offline_contract(refunds(), Thresholds(), run="r-1")
    assert contract is not None
    draft = draft_of(contract, refunds(), ALIASES, skill=None)
    answer = read_reflector(json.dumps({"proposals": [draft]}), refunds(), ALIASES, run="r-1")
    assert isinstance(answer, ReflectorAnswer)
    assert answer.dropped == ()
    made = answer.proposals[0].contract
    assert made is not None
    for field in ("description", "use_when", "steps", "inputs", "completion_criteria", "expected_observations"):
        assert [c.text for c in claims_of(made, field)] == [c.text for c in claims_of(contract, field)]


def test_a_draft_for_a_current_skill_is_a_patch_of_it():
    current = judge().changes[0].contract
    from skillc.core.compile.evidence import CurrentSkill

    offered = OfferedSkill(CurrentSkill(contract=current, tree="c" * 40), {})
    draft = draft_of(current, refunds(), ALIASES, skill=("s1", offered))
    assert (draft["op"], draft["target"]) == ("patch", {"skill": "s1", "base_version": "c" * 12})
    assert all(e["path"] not in ("tools", "effects", "inputs") for e in draft["edits"])


def test_without_a_shared_step_there_is_no_draft():
    assert offline_contract(make_evidence(), Thresholds(), run="r-1") is None


def test_a_repeated_step_cites_the_result_that_it_goes_through():
    contract = offline_contract(refunds(), Thresholds(), run="r-1")
    assert contract is not None
    last = contract.steps[-1].model_copy(update={"repeat": "each order in the result of `get_order`"})
    contract = contract.model_copy(update={"steps": (*contract.steps[:-1], last)})
    draft = draft_of(contract, refunds(), ALIASES, skill=None)
    steps = next(e for e in draft["edits"] if e["path"] == "steps")["claims"]
    assert steps[-1]["cites"][:2] == ["t1.e2", "t3.e2"]
    assert "t1.e4" in steps[-1]["cites"]
