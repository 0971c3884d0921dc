"""Stops: each kind has its exit code, and a list of bad lines stays readable."""

import pytest

from skillc import errors


@pytest.mark.parametrize(
    ("kind", "code", "name"),
    [
        (errors.UsageError, 2, "usage"),
        (errors.PolicyError, 2, "policy"),
        (errors.DataError, 3, "data"),
        (errors.RepoError, 4, "git"),
        (errors.EngineError, 5, "engine"),
    ],
)
def test_each_kind_of_stop_has_its_exit_code_and_name(kind, code: int, name: str):
    error = kind("what happened", hint="run: this")
    assert (error.code, error.name, error.message, error.hint) == (code, name, "what happened", "run: this")
    assert isinstance(error, errors.SkillcError)
    assert str(error) == "what happened"


def test_anything_else_is_our_bug():
    assert (errors.SkillcError("x").code, errors.EXIT_BUG) == (70, 70)
    assert (errors.EXIT_DONE, errors.EXIT_NO, errors.EXIT_INTERRUPTED) == (0, 1, 130)


def test_all_bad_lines_are_reported_at_once():
    error = errors.lines_error("a.jsonl", [(3, "is not JSON"), (9, "is empty")])
    assert error.message == "a.jsonl:3: is not JSON\na.jsonl:9: is empty"
    assert isinstance(error, errors.DataError)


@pytest.mark.parametrize(("count", "lines", "last"), [(20, 20, "f:20: x"), (25, 21, "... and 5 more bad lines")])
def test_at_most_twenty_bad_lines_are_shown(count: int, lines: int, last: str):
    shown = errors.lines_error("f", [(n, "x") for n in range(1, count + 1)]).message.splitlines()
    assert len(shown) == lines
    assert shown[-1] == last
