"""An amendment as a person reads it."""

from typing import Any

from skillc.cli.show_amend import show_amended
from skillc.core.skill.parse import LineState
from skillc.lifecycle.amend import AmendedLine, AmendReport
from tests.makers import make_citation


def report(*lines: AmendedLine, **changes: Any) -> AmendReport:
    fields: dict[str, Any] = {
        "skill": "refunds", "skill_id": "s-0123456789abcdef", "run": "r-1", "commit": "c" * 40, "branch": "main",
        "tree": "d" * 40, "place": "the work tree", "by": "alice", "lines": lines,
    }  # fmt: skip
    return AmendReport(**(fields | changes))


def line(state: LineState, **changes: Any) -> AmendedLine:
    return AmendedLine(field="steps", claim_id="s-1", state=state, text="Do it twice.", **changes)


def test_what_a_line_was_and_which_evidence_went_is_said(capsys):
    lost = (make_citation("t-00000001", "e3", "e5"),)
    show_amended(report(line(LineState.CHANGED, before="Do it.", lost=lost), line(LineState.KEPT), undo="git revert c"))
    told = capsys.readouterr()
    assert "changed  steps  Do it twice.  [s-1]" in told.out
    assert "it was: Do it." in told.out
    assert "evidence lost: t-00000001#e3,e5" in told.out
    assert "1 line kept with what stood behind it" in told.out
    assert "by alice  on main  cccccccccccc" in told.out
    assert "hint: undo: git revert c" in told.err


def test_what_waits_and_what_was_only_signed_is_said_as_that(capsys):
    show_amended(report(line(LineState.NEW), branch="skillc/candidate/refunds", waits=True))
    assert "skillc review refunds" in capsys.readouterr().out
    show_amended(report(line(LineState.NEW), commit=None, signs_only=True))
    assert "signed  the lines of refunds that a person wrote, by alice" in capsys.readouterr().out
    show_amended(report(line(LineState.REMOVED), commit=None), dry_run=True)
    assert "would amend refunds on main, from the work tree" in capsys.readouterr().out
