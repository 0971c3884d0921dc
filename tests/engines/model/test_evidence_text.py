"""What a model is shown: the telling events first, all drops counted, nothing restricted."""

from skillc.engines.model.evidence_text import cited_pairs, event_row, pairs_of, show_evidence
from tests.makers import bash, gives, make_citation, make_contract, make_evidence, make_source, user
from tests.model_case import refunds


def test_everything_that_fits_is_shown_under_its_alias():
    shown = show_evidence(refunds(), cited=set(), limit=100_000)
    assert shown.dropped == ()
    assert shown.rows[0]["trace"] == "t1"
    assert {r["verified"] for r in shown.rows if "trace" in r} == {"success", "failure"}
    assert "e3" not in str([r["event"] for r in shown.rows if str(r.get("event", "")).startswith("t4.")])


def test_what_does_not_fit_is_counted_and_the_cited_events_stay():
    source = make_source(user("go"), *[bash(f"echo {n} {'x' * 400}") for n in range(50)], gives("ok"))
    cited = {("t-00000001", "e40"), ("t-00000001", "e2")}
    shown = show_evidence(make_evidence(source), cited=cited, limit=4000)
    events = [r["event"] for r in shown.rows if "event" in r]
    assert {"t1.e40", "t1.e2", "t1.e0"} <= set(events)
    (dropped,) = shown.dropped
    assert dropped.events == 52 - len(events)
    assert shown.aliases.of_event("t-00000001", "e45") is None


def test_only_the_cited_calls_and_their_other_halves_are_shown_to_a_curator():
    shown = show_evidence(refunds(), cited={("t-00000002", "e4")}, limit=9999, only_cited=True)
    assert [r["event"] for r in shown.rows if "event" in r] == ["t1.e4", "t1.e5"]


def test_a_summarizer_is_not_told_the_verdict():
    shown = show_evidence(refunds(), cited=set(), limit=99_999, has_verdicts=False)
    assert all("verified" not in row for row in shown.rows)


def test_long_texts_and_arguments_are_cut():
    event = make_source(bash("y" * 9000)).trace.events[0]
    row = event_row(event, "t1.e0", 500)
    assert len(str(row)) < 900
    assert "left out" in row["arguments"]


def test_pairs_are_what_contracts_cite():
    contract = make_contract()
    assert cited_pairs([contract]) == {("t-00000001", "e0")}
    assert list(pairs_of([make_citation("t-00000001", "e1", "e2")])) == [("t-00000001", "e1"), ("t-00000001", "e2")]
