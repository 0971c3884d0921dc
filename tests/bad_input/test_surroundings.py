"""Where skillc runs: in a hook, a submodule, a linked worktree, another object format, with settings of a person."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from skillc.lifecycle.init import init
from skillc.lifecycle.resources import template
from tests.bad_input.telling import GIT, require_fine, require_told
from tests.faults.states import require_sound, state_of
from tests.repositories import run_git
from tests.world import FIELD, FIX, World, manifest, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case


def hook(root: Path, name: str, *commands: str) -> None:
    path = root / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    lines = [f"{sys.executable} -m skillc {command} >> hook.log 2>&1 || exit 1" for command in commands]
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n", "utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
def test_inside_a_hook_of_git(world: World, name: str):
    """git sets GIT_DIR, GIT_INDEX_FILE and more: `commit FILE` even with a staging area of its own."""
    hook(world.root, name, f"capture --family {FIX} {sessions_of(FIX)[0]}", f"compile --family {FIELD}", "check")
    world.write(".gitignore", "hook.log\n")
    world.write("a.txt", "a\n")
    world.write("b.txt", "b\n")
    world.git("add", "a.txt", "b.txt", ".gitignore")
    world.git("commit", "--quiet", "-m", "one file", "a.txt", ".gitignore")
    log = (world.root / "hook.log").read_text("utf-8")

    assert "candidate" in log, log
    assert world.git("show", "--format=", "--name-only", "HEAD").splitlines() == [".gitignore", "a.txt"]
    assert world.git("status", "--porcelain").splitlines() == ["A  b.txt"]
    require_sound(world.root)


def test_inside_a_hook_of_another_repository(world: World, tmp_path: Path):
    """A hook's variables name the outer repository; the command works on the one it stands in."""
    outer = tmp_path / "outer"
    outer.mkdir()
    run_git(outer, "init", "-q")
    before = state_of(outer)
    env = {"GIT_DIR": str(outer / ".git"), "GIT_WORK_TREE": str(outer), "GIT_INDEX_FILE": str(outer / ".git" / "index")}
    require_fine(world.run("compile", "--family", FIELD, **env))

    assert world.git("branch", "--list", "skillc/candidate/*")
    assert state_of(outer) == before


def test_in_a_linked_worktree(world: World, tmp_path: Path):
    world.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = World(world.home, tmp_path / "side")
    require_fine(side.run("compile", "--family", FIELD))
    require_fine(side.run("review"))
    assert world.git("branch", "--list", "skillc/candidate/*")
    assert side.git("status", "--porcelain") == world.git("status", "--porcelain") == ""


def test_an_admission_from_a_linked_worktree_brings_the_main_checkout_along(world: World, tmp_path: Path):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    world.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    require_fine(World(world.home, tmp_path / "side").run("compile", "--family", FIELD))

    assert (world.root / ".claude" / "skills" / FIELD / "SKILL.md").is_file()
    assert not (tmp_path / "side" / ".claude").exists()
    assert world.git("status", "--porcelain") == ""


def test_in_a_submodule(world: World, tmp_path: Path):
    outer = tmp_path / "outer"
    outer.mkdir()
    run_git(outer, "init", "-q")
    run_git(outer, "submodule", "--quiet", "add", str(world.root), "inner")
    run_git(outer, "commit", "-q", "-m", "with a submodule")
    inner = World(world.home, outer / "inner")
    for branch in ("skillc/traces", "skillc/ledger"):
        inner.git("branch", "-q", branch, f"origin/{branch}")
    inner.git("remote", "remove", "origin")
    require_fine(inner.run("compile", "--family", FIELD))
    inner.set_policy("mode: pr", "mode: auto")
    inner.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    require_fine(inner.run("compile", "--family", FIX))

    assert (inner.root / ".claude" / "skills" / FIX / "SKILL.md").is_file()
    assert inner.git("status", "--porcelain") == ""
    assert run_git(outer, "status", "--porcelain").splitlines() == [" M inner"]


@pytest.mark.parametrize("value", ["true", "input"])
def test_line_ends_that_git_changes(world: World, value: str):
    """core.autocrlf: what we hash keeps its bytes, on base, in the checkout and in the check."""
    world.git("config", "core.autocrlf", value)
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    require_fine(world.run("compile", "--family", FIELD))
    skill = world.root / ".claude" / "skills" / FIELD / "SKILL.md"

    assert b"\r" not in skill.read_bytes()
    assert world.git("status", "--porcelain") == ""
    skill.unlink()
    world.git("checkout", "--", ".claude")
    assert b"\r" not in skill.read_bytes()
    require_fine(world.run("check"))
    require_fine(world.run("undo", FIELD))


def signing_key(world: World) -> Path:
    key = world.home / "signing"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (world.home / "signers").write_text(f"ada@example.org {key.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    for name, value in {
        "commit.gpgSign": "true",
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "gpg.ssh.allowedSignersFile": str(world.home / "signers"),
    }.items():
        subprocess.run(["git", "config", "--global", name, value], check=True, cwd=world.home)
    return key


def test_required_signatures_are_made(world: World):
    signing_key(world)
    require_fine(world.run("compile", "--family", FIELD))
    require_fine(world.run("check", f"skillc/candidate/{FIELD}"))

    assert world.git("log", "-1", "--format=%G?", f"skillc/candidate/{FIELD}") == "G"


def test_an_admission_is_signed_where_signatures_are_required(world: World):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    signing_key(world)
    require_fine(world.run("compile", "--family", FIELD))

    assert world.git("log", "-1", "--format=%G? %an", "main") == "G skillc"


def test_undo_and_restore_are_signed_where_signatures_are_required(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    signing_key(world)
    require_fine(world.run("undo", FIELD))
    assert world.git("log", "-1", "--format=%G?", "main") == "G"
    require_fine(world.run("restore", FIELD, "1"))
    assert world.git("log", "-1", "--format=%G?", "main") == "G"


@pytest.mark.parametrize("command", [("compile", "--family", FIELD), ("undo", FIX)], ids=lambda c: c[0])
def test_a_broken_signing_key_stops_the_command_whole(world: World, command: tuple[str, ...]):
    world.compile(FIX)
    world.merge(FIX)
    signing_key(world).write_text("no key", "utf-8")
    before = state_of(world.root)
    done = world.run(*command)

    require_told(done, GIT, "could not be signed", "git commit -S")
    assert state_of(world.root) == before
    assert not world.git("for-each-ref", "refs/skillc/tmp")


def test_the_whole_loop_in_a_sha_256_repository(tmp_path: Path, fresh: World):
    """The shipped project, copied commit by commit into the other object format, with verdicts of its own tests."""
    world = World(fresh.home, tmp_path / "sha256")
    world.root.mkdir()
    run_git(world.root, "init", "-q", "--object-format=sha256")
    bundle = tmp_path / "plain"
    subprocess.run(
        ["git", "clone", "-q", "--mirror", str(template("demo") / "project.bundle"), str(bundle)], check=True
    )
    marks = tmp_path / "marks"
    refs = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname)"], cwd=bundle, capture_output=True, text=True, check=True
    )
    heads = [r for r in refs.stdout.split() if r.startswith("refs/heads/")]
    stream = subprocess.run(
        ["git", "fast-export", f"--export-marks={marks}", *heads], cwd=bundle, capture_output=True, check=True
    )
    new_marks = tmp_path / "new-marks"
    run_git(world.root, "fast-import", "--quiet", f"--export-marks={new_marks}", stdin=stream.stdout)
    run_git(world.root, "reset", "-q", "--hard", "main")
    old = dict(reversed(line.split()) for line in marks.read_text("utf-8").splitlines())
    new = dict(line.split() for line in new_marks.read_text("utf-8").splitlines())
    init(world.root)
    world.git("add", "skillc.yaml", ".gitattributes")
    world.git("commit", "-q", "-m", "skillc: namespace")
    world.trust()
    for session in [s for s in manifest()["sessions"] if s["task_family"] == FIX]:
        path = next(p for p in sessions_of(FIX) if Path(p).name == Path(session["file"]).name)
        text = Path(path).read_text("utf-8")
        for commit, mark in old.items():
            text = text.replace(commit, new[mark]).replace(commit[:7], new[mark][:7])
        copy = tmp_path / "sessions" / Path(path).name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text, "utf-8")
    require_fine(world.run("capture", "--family", FIX, str(copy.parent)))
    require_fine(world.run("verify", "--run", "unit-tests"))
    require_fine(world.run("compile", "--family", FIX))
    require_fine(world.run("check", f"skillc/candidate/{FIX}"))
    world.merge(FIX)
    require_fine(world.run("check"))
    require_fine(world.run("why", FIX))
    versions = json.loads(world.run("log", FIX, "--json").stdout)["versions"]
    assert len(versions[0]["commit"]) == 64
    require_fine(world.run("undo", FIX))
    require_fine(world.run("restore", FIX, "1"))
    assert world.git("status", "--porcelain") == ""
    require_fine(world.run("capture", "--family", FIX, str(copy.parent)))
    require_sound(world.root)


def test_another_locale_and_time_zone_change_no_byte(world: World):
    require_fine(world.run("compile", "--family", FIELD))
    first = world.git("rev-parse", f"skillc/candidate/{FIELD}")
    world.git("branch", "-q", "-D", f"skillc/candidate/{FIELD}")
    world.git("update-ref", "refs/heads/skillc/ledger", "skillc/ledger^")
    require_fine(
        world.run("compile", "--family", FIELD, LC_ALL="tr_TR.UTF-8", LANG="C", TZ="Asia/Kathmandu", PYTHONUTF8="0")
    )
    assert world.git("rev-parse", f"skillc/candidate/{FIELD}") == first
