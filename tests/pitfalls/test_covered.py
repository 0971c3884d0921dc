"""Every pitfall of the list is tested by name or stands in the list of what has no code yet."""

import re
from pathlib import Path

from tests.pitfalls.later import LATER

COUNT = 33
HERE = Path(__file__).parent


def numbers_tested() -> set[int]:
    texts = (path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    return {int(number) for text in texts for number in re.findall(r"^def test_pitfall_(\d\d)_\w+", text, re.MULTILINE)}


def test_the_tests_and_the_list_together_cover_every_pitfall_once():
    assert numbers_tested() & set(LATER) == set()
    assert numbers_tested() | set(LATER) == set(range(1, COUNT + 1))


def test_what_waits_has_a_reason_and_really_has_no_code():
    names = {path.name for path in (HERE.parents[1] / "src" / "skillc").rglob("*.py")}
    assert all(len(reason.split()) > 6 for reason in LATER.values())
    assert not names & {"search.py", "trial.py", "read_skill.py"}
