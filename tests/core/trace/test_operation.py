"""Rules of naming what a call does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.operation import (
    Effect,
    command_line,
    effect_of,
    is_change,
    is_check,
    is_failed,
    operation_of,
    operations_of,
)
from tests.makers import fails, gives, make_event


def operation(line: str) -> str | None:
    return operation_of("Bash", {"command": line})


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd x && python -m pytest -q tests/a.py", "python -m pytest"),
        ("git commit -m 'secret words'", "git commit"),
        ("cat big.log | grep secret", "cat"),
        ("export A=1; sudo time timeout 30 make build", "make build"),
        ("python tools/gen.py && python -m pytest | tail -5", "python -m pytest"),
        ("python -m pytest && git push", "git push"),
        ("cat > notes.txt <<EOF\nx\nEOF", "cat >"),
        ("echo done", "echo"),
        ("", None),
    ],
)
def test_operation_is_the_telling_command_without_values(line, expected):
    assert operation(line) == expected


def test_tools_without_a_shell_have_no_operation():
    assert operation_of("cancel_reservation", {"command": "rm -rf x"}) is None
    assert operation_of("Bash", None) is None


def test_command_may_be_a_list_of_words():
    assert command_line({"command": ["bash", "-lc", "git push"]}) == "git push"
    assert operation_of("shell", {"command": ["git", "commit", "-m", "a b"]}) == "git commit"


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("shell", {"command": ["bash", "-lc", "cd a && pytest -q"], "workdir": "."}, "pytest"),
        ("shell", {"command": ["/usr/bin/zsh", "-lc", "git commit -m x"]}, "git commit"),
        ("shell", {"command": ["powershell.exe", "-Command", "git status"]}, "git status"),
        ("shell", {"command": ["C:\\Windows\\pwsh.exe", "-Command", "git status"]}, "git status"),
        ("shell", {"command": ["apply_patch", "*** Begin Patch\n*** End Patch"]}, "apply_patch"),
        ("exec_command", {"cmd": "python3 -c 'print(1)'", "workdir": "/x"}, "python -c"),
        ("shell_command", {"command": "npm run test"}, "npm run test"),
        ("local_shell_call", {"type": "exec", "command": ["ls", "-la"]}, "ls"),
        ("container.exec", {"cmd": ["bash", "-lc", "make build"]}, "make build"),
        ("run_shell_command", {"command": "npm test", "description": "rm -rf everything"}, "npm test"),
        ("execute_bash", {"command": "find . -name x | xargs rm"}, "find"),
    ],
)
def test_the_shells_of_every_host_are_read(tool: str, arguments: dict[str, object], expected: str):
    assert operation_of(tool, arguments) == expected


@pytest.mark.parametrize(
    "tool", ["close_agent", "send_input", "write_stdin", "update_plan", "write_todos", "submit", "goto"]
)
def test_calls_about_the_agents_own_work_change_nothing(tool: str):
    assert effect_of(tool, None) is Effect.READ
    assert not is_change(tool, None)


def test_all_operations_of_a_line_are_listed():
    assert operations_of("Bash", {"command": "cd a && ruff check . && pytest"}) == ("cd", "ruff", "pytest")


@pytest.mark.parametrize(
    ("tool", "effect", "change"),
    [
        ("get_user_details", Effect.READ, False),
        ("search_direct_flight", Effect.READ, False),
        ("think", Effect.READ, False),
        ("KB_search", Effect.READ, False),
        ("book_reservation", Effect.MONEY, True),
        ("send_certificate", Effect.MONEY, True),
        ("refund_order", Effect.MONEY, True),
        ("cancel_reservation", Effect.DELETE, True),
        ("update_reservation_flights", Effect.WRITE, True),
        ("transfer_to_human_agents", Effect.MESSAGE, True),
        ("mcp__mail__sendEmail", Effect.MESSAGE, True),
        ("Edit", Effect.WRITE, True),
        ("Read", Effect.READ, False),
        ("TodoWrite", Effect.READ, False),
        ("frobnicate", Effect.WRITE, False),
    ],
)
def test_effect_follows_the_name_of_the_tool(tool, effect, change):
    assert effect_of(tool, None) is effect
    assert is_change(tool, None) is change


@pytest.mark.parametrize(
    ("line", "effect", "change"),
    [
        ("git push", Effect.WRITE, True),
        ("rm -r build", Effect.DELETE, True),
        ("gh pr comment 3 -b x", Effect.MESSAGE, True),
        ("git status", Effect.READ, False),
        ("python -m pytest -q", Effect.READ, False),
        ("python tools/gen.py", Effect.WRITE, False),
        ("mkdir a", Effect.WRITE, False),
        ("npm run generate", Effect.WRITE, False),
        ("some-generator --all", Effect.WRITE, False),
        ("gh pr view 3", Effect.READ, False),
        ("find . -name x", Effect.READ, False),
        ("sed -i s/a/b/ f", Effect.WRITE, True),
    ],
)
def test_effect_follows_the_program_of_a_shell_call(line, effect, change):
    assert effect_of("Bash", operation(line)) is effect
    assert is_change("Bash", operation(line)) is change


def test_checks_are_test_runs_and_linters():
    assert all(
        is_check(o)
        for o in ("pytest", "python -m pytest", "npm test", "cargo test", "make test", "python manage.py test")
    )
    assert not any(is_check(o) for o in ("python", "git commit", "test", None))


def test_result_fails_by_its_flag_or_by_its_text():
    assert is_failed(make_event(fails("x")))
    assert is_failed(make_event(gives("Error: payment method not found")))
    assert not is_failed(make_event(gives("Error: shown, but the flag says fine", is_error=False)))
    assert not is_failed(make_event(gives('{"status": "ok"}')))


@given(st.text(max_size=60), st.dictionaries(st.text(max_size=8), st.text(max_size=60), max_size=3))
def test_naming_never_raises(tool, arguments):
    effect_of(tool, operation_of(tool, arguments))
    is_change(tool, operation_of("Bash", {"command": tool}))
