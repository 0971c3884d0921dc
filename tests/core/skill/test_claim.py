"""Claims and citations: what cannot be a statement with evidence is refused before anything reads it."""

import pytest
from pydantic import ValidationError

from skillc.core.skill.claim import (
    MAX_CLAIM_CHARS,
    Action,
    Citation,
    Claim,
    ClaimBasis,
    FailureClaim,
    InputClaim,
    InputSource,
    StepClaim,
)
from tests.makers import make_citation, make_claim


def test_a_citation_names_at_least_one_event():
    """Paper: 5.3: a field that is not empty has a citation, and a citation has an event."""
    with pytest.raises(ValidationError):
        Citation(trace_id="t-00000001", events=())


@pytest.mark.parametrize(
    "event", ["", "1", "e", "e01", "e-1", "x1", "e1\n", "e1](http://x)", "e\u0661", "e" + "1" * 20]
)
def test_a_citation_names_events_and_nothing_else(event: str):
    """A contract of a stranger is shown in a review: its marks must not be able to act there."""
    with pytest.raises(ValidationError):
        Citation(trace_id="t-00000001", events=(event,))


@pytest.mark.parametrize("trace_id", ["", "short", "T-00000001", "t-0000001\n", "](http://x)", "../../../etc"])
def test_a_citation_names_a_trace_and_nothing_else(trace_id: str):
    with pytest.raises(ValidationError):
        Citation(trace_id=trace_id, events=("e0",))


@pytest.mark.parametrize("bad", [{"text": ""}, {"text": "x" * (MAX_CLAIM_CHARS + 1)}, {"id": ""}, {"id": "A"}, {"id": "a b"},
                                 {"id": "-a"}, {"id": "a" * 65}, {"basis": "rumour"}, {"extra": 1}])  # fmt: skip
def test_a_claim_of_another_shape_is_refused(bad: dict[str, object]):
    with pytest.raises(ValidationError):
        Claim.model_validate(make_claim().model_dump() | bad)


@pytest.mark.parametrize("name", ["", "A", "a-b", "1a", "a b", "a" * 65, "a>"])
def test_the_name_of_an_input_fits_into_a_placeholder(name: str):
    with pytest.raises(ValidationError):
        InputClaim(id="i", text="x", name=name, source=InputSource.USER)


def test_a_recovery_is_absent_or_says_something():
    with pytest.raises(ValidationError):
        FailureClaim(id="f", text="x", recovery="")
    assert FailureClaim(id="f", text="x").recovery is None


def test_a_claim_rests_on_events_unless_it_says_otherwise():
    assert make_claim().basis is ClaimBasis.EVENTS
    assert [b.value for b in ClaimBasis] == ["events", "person", "user", "published"]


def test_two_actions_do_not_share_their_arguments():
    one, two = Action(tool="a"), Action(tool="b")
    assert one.arguments == two.arguments == {}
    assert one.arguments is not two.arguments


def test_a_step_is_mandatory_and_done_once_unless_it_says_otherwise():
    step = StepClaim(id="s", text="x", citations=(make_citation(),))
    assert (step.optional, step.repeat, step.action) == (False, None, None)
