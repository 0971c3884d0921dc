"""How a check looks on a terminal."""

from skillc.cli.show_check import show_check
from skillc.lifecycle.check import CheckReport
from skillc.lifecycle.check_problem import Problem


def test_a_hold_is_told_from_a_problem_in_words(capsys):
    problems = tuple(
        Problem(code="c", path="p", skill=None, message="m", next="n", hold=hold) for hold in (True, False)
    )
    show_check(CheckReport(ok=False, revision="a" * 40, checked=0, problems=problems, gates=()))
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines() if "[c]" in line] == ["hold", "problem"]
