"""A pull request by gh where gh and a GitHub remote are, else the exact commands."""

import json
from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.forge import can_open_pull_request, create_pull_request
from skillc.lifecycle.review import review
from tests.world import FIELD, World


@pytest.fixture
def gh(tmp_path: Path, monkeypatch) -> Path:
    """A stand-in for gh that writes down its arguments and prints an address."""
    log = tmp_path / "gh.json"
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(
        "#!/usr/bin/env python3\nimport json, sys\n"
        f"body = open(sys.argv[sys.argv.index('--body-file') + 1]).read()\n"
        f"json.dump([sys.argv[1:], body], open({str(log)!r}, 'w'))\nprint('https://github.com/acme/app/pull/7')\n",
        "utf-8",
    )
    program.chmod(0o755)
    import os

    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return log


def test_without_gh_or_github_the_exact_commands_are_the_hint(world: World):
    world.compile(FIELD)
    candidate = review(world.context()).candidates[0]
    with pytest.raises(RepoError) as stop:
        create_pull_request(world.context(), candidate)
    assert f"git push origin skillc/candidate/{FIELD}" in str(stop.value.hint)


@pytest.mark.parametrize(
    ("url", "is_github"),
    [
        ("https://github.com/acme/app.git", True),
        ("git@github.com:acme/app.git", True),
        ("https://gitlab.com/acme/app.git", False),
        ("https://example.org/github.com", False),
    ],
)
def test_only_a_github_remote_is_one(world: World, gh: Path, url: str, is_github: bool):
    world.git("remote", "add", "origin", url)
    assert can_open_pull_request(world.context()) is is_github


def test_the_branch_is_pushed_and_gh_gets_title_and_body(world: World, gh: Path, tmp_path: Path):
    bare = tmp_path / "remote.git"
    world.git("init", "--quiet", "--bare", str(bare))
    world.git("remote", "add", "origin", "https://github.com/acme/app.git")
    world.git("config", f"url.{bare}.insteadOf", "https://github.com/acme/app.git")
    world.git("push", "--quiet", "origin", "main")
    world.compile(FIELD)
    candidate = review(world.context()).candidates[0]
    address = create_pull_request(world.context(), candidate)
    arguments, body = json.loads(gh.read_text("utf-8"))

    assert address == "https://github.com/acme/app/pull/7"
    assert arguments[:6] == ["pr", "create", "--base", "main", "--head", f"skillc/candidate/{FIELD}"]
    assert "Evidence of every line" in body
    assert world.git("ls-remote", "origin", f"refs/heads/skillc/candidate/{FIELD}")
