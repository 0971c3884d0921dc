"""Repositories that are not as a command wants them: each is told in one message with the next step, or works."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.bad_input.telling import GIT, USAGE, require_fine, require_told
from tests.faults.states import require_sound, state_of
from tests.repositories import run_git
from tests.world import FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case

COMMANDS = (("init",), ("capture", "x.jsonl"), ("compile",), ("traces",), ("show",), ("check",), ("review",))


def in_folder(world: World, folder: Path) -> World:
    return World(world.home, folder)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_a_folder_that_is_no_repository(fresh: World, tmp_path: Path, command: tuple[str, ...]):
    (tmp_path / "plain").mkdir()
    done = in_folder(fresh, tmp_path / "plain").run(*command)

    require_told(done, GIT, "not inside a git repository", "git init")
    assert not list((tmp_path / "plain").iterdir())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_a_bare_repository(fresh: World, tmp_path: Path, command: tuple[str, ...]):
    run_git(tmp_path, "clone", "-q", "--bare", str(fresh.root), "bare.git")
    done = in_folder(fresh, tmp_path / "bare.git").run(*command)

    require_told(done, GIT, "bare repository", "checkout")


def test_a_repository_without_a_namespace(fresh: World, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    run_git(tmp_path / "empty", "init", "-q")
    for command in (("traces",), ("compile",), ("show",)):
        require_told(in_folder(fresh, tmp_path / "empty").run(*command), USAGE, "no skillc.yaml", "skillc init")


def test_a_shallow_clone_can_capture_but_has_no_history(world: World, tmp_path: Path):
    world.compile(FIELD)
    world.merge(FIELD)
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{world.root}", "shallow")
    shallow = in_folder(world, tmp_path / "shallow")

    require_fine(shallow.run("capture", "--family", FIX, sessions_of(FIX)[0]))
    for command in (("log", FIELD), ("undo", FIELD), ("restore", FIELD, "1")):
        require_told(shallow.run(*command), GIT, "shallow", "git fetch --unshallow")
    run_git(shallow.root, "fetch", "-q", "--unshallow")
    require_fine(shallow.run("log", FIELD))


def test_a_detached_head(world: World):
    world.git("switch", "--quiet", "--detach")
    world.write("mine.txt", "mine")
    before = state_of(world.root)
    require_fine(world.run("compile", "--family", FIELD))
    after = state_of(world.root)

    assert {k for k in after if after[k] != before.get(k)} == {
        f"ref refs/heads/skillc/candidate/{FIELD}",
        "ref refs/heads/skillc/ledger",
    }


def test_a_detached_head_with_traces_in_the_tree(fresh: World):
    fresh.set_policy("location: branch", "location: tree")
    fresh.git("switch", "--quiet", "--detach")
    before = state_of(fresh.root)
    done = fresh.run("capture", sessions_of(FIX)[0])

    require_told(done, GIT, "'main' is not checked out here", "git switch main")
    assert state_of(fresh.root) == before


def test_nobody_has_told_git_their_name(world: World):
    (world.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", "utf-8")
    require_fine(world.run("capture", "--family", FIX, sessions_of(FIX)[0]))
    require_fine(world.run("compile", "--family", FIELD))
    require_fine(world.run("reject", FIELD, "--reason", "no"))

    assert world.git("log", "-1", "--format=%an <%ae>", "skillc/ledger") == "skillc <skillc@localhost>"


@pytest.fixture
def auto(world: World) -> World:
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    return world


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("untracked", "a file that git does not track is in the way"),
        ("ignored", "a file that git does not track is in the way"),
        ("staged", "staged with other content"),
        ("a link", "is no folder"),
        ("a file for a folder", "is no folder"),
        ("merging", "a merge is under way"),
    ],
)
def test_a_checkout_that_is_not_free_stops_an_admission_whole(auto: World, kind: str, message: str):
    skill = f".claude/skills/{FIELD}/SKILL.md"
    if kind == "ignored":
        auto.commit({".gitignore": ".claude/\n"})
    if kind in ("untracked", "ignored", "staged"):
        auto.write(skill, "mine")
    if kind == "staged":
        auto.git("add", skill)
    if kind == "a link":
        (auto.root / "elsewhere").mkdir()
        (auto.root / ".claude").symlink_to("elsewhere")
    if kind == "a file for a folder":
        auto.write(".claude", "mine")
    if kind == "merging":
        (auto.root / ".git" / "MERGE_HEAD").write_text(auto.git("rev-parse", "HEAD") + "\n", "utf-8")
    before = state_of(auto.root)
    done = auto.run("compile", "--family", FIELD)

    require_told(done, GIT, message, "run the command again")
    assert state_of(auto.root) == before
    require_sound(auto.root)


def test_other_dirty_and_conflicting_files_do_not_matter(world: World):
    """A real merge conflict in another file: candidates and Traces are built beside it."""
    world.git("switch", "--quiet", "-c", "other")
    world.commit({"clash.txt": "theirs\n"})
    world.git("switch", "--quiet", "main")
    world.commit({"clash.txt": "ours\n"})
    world.git("merge", "other", check=False)
    world.write("README.md", "dirty\n")
    before = state_of(world.root)
    require_fine(world.run("compile", "--family", FIELD))
    after = state_of(world.root)

    assert {k for k in after if after[k] != before.get(k)} == {
        f"ref refs/heads/skillc/candidate/{FIELD}",
        "ref refs/heads/skillc/ledger",
    }


def test_a_repository_of_another_user(fresh: World):
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for path in (fresh.root, fresh.root / ".git"):
        os.chown(path, 12345, 12345)
    for command in (("traces",), ("compile",), ("capture", sessions_of(FIX)[0])):
        require_told(fresh.run(*command), GIT, "belongs to another user", "safe.directory")
    subprocess.run(
        ["git", "config", "--global", "--add", "safe.directory", str(fresh.root)], check=True, cwd=fresh.home
    )
    require_fine(fresh.run("traces"))


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
def test_a_stale_lock_is_told_and_never_deleted(auto: World, lock: str):
    path = auto.root / ".git" / lock
    path.write_bytes(b"")
    os.utime(path, (1, 1))
    before = state_of(auto.root)
    done = auto.run("compile", "--family", FIELD)

    require_told(done, GIT, str(path), "delete that file")
    assert " s old" in done.stderr
    assert path.exists()
    assert state_of(auto.root) == before
    path.unlink()
    require_fine(auto.run("compile", "--family", FIELD))


@pytest.mark.parametrize("ref", ["skillc/traces", "skillc/ledger"])
def test_a_stale_lock_of_a_branch_of_ours(fresh: World, ref: str):
    path = fresh.root / ".git" / "refs" / "heads" / f"{ref}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    first = fresh.run("capture", "--family", FIX, sessions_of(FIX)[0])
    if ref == "skillc/traces":
        done = first
    else:
        require_fine(first)
        done = fresh.run("verify", "--run", "unit-tests")
    require_told(done, GIT, str(path), "delete that file")
    assert path.exists()
    path.unlink()
    require_fine(fresh.run("capture", "--family", FIX, sessions_of(FIX)[0]))
    require_fine(fresh.run("verify", "--run", "unit-tests"))


def test_a_damaged_object_store_is_told(world: World):
    commit = world.git("rev-parse", "skillc/ledger")
    objects = world.root / ".git" / "objects"
    loose = objects / commit[:2] / commit[2:]
    if not loose.exists():
        for pack in list((objects / "pack").glob("*.pack")):
            kept = pack.rename(world.home / pack.name)
            with kept.open("rb") as stream:
                subprocess.run(["git", "unpack-objects", "-q"], stdin=stream, cwd=world.root, check=True)
    loose.unlink()
    done = world.run("traces")

    require_told(done, GIT, "", "git fsck")
