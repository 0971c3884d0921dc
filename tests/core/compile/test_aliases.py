"""Aliases name what was offered and nothing else; a repair moves a citation to the one event that it can mean."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compile.aliases import Aliases, citations_to, resolve_cites, shown_events, without_aliases
from tests.makers import make_evidence, make_source, user
from tests.model_case import refunds

TABLE = Aliases({"t-00000001": ("e0", "e1", "e12"), "t-00000002": ("e0", "e1")})


def test_only_offered_events_have_an_alias():
    assert TABLE.of_event("t-00000001", "e12") == "t1.e12"
    assert TABLE.of_event("t-00000002", "e12") is None
    assert TABLE.of_event("t-00000003", "e0") is None
    assert TABLE.of_trace("t-00000002") == "t2"
    assert TABLE.exact("t2.e1") == ("t-00000002", "e1")


def test_case_spacing_and_separators_are_repaired_and_recorded():
    for written in ("T1.E12", "t1 e12", " t1.e12 ", "t1#e12", "ｔ1.e12"):
        found = resolve_cites([written], TABLE)
        assert found.reason == ""
        assert found.citations[0].events == ("e12",)
        assert len(found.repairs) == 1


@given(st.text(max_size=70))
def test_whatever_is_cited_gives_an_offered_event_or_a_reason(cite: str):
    found = resolve_cites([cite], TABLE, text=cite)
    assert bool(found.reason) != bool(found.citations)
    for citation in found.citations:
        assert TABLE.of_event(citation.trace_id, citation.events[0]) is not None


def test_one_cite_that_means_nothing_costs_the_claim():
    assert resolve_cites(["t1.e1", "t9.e9"], TABLE).reason == "cites an event that was not offered"
    assert resolve_cites([], TABLE).reason == "cites nothing"


def test_an_alias_in_the_text_is_used_only_for_a_single_cite_and_only_when_it_is_the_only_one():
    assert resolve_cites(["?"], TABLE, text="Seen in t2.e1.").citations[0].trace_id == "t-00000002"
    assert resolve_cites(["?"], TABLE, text="Seen in t2.e1 and t1.e1.").reason
    assert resolve_cites(["t1.e0", "?"], TABLE, text="Seen in t2.e1.").reason


def test_bracketed_aliases_leave_a_text_whole_and_others_refuse_it():
    assert without_aliases("It passes (t1.e4, t2.e1) now") == "It passes now"
    assert without_aliases("It passes, see t1.e4") is None
    assert without_aliases("See T1.E4") is None
    assert without_aliases("Return early [t1.e4].") == "Return early."


def test_citations_are_sorted_and_each_event_stands_once():
    pairs = [TABLE.exact("t2.e0"), TABLE.exact("t1.e12"), TABLE.exact("t1.e1"), TABLE.exact("t1.e1")]
    found = citations_to(p for p in pairs if p)
    assert [(c.trace_id, c.events) for c in found] == [("t-00000001", ("e1", "e12")), ("t-00000002", ("e0",))]


def test_restricted_events_and_other_namespaces_are_never_offered():
    assert "e3" not in shown_events(refunds())["t-00000003"]
    foreign = make_source(user("hello"), trace_id="t-0000000a", namespace="other")
    assert shown_events(make_evidence(foreign)) == {}
    assert shown_events(refunds(), {"t-00000002": ("e1", "e99")}) == {"t-00000002": ("e1",)}
