"""Rules of which commands of a project are checks."""

import pytest

from skillc.core.policy import Thresholds
from skillc.core.trace.operation import operation_name
from skillc.core.trace.shell import parse_command_line
from skillc.engines.offline.checks import is_check_command, verification_command
from skillc.engines.offline.induction import induce
from skillc.engines.offline.observe import completion_of
from skillc.engines.offline.steps import steps_of
from tests.makers import bash, call, gives, make_evidence, make_source

EDIT = [call("Edit", {"file_path": "a.py"}), gives("ok")]


def is_check(line, verified=""):
    command = parse_command_line(line)[0].commands[0]
    return is_check_command(command, operation_name(command), verified)


@pytest.mark.parametrize(
    "line",
    [
        "pytest -q", "sh ci/check.sh", "./scripts/test.sh", "bin/lint", "make check", "make ci", "just test-unit",
        "npm run test:e2e", "npm run lint-all", "python run_tests.py", "bash scripts/verify.sh --fast", "uv run tox",
        "./gradlew :core:test",
    ],
)  # fmt: skip
def test_command_whose_name_says_test_is_a_check(line):
    assert is_check(line)


@pytest.mark.parametrize(
    "line",
    [
        "npm ci",
        "npm run build",
        "make",
        "make latest",
        "sh ci/deploy.sh",
        "python tools/gen.py",
        "./contest",
        "git commit",
        "bin/rails db:migrate",
    ],
)
def test_other_commands_are_none(line):
    assert not is_check(line)


def test_command_of_the_verification_is_a_check_whatever_its_name():
    assert not is_check("sh ci/all.sh")
    assert is_check("sh ci/all.sh", verified="sh ci/all.sh")


def test_command_of_the_verification_is_read_from_its_basis():
    assert verification_command(make_source(check="`sh ci/all.sh` exit 0")) == "sh ci/all.sh"
    assert verification_command(make_source(check="something else")) == ""
    assert verification_command(make_source()) == ""


@pytest.mark.parametrize("families", [1, 2])
def test_verification_command_ends_the_work(families):
    run = [*EDIT, bash("pytest -q"), gives("1 passed"), bash("sh ci/all.sh"), gives("fine")]
    sources = [make_source(*run, trace_id=f"t-0000000{n}", check="`sh ci/all.sh` exit 0") for n in range(families)]
    induction = induce(make_evidence(*sources), Thresholds())

    assert [c.text for c in completion_of(induction)] == ["`sh ci/all.sh` passes after the last change."]
    assert "Run `sh ci/all.sh` and see it pass." in [s.text for s in steps_of(induction)]
