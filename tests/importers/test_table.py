"""The table of importers."""

import json

import pytest

from skillc.errors import UsageError
from skillc.importers.table import IMPORTERS, detect, importer_for, kinds_beside
from tests.importers.rollouts import Rollout
from tests.importers.stores import corpus_files

HEADS = [
    (b'{"record":"trace","format":"skillc.trace/1"}\n', "native"),
    (b'{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user"}}\n', "claude-code"),
    (Rollout().user("x").data(), "codex"),
    (
        json.dumps(Rollout().user("x").bare()[0]).encode() + b'\n{"type":"message","role":"user","content":[]}\n',
        "codex",
    ),
    (b'{"sessionId":"s","projectHash":"h","messages":[{"type":"user","content":"x"}]}', "gemini"),
    (b'{"sessionId":"s","projectHash":"h"}\n{"id":"a","type":"user","content":"x"}\n', "gemini"),
    (b'{"schema_version":"ATIF-v1.5","agent":{"name":"a"},"steps":[{"role":"user"}]}', "atif"),
    (b'{"trajectory":[{"action":"ls","observation":"a"}],"history":[{"role":"user"}]}', "swe-agent"),
    (b'{"0":{"query":"x","turn_history":{"actions":[]}}}', "intercode"),
    (b'[{"role": "user", "content": "x"}]', "messages"),
]


def test_every_importer_is_found_by_its_kind():
    kinds = {"native", "claude-code", "codex", "gemini", "atif", "swe-agent", "intercode", "messages"}

    assert [importer_for(importer.kind) for importer in IMPORTERS] == list(IMPORTERS)
    stores = {"tau-bench", "tau2", "langsmith", "braintrust", "langfuse", "otel"}
    assert {importer.kind for importer in IMPORTERS} == kinds | stores


def test_an_unknown_kind_is_told_with_the_known_ones():
    with pytest.raises(UsageError) as caught:
        importer_for("word")
    assert "claude-code" in caught.value.hint


@pytest.mark.parametrize(("head", "kind"), [*HEADS, (b"just text", None), (b"\xff\xfe\x00", None), (b"", None)])
def test_a_file_is_known_by_its_first_bytes(head: bytes, kind: str | None):
    found = detect(head, "file")

    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ({"id": "s", "traceId": "t", "name": "solved", "value": 1, "source": "API"}, {"langfuse"}),
        ({"key": "correct", "run_id": "r", "score": 1}, {"langsmith"}),
        ({"feedback": [{"key": "correct", "run_id": "r", "score": 1}]}, {"langsmith"}),
        ({"id": "r", "run_type": "llm", "trace_id": "t", "inputs": {}}, set()),
        ({"a": 1}, set()),
    ],
)
def test_scores_and_feedback_belong_beside_a_source(value: object, kinds: set[str]):
    assert kinds_beside(json.dumps(value).encode()) == kinds


_SAMPLES = {
    "tau-bench": [[{"task_id": 1, "reward": 1.0, "info": {}, "traj": [{"role": "user", "content": "x"}], "trial": 0}]],
    "tau2": [
        {"timestamp": "t", "info": {"agent_info": {}}, "tasks": [], "simulations": []},
        {"id": "s", "task_id": "1", "messages": [{"role": "user", "content": "x"}], "reward_info": None},
    ],
    "langsmith": [
        {"post": [{"id": "r", "run_type": "llm", "inputs": {"messages": [{"role": "user", "content": "x"}]}}]},
        [{"id": "r", "trace_id": "r", "run_type": "chain", "inputs": {}, "session_id": "p"}],
    ],
    "braintrust": [
        [{"id": "a", "span_id": "s", "root_span_id": "s", "input": [{"role": "user", "content": "x"}]}],
        {"id": "a", "_xact_id": "1", "project_id": "p", "scores": {}},
    ],
    "langfuse": [
        {
            "id": "t",
            "sessionId": "s",
            "userId": "u",
            "observations": [{"id": "o", "traceId": "t", "type": "SPAN"}],
            "scores": [],
        },
        {"data": [{"id": "o", "traceId": "t", "type": "GENERATION", "input": [{"role": "user", "content": "x"}]}]},
        {"id": "o", "trace_id": "t", "type": "TOOL", "parent_observation_id": None},
    ],
    "otel": [
        {"resourceSpans": [{"scopeSpans": []}]},
        [{"name": "n", "spanContext": {"traceId": "t", "spanId": "s"}, "attributes": {}}],
        {"name": "n", "context": {"trace_id": "0xa", "span_id": "0xb"}, "kind": "SpanKind.INTERNAL", "attributes": {}},
    ],
    "messages": [
        [{"role": "user", "content": "x"}],
        {"id": 1, "messages": [{"role": "assistant", "tool_calls": []}], "reward": 1},
    ],
}


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in _SAMPLES.items() for value in values])
def test_no_two_importers_know_one_file(kind: str, value: object):
    """So the order of the table decides nothing."""
    for data in (json.dumps(value).encode(), b"\xef\xbb\xbf" + json.dumps(value, indent=1).encode() + b"\n"):
        assert [importer.kind for importer in IMPORTERS if importer.detect(data, "export.json")] == [kind]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("taubench-airline-gpt4o", {"attempts.json": "tau-bench"}),
        ("tau2-activegraph", {"": "tau2"}),
        ("tau2-toolorchestra-gpt5", {"results.json": "tau2"}),
        ("langsmith-run-payloads", {"": "langsmith"}),
        ("braintrust-log-payloads", {"": "braintrust"}),
        ("otel-openinference-spans", {"all-spans.json": "otel", "doGenerate.json": "otel"}),
    ],
)
def test_every_file_of_a_store_is_known_as_its_own_kind_alone(name: str, kinds: dict[str, str]):
    for path in corpus_files(name):
        head = path.read_bytes()[: 64 * 1024]
        found = [importer.kind for importer in IMPORTERS if importer.detect(head, path.name)]
        assert found == [kind for end, kind in kinds.items() if path.name.endswith(end)], path


@pytest.mark.parametrize(("head", "kind"), HEADS)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_no_two_importers_of_a_host_know_the_same_file(head: bytes, kind: str, bom: bytes):
    """So the order of the table decides nothing between them; `messages` alone takes what others may take."""
    knows = {importer.kind for importer in IMPORTERS if importer.detect(bom + head, "file")}

    assert knows - {"messages"} == {kind} - {"messages"}
