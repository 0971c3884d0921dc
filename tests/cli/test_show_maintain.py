"""How stale names look."""

import pytest

from skillc.cli.show_maintain import show_stale_names
from skillc.core.skill.named import NamedKind
from skillc.lifecycle.stale import OutdatedSkill, StaleItem, StaleReport


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
