"""What only the judge of an attempt knows stays out of a Skill."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.finding import Severity
from skillc.core.scan.verifier_text import (
    check_strings,
    expected_strings,
    is_telling,
    rubric_strings,
    verifier_findings,
)
from tests.makers import make_trace, user
from tests.refunds import ONE, line, refund_contract

TRACE = make_trace(user("please make a slug"), trace_id=ONE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('assert slug(x) == "hello-world-42"', ("hello-world-42",)),
        ("assert 'total due 17' in page", ("total due 17",)),
        ("expect(page).toContain('order #991 shipped')", ("order #991 shipped",)),
        ('self.assertEqual(name(), "Ada of London")', ("Ada of London",)),
        ('expected = "forty two apples"', ("forty two apples",)),
        ('assert fresh, "the client is stale; run: make gen"', ()),
        ('if mode == "fast":', ()),
        ("x = 'a plain string of words'", ()),
        ('assert path == "src/v2/client_gen_1.ts"', ()),
        ('assert name == "openapi3.yaml"', ()),
    ],
)
def test_what_a_test_compares_with_is_its_expected_string(text: str, expected: tuple[str, ...]):
    assert expected_strings(text) == expected


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (("grep", "-q", "total: 17 apples", "out.txt"), ("total: 17 apples",)),
        (("check.py", "--expect=seventeen apples"), ("seventeen apples",)),
        (("check.py", "--answer", "ab-12"), ()),
        (("pytest", "-q", "tests"), ()),
        (("sh", "-c", "make test && echo ok"), ()),
        (("npm", "test", "--", "--run"), ()),
    ],
)
def test_what_a_check_looks_for_is_told_from_how_it_is_run(argv: tuple[str, ...], found: tuple[str, ...]):
    assert check_strings(argv) == found


def test_a_judges_words_are_its_rubric_and_the_rule_of_a_mapping_is_none():
    detail = "Correct when the agent offers the 10 % voucher first. score >= 0.5"
    assert list(rubric_strings([detail, "reward = 1.0", "unit-tests passed"])) == [
        "Correct when the agent offers the 10 % voucher first"
    ]
    assert not is_telling("reward >= 1")


def found(text: str, *strings: str):
    return verifier_findings(refund_contract(outputs=(line(text, "o-1"),)), strings, [TRACE], path="p")


def test_a_line_with_a_verifiers_string_is_blocked_and_the_string_not_shown():
    (made,) = found("The slug is `hello-world-42`.", "hello-world-42")
    assert (made.rule, made.severity, made.path) == ("verifier-text", Severity.BLOCK, "p#outputs/o-1")
    assert "hello" not in made.excerpt + made.title


def test_quotes_blanks_and_case_do_not_hide_it():
    assert found("It shows “Total  DUE 17”.", "total due 17")


def test_what_the_user_said_is_no_secret():
    said = make_trace(user("make the slug hello-world-42"), trace_id=ONE)
    made = refund_contract(outputs=(line("The slug is `hello-world-42`.", "o-1"),))
    assert verifier_findings(made, ["hello-world-42"], [said], path="p") == ()


def test_other_lines_are_clean():
    assert found("The refund.", "hello-world-42") == ()
    assert found("The refund.") == ()


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str):
    assert all(is_telling(s) for s in expected_strings(text))
    check_strings(text.split())
    verifier_findings(refund_contract(), [text], [TRACE], path="p")
