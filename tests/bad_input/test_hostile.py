"""A repository made by somebody else: what its `.git` says runs nothing and changes no answer."""

from pathlib import Path

import pytest

from tests.bad_input.telling import GIT, require_fine, require_told
from tests.faults.states import state_of
from tests.repositories import run_git
from tests.world import FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case


def run_everything(world: World) -> None:
    """The commands of a day, each of which starts git many times."""
    for command in (
        ("capture", "--family", FIX, *sessions_of(FIX)),
        ("traces",),
        ("verify", "--run", "unit-tests"),
        ("compile",),
        ("review",),
        ("check",),
        ("reject", FIELD, "--reason", "no"),
        ("undo", FIX),
        ("log", FIX),
        ("why", FIX),
    ):
        require_fine(world.run(*command))


@pytest.fixture
def with_skill(fresh: World) -> World:
    """Everything that the commands need, with one admitted Skill and one family to compile."""
    fresh.capture(sessions_of(FIELD), task_family=FIELD)
    fresh.capture(sessions_of(FIX)[:3], task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    fresh.merge(FIX)
    return fresh


HOOKS = (
    "reference-transaction", "post-checkout", "pre-commit", "post-commit", "post-merge", "pre-push", "post-rewrite",
    "post-index-change", "pre-auto-gc", "commit-msg", "prepare-commit-msg", "update", "pre-receive", "post-update",
)  # fmt: skip


def test_nothing_of_a_hostile_git_folder_runs(with_skill: World, tmp_path: Path):
    world = with_skill
    mark, script = tmp_path / "ran", tmp_path / "evil.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {mark}\ncat\nexit 0\n', "utf-8")
    script.chmod(0o755)
    git_dir = world.root / ".git"
    (git_dir / "hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        (git_dir / "hooks" / hook).write_text(script.read_text("utf-8"), "utf-8")
        (git_dir / "hooks" / hook).chmod(0o755)
    (git_dir / "evil.config").write_text(
        f"[core]\n\tfsmonitor = {script}\n\tsshCommand = {script}\n[alias]\n"
        + "".join(f"\t{name} = !{script}\n" for name in ("log", "for-each-ref", "rev-parse", "ls-tree", "config")),
        "utf-8",
    )
    for key, value in {
        "include.path": "evil.config",
        "core.hooksPath": str(git_dir / "hooks"),
        "core.fsmonitor": str(script),
        "core.pager": str(script),
        "core.editor": str(script),
        "core.askPass": str(script),
        "core.alternateRefsCommand": str(script),
        "diff.external": str(script),
        "diff.evil.textconv": str(script),
        "diff.evil.command": str(script),
        "filter.evil.smudge": str(script),
        "filter.evil.clean": str(script),
        "filter.evil.process": str(script),
        "filter.evil.required": "true",
        "merge.evil.driver": str(script),
        "gpg.program": str(script),
        "gpg.ssh.program": str(script),
        "gpg.format": "ssh",
        "log.showSignature": "true",
        "credential.helper": f"!{script}",
        "uploadpack.packObjectsHook": str(script),
        "interactive.diffFilter": str(script),
        "trailer.x.command": str(script),
        "trailer.x.key": "Skillc-Run",
        "pager.log": str(script),
    }.items():
        run_git(world.root, "config", key, value)
    (git_dir / "info").mkdir(exist_ok=True)
    (git_dir / "info" / "attributes").write_text("* filter=evil diff=evil merge=evil\n", "utf-8")
    run_everything(world)

    assert not mark.exists(), mark.read_text("utf-8")


def test_replaced_objects_and_grafts_change_no_answer(world: World):
    before = world.run("traces").stdout
    tip = world.git("rev-parse", "skillc/traces")
    (world.root / ".git" / "info").mkdir(exist_ok=True)
    world.git("replace", tip, world.git("rev-parse", "main"))
    assert world.run("traces").stdout == before


def test_a_work_tree_that_the_configuration_moves_away(world: World, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "keep.txt").write_text("mine", "utf-8")
    run_git(world.root, "config", "core.worktree", str(elsewhere))
    for command in (("compile",), ("init",), ("traces",)):
        require_told(world.run(*command), GIT, "moves its work tree", "git config --unset core.worktree")
    assert sorted(p.name for p in elsewhere.iterdir()) == ["keep.txt"]


def test_a_bare_repository_hidden_in_a_folder_is_not_used(fresh: World):
    """A clone can carry a bare repository as plain files; standing in it must not make its settings ours."""
    hidden = fresh.root / "vendor" / "dep"
    hidden.mkdir(parents=True)
    run_git(hidden, "init", "-q", "--bare", ".")
    (hidden / "config").open("a", encoding="utf-8").write("[core]\n\tfsmonitor = touch pwned\n")
    done = World(fresh.home, hidden).run("traces")

    require_told(done, GIT, "bare repository", "checkout")
    assert not (hidden / "pwned").exists()


def test_a_private_folder_that_somebody_filled_is_read_as_data(world: World):
    """Journal, due records and signature cache are files that another account may have written."""
    private = world.root / ".git" / "skillc"
    (private / "cache").mkdir(parents=True, exist_ok=True)
    before = state_of(world.root)
    (private / "admission.journal").write_text(
        '{"ref":"refs/heads/main","old":null,"new":"../../x","roots":["/"]}', "utf-8"
    )
    (private / "due-records.json").write_text(
        '{"ref":"refs/heads/main","new":"--all","files":[],"message":"","at":"x"}', "utf-8"
    )
    (private / "cache" / "signatures-1").write_bytes(b"\xff" * 100_000)
    require_fine(world.run("traces"))
    assert state_of(world.root) == before
    assert not (private / "admission.journal").exists()


def test_due_records_of_somebody_else_cannot_leave_the_ledger(world: World):
    """A note may only add files that the ledger would take: named by their digest, below its folders."""
    private = world.root / ".git" / "skillc"
    tip = world.git("rev-parse", "main")
    note = f'{{"ref":"refs/heads/main","new":"{tip}","files":[["../../x","{{}}"]],"message":"m","at":"2026-01-01T00:00:00+00:00"}}'
    (private / "due-records.json").write_text(note, "utf-8")
    before = state_of(world.root)
    done = world.run("traces")
    assert "Traceback" not in done.stderr
    assert state_of(world.root) == before
