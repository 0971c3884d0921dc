"""What capture, verify and traces print."""

import pytest

from skillc.cli.show_evidence import show_capture, show_traces, show_verify
from skillc.core.trace.records import Outcome
from skillc.lifecycle.capture import CapturedSource, CaptureReport, CaptureTotals
from skillc.lifecycle.traces_list import TraceLine, TracesReport
from skillc.lifecycle.verify import VerifyReport, VerifyResult


def line_of(*reasons: str, objective: str = "fix it") -> TraceLine:
    return TraceLine(
        trace_id="t-00000001",
        objective=objective,
        outcome="unknown",
        strength="none",
        assurance="none",
        conflicted=False,
        task_family=None,
        attempt_family="t-00000001",
        events=1,
        can_support=False,
        reasons=reasons,
    )


@pytest.mark.parametrize(
    ("reasons", "told"),
    [
        (("not verified",), "not verified"),
        (("not verified", "signed by a foreign key"), "signed by a foreign key"),
        (("its verifications disagree", "strong ones disagree"), "its verifications disagree"),
    ],
)
def test_a_trace_that_supports_nothing_says_what_is_the_matter_with_its_records(capsys, reasons, told: str):
    show_traces(TracesReport(traces=(line_of(*reasons),)))
    out = capsys.readouterr().out
    assert [words for words in reasons if words in out] == [told]


def test_a_hostile_objective_cannot_move_the_cursor(capsys):
    show_traces(TracesReport(traces=(line_of("not verified", objective="fix\x1b[2J it\nnow"),)))
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "fix\\x1b[2J it now" in out


def test_what_was_skipped_and_redacted_is_told(capsys):
    source = CapturedSource(
        path="a.jsonl", kind="claude-code", traces=(), skipped=(), redacted={"jwt": 2}, notes=("kept",), cut=3
    )
    show_capture(CaptureReport(sources=(source,), totals=CaptureTotals(traces=0, new=0, events=0)), dry_run=False)
    streams = capsys.readouterr()
    assert "redacted 2 jwt" in streams.out
    assert "cut 3 long events in the middle" in streams.out
    assert "note: kept" in streams.err


def test_a_held_verdict_says_why(capsys):
    results = (
        VerifyResult(trace_id="t-1", state="held", reason="tests changed"),
        VerifyResult(trace_id="t-2", state="verified", outcome=Outcome.FAILURE, commit="a" * 40),
    )
    show_verify(VerifyReport(verifier="v", results=results, recorded=1), dry_run=False)
    out = capsys.readouterr().out
    assert "held       t-1  tests changed" in out
    assert "2 Traces: 1 recorded, 1 held" in out
