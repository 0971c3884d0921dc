"""Rules of support: the cited events alone must show a claim."""

import pytest

from skillc.core.skill.claim import Action, Effect, EffectClaim, FailureClaim, InputClaim, InputSource, StepClaim
from skillc.core.trace.records import Outcome
from skillc.engines.offline.support import why_unsupported
from tests.makers import (
    bash,
    call,
    fails,
    gives,
    make_citation,
    make_claim,
    make_contract,
    make_evidence,
    make_source,
    user,
)

GOOD = make_source(
    user("cancel ord-771"),  # e0
    call("get_order", {"order_id": "ord-771"}),
    gives({"order_id": "ord-771", "card": "c-9001"}),
    call("cancel_order", {"order_id": "ord-771"}),
    fails("Error: try again later"),
    call("cancel_order", {"order_id": "ord-771", "card": "c-9001"}),  # e5
    gives({"status": "cancelled"}),
    bash("pytest -q"),
    gives("3 passed"),
    trace_id="t-00000001",
)
BAD = make_source(call("cancel_order", {"order_id": "1"}), gives({}), trace_id="t-00000002", outcome=Outcome.FAILURE)
EVIDENCE = make_evidence(GOOD, BAD)


def why(field, claim, **contract):
    return why_unsupported(field, claim, make_contract(**contract), EVIDENCE)


def cites(*events, trace="t-00000001"):
    return (make_citation(trace, *events),)


def step(*events, tool="cancel_order", **changes):
    return StepClaim(id="s", text="Cancel it.", citations=cites(*events), action=Action(tool=tool, **changes))


def test_step_needs_its_call_and_one_that_worked():
    assert why("steps", step("e5", "e6")) == ""
    assert "no cited call" in why("steps", step("e1", "e2"))
    assert "error" in why("steps", step("e3", "e4"))
    assert why("steps", step("e7", tool="Bash", operation="pytest")) == ""
    assert "no cited call" in why("steps", step("e7", tool="Bash", operation="git push"))


def test_step_cannot_rest_on_a_failed_attempt():
    claim = step("e0").model_copy(update={"citations": cites("e0", trace="t-00000002")})

    assert "no verified success" in why("steps", claim)


def test_citation_that_does_not_resolve_supports_nothing():
    assert "cannot be read" in why("outputs", make_claim(citations=cites("e99")))
    assert "no source" in why("outputs", make_claim(citations=cites("e0", trace="t-0000000x")))
    assert "nothing" in why("outputs", make_claim(citations=()))


def test_quoted_name_must_occur_in_the_cited_events():
    assert why("outputs", make_claim("The `status` of the order.", citations=cites("e6"))) == ""
    assert "refund" in why("outputs", make_claim("The `refund_id`.", citations=cites("e6")))


def test_quoted_line_may_leave_values_out():
    text = "`cancel_order` answers “try … later”"

    assert why("failure_modes", FailureClaim(id="f", text=text, citations=cites("e3", "e4"))) == ""
    other = text.replace("later", "tomorrow")
    assert "quoted line" in why("failure_modes", FailureClaim(id="f", text=other, citations=cites("e3", "e4")))


@pytest.mark.parametrize(
    ("source", "events", "supported"),
    [
        (InputSource.USER, ("e0", "e1"), True),
        (InputSource.USER, ("e1", "e2"), False),
        (InputSource.STEP, ("e2", "e5"), True),
        (InputSource.STEP, ("e5", "e6"), False),
        (InputSource.CHOSEN, ("e5",), True),
    ],
)
def test_input_needs_its_source_before_its_use(source, events, supported):
    claim = InputClaim(id="i", text="The order.", name="order_id", source=source, citations=cites(*events))
    steps = (step("e5", arguments={"order_id": "<order_id>"}),)

    assert (why("inputs", claim, steps=steps) == "") is supported


def test_input_that_no_step_uses_is_unsupported():
    claim = InputClaim(id="i", text="x", name="order_id", source=InputSource.CHOSEN, citations=cites("e5"))

    assert "no step" in why("inputs", claim)


def test_effect_needs_a_call_that_has_it():
    claim = EffectClaim(id="e", text="Ends something", effect=Effect.DELETE, citations=cites("e5"))

    assert why("effects", claim) == ""
    assert "effect" in why("effects", claim.model_copy(update={"effect": Effect.MESSAGE}))


def test_recovery_needs_a_verified_success():
    claim = FailureClaim(
        id="f", text="`cancel_order` fails", citations=cites("e3", "e4"), recovery="Call `cancel_order` again.",
        recovery_citations=cites("e5", "e6"),
    )  # fmt: skip

    assert why("failure_modes", claim) == ""
    failed = claim.model_copy(update={"recovery_citations": cites("e0", trace="t-00000002")})
    assert "no verified success" in why("failure_modes", failed)


def test_descriptor_word_must_be_said_or_be_a_name():
    assert why("use_when", make_claim("The request speaks of cancel.", citations=cites("e0"))) == ""
    assert "'refund'" in why("use_when", make_claim("The request speaks of refund.", citations=cites("e0")))


def test_end_of_the_work_needs_a_result_without_an_error():
    text = "`cancel_order` was called."

    assert why("completion_criteria", make_claim(text, citations=cites("e5", "e6"))) == ""
    assert why("completion_criteria", make_claim(text, citations=cites("e3", "e4"))) != ""
