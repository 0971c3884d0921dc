"""What status, doctor and the plugin print: foreign text cannot act on the terminal."""

import pytest

from skillc.cli.show_status import show_doctor, show_plugin, show_status
from skillc.lifecycle.doctor.finding import DoctorReport, fail, ok, warn
from skillc.lifecycle.host_state import HostStatus, UncapturedSession
from skillc.lifecycle.plugin import PluginReport
from skillc.lifecycle.status import (
    AdmittedSkill,
    NextStep,
    ReadyFamily,
    SpooledLine,
    StatusReport,
    TraceCounts,
    WaitingCandidate,
)
from skillc.lifecycle.unverified import UnverifiedTrace
from tests.world import NOW

HOSTILE = "x\x1b[2J\ny"


def report(**changes) -> StatusReport:
    host = HostStatus(
        host="claude-code",
        hook="own",
        sessions=2,
        last_captured=None,
        new=1,
        went_on=1,
        uncaptured=(UncapturedSession(path=HOSTILE, state="new", modified=NOW, deleted_in_days=2.5),),
        retention_days=30,
        deleted_soon=1,
    )
    waiting = UnverifiedTrace(
        trace_id="t-00000001", objective=HOSTILE, outcome="unknown", ended_at=None, ways=("run",), commands=(HOSTILE,)
    )
    counts = TraceCounts(
        total=3, by_strength={"none": 1, "self": 0, "tool": 2, "human": 0, "external": 0},
        verified_successes=1, verified_failures=1, conflicted=1, unverified=12,
    )  # fmt: skip
    fields = {
        "at": NOW,
        "namespace": "shop",
        "base": HOSTILE,
        "base_commit": None,
        "is_draft": True,
        "hosts": (host,),
        "spool": (SpooledLine(agent="codex", session=HOSTILE, event="Stop", at=1.0),),
        "traces": counts,
        "unverified": (waiting,) * 12,
        "families_ready": (ReadyFamily(task_family="fix", fresh=2, attempt_families=2),),
        "groups_ready": ("group",),
        "candidates": (WaitingCandidate(task_family="a", branch=HOSTILE, skills=(HOSTILE,)),),
        "skills": (AdmittedSkill(name="a", is_compiled=True), AdmittedSkill(name="b", is_compiled=False)),
        "next": NextStep(command=HOSTILE, reason=HOSTILE),
    }
    return StatusReport(**(fields | changes))


def test_a_hostile_text_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]):
    show_status(report())
    show_doctor(DoctorReport(findings=(warn("a", HOSTILE, HOSTILE, HOSTILE),), failed=0, warned=1))
    show_plugin(
        PluginReport(
            folder=HOSTILE, name="shop", version="1", written=("a",), unchanged=(), removed=(), kept=(), deleted=(),
            skills=(), left_out={HOSTILE: HOSTILE},
        ),
        dry_run=False,
    )  # fmt: skip
    streams = capsys.readouterr()
    assert "\x1b" not in streams.out + streams.err
    assert "x\\x1b[2J y" in streams.out


def test_what_waits_is_told(capsys: pytest.CaptureFixture[str]):
    show_status(report())
    out = capsys.readouterr().out
    for words in (
        "draft",
        "1 new, 1 went on",
        "deletes 1 uncaptured transcripts within 7 days",
        "in 2.5 days",
        "in the spool: 1 running",
        "3 Traces by strength: 1 none, 2 tool",
        "1 Traces whose verifications disagree",
        "12 possible successes are not verified",
        "and 2 more",
        "ready to compile: fix, 2 verified successes",
        "1 Skill admitted, 1 written by hand",
    ):
        assert words in out


def test_nothing_to_do_is_said(capsys: pytest.CaptureFixture[str]):
    show_status(report(next=None))
    streams = capsys.readouterr()
    assert streams.out.endswith("nothing waits\n")
    assert "hint" not in streams.err


def test_doctor_explains_only_what_is_not_well(capsys: pytest.CaptureFixture[str]):
    findings = (ok("git", "git 2.40", "unused"), fail("key", "gone", "nothing counts", "make one"))
    show_doctor(DoctorReport(findings=findings, failed=1, warned=0))
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "ok    git  git 2.40",
        "fail  key  gone",
        "      nothing counts",
        "      next: make one",
        "2 checks, 1 failed, 0 warnings",
    ]


def test_the_plugin_says_what_was_kept_and_what_a_dry_run_would_do(capsys: pytest.CaptureFixture[str]):
    made = PluginReport(
        folder="/p", name="shop", version="0.0.0-gabc", written=("a",), unchanged=(), removed=("b",), kept=("c",),
        deleted=("d",), skills=("s",), left_out={"h": "written by hand"},
    )  # fmt: skip
    show_plugin(made, dry_run=True)
    streams = capsys.readouterr()
    assert streams.out.splitlines()[:2] == ["would write  a", "would remove  b"]
    assert "kept: c was changed by a person" in streams.err
    assert "left away: d was deleted by a person" in streams.err
    assert "left out: h: written by hand" in streams.err
    show_plugin(made.model_copy(update={"written": (), "removed": ()}), dry_run=False)
    assert "nothing new" in capsys.readouterr().out
