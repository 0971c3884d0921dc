"""Every session below a folder, of every format; what belongs to another session is none of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle.folder_sessions import sessions_in
from tests.corpora import corpus
from tests.importers.reading import Transcript
from tests.importers.rollouts import ID, Rollout
from tests.world import World

ATIF = {"schema_version": "ATIF-v1.5", "steps": [{"step_id": 1, "source": "user", "message": "x"}]}
RESULTS = {"timestamp": "t", "info": {"agent_info": {}}, "tasks": [], "simulations": []}
SIMULATION = {"id": "s", "task_id": "1", "messages": [{"role": "user", "content": "x"}], "reward_info": None}
RUN = {"id": "r", "trace_id": "r", "run_type": "chain", "inputs": {"q": "x"}, "outputs": {"a": "y"}}
FEEDBACK = {"key": "correct", "run_id": "r", "score": 1}
CHAT = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}


def put(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n" for value in values]
    path.write_bytes(b"".join(lines))
    return path


def found(folder: Path) -> dict[str, str | None]:
    return {Path(f.path).relative_to(folder).as_posix(): f.kind for f in sessions_in(folder).files}


def test_sessions_of_every_format_are_found_at_every_depth(tmp_path: Path):
    put(tmp_path / "a/b/s.jsonl", Transcript().user("x").data())
    put(tmp_path / "a/copy.jsonl", Rollout().user("x").data())
    put(tmp_path / "old/results/run.json", ATIF)
    put(tmp_path / "old/chats.json", CHAT)
    put(tmp_path / "stores/export.json", RUN)
    put(tmp_path / "node/package.json", {"name": "x"})
    put(tmp_path / "node/strange.jsonl", {"a": 1})

    assert found(tmp_path) == {
        "a/b/s.jsonl": "claude-code",
        "a/copy.jsonl": "codex",
        "old/chats.json": "messages",
        "old/results/run.json": "atif",
        "stores/export.json": "langsmith",
    }


def test_lines_that_nothing_knows_are_kept_in_the_folder_itself_only(tmp_path: Path):
    put(tmp_path / "strange.jsonl", {"a": 1})
    put(tmp_path / "deep/strange.jsonl", {"a": 1})
    assert found(tmp_path) == {"strange.jsonl": None}


def test_subagents_are_parts_of_their_session(tmp_path: Path):
    session = Transcript().user("x").data()
    put(tmp_path / "p/s.jsonl", session)
    put(tmp_path / "p/s/subagents/agent-1.jsonl", session)
    put(tmp_path / "p/agent-2.jsonl", session)
    put(tmp_path / "agent-3.jsonl", session)
    put(tmp_path / "agent-runs.jsonl", RUN, RUN)

    assert found(tmp_path) == {"p/s.jsonl": "claude-code", "agent-runs.jsonl": "langsmith"}


def test_the_folder_of_a_trials_agent_is_one_attempt(tmp_path: Path):
    put(tmp_path / "t1/agent/trajectory.json", ATIF)
    put(tmp_path / "t1/agent/trajectory.cont-1.json", ATIF)
    put(tmp_path / "t1/agent/sub/trajectory.json", ATIF)
    put(tmp_path / "t1/agent/sessions/projects/-app/s.jsonl", Transcript().user("x").data())
    put(tmp_path / "t2/agent/s.jsonl", Transcript().user("x").data())

    assert found(tmp_path) == {"t1/agent/trajectory.json": "atif", "t2/agent/s.jsonl": "claude-code"}


def test_trajectories_beside_a_trajectory_are_its_parts_and_others_stand_alone(tmp_path: Path):
    put(tmp_path / "one/trajectory.json", ATIF)
    put(tmp_path / "one/sub/helper.json", ATIF)
    put(tmp_path / "two/run-1.json", ATIF)
    put(tmp_path / "two/run-2.json", ATIF)

    assert list(found(tmp_path)) == ["one/trajectory.json", "two/run-1.json", "two/run-2.json"]


def test_simulations_beside_their_results_are_parts(tmp_path: Path):
    put(tmp_path / "a/results.json", RESULTS)
    put(tmp_path / "a/simulations/s.json", SIMULATION)
    put(tmp_path / "b/simulations/s.json", SIMULATION)

    assert list(found(tmp_path)) == ["a/results.json", "b/simulations/s.json"]


def test_scores_beside_a_source_are_none_and_alone_they_are_told(tmp_path: Path):
    put(tmp_path / "with/runs.json", RUN)
    put(tmp_path / "with/feedback.jsonl", FEEDBACK, FEEDBACK)
    put(tmp_path / "alone/feedback.jsonl", FEEDBACK, FEEDBACK)

    assert found(tmp_path / "with") == {"runs.json": "langsmith"}
    assert found(tmp_path / "alone") == {"feedback.jsonl": None}


def test_a_folder_with_its_scores_is_captured_without_an_error(fresh: World, tmp_path: Path):
    put(tmp_path / "x/runs.json", RUN)
    put(tmp_path / "x/feedback.jsonl", FEEDBACK, FEEDBACK)
    report = fresh.capture([str(tmp_path / "x")])

    assert (len(report.sources), report.failed) == (1, ())


def test_a_session_without_events_that_nobody_named_is_no_error(fresh: World, tmp_path: Path):
    put(tmp_path / "p/a.jsonl", {"type": "summary", "summary": "x", "leafUuid": "y"})
    put(tmp_path / "p/b.jsonl", Transcript().user("Fix it").says("Done.").data())
    report = fresh.capture([str(tmp_path)])

    assert (report.totals.new, report.failed) == (1, ())
    assert [s.reason for s in report.sources[0].skipped] == ["session without events"]


def test_a_file_is_opened_once_to_be_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put(tmp_path / "a" / f"rollout-{ID}.jsonl", Rollout().user("x").data())
    put(tmp_path / "a" / "other.json", {"a": 1})
    opened: list[str] = []
    real = Path.open

    def counting(path: Path, *arguments: Any, **options: Any) -> Any:
        opened.append(path.name)
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", counting)
    sessions_in(tmp_path)
    assert sorted(opened) == ["other.json", f"rollout-{ID}.jsonl"]


@pytest.mark.parametrize(("name", "kind"), [("claude-code-agentcmd", "claude-code"), ("gemini-cli-agentcmd", "gemini")])
def test_public_sessions_are_found_in_their_folders(name: str, kind: str):
    files = found(corpus(name))
    assert len(files) > 10
    assert set(files.values()) == {kind}
