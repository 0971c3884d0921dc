"""What why, log and show print."""

from datetime import UTC, datetime

from skillc.cli.show_explain import show_log, show_restore, show_why
from skillc.lifecycle.explain import CitationLine, ClaimLine, EventExcerpt, LogReport, VersionLine, WhyReport
from skillc.lifecycle.restore import RestoreReport


def test_an_unreadable_event_is_named_as_such(capsys):
    event = EventExcerpt(id="e1", kind=None, excerpt=None)
    citation = CitationLine(trace_id="t-1", events=(event,), verifier=None, strength="unknown", assurance="unknown")
    claim = ClaimLine(id="c", field="steps", text="Run it.", citations=(citation,), basis="events")
    show_why(WhyReport(skill="s", version=None, claims=(claim,)))
    out = capsys.readouterr().out
    assert "a candidate" in out
    assert "(not verified)" in out
    assert "(not readable here)" in out


def test_a_restored_version_names_the_one_it_brings_back(capsys):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    lines = tuple(
        VersionLine(version=n, commit="c" * 40, tree=tree, change=change, at=at, run=None, restores=back)
        for n, tree, change, back in (
            (1, "a" * 40, "add", None),
            (2, None, "remove", None),
            (3, "a" * 40, "restore", 1),
        )
    )
    show_log(LogReport(skill="s", skill_id="s-1", versions=lines))
    out = capsys.readouterr().out.splitlines()
    assert out[1].endswith("brings back version 1")
    assert "removed" in out[2]


def test_a_restore_prints_the_line_that_takes_it_back(capsys):
    report = RestoreReport(skill="s", from_version=2, to_version=1, tree="a" * 40, commit="b" * 40, branch="main")
    show_restore(report, as_json=False, dry_run=False)
    assert f"hint: undo: git revert {'b' * 12}" in capsys.readouterr().err
    show_restore(report, as_json=False, dry_run=True)
    assert capsys.readouterr().out == "would restore s to version 1\n"


def test_a_line_that_was_published_says_where_its_evidence_is(capsys):
    claim = ClaimLine(id="c", field="steps", text="Run it.", citations=(), basis="published")
    show_why(WhyReport(skill="s", version=1, claims=(claim,)))
    assert "[published] arrived without its evidence" in capsys.readouterr().out
