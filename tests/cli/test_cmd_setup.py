"""`init`, `demo`, `schema` on the command line."""

import json
import subprocess
import sys

import pytest

from tests.repositories import commit_files
from tests.world import World


def test_init_ends_with_past_sessions_and_the_next_command(root):
    commit_files(root, {"tests/test_a.py": ""})
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "init"], cwd=root, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "0 past sessions, 0 verifiable now"
    assert "git add skillc.yaml" in done.stderr
    again = subprocess.run(
        [sys.executable, "-m", "skillc", "init", "--json"], cwd=root, capture_output=True, text=True, check=True
    )
    assert json.loads(again.stdout)["written"] == []


def test_init_counts_past_sessions_and_those_a_check_can_verify(fresh: World):
    import shutil

    from tests.world import FIX, sessions_of

    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(fresh.root))
    folder = fresh.home / ".claude" / "projects" / name
    folder.mkdir(parents=True)
    for path in sessions_of(FIX):
        shutil.copy(path, folder)
    done = fresh.run("init")
    assert "6 past sessions, 6 verifiable now" in done.stdout
    assert "skillc capture --all" in done.stderr
    assert fresh.run("capture", "--all").stdout.count("new  ") == 6


def test_init_dry_run_writes_nothing(root):
    subprocess.run([sys.executable, "-m", "skillc", "init", "-n"], cwd=root, capture_output=True, check=True)
    assert not (root / "skillc.yaml").exists()


def test_schema_lists_and_prints(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "schema"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "contract" in done.stdout.split()
    done = subprocess.run(
        [sys.executable, "-m", "skillc", "schema", "contract"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["$id"] == "skillc:contract"


def test_init_writes_a_plugin_folder_and_says_what_a_person_changed(fresh: World, tmp_path):
    place = tmp_path / "plugin"
    done = fresh.run("init", "--plugin", str(place))
    assert done.returncode == 0
    assert "wrote  .claude-plugin/plugin.json" in done.stdout
    (place / "hooks" / "hooks.json").write_text("{}")
    done = fresh.run("init", "--plugin", str(place))
    assert "kept: hooks/hooks.json was changed by a person" in done.stderr
    report = json.loads(fresh.run("init", "--plugin", str(place), "--json").stdout)
    assert report["format"] == "skillc.plugin/1"
    assert report["kept"] == ["hooks/hooks.json"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--shared",), ("--deny-rules",), ("--no-deny-rules",), ("--host", "codex", "--host", "gemini"),
        ("--remove-host", "codex", "--remove-host", "gemini"), ("--remove-host", "codex", "--deny-rules"),
        ("--remove-host", "codex", "--namespace", "x"), ("--plugin", "p", "--shared"), ("--namespace", "another"),
        ("--host", "codex", "--namespace", "another"),
    ],
)  # fmt: skip
def test_init_refuses_an_option_that_would_be_ignored(fresh: World, arguments: tuple[str, ...]):
    done = fresh.run("init", *arguments)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    assert not (fresh.root / "p").exists()


def test_init_with_a_host_names_the_new_namespace(fresh: World):
    (fresh.root / "skillc.yaml").unlink()
    assert fresh.run("init", "--host", "codex", "--namespace", "other").returncode == 0
    assert "namespace: other" in (fresh.root / "skillc.yaml").read_text("utf-8")


def test_init_refuses_a_plugin_in_a_git_folder_or_together_with_a_host(fresh: World):
    assert fresh.run("init", "--plugin", ".git/x").returncode == 2
    assert fresh.run("init", "--plugin", "p", "--host", "codex").returncode == 2
    assert not (fresh.root / "p").exists()


def test_init_for_a_forge_writes_workflows_and_says_what_only_a_person_can_do(fresh: World):
    done = fresh.run("init", "--forge", "github", "--owners", "@acme/reviewers")
    assert done.returncode == 0
    assert "wrote  .github/workflows/skillc-check.yml" in done.stdout
    assert "skillc doctor --forge" in done.stderr
    assert fresh.run("init", "--owners", "@acme/reviewers").returncode == 2
    assert fresh.run("init", "--forge", "github", "--host", "codex").returncode == 2
