"""Every file of the sets of hosts and harnesses: known as its own kind, imported twice alike, nothing dropped silently."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from skillc.core.trace.records import Outcome
from skillc.errors import DataError
from skillc.importers.base import ImportContext, OutcomeMapping
from skillc.importers.table import IMPORTERS, detect
from tests.corpora import corpus
from tests.importers.reading import Reading, read

SETS = {
    "codex-rollouts-agentcmd": "codex",
    "codex-openagents-sample": "codex",
    "gemini-cli-agentcmd": "gemini",
    "atif-openagents-sample": "atif",
    "swe-agent-trajs": "swe-agent",
    "intercode-bash": "intercode",
    "intercode-sql": "intercode",
    "claude-code-agentcmd": "claude-code",
    "claude-code-spotter": "claude-code",
    "claude-code-viewer-mock": "claude-code",
}
NEW_CODEX = "../real-clients/samples/codex-0.171.0.jsonl"


def files_of(name: str) -> list[Path]:
    files = [p for p in sorted(corpus(name).rglob("*")) if p.suffix in (".json", ".jsonl", ".traj") and p.is_file()]
    assert files
    return files


def _is_event(record: dict[str, Any]) -> bool:
    payload = record["payload"]
    is_context = "environment_context" in json.dumps(payload)
    return (record["type"] == "response_item" and payload["type"] != "reasoning" and not is_context) or (
        payload.get("type") in ("user_message", "turn_aborted")
    )


def imported(path: Path, kind: str, **options: ImportContext) -> Reading:
    data = path.read_bytes()
    reading = read(kind, data, path=path.name, **options)
    assert reading.bodies == read(kind, data, path=path.name, **options).bodies
    return reading


@pytest.mark.parametrize("name", SETS)
def test_every_sample_is_known_as_its_own_kind_and_as_no_other(name: str):
    for path in files_of(name):
        head = path.read_bytes()[: 64 * 1024]
        knows = {importer.kind for importer in IMPORTERS if importer.detect(head, path.name)}
        found = detect(head, path.name)

        assert knows - {"messages"} == {SETS[name]}, path.name
        assert found is not None
        assert found.kind == SETS[name]


@pytest.mark.parametrize("name", ["codex-rollouts-agentcmd", "codex-openagents-sample", NEW_CODEX])
def test_every_line_of_a_rollout_is_an_event_or_counted(name: str):
    paths = [corpus(name)] if corpus(name).is_file() else files_of(name)
    whole = 0
    for path in paths:
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        if len(records) == 1 and not _is_event(records[0]):
            with pytest.raises(DataError, match="holds no event"):
                imported(path, "codex")
            continue
        reading = imported(path, "codex")
        assert len(reading.trace.events) + sum(reading.report.skipped.values()) >= len(records)
        items = [r["payload"] for r in records if r["type"] == "response_item"]
        calls = sum(item["type"] in ("function_call", "custom_tool_call") for item in items)
        assert reading.kinds.count("tool_call") == calls
        assert reading.kinds.count("tool_result") == sum(item["type"].endswith("_output") for item in items)
        hidden = [item["encrypted_content"] for item in items if item.get("encrypted_content")]
        assert not [blob for blob in hidden if blob in reading.text]
        assert "repository_url" not in reading.text
        whole += len(records) > 1
    assert whole == {"codex-rollouts-agentcmd": 2}.get(name, 1)


def test_every_message_and_call_of_gemini_is_an_event_or_counted():
    for path in files_of("gemini-cli-agentcmd"):
        document = json.loads(path.read_bytes())
        reading = imported(path, "gemini")
        messages = document.get("messages", [document])
        calls = [call for message in messages for call in message.get("toolCalls", [])]

        assert reading.kinds.count("tool_call") == len(calls)
        assert reading.kinds.count("tool_result") == sum(bool(call.get("result")) for call in calls)
        failed = [call["status"] in ("error", "cancelled") for call in calls if call.get("result")]
        assert [e.is_error for e in reading.trace.events if e.kind == "tool_result"] == failed
        said = sum(bool(message["content"].strip()) for message in messages)
        assert reading.kinds.count("user_message") + reading.kinds.count("model_message") == said
        assert reading.report.skipped["thinking"] == sum(len(m.get("thoughts", [])) for m in messages)


def test_every_step_of_the_trajectory_is_there_and_its_own_verdict_is_not():
    path = corpus("atif-openagents-sample") / "trajectory.json"
    document = json.loads(path.read_bytes())
    reading = imported(path, "atif")

    assert Counter(reading.kinds) == {"user_message": 1, "model_message": 6, "tool_call": 6, "tool_result": 6}
    assert reading.trace.close.outcome is Outcome.UNKNOWN
    assert document["notes"] not in reading.text
    assert reading.report.skipped == {"thinking": 6}


def test_every_step_of_a_run_of_swe_agent_is_an_action_with_its_observation():
    for path in files_of("swe-agent-trajs"):
        document = json.loads(path.read_bytes())
        reading = imported(path, "swe-agent")
        steps = document.get("trajectory") or [m for m in document["history"] if m["role"] == "assistant"]

        assert reading.kinds.count("tool_call") == len(steps)
        if "trajectory" in document:
            observations = [e.text for e in reading.trace.events if e.kind == "tool_result"]
            assert len(observations) == len(steps)
        assert reading.trace.close.outcome is Outcome.UNKNOWN
        assert reading.trace.header.attempt_key is not None


@pytest.mark.parametrize("name", ["intercode-bash", "intercode-sql"])
def test_every_attempt_of_intercode_has_its_actions_and_the_outcome_of_its_rewards(name: str):
    mapping = OutcomeMapping("checker", "summary.max_reward", 1.0)
    context = ImportContext(namespace="acme", secret=b"s" * 32, mapping=mapping)
    families: dict[str, int] = Counter()
    for path in files_of(name):
        records = list(json.loads(path.read_bytes()).values())
        reading = imported(path, "intercode", context=context)

        assert len(reading.traces) == len({t.trace_id for t in reading.traces}) == len(records)
        for record, trace, verdict in zip(records, reading.traces, reading.verdicts, strict=True):
            families[trace.header.attempt_key or ""] += 1
            kinds = Counter(event.kind.value for event in trace.events)
            history = record["turn_history"]
            assert kinds["tool_call"] + kinds["error"] == len(history["actions"])
            assert kinds["tool_result"] == len(history["observations"])
            assert kinds["model_message"] == sum(bool(t.strip()) for t in history.get("thoughts", []))
            assert (verdict.outcome is Outcome.SUCCESS) == (record["summary"]["max_reward"] >= 1)
            gold = record.get("info", {}).get("eval_obs")
            if isinstance(gold, str) and len(gold) > 40 and gold not in history["observations"]:
                assert json.dumps(gold)[1:-1] not in "\n".join(e.text or "" for e in trace.events)
    assert max(families.values()) > 1
