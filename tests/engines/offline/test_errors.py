"""Rules of the telling line of an error."""

import pytest

from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.errors import elided, error_line, is_refusal, lines_of_hosts, says_something
from skillc.engines.offline.values import SharedWords
from tests.makers import bash, call, fails, make_source

UNITTEST = """Exit code 1
======================================================================
FAIL: test_generated (tests.test_schema.SchemaTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "tests/test_schema.py", line 9, in test_generated
AssertionError: schema.py is out of date; run: python tools/generate_schema.py

----------------------------------------------------------------------
Ran 27 tests in 0.002s

FAILED (failures=1)
"""


def failed(*drafts):
    return attempts_of((make_source(*drafts),))[0].calls[0]


def test_line_of_a_test_run_is_its_last_error():
    line = error_line(failed(bash("python -m unittest"), fails(UNITTEST)))

    assert line == "schema.py is out of date; run: python tools/generate_schema.py"


def test_line_of_a_tool_is_its_message():
    assert error_line(failed(call("pay", {}), fails("Error: payment method not found"))) == "payment method not found"
    assert error_line(failed(call("pay", {}), fails('{"error": "no money left", "code": 7}'))) == "no money left"


def test_line_of_an_edit_has_no_tags():
    refused = fails("<tool_use_error>File has not been read yet. Read it first.</tool_use_error>")

    assert (
        error_line(failed(call("Edit", {"file_path": "a.py"}), refused)) == "File has not been read yet. Read it first."
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("field 'location' is optional and needs a default", "field … is optional and needs a default"),
        ("total price is 120.50, but paid 100", "total price is … but paid …"),
        ("/usr/bin/python3: No module named pytest", "No module named pytest"),
        ("cannot reach https://example.com/a?b=1 now", "cannot reach … now"),
        ("order ord_77 of Mia Li was not found", "order … of … was not found"),
        ("expected OrderPage to exist", "expected … to exist"),
    ],
)
def test_values_of_one_case_are_left_out(line, expected):
    assert elided(line, SharedWords([]), {"pytest"}) == expected


def test_comparison_of_values_says_nothing():
    assert not says_something("… != …")
    assert not says_something("AssertionError: … is not …")
    assert says_something("payment method not found")


def test_refusal_of_a_person_is_recognised():
    assert is_refusal("The user doesn't want to proceed with this tool use.")
    assert not is_refusal("Error: user not found")


def test_quoted_text_that_the_end_of_the_line_cut_off_is_no_part_of_the_form():
    shared = SharedWords([])

    assert elided("syntax to use near 'T1 JOIN orders AS…", shared) == elided("syntax to use near 'SEL…", shared)
    assert elided("it can't go on…", shared) == "it can't go on…"


def test_line_that_three_programs_are_answered_word_for_word_is_the_hosts():
    chatter = fails("Your last action did not contain code")
    own = [
        d for c in ("cat a", "head a", "sort a") for d in (bash(c), fails(f"{c[:-2]}: a: No such file or directory"))
    ]
    two = [d for c in ("docker ps", "docker build .") for d in (bash(c), fails("Cannot connect to the Docker daemon"))]
    drafts = [d for c in ("ls a", "find b", "grep c d") for d in (bash(c), chatter)]

    found = lines_of_hosts(attempts_of((make_source(*drafts, *own, *two),)))

    assert found == {"Your last action did not contain code"}


def test_message_that_is_nested_too_deep_is_a_line_like_any_other():
    assert error_line(failed(call("pay", {}), fails('{"a":' * 30_000))).startswith('{"a":{"a":')
