"""A check on a code host: annotations that a runner cannot be led by, and a summary that cannot act."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.admit.gates import GateResult, GateVerdict
from skillc.core.scan.finding import Severity
from skillc.lifecycle.check import CheckReport, LetStand
from skillc.lifecycle.check_problem import Problem
from skillc.lifecycle.check_told import check_annotations, check_summary
from skillc.lifecycle.check_unmanaged import UnmanagedFinding
from tests.forge_markdown import headings, live_parts

HOSTILE = st.text(alphabet="@#1a:\n\r%,<>|`[]()!\\ \x1bé", max_size=30) | st.sampled_from(
    ["::error::x", "\n::stop-commands::x", "##[error]x", "a%0A::error::b", "x,line=9", "closes #1", "| x |"]
)


def problem(message: str = "is wrong", *, path: str = "a/SKILL.md", **changes: object) -> Problem:
    made = Problem(code="scan", path=path, skill=None, message=message, next="mend it")
    return made.model_copy(update=changes)


def report(*problems: Problem, **changes: object) -> CheckReport:
    gate = GateVerdict(gate="scan", result=GateResult.REJECT, reason="blocked", next="skillc compile")
    made = CheckReport(ok=not problems, revision="a" * 40, checked=3, problems=problems, gates=(gate,))
    return made.model_copy(update=changes)


def test_a_problem_is_an_error_at_its_line_and_a_hold_a_warning():
    lines = list(check_annotations(report(problem("waits", hold=True), problem(line=7))))
    assert lines == [
        "::error file=a/SKILL.md,line=7,title=skillc check%3A scan::is wrong; next: mend it",
        "::warning file=a/SKILL.md,line=1,title=skillc check%3A scan::waits; next: mend it",
    ]


def test_a_record_of_another_branch_is_named_and_is_no_file():
    (line,) = check_annotations(report(problem(path="skillc/ledger:runs/x.json")))
    assert line.startswith("::error title=")
    assert "skillc/ledger:runs/x.json" in line


def test_findings_in_foreign_skills_are_warnings_and_what_is_let_stand_is_none():
    found = UnmanagedFinding(path="b/SKILL.md", skill="b", line=4, rule="r", severity=Severity.BLOCK, title="T")
    let = LetStand(path="c", skill="c", rule="r", severity=Severity.WARN, title="T", reason="looked at it")
    told = report(unmanaged=(found,), suppressed=(let,))
    assert [line.split(",title=")[0] for line in check_annotations(told)] == ["::warning file=b/SKILL.md,line=4"]
    assert "looked at it" in check_summary(told)


def test_the_summary_says_the_verdict_the_problems_and_the_gates():
    text = check_summary(report(problem(line=7)))
    assert text.startswith("## skillc check did not pass\n")
    assert "| problem | a/SKILL.md:7 | scan: is wrong | mend it |" in text
    assert "| scan | reject | blocked | skillc compile |" in text
    assert check_summary(report()).startswith("## skillc check passed\n")


def test_a_long_summary_stays_below_what_a_forge_takes():
    text = check_summary(report(*(problem("x" * 4000, path="p" * 4000) for _ in range(5000))))
    assert len(text.encode()) < 1 << 20
    assert "and 4800 more" in text


@settings(max_examples=60, deadline=None)
@given(HOSTILE, HOSTILE, HOSTILE)
def test_foreign_words_give_no_command_and_no_act(message: str, path: str, following: str):
    told = report(problem(message, path=path, next=following))
    (line,) = check_annotations(told)
    assert "\n" not in line
    assert "\r" not in line
    assert line.count("::") == 2
    assert not re.search(r"##\[", line)
    text = check_summary(told)
    assert live_parts(text) == []
    assert headings(text) == ["skillc check did not pass", "What is not right", "Gates"]
