"""Capture: whole sources, stored once, nothing lost and nothing leaked."""

import contextlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillc.core.trace.codec import parse_trace
from skillc.errors import DataError, RepoError, UsageError
from skillc.lifecycle.capture import MessagesOptions
from skillc.lifecycle.sources import sessions_of_project
from skillc.repo.lock import write_lock
from skillc.repo.repository import Repository
from tests.world import FIELD, FIX, World, sessions_of


def stored(world: World) -> list[str]:
    return world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()


def test_a_session_becomes_one_trace_on_the_traces_branch(fresh: World):
    report = fresh.capture(sessions_of(FIX)[:1])
    trace = report.sources[0].traces[0]

    assert stored(fresh) == [trace.path]
    assert parse_trace(fresh.git("show", f"skillc/traces:{trace.path}").encode(), path="x").trace_id == trace.trace_id
    assert trace.is_new
    assert trace.outcome == "unknown"


def test_importing_twice_changes_nothing(fresh: World):
    fresh.capture(sessions_of(FIX))
    tip = fresh.git("rev-parse", "skillc/traces")
    again = fresh.capture(sessions_of(FIX))

    assert again.totals.new == 0
    assert again.commits == ()
    assert fresh.git("rev-parse", "skillc/traces") == tip


def test_capture_leaves_work_tree_staging_area_and_branches_alone(fresh: World, snapshot):
    before, refs = snapshot(fresh.root), fresh.git("for-each-ref", "refs/heads")
    fresh.capture(sessions_of(FIX))

    assert snapshot(fresh.root) == before
    assert [r for r in fresh.git("for-each-ref", "refs/heads").splitlines() if "skillc/" not in r] == refs.splitlines()


def test_a_credential_of_a_session_is_nowhere_in_the_repository(fresh: World):
    report = fresh.capture(sessions_of(FIX))
    redacted = {kind for s in report.sources for kind in s.redacted}
    everything = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=fresh.root, capture_output=True, check=True
    ).stdout

    assert redacted
    traces = b"".join(
        subprocess.run(["git", "show", f"skillc/traces:{p}"], cwd=fresh.root, capture_output=True, check=True).stdout
        for p in stored(fresh)
    )
    key = b"AKIAIOSFODNN7" + b"EXAMPLE"
    assert key not in traces
    assert b"<aws_access_key:1>" in traces
    assert everything.count(key) <= 2  # the project's own .env.example, which the session only printed


def test_a_file_without_an_event_is_an_error_and_stores_nothing(fresh: World, tmp_path: Path):
    empty = tmp_path / "s.jsonl"
    empty.write_text(json.dumps({"type": "summary", "summary": "x", "leafUuid": "y"}) + "\n", "utf-8")
    with pytest.raises(DataError):
        fresh.capture([str(empty)], kind="claude-code")
    assert fresh.git("rev-parse", "--verify", "--quiet", "skillc/traces", check=False) == ""


@pytest.mark.parametrize(
    ("name", "error"),
    [("missing.jsonl", UsageError), ("stockroom", UsageError), ("/dev/null", (UsageError, DataError))],
)
def test_what_is_no_session_file_is_refused(fresh: World, name: str, error):
    with pytest.raises(error):
        fresh.capture([name])


def test_an_unregistered_mapping_is_refused_before_anything_is_read(fresh: World):
    with pytest.raises(UsageError, match="no mapping is registered") as stop:
        fresh.capture(sessions_of(FIX), verifier_id="reward")
    assert "verifier add reward" in str(stop.value.hint)


RUNS = [
    {
        "id": "r1", "trace_id": "r1", "run_type": "llm", "session_id": "p", "dotted_order": "20260105T090000000000Zr1",
        "inputs": {"messages": [{"role": "user", "content": "Weather? " + "long " * 8000}]},
        "outputs": {"output": "Sunny"},
    }
]  # fmt: skip
FEEDBACK = {"run_id": "r1", "trace_id": "r1", "key": "correct", "score": 1, "feedback_source": {"type": "app"}}


def register_mapping(world: World, *more: str) -> None:
    mapping = ("--kind", "external", "--field", "correct", "--success-at", "1", *more)
    assert world.run("verifier", "add", "correct", *mapping).returncode == 0
    world.git("commit", "--quiet", "-am", "verifier")


def test_feedback_that_comes_after_the_capture_still_becomes_a_verdict(fresh: World, tmp_path: Path):
    register_mapping(fresh)
    file = tmp_path / "runs.json"
    file.write_text(json.dumps(RUNS), "utf-8")
    first = fresh.capture([str(file)], verifier_id="correct")
    (tmp_path / "runs.feedback.json").write_text(json.dumps([FEEDBACK]), "utf-8")
    second = fresh.capture([str(file)], verifier_id="correct")

    assert (first.totals.new, first.verifications) == (1, 0)
    assert (second.totals.new, second.verifications) == (0, 1)
    assert [(t.outcome, t.strength) for t in second.sources[0].traces] == [("success", "external")]
    assert [a.standing.is_verified_success for a in fresh.attempts().values()] == [True]


def test_a_judges_score_is_told_and_verifies_nothing(fresh: World, tmp_path: Path):
    register_mapping(fresh)
    file = tmp_path / "runs.json"
    file.write_text(json.dumps([*RUNS, FEEDBACK | {"feedback_source": {"type": "model"}}]), "utf-8")
    report = fresh.capture([str(file)], verifier_id="correct")

    assert report.verifications == 0
    assert [(s.reason, s.count) for s in report.sources[0].skipped] == [
        ("score of a judge that the mapping does not name", 1)
    ]


def test_events_that_were_cut_are_counted(fresh: World, tmp_path: Path):
    (tmp_path / "runs.json").write_text(json.dumps(RUNS), "utf-8")
    done = fresh.run("capture", str(tmp_path), "--json")

    assert json.loads(done.stdout)["sources"][0]["cut"] == 1


def test_naming_a_field_of_messages_names_the_format(fresh: World, tmp_path: Path):
    file = tmp_path / "x.json"
    file.write_text('[{"task_id": 1, "traj": [{"role": "user", "content": "Hi"}]}]', "utf-8")

    assert fresh.capture([str(file)]).sources[0].kind == "tau-bench"
    assert fresh.capture([str(file)], messages=MessagesOptions("traj")).sources[0].kind == "messages"


def test_all_sessions_of_this_project_folder_are_found_by_its_path(fresh: World):
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(fresh.root))
    folder = fresh.home / ".claude" / "projects" / name
    folder.mkdir(parents=True)
    for path in sessions_of(FIX):
        shutil.copy(path, folder)
    (folder / "agent-12ab.jsonl").write_text("{}\n", "utf-8")
    other = fresh.home / ".claude" / "projects" / "-another-project"
    other.mkdir()
    shutil.copy(sessions_of(FIELD)[0], other)

    assert {Path(p).name for p in sessions_of_project(fresh.root)} == {Path(p).name for p in sessions_of(FIX)}


def test_a_folder_stands_for_its_session_files_and_one_bad_file_does_not_stop_the_others(fresh: World, tmp_path: Path):
    for path in sessions_of(FIX)[:2]:
        shutil.copy(path, tmp_path)
    (tmp_path / "0-broken.jsonl").write_text("not json at all\n", "utf-8")
    done = fresh.run("capture", str(tmp_path), "--json")
    report = json.loads(done.stdout)

    assert done.returncode == 3
    assert report["totals"]["new"] == 2
    assert [Path(f["path"]).name for f in report["failed"]] == ["0-broken.jsonl"]


def test_standard_input_is_a_source(fresh: World):
    done = fresh.run("capture", "-", "--json", stdin=Path(sessions_of(FIX)[0]).read_bytes())
    report = json.loads(done.stdout)

    assert done.returncode == 0
    assert report["totals"] == {"traces": 1, "new": 1, "events": report["sources"][0]["traces"][0]["events"]}
    assert report["sources"][0]["path"] == "standard input"


def test_a_capture_claims_only_what_it_stored_itself(fresh: World, monkeypatch: pytest.MonkeyPatch):
    """Another capture stores one of two sessions while this one has read both and waits for the lock."""
    first, second, *_ = sessions_of(FIX)
    real = write_lock
    others: list[str] = []

    @contextlib.contextmanager
    def lock(repository: Repository) -> Iterator[None]:
        if not others:
            others.append(first)
            assert fresh.capture(others).totals.new == 1
        with real(repository):
            yield

    monkeypatch.setattr("skillc.lifecycle.capture.write_lock", lock)
    report = fresh.capture([first, second])

    assert (report.totals.traces, report.totals.new) == (2, 1)
    assert [[t.is_new for t in source.traces] for source in report.sources] == [[False], [True]]
    assert report.totals.events == report.sources[1].traces[0].events
    assert len(list(fresh.context().traces.read_all())) == 2


def test_a_dry_run_stores_nothing(fresh: World):
    report = fresh.capture(sessions_of(FIX), dry_run=True)
    assert report.totals.new == len(sessions_of(FIX))
    assert fresh.git("rev-parse", "--verify", "--quiet", "skillc/traces", check=False) == ""


class TestTreePlacement:
    """`traces.location: tree`: the commit adds exactly the Traces' paths to base, index and work tree."""

    @pytest.fixture
    def tree(self, fresh: World) -> World:
        fresh.set_policy("location: branch", "location: tree")
        return fresh

    def test_traces_go_into_the_tree_of_base_and_its_checkout(self, tree: World):
        tree.write("dirty.txt", "mine")
        tree.write("staged.txt", "mine")
        tree.git("add", "staged.txt")
        report = tree.capture(sessions_of(FIX))
        paths = {t.path for s in report.sources for t in s.traces}

        assert set(tree.git("diff-tree", "-r", "--no-commit-id", "--name-only", "HEAD").splitlines()) == paths
        assert all((tree.root / p).is_file() for p in paths)
        assert tree.git("status", "--porcelain").splitlines() == ["A  staged.txt", "?? dirty.txt"]

    def test_another_branch_or_a_detached_head_is_refused(self, tree: World):
        tree.git("switch", "--quiet", "--detach")
        with pytest.raises(RepoError, match="is not checked out here"):
            tree.capture(sessions_of(FIX))

    def test_a_merge_under_way_is_refused(self, tree: World):
        (tree.root / ".git" / "MERGE_HEAD").write_text(tree.git("rev-parse", "HEAD") + "\n", "utf-8")
        with pytest.raises(RepoError, match="a merge is under way"):
            tree.capture(sessions_of(FIX))


def test_a_family_for_a_captured_session_is_answered_with_the_line_that_sets_it(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    report = fresh.capture(sessions_of(FIX)[:1], task_family=FIX)
    assert "skillc families assign t-" in report.sources[0].notes[-1]


def test_a_session_without_events_is_an_error_only_when_somebody_named_it(fresh: World, tmp_path: Path):
    empty = tmp_path / "11111111-2222-3333-4444-555555555555.jsonl"
    empty.write_text('{"type":"summary","summary":"x","leafUuid":"y"}\n', "utf-8")
    with pytest.raises(DataError, match="holds no event"):
        fresh.capture([str(empty)])
    report = fresh.capture([str(empty), sessions_of(FIX)[0]], skips_empty=True)

    assert report.failed == ()
    assert report.totals.new == 1


def test_names_that_the_policy_lists_and_personal_data_are_nowhere_in_the_repository(fresh: World, tmp_path: Path):
    fresh.set_policy("redact_names: []", "redact_names: [Lena Sundqvist, Fjallmedia]")
    said = "Lena Sundqvist of FJALLMEDIA, lena@fjallmedia-office.se, +46 70 174 06 12, card 4000-0017-0519-6988"
    file = tmp_path / "runs.json"
    messages = [
        {"role": "user", "content": said},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "mail", "arguments": json.dumps({"to": said})}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "sent to lena@fjallmedia-office.se, lena sundqvist"},
    ]  # fmt: skip
    file.write_text(json.dumps([{"messages": messages}]), "utf-8")
    report = fresh.capture([str(file)])
    everything = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=fresh.root, capture_output=True, check=True
    ).stdout
    (trace,) = fresh.context().traces.read_all()

    assert {"email", "phone", "payment_card", "name"} <= set(report.sources[0].redacted)
    assert "<email:1>" in (trace.events[0].text or "")
    assert "<email:1>" in (trace.events[-1].text or "")
    for secret in (b"lena@fjall", b"174 06 12", b"0519-6988"):
        assert secret not in everything
    stored_traces = everything.split(b"skillc.trace/1")[1:]
    assert stored_traces
    assert not any(b"sundqvist" in part.split(b'"record":"close"')[0].lower() for part in stored_traces)
