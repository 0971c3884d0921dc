"""A summary's line stays only when its Trace shows it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.summary import MAX_CLAIMS, SUMMARY_FIELDS, SummaryClaim, TraceSummary, checked_summary
from tests.makers import bash, gives, make_trace, user

TRACE = make_trace(user("Fix it"), bash("pytest -q"), gives("1 failed"))


def summary(**fields: Any) -> TraceSummary:
    head = {"trace_id": TRACE.trace_id, "trace_digest": TRACE.digest, "engine": "offline", "version": "1"}
    return TraceSummary(**(head | fields))


def claim(*events: str, text: str = "Ran the tests.") -> SummaryClaim:
    return SummaryClaim(text=text, events=events)


def test_claims_that_match_no_event_are_dropped():
    kept = checked_summary(TRACE, summary(approach=(claim("e1"), claim("e9"), claim(), claim("e1", "e9"))))
    assert kept.approach == (claim("e1"),)


def test_an_event_must_be_of_a_kind_that_shows_such_a_thing():
    kept = checked_summary(TRACE, summary(objective=(claim("e1"), claim("e0")), tools=(claim("e0"), claim("e1"))))
    assert (kept.objective, kept.tools) == ((claim("e0"),), (claim("e1"),))


def test_a_restricted_event_shows_nothing():
    hidden = make_trace(user("x"), {**bash("ls"), "arguments": None, "restricted": {"ref": "r"}})
    found = summary(trace_id=hidden.trace_id, trace_digest=hidden.digest, approach=(claim("e1"),))
    assert checked_summary(hidden, found).approach == ()


def test_a_summary_of_other_bytes_keeps_nothing():
    kept = checked_summary(TRACE, summary(trace_digest="sha256:" + "0" * 64, approach=(claim("e1"),)))
    assert kept.approach == ()
    assert kept.trace_digest == TRACE.digest


@given(
    st.dictionaries(
        st.sampled_from(SUMMARY_FIELDS),
        st.lists(
            st.builds(
                SummaryClaim,
                text=st.text(max_size=500),
                events=st.lists(st.sampled_from(["e0", "e1", "e2", "e3", "", "x"]), max_size=3).map(tuple),
            ),
            max_size=60,
        ).map(tuple),
    )
)
def test_what_stays_is_bounded_and_every_event_is_in_the_trace(fields: dict[str, Any]):
    kept = checked_summary(TRACE, summary(**fields))
    for field in SUMMARY_FIELDS:
        assert len(getattr(kept, field)) <= MAX_CLAIMS
        for line in getattr(kept, field):
            assert line.text.strip()
            assert all(TRACE.event(event) is not None for event in line.events)
    assert checked_summary(TRACE, kept) == kept
