"""A cited Trace that no longer carries its lines is named, with the lines."""

from skillc.core.compile.evidence import SourceRole
from skillc.core.compile.weakening import weak_traces
from skillc.core.skill.claim import FailureClaim
from tests.refunds import BAD, ONE, TWO, cites, line, refund_contract

GOOD = (SourceRole.SUPPORT, "")
CONTRAST = (SourceRole.CONTRAST, "")


def test_strong_evidence_is_not_weak():
    assert weak_traces(refund_contract(), {ONE: GOOD, TWO: GOOD}) == ()


def test_a_trace_that_supports_nothing_any_more_is_named_with_its_reason():
    (weak,) = weak_traces(refund_contract(), {ONE: (None, "not verified"), TWO: GOOD})
    assert (weak.trace_id, weak.reason) == (ONE, "not verified")
    assert ("steps", "step-refund") in weak.lines


def test_a_success_that_became_a_failure_is_weak():
    (weak,) = weak_traces(refund_contract(), {ONE: GOOD, TWO: CONTRAST})
    assert weak.reason == "it is verified as a failure now"
    assert "pre-1" not in {claim for _, claim in weak.lines}  # there a failure may stand beside a success


def test_a_failure_may_stand_where_failures_may():
    mode = FailureClaim(id="f-1", text="It fails.", citations=cites("e2", traces=(BAD,)))
    limit = line("Not twice.", "stop-1", "e2", traces=(ONE, BAD))
    made = refund_contract(failure_modes=(mode,), stop_conditions=(limit,))
    assert weak_traces(made, {ONE: GOOD, TWO: GOOD, BAD: CONTRAST}) == ()
    assert [w.trace_id for w in weak_traces(made, {ONE: GOOD, TWO: GOOD, BAD: (None, "not verified")})] == [BAD]


def test_a_recovery_needs_a_success():
    mode = FailureClaim(
        id="f-1", text="It fails.", citations=cites("e2", traces=(BAD,)), recovery="Again.",
        recovery_citations=cites("e3", traces=(BAD,)),
    )  # fmt: skip
    made = refund_contract(failure_modes=(mode,))
    assert [w.trace_id for w in weak_traces(made, {ONE: GOOD, TWO: GOOD, BAD: CONTRAST})] == [BAD]


def test_a_trace_that_is_not_here_is_not_called_weak():
    assert weak_traces(refund_contract(), {ONE: GOOD}) == ()
