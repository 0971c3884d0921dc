"""The plugin holds the hook and the Skills of base, and what a person changed in it stays."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.hosts import hook_command
from skillc.lifecycle.plugin import HOOKS_FILE, LIST_FILE, PLUGIN_FILE, PluginReport, write_plugin
from skillc.repo import files
from tests.world import FIX, World

pytestmark = pytest.mark.slow  # a process or a repository for each case

SKILL = f"skills/{FIX}/SKILL.md"
CONTRACT = f"skills/{FIX}/contract.json"


@pytest.fixture
def admitted(world: World) -> World:
    world.compile(FIX)
    world.merge(FIX)
    return world


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "plugin"


def made(world: World, place: Path, **options: Any) -> PluginReport:
    return write_plugin(world.context(), place, **options)


def tree(place: Path) -> dict[str, bytes]:
    return {p.relative_to(place).as_posix(): p.read_bytes() for p in sorted(place.rglob("*")) if p.is_file()}


def test_skills_are_byte_for_byte_those_of_base(admitted: World, place: Path):
    report = made(admitted, place)
    (admitted.root / ".claude" / "skills" / FIX / "SKILL.md").write_text("an edit that is not committed")
    for path in (SKILL, CONTRACT):
        committed = admitted.git("rev-parse", f"HEAD:.claude/{path}")
        assert admitted.git("hash-object", "--no-filters", str(place / path)) == committed
    assert report.written == (PLUGIN_FILE, HOOKS_FILE, SKILL, CONTRACT)
    assert report.skills == (FIX,)


def test_the_hook_captures_begin_turn_and_end_of_a_session(admitted: World, place: Path):
    made(admitted, place)
    hooks = json.loads((place / HOOKS_FILE).read_text("utf-8"))["hooks"]
    assert sorted(hooks) == ["SessionEnd", "SessionStart", "Stop"]
    for groups in hooks.values():
        assert groups[0]["hooks"][0]["command"] == hook_command("claude-code", shared=True)


def test_writing_again_changes_nothing(admitted: World, place: Path):
    first = made(admitted, place)
    before = tree(place)
    again = made(admitted, place)
    assert (again.written, again.removed, again.version) == ((), (), first.version)
    assert tree(place) == before


def test_another_content_is_another_version(admitted: World, place: Path):
    first = made(admitted, place).version
    admitted.git("revert", "--no-edit", "-m", "1", "HEAD")
    assert made(admitted, place).version != first


def test_a_skill_that_was_taken_back_leaves_the_plugin(admitted: World, place: Path):
    made(admitted, place)
    admitted.git("revert", "--no-edit", "-m", "1", "HEAD")
    report = made(admitted, place)
    assert report.removed == (SKILL, CONTRACT)
    assert not (place / "skills" / FIX).exists()
    assert LIST_FILE in tree(place)


def test_what_a_person_changed_is_neither_overwritten_nor_removed(admitted: World, place: Path):
    made(admitted, place)
    (place / SKILL).write_text("mine")
    (place / HOOKS_FILE).write_text("{}")
    (place / "skills" / FIX / "notes.md").write_text("mine")
    report = made(admitted, place)
    assert report.kept == (HOOKS_FILE, SKILL)
    admitted.git("revert", "--no-edit", "-m", "1", "HEAD")
    report = made(admitted, place)
    assert report.kept == (HOOKS_FILE, SKILL)
    assert report.removed == (CONTRACT,)
    assert (place / SKILL).read_text() == "mine"
    assert (place / HOOKS_FILE).read_text() == "{}"
    assert (place / "skills" / FIX / "notes.md").exists()


def test_what_a_person_deleted_does_not_come_back(admitted: World, place: Path):
    made(admitted, place)
    (place / HOOKS_FILE).unlink()
    report = made(admitted, place)
    assert report.deleted == (HOOKS_FILE,)
    assert not (place / HOOKS_FILE).exists()
    assert made(admitted, place).deleted == (HOOKS_FILE,)


def test_a_file_that_was_there_before_is_a_persons(admitted: World, place: Path):
    (place / "hooks").mkdir(parents=True)
    (place / HOOKS_FILE).write_text('{"hooks": {}}')
    report = made(admitted, place)
    assert report.kept == (HOOKS_FILE,)
    assert (place / HOOKS_FILE).read_text() == '{"hooks": {}}'


def test_a_dry_run_writes_nothing_and_says_what_it_would(admitted: World, place: Path):
    report = made(admitted, place, dry_run=True)
    assert SKILL in report.written
    assert not place.exists()


@pytest.mark.parametrize("where", [".git/plugin", ".git", ".claude/skills", ".claude/skills/x", ".claude", "a/.git/b"])
def test_git_folders_and_the_folder_of_skills_are_refused(admitted: World, where: str):
    with pytest.raises(UsageError, match="no place for a plugin"):
        made(admitted, admitted.root / where)
    assert not (admitted.root / ".claude" / "skills" / "hooks").exists()


def test_a_link_to_a_refused_folder_is_refused_too(admitted: World, place: Path):
    place.symlink_to(admitted.root / ".claude" / "skills")
    with pytest.raises(UsageError, match="no place for a plugin"):
        made(admitted, place)


@pytest.mark.parametrize("name", ["skills", "hooks", ".claude-plugin", f"skills/{FIX}"])
def test_nothing_is_written_through_a_link_inside(admitted: World, place: Path, tmp_path: Path, name: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    (place / name).symlink_to(outside)
    with pytest.raises(RepoError, match="is a link"):
        made(admitted, place)
    assert list(outside.iterdir()) == []


def test_a_list_that_names_other_files_cannot_have_them_removed(admitted: World, place: Path, tmp_path: Path):
    import hashlib

    made(admitted, place)
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    digest = hashlib.sha256(b"precious").hexdigest()
    names = ["../victim", str(victim), "skills/../../victim", "skills/a/../../../victim", "notes.md"]
    (place / "notes.md").write_bytes(b"precious")
    (place / LIST_FILE).write_text(json.dumps({"files": {name: [digest] for name in names}}))
    made(admitted, place)
    assert victim.exists()
    assert (place / "notes.md").exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"files": 3}', '{"files": {"hooks/hooks.json": 1}}', "[" * 99999])
def test_a_list_that_cannot_be_read_makes_every_other_file_a_persons(admitted: World, place: Path, text: str):
    made(admitted, place)
    (place / HOOKS_FILE).write_text("old")
    (place / LIST_FILE).write_text(text)
    assert made(admitted, place).kept == (HOOKS_FILE,)


def test_hand_written_skills_and_broken_ones_are_left_out_with_a_reason(admitted: World, place: Path):
    skills = ".claude/skills"
    contract = (admitted.root / skills / FIX / "contract.json").read_text("utf-8")
    admitted.commit(
        {
            f"{skills}/by-hand/SKILL.md": "mine",
            f"{skills}/Bad Name/SKILL.md": "x",
            f"{skills}/Bad Name/contract.json": contract,
            f"{skills}/broken/SKILL.md": "x",
            f"{skills}/broken/contract.json": "{",
        }
    )
    linked = admitted.root / skills / "linked"
    linked.mkdir()
    (linked / "contract.json").write_text(contract)
    os.symlink("/etc/passwd", linked / "SKILL.md")
    admitted.git("add", "--force", skills)
    admitted.git("commit", "--quiet", "-m", "a link")
    report = made(admitted, place)
    assert report.skills == (FIX,)
    assert report.left_out == {
        "by-hand": "written by hand",
        "Bad Name": "its name is no name of a Skill",
        "broken": "its contract.json cannot be read",
        "linked": "SKILL.md or contract.json is no plain file",
    }
    assert {p for p in tree(place) if p.startswith("skills/")} == {SKILL, CONTRACT}


def test_a_run_that_was_killed_half_way_leaves_no_file_that_counts_as_a_persons(
    admitted: World, place: Path, monkeypatch: pytest.MonkeyPatch
):
    made(admitted, place)
    admitted.git("revert", "--no-edit", "-m", "1", "HEAD")
    real, count = files.write_whole, [0]

    def dies(path: Path, data: bytes, **options: Any) -> None:
        count[0] += 1
        if count[0] > 1:
            raise KeyboardInterrupt
        real(path, data, **options)

    monkeypatch.setattr("skillc.lifecycle.plugin.write_whole", dies)
    with pytest.raises(KeyboardInterrupt):
        made(admitted, place)
    monkeypatch.setattr("skillc.lifecycle.plugin.write_whole", real)
    report = made(admitted, place)
    assert report.kept == ()
    assert report.written == (PLUGIN_FILE,)
    assert report.removed == (SKILL, CONTRACT)
