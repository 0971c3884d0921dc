"""Every way in which a command can end: one message, one hint, one exit code, on the right stream."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from skillc.cli.app import app, run
from skillc.errors import EXIT_BUG, DataError
from tests.world import World


def test_without_arguments_it_shows_the_grouped_help(world: World):
    done = world.run()
    assert done.returncode == 0
    for group in ("Everyday", "Team", "Expert"):
        assert group in done.stdout


@pytest.mark.parametrize("arguments", [("frob",), ("log",), ("compile", "--nope"), ("verify",)])
def test_a_wrong_command_line_is_exit_2_with_a_hint(world: World, arguments: tuple[str, ...]):
    done = world.run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "\nhint: " in done.stderr
    assert "Traceback" not in done.stderr


def test_with_json_an_error_is_one_object_on_standard_output(world: World):
    done = world.run("log", "nope", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert answer["format"] == "skillc.error/1"
    assert set(answer["error"]) == {"code", "message", "hint"}
    assert done.stderr == ""


def test_a_stop_gives_its_own_exit_code(monkeypatch, capsys):
    def stop() -> None:
        raise DataError("a.jsonl:3: is not JSON", hint="mend it")

    monkeypatch.setattr("skillc.cli.app.app", lambda **_: stop())
    assert run(["x"]) == 3
    assert capsys.readouterr().err == "error: a.jsonl:3: is not JSON\n\nhint: mend it\n"


def test_our_bug_is_exit_70_with_a_report_that_holds_no_values(monkeypatch, capsys):
    def fail() -> None:
        secret = "a value of a Trace"
        raise KeyError(secret)

    monkeypatch.setattr("skillc.cli.app.app", lambda **_: fail())
    assert run(["x"]) == EXIT_BUG
    message = capsys.readouterr().err
    report = message.strip().rsplit(" ", 1)[1]
    text = open(report, encoding="utf-8").read()  # noqa: SIM115
    os.unlink(report)
    assert "a value of a Trace" not in text + message
    assert "in fail" in text


def test_a_closed_pipe_is_no_error(world: World):
    command = f"{sys.executable} -m skillc schema event | head -1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=world.root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("0", "1", "141")
    assert "Traceback" not in done.stderr


def test_an_interrupt_is_exit_130(world: World):
    started = world.home / "started"
    world.set_policy('run: [python3, "-m", unittest, "-q"]', f'run: [sh, "-c", "touch {started}; sleep 20"]')
    world.trust()
    trace_id = next(iter(world.attempts()))
    argv = [sys.executable, "-m", "skillc", "verify", "--run", "unit-tests", trace_id]
    process = subprocess.Popen(argv, cwd=world.root, stderr=subprocess.PIPE, text=True)
    for _ in range(600):  # until the check itself runs
        if started.exists() or process.poll() is not None:
            break
        time.sleep(0.05)
    time.sleep(0.5)  # and the command waits for it
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert len(world.git("worktree", "list").splitlines()) == 1


def test_every_command_has_help_with_an_example():
    import typer.main

    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    found = {}
    for name, command in commands.items():
        inner = getattr(command, "commands", None) or {name: command}
        for word, one in inner.items():
            found[f"{name} {word}" if inner is not commands and word != name else name] = one.help or ""
    assert len(found) >= 22
    bare = [name for name, text in found.items() if "Example" not in text]
    assert bare == []


def test_help_needs_no_repository(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "compile", "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
