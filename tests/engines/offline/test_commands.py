"""Rules of how a command is shown."""

import pytest

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.commands import only_prepares, shown_command, shown_look
from skillc.engines.offline.symbols import alphabet_of
from tests.makers import bash, call, gives, make_source

EDIT = [call("Edit", {"file_path": "a.py"}), gives("ok")]


def shown(*lines, **options):
    sources = [
        make_source(*EDIT, bash(line), gives("1 passed"), trace_id=f"t-0000000{n}") for n, line in enumerate(lines)
    ]
    found = attempts_of(tuple(sources))
    calls = [c for a in found for c in a.calls if c.command is not None]
    return shown_command(calls, alphabet_of(found, Thresholds()), **options)


@pytest.mark.parametrize(
    "line",
    [
        "uv run pytest -q",
        "poetry run pytest",
        "cd api && npm test",
        "cd api && cat notes/todo.txt",
        "cd api && psql -f notes/todo.sql",
        "MODE=ci npx jest --ci",
        "source .venv/bin/activate && pytest",
        "make test PROFILE=ci",
        "go test ./...",
        "npm test -- --run",
        "pytest -m 'not slow' tests/unit",
        "cargo test --workspace",
    ],
)
def test_what_families_share_stays_as_they_typed_it(line):
    assert shown(line, line) == line


def test_what_only_one_family_typed_goes():
    assert shown("pytest -q -k total", "pytest -q tests/test_a.py", "pytest -q") == "pytest -q"


def test_pipe_that_filters_and_a_limit_of_time_are_no_part_of_it():
    assert shown("timeout 60 pytest -q 2>&1 | tail -5", "pytest -q | head") == "pytest -q"


def test_value_that_differs_is_a_placeholder():
    assert shown("URL=one npm test", "URL=two npm test") == "URL=<url> npm test"
    assert shown("URL=one npm test", "URL=two npm test", bare=True) == "npm test"


@pytest.mark.parametrize("setting", ["API_TOKEN=abc", "URL=https://example.com", "HOME_DIR=/home/ann", "ID=1234567"])
def test_value_that_may_be_private_is_a_placeholder_even_if_shared(setting):
    name = setting.partition("=")[0]

    assert shown(f"{setting} npm test", f"{setting} npm test") == f"{name}=<{name.lower()}> npm test"


def test_only_family_shows_no_value():
    assert shown("URL=one pytest -q -k total tests/test_a.py") == "URL=<url> pytest -q <failing_test>"


def test_message_of_a_commit_is_never_shown():
    assert shown("git commit -m 'Add voucher'", "git commit -am fix") == "git commit"


def test_looking_is_shown_with_what_its_output_goes_into():
    sources = [make_source(bash("find . -type f | sort | wc -l"), gives("1"), trace_id=f"t-0000000{n}") for n in (1, 2)]
    calls = [c for a in attempts_of(tuple(sources)) for c in a.calls]

    assert shown_look(calls) == "find | sort | wc"


@pytest.mark.parametrize(("line", "expected"), [("mkdir -p out", True), ("rm try.py", True), ("make out", False)])
def test_command_that_only_prepares_is_known(line, expected):
    (found,) = attempts_of((make_source(bash(line), gives("")),))

    assert only_prepares(found.calls[0]) is expected
