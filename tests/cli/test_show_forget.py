"""How a deletion looks: what went, what repeats it, what was already gone, and what still holds it."""

import pytest

from skillc.cli.show_forget import show_forgotten
from skillc.lifecycle.forget import ForgetReport, ForgottenTrace
from skillc.lifecycle.forget_left import Left, PurgeReport

GONE = ForgottenTrace(
    trace_id="t-00000001", state="forgotten", is_whole=False, events=("e1",), also={"t-00000002": ("e5",)}
)
OLD = ForgottenTrace(trace_id="t-00000003", state="already", is_whole=True, events=())


def said(capsys, **options) -> str:
    left = Left(branches=("main",), remotes=("origin/main",), notes=("forks keep it",))
    report = ForgetReport(traces=(GONE, OLD), withdrawn=("refund",), branch="main", repairs=("refunds",), left=left)
    show_forgotten(report, **options)
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_every_part_is_told(capsys):
    text = said(capsys)
    assert "forgotten  t-00000001  e1" in text
    assert "t-00000002#e5 repeats it and was not named" in text
    assert "out of service  refund  on main" in text
    assert "already forgotten  t-00000003  the whole Trace" in text
    assert "still held by: history of main, remote branch origin/main" in text
    assert "forks keep it" in text
    assert "skillc compile" in text


def test_a_dry_run_says_would(capsys):
    assert "would forget" in said(capsys, dry_run=True)


def test_a_purge_says_what_goes_where_it_is_left_and_what_comes_next(capsys: pytest.CaptureFixture[str]):
    purged = PurgeReport(
        refs=("refs/heads/main",), blobs=("ab" * 20, "cd" * 20), backup="/b\x1b[2J.bundle", left=("cd" * 20,), next=("look",)
    )  # fmt: skip
    show_forgotten(ForgetReport(traces=(), purge=purged))
    told = capsys.readouterr()
    assert "purged  2 files from the history of:" in told.out
    assert "cdcdcdcdcdcd is here all the same" in told.out
    assert "look" in told.out + told.err
    show_forgotten(ForgetReport(traces=(), purge=PurgeReport(refs=(), blobs=())), dry_run=True)
    assert "nothing of it is in the history" in capsys.readouterr().out
