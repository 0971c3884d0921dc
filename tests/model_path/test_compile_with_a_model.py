"""`skillc compile --engine …` whole, in a real repository, over the real SDK against a server on loopback."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from skillc.cli.app import run
from skillc.core.skill.contract import parse_contract
from skillc.lifecycle.check import check
from tests.model_server import ModelServer, Reply, honest, serving, supported_all
from tests.world import FIELD, FIX, World

pytestmark = pytest.mark.slow  # a process or a repository for each case


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving() as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "stub")
        yield found


def run_of(world: World) -> Any:
    return world.context().ledger.runs[-1]


def test_a_model_makes_a_candidate_that_a_merge_admits_and_check_accepts(world: World, server: ModelServer):
    report = world.compile_one(FIELD, engine="claude")
    assert report.group.state == "candidate"
    version = report.group.versions[0]
    data = world.git("show", f"{version.commit}:.claude/skills/{FIELD}/contract.json").encode()
    assert parse_contract(data, path="x").support.attempt_families
    last = run_of(world)
    assert (last.engine, last.failure) == ("claude", None)
    assert [c.role for c in last.calls] == ["summarizer"] * 5 + ["reflector", "scanner", "curator"]
    assert all(c.request.startswith("sha256:") and c.cost_usd > 0 for c in last.calls)
    world.merge(FIELD)
    assert check(world.context()).ok
    assert "nothing new" in world.compile_one(FIELD, engine="claude").note


def test_the_run_record_holds_no_word_of_a_model(world: World, server: ModelServer):
    def talkative(asked: Any) -> Any:
        answer = honest(asked)
        for proposal in answer.get("proposals", ()):
            proposal["reason"] = "LOUDWORD"
        for verdict in answer.get("verdicts", ()):
            verdict["reason"] = "LOUDWORD"
        return answer

    server.behave = talkative
    world.compile(FIELD, engine="claude")
    assert "LOUDWORD" not in world.git("log", "-p", "--all")


def test_a_failed_call_admits_nothing_keeps_every_source_and_says_why(world: World, server: ModelServer):
    server.behave = lambda asked: Reply(text="no", stop="refusal") if asked.role == "curator" else honest(asked)
    before = world.git("for-each-ref", "refs/heads/main", "refs/heads/skillc/candidate")
    for _ in range(4):  # more often than a source may be read in vain
        report = world.compile_one(FIELD, engine="claude")
        assert report.failure is not None
        assert [p.outcome for p in report.proposals] == ["call-failed"]
    last = run_of(world)
    assert (last.failure.role, last.failure.kind) == ("curator", "refusal")
    assert last.versions == ()
    assert world.git("for-each-ref", "refs/heads/main", "refs/heads/skillc/candidate") == before

    server.behave = honest
    again = world.compile_one(FIELD, engine="claude")
    assert again.group.state == "candidate"
    assert len(again.read) == 5


def test_a_run_that_broke_off_goes_on_without_paying_twice_and_can_be_replayed(world: World, server: ModelServer):
    server.behave = lambda asked: Reply(status=529) if asked.role == "curator" else honest(asked)
    first = world.compile_one(FIELD, engine="claude")
    assert first.failure is not None
    server.asked.clear()
    server.behave = honest
    made = world.compile_one(FIELD, engine="claude")
    assert [a.role for a in server.asked] == ["curator"]
    assert [c.is_recorded for c in made.calls] == [True] * 7 + [False]

    server.asked.clear()
    replay = world.compile_one(FIELD, engine="recorded", dry_run=True)
    assert server.asked == []
    assert replay.failure is None
    assert len(replay.contracts) == 1
    assert replay.contracts[0].description.text
    missing = world.compile_one(FIX, engine="recorded")
    assert missing.failure is not None
    assert missing.failure.kind == "not-recorded"


def command(world: World, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Runs the command line in this process, as a person would in the repository."""
    os.chdir(world.root)
    capsys.readouterr()
    code = run(["compile", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_ends_with_5_and_one_message(
    world: World, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(world.root)
    server.behave = lambda asked: Reply(status=401)
    code, _, err = command(world, capsys, "--engine", "claude")
    assert code == 5
    assert err.count("refused the key") == 1
    assert "ANTHROPIC_API_KEY" in err
    assert len(server.asked) == 1, "the other family is not asked about"
    code, out, _ = command(world, capsys, "--engine", "claude", "--json", "--family", FIX)
    assert code == 5
    assert json.loads(out)["families"][0]["failure"]["kind"] == "auth"

    monkeypatch.delenv("ANTHROPIC_API_KEY")
    code, _, err = command(world, capsys, "--engine", "claude")
    assert code == 5
    assert "no key for the Claude API" in err
    assert "claude-code" in err


def test_a_dry_run_tells_calls_tokens_and_cost_and_asks_nothing(
    world: World, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(world.root)
    refs = world.git("for-each-ref")
    code, out, err = command(world, capsys, "--engine", "claude", "--dry-run", "--json")
    assert code == 0, err
    estimates = [f["estimate"] for f in json.loads(out)["families"]]
    assert [e["calls"] for e in estimates] == [8, 9]
    assert all(e["counted_by"] == "the API" and e["cost_usd_at_most"] > 0 for e in estimates)
    assert server.asked == []
    assert server.counted == 17
    assert world.git("for-each-ref") == refs
    assert not (world.root / ".git" / "skillc" / "answers-1").exists()
    _, text, _ = command(world, capsys, "--engine", "claude", "--dry-run", "--family", FIELD)
    assert "would ask 8 times" in text
    assert "at most $" in text


def test_a_limit_stops_before_the_call_that_could_pass_it(
    world: World, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(world.root)
    code, _, err = command(world, capsys, "--engine", "claude", "--family", FIELD, "--max-cost", "0.20")
    assert code == 5
    assert "could pass the limit of $0.2" in err
    assert {a.role for a in server.asked} == {"summarizer"}
    spent = sum(c.cost_usd for c in run_of(world).calls)
    assert 0 < spent <= 0.20
    assert command(world, capsys, "--engine", "offline", "--max-cost", "1")[0] == 2


def test_summaries_go_as_one_batch(world: World, server: ModelServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skillc.engines.claude.transport.POLL_S", (0.01, 0.01))
    report = world.compile_one(FIELD, engine="claude", is_batch=True)
    assert report.group.state == "candidate"
    assert len(server.batches) == 1
    paths = [a.path for a in server.asked if a.role == "summarizer"]
    assert len(paths) == 5
    assert all("batches" in path for path in paths)
    assert sum(c.is_recorded for c in report.calls) == 0


def test_a_yes_man_admits_nothing(world: World, server: ModelServer):
    server.behave = lambda asked: supported_all(asked) if asked.role == "curator" else honest(asked)
    report = world.compile_one(FIELD, engine="claude")
    assert report.failure is not None
    assert report.failure.kind == "canary"
    assert report.group.versions == ()


def test_answers_lie_below_git_for_this_account_alone_and_can_be_thrown_away(world: World, server: ModelServer):
    world.compile(FIELD, engine="claude")
    folder = world.root / ".git" / "skillc" / "answers-1"
    assert len(os.listdir(folder)) == 8
    assert folder.stat().st_mode & 0o077 == 0
    assert world.git("status", "--porcelain") == ""


def test_the_offline_record_has_no_trace_of_models(world: World):
    world.compile(FIELD)
    last = run_of(world)
    assert (last.calls, last.failure) == (None, None)
    shown = world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines()
    record = next(world.git("show", f"skillc/ledger:{p}") for p in shown if p.startswith("runs/"))
    assert '"calls"' not in record
    assert '"failure":{' not in record
