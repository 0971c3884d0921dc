"""Scanning by hand: every file is looked at or named as unread, never both silent and clean."""

import os
from pathlib import Path

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.scan.by_hand import scan_paths
from skillc.lifecycle.scan.inputs import MAX_FILE_BYTES
from tests.world import FIELD, World

KEY = "AKIA" + "IOSFODNN7" + "EXAMPLQ"


def test_a_folder_is_read_whole_and_findings_carry_their_place(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(f"---\nname: a\ndescription: T.\n---\nUse {KEY} now.\n", "utf-8")
    report = scan_paths([str(tmp_path)], tmp_path)

    assert [(Path(f.path).name, f.line, f.severity.value) for f in report.findings] == [("SKILL.md", 5, "block")]
    assert KEY not in report.model_dump_json()
    assert report.is_blocked
    assert report.scanned.files == 1


def test_what_cannot_be_read_is_reported_never_clean(tmp_path: Path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "big").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    report = scan_paths([str(tmp_path)], tmp_path)

    assert {Path(u.path).name for u in report.unread} == {"link", "folder", "pipe", "big"}
    assert report.scanned.files == 0


def test_a_compiled_skill_is_compared_with_the_traces_it_cites(world: World, monkeypatch):
    world.compile(FIELD)
    world.merge(FIELD)
    monkeypatch.chdir(world.root)
    assert not scan_paths([], world.root).is_blocked
    path = world.root / ".claude" / "skills" / FIELD / "SKILL.md"
    attempt = next(a for a in world.attempts().values() if a.task_family == FIELD)
    number = attempt.trace.header.environment.git.head_end
    path.write_text(path.read_text("utf-8") + f"\n- As in {number}.\n", "utf-8")
    found = scan_paths([], world.root)

    assert any(c.isdigit() for c in number)
    assert "trace-value" in {f.rule for f in found.findings}


def test_a_missing_path_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match="no file or folder"):
        scan_paths([str(tmp_path / "nope")], tmp_path)


def test_scanning_works_outside_a_repository(tmp_path: Path):
    (tmp_path / "x.md").write_text("hello", "utf-8")
    assert scan_paths([str(tmp_path / "x.md")], tmp_path).findings == ()


@pytest.mark.parametrize("data", [b"\xff\xfe\x00bad", b"\x00" * 50, b"", b"\xed\xa0\x80"])
def test_bytes_that_are_no_text_do_not_stop_a_scan(tmp_path: Path, data: bytes):
    (tmp_path / "x").write_bytes(data)
    assert scan_paths([str(tmp_path / "x")], tmp_path).scanned.files == 1


def test_exit_codes_say_clean_blocked_or_unread(world: World, tmp_path: Path):
    (tmp_path / "clean.md").write_text("Run the tests.\n", "utf-8")
    (tmp_path / "bad.md").write_text(f"key = {KEY}\n", "utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "link").symlink_to("x")
    assert world.run("scan", str(tmp_path / "clean.md")).returncode == 0
    assert world.run("scan", str(tmp_path / "bad.md"), "--format", "json").returncode == 1
    assert world.run("scan", str(tmp_path / "sub")).returncode == 3
    done = world.run("scan", "-", stdin=f"token {KEY}".encode())
    assert done.returncode == 1
    assert KEY not in done.stdout
