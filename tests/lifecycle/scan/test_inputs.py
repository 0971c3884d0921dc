"""Everything below a path is yielded or reported, in a fixed order, and no link is followed."""

import io
import os
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.scan.inputs import MAX_FILE_BYTES, Input, Reading, clean_name
from tests.core.scan.test_detectors import SAMPLES


def read(*paths: str, **options) -> tuple[list[Input], Reading]:
    reading = Reading(**options)
    return list(reading.inputs(paths)), reading


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_folder_is_read_in_order_with_names_as_typed(here: Path):
    for name in ("b.md", "a.md", "sub/c.md", ".hidden"):
        (here / "skill" / name).parent.mkdir(parents=True, exist_ok=True)
        (here / "skill" / name).write_text("x", "utf-8")
    found, _ = read("skill")
    assert [i.shown for i in found] == ["skill/.hidden", "skill/a.md", "skill/b.md", "skill/sub/c.md"]
    assert [i.path for i in found] == [i.shown for i in found]
    assert next(i.shown for i in read("./skill/a.md", "skill")[0]) == "skill/a.md"


def test_the_same_file_is_read_once(here: Path):
    (here / "a.md").write_text("x", "utf-8")
    assert len(read("a.md", ".", "./a.md")[0]) == 1


def test_the_stable_path_does_not_depend_on_where_the_scan_starts(here: Path, monkeypatch):
    (here / ".git").mkdir()
    (here / "skills" / "x").mkdir(parents=True)
    (here / "skills" / "x" / "SKILL.md").write_text("x", "utf-8")
    ways = [read(".")[0], read("skills")[0], read("skills/x/SKILL.md")[0], read(str(here))[0]]
    monkeypatch.chdir(here / "skills")
    ways += [read("x")[0], read("../skills")[0]]
    assert {i.path for way in ways for i in way} == {"skills/x/SKILL.md"}


def test_links_devices_and_large_files_are_reported(here: Path):
    (here / "link").symlink_to("/etc/passwd")
    (here / "folder").symlink_to("/etc")
    os.mkfifo(here / "pipe")
    (here / "big").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    found, reading = read(".")
    assert found == []
    assert {(u.path, u.reason.split()[1]) for u in reading.unread} == {
        ("link", "a"), ("folder", "a"), ("pipe", "not"), ("big", "larger"),
    }  # fmt: skip
    assert read("link")[1].unread[0].reason == "is a link, which is not followed"
    assert read("folder")[1].unread[0].reason == "is a link, which is not followed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_reported(here: Path):
    (here / "a.md").write_text("x", "utf-8")
    (here / "a.md").chmod(0)
    assert read(".")[1].unread[0].path == "a.md"


def test_folders_of_packages_are_told_inside_a_skill_and_counted_elsewhere(here: Path):
    for folder in ("skill/node_modules/x", "skill/lib/__pycache__", "site/node_modules"):
        (here / folder).mkdir(parents=True)
        (here / folder / "a.js").write_text("x", "utf-8")
    (here / "skill" / "SKILL.md").write_text("x", "utf-8")
    found, reading = read(".")
    assert [i.shown for i in found] == ["skill/SKILL.md"]
    assert sorted(u.path for u in reading.unread) == ["skill/lib/__pycache__", "skill/node_modules"]
    assert reading.skipped == {"node_modules": 1}


def test_excluded_files_are_counted(here: Path):
    for name in ("a.png", "docs/b.png", "docs/c.md"):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text("x", "utf-8")
    found, reading = read(".", exclude=("**/*.png",))
    assert [i.shown for i in found] == ["docs/c.md"]
    assert reading.excluded == 2


def test_members_of_an_archive_have_names_of_their_own(here: Path):
    with zipfile.ZipFile(here / "x.skill", "w") as archive:
        archive.writestr("x/SKILL.md", "hello")
        archive.writestr("x/inner.zip", "y")
    found, reading = read("x.skill")
    assert [(i.shown, i.data, i.real) for i in found] == [("x.skill!/x/SKILL.md", b"hello", None)]
    assert [u.path for u in reading.unread] == ["x.skill!/x/inner.zip"]


def test_standard_input_has_the_name_that_it_is_given(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"hello")))
    (item,) = read("-", name="skills/x/SKILL.md")[0]
    assert (item.shown, item.path, item.data) == ("skills/x/SKILL.md", "skills/x/SKILL.md", b"hello")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    assert read("-")[0][0].shown == "standard input"


def test_a_missing_path_stops_before_anything_is_read(here: Path):
    (here / "a.md").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="no file or folder 'nope'"):
        read("a.md", "nope")


def test_a_name_that_is_no_text_is_shown_as_one(here: Path):
    path = os.path.join(os.fsencode(here), b"bad\xff.md")
    with open(path, "w") as file:
        file.write("x")
    assert [i.shown for i in read(".")[0]] == ["bad\ufffd.md"]
    assert clean_name("ok") == "ok"


def test_a_credential_in_a_file_name_is_not_shown(here: Path):
    key = SAMPLES["npm_token"]
    (here / f"{key}.md").write_text("x", "utf-8")
    with zipfile.ZipFile(here / "x.zip", "w") as archive:
        archive.writestr(f"a/{key}.md", "x")
        archive.writestr(f"a/{key}.zip", "x")
    (here / f"link {key}").symlink_to("x.zip")
    found, reading = read(".")
    assert len(found) == 2
    assert key not in str([(i.shown, i.path) for i in found])
    assert len(reading.unread) == 2
    assert key not in str(reading.unread)
