"""Starting a program that a person asked for: an argv, no input, a time limit."""

import sys
import time
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.repo.program import page, run_program, speak_to


def test_output_and_exit_code_come_back(tmp_path):
    done = run_program(
        [sys.executable, "-c", "import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"], folder=tmp_path
    )
    assert done.code == 3
    assert set(done.text.split()) == {"a", "b"}


def test_nothing_is_read_from_standard_input_and_no_git_variable_gets_through(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    code = "import os, sys; print(repr(sys.stdin.read()), os.environ.get('GIT_DIR'), os.environ.get('EXTRA'))"
    done = run_program([sys.executable, "-c", code], folder=tmp_path, environment={"EXTRA": "1"})
    assert done.text == "'' None 1"


def test_a_missing_program_and_a_hanging_one_are_clear_errors(tmp_path):
    with pytest.raises(RepoError, match="cannot run 'no-such-program'"):
        run_program(["no-such-program"], folder=tmp_path)
    with pytest.raises(RepoError, match="did not end within 1 s"):
        run_program(["sleep", "9"], folder=tmp_path, timeout_s=1)


def test_a_program_that_takes_too_long_ends_with_its_children():
    started = time.monotonic()
    argv = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '60'])"]
    assert speak_to(argv, text="", timeout_s=0.5).code is None
    assert time.monotonic() - started < 10
    with pytest.raises(OSError):
        speak_to(["no-such-program"], text="", timeout_s=1)


def test_a_pager_gets_the_text_and_one_that_leaves_early_is_no_error(tmp_path: Path):
    kept = tmp_path / "kept"
    code = f"import sys; open({str(kept)!r}, 'w').write(sys.stdin.read())"
    assert page([sys.executable, "-c", code], "ä\n" * 10, environment={"PYTHONUTF8": "1"}) is True
    assert kept.read_text("utf-8") == "ä\n" * 10
    assert page([sys.executable, "-c", "pass"], "x" * 1_000_000) is True
    assert page([str(tmp_path / "nothing")], "x") is False
