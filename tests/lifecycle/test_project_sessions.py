"""Which sessions of the hosts are a project's: of its root, of folders below, and of its linked work trees."""

import hashlib
import json
from pathlib import Path

import pytest

from skillc.lifecycle.project_sessions import claude_sessions, gemini_sessions, project_folders
from tests.world import World


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def claude(home: Path, cwd: str | None, name: str = "s.jsonl", *, project: str | None = None, begin: str = "") -> str:
    """Puts a session that began in `cwd`; `project` is the folder after which the host's one is named."""
    folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in project or cwd or "")
    path = home / ".claude" / "projects" / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "x"}}
    path.write_text(begin + json.dumps({**record, "cwd": cwd} if cwd else record) + "\n", "utf-8")
    return str(path)


def taken(*folders: str) -> list[str]:
    return [str(path) for path in claude_sessions(folders)]


class TestClaudeCode:
    """The host's folder has the project's path as its name, with every other character turned into a hyphen."""

    def test_a_session_that_began_below_the_root_is_the_projects(self, at_home: Path):
        wanted = [claude(at_home, "/a/shop"), claude(at_home, "/a/shop/api/v2")]
        claude(at_home, "/a/shopping")
        assert taken("/a/shop") == wanted

    def test_a_name_that_only_looks_like_one_below_is_another_project(self, at_home: Path):
        claude(at_home, "/a/shop-api")
        below = claude(at_home, "/a/shop/api", "below.jsonl")
        assert taken("/a/shop") == [below]
        claude(at_home, None, "unknown.jsonl", project="/a/shop/api")
        assert taken("/a/shop") == [below]

    def test_a_session_of_another_folder_with_the_same_name_is_left_out(self, at_home: Path):
        claude(at_home, "/a/b/c", "other.jsonl")
        own = claude(at_home, "/a/b-c", "own.jsonl")
        assert taken("/a/b-c") == [own]

    def test_a_folder_of_our_name_that_a_person_moved_there_is_taken(self, at_home: Path):
        moved = claude(at_home, "/old/place", project="/a/shop")
        silent = claude(at_home, None, "t.jsonl", project="/a/shop")
        assert taken("/a/shop") == [moved, silent]

    def test_the_folder_of_the_session_counts_and_not_one_in_a_call(self, at_home: Path):
        call = {"type": "progress", "data": {"cwd": "/a/shop/api"}}
        claude(at_home, "/a/shop-api", begin=json.dumps(call) + "\n")
        assert taken("/a/shop") == []

    @pytest.mark.parametrize("size", [5_000, 300_000])
    def test_a_long_begin_hides_no_folder(self, at_home: Path, size: int):
        begin = json.dumps({"type": "queue-operation", "content": "x" * size}) + "\n"
        path = claude(at_home, "/a/shop/api", begin=begin)
        assert taken("/a/shop") == ([path] if size < 256 * 1024 else [])

    def test_a_linked_folder_of_the_host_is_not_followed(self, at_home: Path, tmp_path: Path):
        path = Path(claude(at_home, "/a/shop/api"))
        path.parent.rename(tmp_path / "elsewhere")
        path.parent.symlink_to(tmp_path / "elsewhere")
        assert taken("/a/shop") == []


def test_the_sessions_of_linked_work_trees_are_the_projects(fresh: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    linked = fresh.root.parent / "linked-tree"
    fresh.git("worktree", "add", "--quiet", "--detach", str(linked))
    wanted = {claude(fresh.home, str(p)) for p in (fresh.root, linked, linked / "api", fresh.root / "api")}

    assert set(taken(*project_folders(fresh.root))) == wanted
    assert set(taken(*project_folders(linked))) == wanted


def test_a_work_tree_that_the_repository_only_claims_is_none(fresh: World, tmp_path: Path):
    linked = fresh.root.parent / "linked-tree"
    fresh.git("worktree", "add", "--quiet", "--detach", str(linked))
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / ".git").write_text("gitdir: /nowhere\n")
    (fresh.root / ".git" / "worktrees" / "linked-tree" / "gitdir").write_text(f"{stranger}/.git\n")

    assert project_folders(fresh.root) == project_folders(fresh.root)[:1] == [str(fresh.root)]


def test_a_folder_without_git_stands_for_itself(tmp_path: Path):
    assert project_folders(tmp_path) == [str(tmp_path)]


def test_gemini_sessions_below_the_root_are_found_by_the_list_and_by_what_the_store_says(at_home: Path):
    gemini = at_home / ".gemini"
    for name, marker in (("marked", "/a/shop/api"), ("near", "/a/shop-api"), ("listed", ""), ("other", "")):
        (gemini / "tmp" / name / "chats").mkdir(parents=True)
        (gemini / "tmp" / name / "chats" / "session-1.json").write_text("{}")
        if marker:
            (gemini / "tmp" / name / ".project_root").write_text(marker + "\n")
    (gemini / "projects.json").write_text(json.dumps({"projects": {"/a/shop/web": "listed", "/a/sho": "other"}}))
    hashed = gemini / "tmp" / hashlib.sha256(b"/a/shop").hexdigest() / "chats" / "session-2.json"
    hashed.parent.mkdir(parents=True)
    hashed.write_text("{}")
    found = {path.parent.parent.name for path in gemini_sessions(["/a/shop"])}

    assert found == {"marked", "listed", hashed.parent.parent.name}
