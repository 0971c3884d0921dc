"""How a deletion looks: what went, what repeats it, what was already gone, and what still holds it."""

from skillc.cli.show_forget import show_forgotten
from skillc.lifecycle.forget import ForgetReport, ForgottenTrace
from skillc.lifecycle.forget_left import Left

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
    assert "already forgotten  t-00000003  the whole Trace" in text
    assert "still held by: history of main, remote branch origin/main" in text
    assert "forks keep it" in text
    assert "skillc compile" in text


def test_a_dry_run_says_would(capsys):
    assert "would forget" in said(capsys, dry_run=True)
