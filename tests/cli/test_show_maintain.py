"""How stale names look."""

import pytest

from skillc.cli.show_maintain import show_maintained, show_stale_names
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.skill.named import NamedKind
from skillc.lifecycle.maintain import MaintainReport, RecordedAdmission
from skillc.lifecycle.stale import OutdatedSkill, StaleItem, StaleReport
from skillc.lifecycle.withdrawal import WithdrawalReport


def test_what_is_gone_is_told_with_its_field_and_harmless_text(capsys: pytest.CaptureFixture[str]):
    item = StaleItem(
        field="steps", claim_id="c", kind=NamedKind.PATH, named="a\x1b[2J.py", state="gone", commit="ab" * 20
    )
    skill = OutdatedSkill(
        skill="add-route", skill_id="s-1", task_family="add-route", items=(item,), next=("skillc amend add-route",)
    )
    show_stale_names(StaleReport(head="c", checked=3, skills=(skill,), ok=False))
    out = capsys.readouterr().out
    assert "gone path" in out
    assert "since abababababab  (steps)" in out
    assert "\x1b[2J" not in out


def test_upkeep_says_what_it_did_with_reason_and_way_back(capsys: pytest.CaptureFixture[str]):
    gone = WithdrawalReport(
        skill="add-route", skill_id="s-1", tree="ab" * 20, reason=WithdrawalReason.RETIRED, detail="un\x1b[2Jused",
        commit="cd" * 20, branch="main",
    )  # fmt: skip
    record = RecordedAdmission(commit="ef" * 20, run="r-1", by="alice", proof="signed", skills=("add-route",))
    show_maintained(MaintainReport(withdrawn=(gone,), recorded=(record,), notes=("a note",)), dry_run=False)
    told = capsys.readouterr()
    text = told.out + told.err
    assert "withdrawn  add-route  retired: un" in told.out
    assert "skillc restore add-route abababababab" in text
    assert "recorded  admission of add-route in efefefefefef: signed, alice" in told.out
    assert "a note" in text
    assert "\x1b[2J" not in text
    show_maintained(MaintainReport(), dry_run=True)
    assert capsys.readouterr().out == "nothing is due\n"
