"""Rules of choosing citations."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.cite import MAX_EVENTS, MAX_PART_EVENTS, MAX_TRACES, Shows, cite, cite_parts

FOUND = st.lists(
    st.tuples(
        st.sampled_from("fgh"), st.sampled_from("fgh"), st.lists(st.sampled_from(["e1", "e2", "e10"]), max_size=4)
    ),
    max_size=30,
)


def test_every_family_is_cited_before_a_second_attempt_of_one():
    found = [("f1", f"trace-0{n}", ("e1",)) for n in range(9)] + [("f2", "trace-09", ("e1",))]

    assert "trace-09" in {c.trace_id for c in cite(found)}
    assert len(cite(found)) == MAX_TRACES


def test_events_are_in_the_order_of_the_trace():
    assert cite([("f", "trace-01", ("e10", "e2"))])[0].events == ("e2", "e10")


def test_parts_are_all_shown_when_one_trace_cannot_show_them():
    found = [
        Shows("a", "f1", "trace-01", ("e1",)),
        Shows("a", "f2", "trace-02", ("e1",)),
        Shows("b", "f9", "trace-09", ("e4",)),
    ]

    assert {"trace-09"} <= {c.trace_id for c in cite_parts(found)}


@given(FOUND)
def test_citations_stay_within_their_limits(found):
    citations = cite((f, f"trace-{f}{t}", tuple(events)) for f, t, events in found)

    assert len(citations) <= MAX_TRACES
    assert all(1 <= len(c.events) <= MAX_EVENTS for c in citations)
    parts = cite_parts(Shows(t, f, f"trace-{f}{t}", tuple(events)) for f, t, events in found if events)
    assert len(parts) <= MAX_TRACES
    assert all(1 <= len(c.events) <= MAX_PART_EVENTS for c in parts)
