"""Which files a path, a folder and a host stand for, and which sessions the policy leaves out."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from skillc.errors import DataError, UsageError
from skillc.importers.base import ImportReport
from skillc.lifecycle.sources import (
    HostSession,
    excluded_folders,
    expanded,
    host_sessions,
    is_left_out,
    open_source,
    sessions_of_project,
    unknown_source,
)
from tests.importers.rollouts import ID, Rollout
from tests.world import FIX, World, sessions_of

GEMINI = {"sessionId": "s", "projectHash": "h", "messages": [{"type": "user", "content": "x", "id": "u"}]}
ATIF = {"schema_version": "ATIF-v1.5", "steps": [{"step_id": 1, "source": "user", "message": "x"}]}
SWE = {"trajectory": [{"action": "ls", "observation": "a", "response": "x"}]}
INTERCODE = {"0": {"query": "x", "turn_history": {"actions": ["ls"], "observations": ["a"]}}}


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def names(folder: Path) -> list[str]:
    return [Path(file.path).relative_to(folder).as_posix() for file in expanded([str(folder)]).files]


def home(patch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        patch.delenv(name, raising=False)
    patch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_folder_stands_for_the_sessions_of_every_host_in_it(tmp_path: Path):
    put(tmp_path / "4fa9.jsonl", b"{}\n")
    put(tmp_path / "agent-1.jsonl", b"{}\n")
    put(tmp_path / "2026/12/04" / f"rollout-x-{ID}.jsonl", Rollout().user("x").data())
    put(tmp_path / "abc/chats/session-1.json", GEMINI)
    put(tmp_path / "jobs/trial-1/agent/trajectory.json", ATIF)
    put(tmp_path / "jobs/trial-1/result.json", {"verifier_result": {}})
    put(tmp_path / "runs/a.traj", SWE)
    put(tmp_path / "ic_bash_x.json", INTERCODE)
    put(tmp_path / "package.json", {"name": "x"})
    put(tmp_path / "sub/other.jsonl", b"{}\n")

    assert names(tmp_path) == [
        f"2026/12/04/rollout-x-{ID}.jsonl",
        "4fa9.jsonl",
        "abc/chats/session-1.json",
        "ic_bash_x.json",
        "jobs/trial-1/agent/trajectory.json",
        "runs/a.traj",
    ]


def test_of_a_named_kind_only_its_files_count_in_a_folder(tmp_path: Path):
    put(tmp_path / "a/x.json", GEMINI)
    put(tmp_path / "runs/a.traj", SWE)

    assert [Path(f.path).name for f in expanded([str(tmp_path)], "gemini").files] == ["x.json"]
    assert [Path(f.path).name for f in expanded([str(tmp_path)], "messages").files] == ["x.json", "a.traj"]


def test_a_folder_that_lies_too_deep_is_named_and_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skillc.lifecycle.walk.MAX_DEPTH", 1)
    put(tmp_path / "a/x.traj", SWE)
    put(tmp_path / "a/b/y.traj", SWE)
    found = expanded([str(tmp_path)])

    assert [Path(f.path).name for f in found.files] == ["x.traj"]
    assert found.failed[0].message.endswith(f"and not looked into: {str(tmp_path / 'a' / 'b')!r}")


def test_a_name_alone_makes_no_session(tmp_path: Path):
    put(tmp_path / "trajectory.json", {"a": 1})
    put(tmp_path / "x.traj", b"binary\x00")
    with pytest.raises(UsageError, match="is a session that skillc knows"):
        expanded([str(tmp_path)])


def test_links_are_not_followed(tmp_path: Path):
    outside = put(tmp_path / "outside/a.traj", SWE)
    inside = tmp_path / "inside"
    put(inside / "own.traj", SWE)
    (inside / "link.traj").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)

    assert names(inside) == ["own.traj"]


def test_a_file_and_the_folder_around_it_are_one_source(tmp_path: Path):
    file = put(tmp_path / "a.traj", SWE)
    assert [f.path for f in expanded([str(file), str(tmp_path), "-"]).files] == [str(file), "-"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_and_a_missing_file_are_refused_without_waiting(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="is not a regular file"):
        open_source(str(tmp_path / "pipe"))
    with pytest.raises(UsageError, match="there is no file"):
        open_source(str(tmp_path / "missing"))


def test_an_unknown_file_is_told_with_the_formats_there_are():
    error = unknown_source("x.json", b'{"a": 1}')
    assert isinstance(error, DataError)
    assert error.message == "x.json:1: is no format that skillc knows"
    assert "claude-code|codex|gemini|atif|swe-agent|intercode" in (error.hint or "")
    assert "outcomes only" in unknown_source("x.json", b'[{"task_id": 1, "reward": 1}]').message


class TestHosts:
    """Every session of a project, of all three hosts, by what each says about its folder."""

    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        (tmp_path / "shop" / "api").mkdir(parents=True)
        return tmp_path / "shop"

    def test_codex_sessions_are_found_by_their_folder(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        sessions = home(monkeypatch, tmp_path) / ".codex" / "sessions"
        wanted = [
            put(sessions / "2026/12/04/rollout-a.jsonl", Rollout(cwd=str(project)).user("x").data()),
            put(sessions / "2026/12/05/rollout-b.jsonl", Rollout(cwd=str(project / "api")).user("x").data()),
        ]
        put(sessions / "2026/12/05/rollout-c.jsonl", Rollout(cwd=str(project) + "-other").user("x").data())
        put(sessions / "2026/12/05/rollout-d.jsonl", b"not json\n")
        put(sessions / "2026/12/05/history.jsonl", Rollout(cwd=str(project)).data())

        assert sessions_of_project(project) == [str(path) for path in wanted]
        assert {session.host for session in host_sessions(project)} == {"codex"}

    def test_another_home_of_codex_counts(self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        home(monkeypatch, tmp_path)
        monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
        file = put(tmp_path / "codex/sessions/2026/12/04/rollout-a.jsonl", Rollout(cwd=str(project)).data())

        assert sessions_of_project(project) == [str(file)]

    def test_a_codex_head_longer_than_a_buffer_is_read(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        sessions = home(monkeypatch, tmp_path) / ".codex" / "sessions"
        file = put(sessions / "rollout-a.jsonl", Rollout(base_instructions="x" * 200_000, cwd=str(project)).data())

        assert sessions_of_project(project) == [str(file)]

    def test_gemini_sessions_are_found_by_hash_and_by_the_listed_name(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        gemini = home(monkeypatch, tmp_path) / ".gemini"
        digest = hashlib.sha256(str(project).encode()).hexdigest()
        put(gemini / "projects.json", {"projects": {str(project): "shop", str(tmp_path): "..", "/x": 7}})
        wanted = [
            put(gemini / f"tmp/{digest}/chats/session-1.json", GEMINI),
            put(gemini / "tmp/shop/chats/session-2.jsonl", b"{}\n"),
        ]
        put(gemini / "tmp/other/chats/session-3.json", GEMINI)
        put(gemini / "tmp/shop/chats/session-4.json", b"")
        put(gemini / "tmp/shop/logs.json", b"[]")

        assert {session.path for session in host_sessions(project)} == {str(path) for path in wanted}

    def test_a_broken_list_of_projects_is_none(self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        file = home(monkeypatch, tmp_path) / ".gemini" / "projects.json"
        for content in (b"[", b"[]", b'{"projects": []}', b"\xff", b"[" * 100_000):
            put(file, content)
            assert host_sessions(project) == []

    def test_the_oldest_session_comes_first(self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        folder = home(monkeypatch, tmp_path) / ".claude" / "projects" / str(project).replace("/", "-").replace("_", "-")
        new, old = put(folder / "a.jsonl", b"{}\n"), put(folder / "b.jsonl", b"{}\n")
        os.utime(old, (1_000_000_000, 1_000_000_000))
        found = host_sessions(project)

        assert [session.path for session in found] == [str(old), str(new)]
        assert isinstance(found[0], HostSession)
        assert found[0].modified.isoformat() == "2001-09-09T01:46:40+00:00"


class TestExcluded:
    """`traces.exclude_paths`: sessions below these folders are not captured, and that is told."""

    @pytest.mark.parametrize(
        ("pattern", "folder", "is_out"),
        [
            ("private/", "{root}/private", True),
            ("private", "{root}/private/deep", True),
            ("./private/../private", "{root}/private", True),
            ("private", "{root}/private-not", False),
            ("private", "{root}", False),
            ("{root}/private", "{root}/private", True),
            ("~/hr", "{home}/hr/x", True),
            ("~/hr", "{home}/hrx", False),
            ("", "{root}", False),
            (".", "{root}/a", True),
        ],
    )
    def test_a_pattern_is_relative_absolute_or_of_the_home_folder(
        self, pattern: str, folder: str, is_out: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        root, at_home = tmp_path / "shop", home(monkeypatch, tmp_path)
        report = ImportReport(path="x", kind="codex", folders={folder.format(root=root, home=at_home)})

        assert is_left_out(report, excluded_folders([pattern.format(root=root)], root)) is is_out

    def test_a_link_into_an_excluded_folder_is_no_way_around(self, tmp_path: Path):
        (tmp_path / "private").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "private")
        report = ImportReport(path="x", kind="codex", folders={str(tmp_path / "link")})

        assert is_left_out(report, excluded_folders(["private"], tmp_path))

    def test_one_folder_of_a_session_is_enough(self, tmp_path: Path):
        report = ImportReport(path="x", kind="codex", folders={str(tmp_path), str(tmp_path / "private")})

        assert is_left_out(report, excluded_folders(["private"], tmp_path))

    def test_the_folder_of_a_gemini_session_is_what_its_store_says(self, tmp_path: Path):
        file = put(tmp_path / "tmp/shop/chats/session-1.json", GEMINI)
        put(tmp_path / "tmp/shop/.project_root", str(tmp_path / "shop/private").encode() + b"\n")
        listed = put(tmp_path / "tmp/other/chats/session-1.json", GEMINI)
        put(tmp_path / "projects.json", {"projects": {str(tmp_path / "shop/private"): "other"}})

        for path in (file, listed):
            assert is_left_out(
                ImportReport(path=str(path), kind="gemini"), excluded_folders(["private"], tmp_path / "shop")
            )
            assert not is_left_out(
                ImportReport(path=str(path), kind="gemini"), excluded_folders(["public"], tmp_path / "shop")
            )

    def test_a_relative_pattern_counts_in_a_linked_work_tree_too(self, fresh: World):
        linked = fresh.root.parent / "linked"
        fresh.git("worktree", "add", "--quiet", "--detach", str(linked))
        excluded = excluded_folders(["private"], fresh.root)

        assert is_left_out(ImportReport(path="x", kind="codex", folders={f"{linked}/private/x"}), excluded)
        assert not is_left_out(ImportReport(path="x", kind="codex", folders={f"{linked}/public"}), excluded)

    def test_capture_stores_nothing_of_them_and_says_so(self, fresh: World, tmp_path: Path):
        fresh.set_policy("exclude_paths: []", "exclude_paths: [private/]")
        inside, outside = tmp_path / "rollout-a.jsonl", tmp_path / "rollout-b.jsonl"
        put(inside, Rollout(cwd=str(fresh.root / "private" / "hr")).user("Salaries").data())
        put(outside, Rollout(cwd=str(fresh.root)).user("Fix it").data())
        report = fresh.capture([str(inside), str(outside)])

        assert [len(source.traces) for source in report.sources] == [0, 1]
        assert [(s.reason, s.count) for s in report.sources[0].skipped if "excluded" in s.reason] == [
            ("session below an excluded path", 1)
        ]
        assert report.totals.new == 1

    def test_a_claude_code_session_is_left_out_by_its_folder_too(self, fresh: World):
        lines = Path(sessions_of(FIX)[0]).read_text("utf-8").split("\n")
        folder = next(record["cwd"] for record in map(json.loads, lines) if "cwd" in record)
        fresh.set_policy("exclude_paths: []", f"exclude_paths: ['{folder}']")
        report = fresh.capture(sessions_of(FIX)[:1])

        assert report.totals.traces == 0
