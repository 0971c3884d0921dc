"""A file that is no trace is told by what it is."""

import json
from typing import Any

import pytest

from skillc.errors import DataError
from skillc.importers.table import detect
from skillc.importers.unknown import unknown_format
from tests.corpora import corpus
from tests.importers.reading import read

OUTCOMES = "holds outcomes only, no events of a run"


def said(content: Any) -> str:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    assert detect(data, "x.json") is None
    return unknown_format(data)[0]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ([{"name": "env_0", "memory": ["x"], "is_success": True}], OUTCOMES),
        (b'{"task_id":"a_1","run_id":0,"after_score":1.0}\n{"task_id":"a_2","after_score":0.4}\n', OUTCOMES),
        ({"simulations": [{"id": "1", "task_id": "1", "reward_info": {"reward": 1}}]}, OUTCOMES),
        ({"a": {"task_id": 1, "reward": 0}, "b": {"task_id": 2, "reward": 1}}, OUTCOMES),
        ([{"id": "q", "query": "x", "gold": ["a"]}], "holds search queries"),
        ([{"id": "a", "description": "x", "headings": []}], "holds descriptions of Skills"),
        ([{"id": "a", "label": "flag", "text_parts": []}], "holds labelled texts"),
        ([{"sessionId": "s", "messageId": 0, "message": "x"}], "list of prompts"),
        ([{"attempt": "0-0", "reward": 1.0, "messages": 32}], OUTCOMES),
        ({"$defs": {"A": {"type": "string"}}, "properties": {}}, "is a JSON Schema"),
        ({"trial_name": "a", "verifier_result": {"rewards": {}}}, "is the result of a trial"),
        ({"a": 1}, "is no format that skillc knows"),
        (b"text", "is no format that skillc knows"),
        (b"", "is no format that skillc knows"),
        ([7, "x"], "is no format that skillc knows"),
    ],
)
def test_each_kind_is_named(content: Any, what: str):
    assert what in said(content)


def test_no_value_of_the_file_is_in_the_sentence():
    secret = "ghp_" + "a" * 36
    for sentence in unknown_format(json.dumps([{"task_id": secret, "reward": secret}]).encode()):
        assert secret not in str(sentence)


@pytest.mark.parametrize("name", ["reflexion-alfworld-outcomes", "skillx-paired-outcomes", "retrieval", "scan"])
def test_no_file_of_a_set_without_events_is_a_trace(name: str):
    files = [p for p in sorted(corpus(name).rglob("*.json*")) if p.is_file()]

    assert files
    for path in files:
        head = path.read_bytes()[: 64 * 1024]
        found = detect(head, path.name)
        if found is not None:  # results of tau2 whose messages were taken out
            with pytest.raises(DataError, match="no tau2 simulation with messages"):
                read(found.kind, path.read_bytes(), path=path.name)
        else:
            assert "no events of a run" in unknown_format(head)[0]
