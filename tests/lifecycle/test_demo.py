"""The demo is the whole loop, offline, and touches nothing outside its folder."""

import os
from pathlib import Path

import pytest

from skillc.lifecycle.demo import Demo

pytestmark = pytest.mark.slow  # a process or a repository for each case


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list:
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder.parent / "untouched"))
        patch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path("src").resolve()), os.environ.get("PYTHONPATH", "")]))
        made = list(Demo(folder).steps())
        assert not (folder.parent / "untouched").exists()
    return made


def test_every_step_ends_as_it_should(steps):
    assert [(s.command, s.output) for s in steps if not s.is_expected] == []
    assert len(steps) >= 15


def test_it_shows_the_whole_loop(steps):
    commands = " ".join(s.command for s in steps)
    for word in ("init", "capture", "verify --run", "compile", "why", "git merge", "check", "git revert", "log"):
        assert word in commands


def test_a_verdict_differs_from_what_two_agents_claimed(steps):
    verify = next(s for s in steps if "verify" in s.command)
    assert verify.output.count("failure") == 2
    assert verify.output.count("success") == 9


def test_a_reverted_skill_stays_out(steps):
    assert "reverted" in steps[-1].output
