"""What the offline Summarizer says about one Trace, and that every line of it stands in the Trace."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.summary import SUMMARY_FIELDS, checked_summary
from skillc.engines.offline.summarize import summarize
from tests.makers import bash, call, fails, gives, make_trace, says, user

EDIT = {"file_path": "shop/cart.py", "old_string": "a", "new_string": "b"}


def summary_of(*drafts):
    trace = make_trace(*drafts)
    found = summarize(trace, engine="offline", version="1")
    assert checked_summary(trace, found) == found
    return found


FIXED = (
    user("Fix the failing test in the cart"),
    bash("python -m pytest -q"),
    fails("E   AssertionError: totals differ\n1 failed in 0.1s"),
    call("Edit", EDIT),
    gives("ok"),
    bash("python -m pytest -q"),
    gives("3 passed in 0.1s"),
    bash("git commit -am fix"),
    gives("[main abc1234] fix"),
)


def words(claims) -> str:
    return "\n".join(claim.text for claim in claims)


def test_a_fix_is_told_from_error_to_recovery():
    found = summary_of(*FIXED)

    assert words(found.objective) == "Fix the failing test in the cart."
    assert "totals differ" in words(found.errors)
    assert "worked after a change" in words(found.recoveries)
    assert "which passed" in words(found.effective)
    assert "`git commit`" in words(found.tools)
    assert found.ineffective == ()


def test_a_change_after_which_the_check_still_failed_was_not_effective():
    found = summary_of(
        user("Fix it"),
        bash("python -m pytest -q"), fails("1 failed in 0.1s"),
        call("Edit", EDIT), gives("ok"),
        bash("python -m pytest -q"), fails("1 failed in 0.1s"),
        call("Edit", EDIT), gives("ok"),
        bash("python -m pytest -q"), gives("1 passed in 0.1s"),
    )  # fmt: skip
    assert "still failed" in words(found.ineffective)
    assert len(found.recoveries) >= 1


def test_an_error_that_nothing_mended_has_no_recovery():
    found = summary_of(user("x"), call("cancel_order", {"id": "1"}), fails("Error: order is shipped"), says("sorry"))
    assert found.recoveries == ()
    assert "was not mended" in words(found.ineffective)


def test_like_calls_in_a_row_are_one_phase():
    found = summary_of(user("x"), *(d for _ in range(5) for d in (call("Read", {"file_path": "a.py"}), gives("x"))))
    assert [c.text for c in found.approach] == ["Looked at files (5 calls)."]
    assert len(found.approach[0].events) == 10


_DRAFT = st.one_of(
    st.text(max_size=40).map(user),
    st.text(max_size=40).map(says),
    st.text(max_size=60).map(bash),
    st.builds(
        call, st.text(min_size=1, max_size=12), st.dictionaries(st.text(max_size=6), st.text(max_size=9), max_size=2)
    ),
    st.text(max_size=60).map(gives),
    st.text(max_size=60).map(fails),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(_DRAFT, max_size=14))
def test_whatever_a_trace_holds_every_line_has_its_events_and_no_markup(drafts):
    found = summary_of(*drafts)
    for field in SUMMARY_FIELDS:
        for claim in getattr(found, field):
            assert claim.events
            assert "\n" not in claim.text
            assert "<" not in claim.text
