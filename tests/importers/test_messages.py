"""Chat messages become Traces; what is not a message never becomes an event."""

import contextlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.records import Outcome
from skillc.errors import DataError, UsageError
from skillc.importers.base import ImportContext, MessagesOptions, OutcomeMapping
from skillc.importers.messages import MessagesImporter
from tests.corpora import corpus
from tests.importers.reading import CONTEXT, read

REWARD = OutcomeMapping(verifier_id="checker", field="reward", success_at=1.0)


def options(**fields: Any) -> ImportContext:
    mapping = fields.pop("mapping", None)
    restricted = fields.pop("restricted", ())
    return ImportContext(
        namespace="acme",
        secret=b"s" * 32,
        messages=MessagesOptions(**fields),
        mapping=mapping,
        restricted=restricted,
    )


def call(name: str, arguments: Any, call_id: str = "c1") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}],
    }


CHAT = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Cancel my booking"},
    call("cancel", '{"id": "B7"}'),
    {"role": "tool", "tool_call_id": "c1", "name": "cancel", "content": "Error: not found"},
    {"role": "assistant", "content": "Sorry."},
    {"role": "user", "content": "###STOP###"},
]


def test_a_chat_is_one_trace_with_its_calls_parsed():
    reading = read("messages", json.dumps(CHAT).encode())

    assert reading.kinds == ["note", "user_message", "tool_call", "tool_result", "model_message"]
    events = reading.trace.events
    assert events[0].actor == "system"
    assert events[0].untrusted is False
    assert events[2].arguments == {"id": "B7"}
    assert events[3].is_error is True
    assert events[3].untrusted is True
    assert reading.trace.header.objective == "Cancel my booking"


def test_arguments_that_are_no_json_are_kept_as_text():
    reading = read("messages", json.dumps([call("f", "not json"), call("f", "[1]")]).encode())

    assert [e.arguments for e in reading.trace.events] == [{"_raw": "not json"}, {"_raw": "[1]"}]


def test_content_blocks_are_read_like_calls():
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hidden"},
                {"type": "text", "text": "I look"},
                {"type": "tool_use", "id": "t", "name": "look", "input": {"q": 1}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x", "is_error": False}]},
    ]
    reading = read("messages", json.dumps(chat).encode())

    assert reading.kinds == ["user_message", "model_message", "tool_call", "tool_result"]
    assert reading.trace.events[3].tool == "look"
    assert "hidden" not in reading.text


@pytest.mark.parametrize("form", ["list", "lines", "object"])
def test_records_come_as_a_list_as_lines_or_alone(form: str):
    record = {"id": 1, "messages": CHAT}
    data = {
        "list": json.dumps([record, record | {"id": 2}]),
        "lines": json.dumps(record) + "\r\n\n" + json.dumps(record | {"id": 2}),
        "object": json.dumps(record),
    }[form]

    assert len(read("messages", data.encode()).traces) == (1 if form == "object" else 2)


def test_fields_beside_messages_key_and_mapping_never_become_events():
    record = {"task_id": 3, "reward": 1, "info": {"gold": "ANSWER-KEY"}, "expected": "ANSWER-KEY", "messages": CHAT}
    reading = read("messages", json.dumps(record).encode(), context=options(attempt_key="task_id", mapping=REWARD))

    assert "ANSWER-KEY" not in reading.text


def test_attempts_with_one_key_are_one_family_and_different_traces():
    records = [{"task_id": 3, "messages": CHAT}, {"task_id": 3, "messages": CHAT}, {"task_id": 4, "messages": CHAT}]
    reading = read("messages", json.dumps(records).encode(), context=options(attempt_key="task_id"))

    assert [t.header.attempt_key for t in reading.traces] == ["task_id 3", "task_id 3", "task_id 4"]
    assert len({t.trace_id for t in reading.traces}) == 3


def test_a_mapping_gives_success_and_failure_and_says_why():
    records = [{"reward": value, "messages": CHAT} for value in (1.0, 0.5, True, "1", None)]
    reading = read("messages", json.dumps(records).encode(), context=options(mapping=REWARD))

    outcomes = [v.outcome if v else None for v in reading.verdicts]
    assert outcomes == [Outcome.SUCCESS, Outcome.FAILURE, Outcome.SUCCESS, None, None]
    assert reading.verdicts[0].detail == "reward = 1.0"
    assert reading.report.skipped["outcome without a number at the mapping's field"] == 2
    assert reading.traces[3].close.outcome is Outcome.UNKNOWN


def test_an_outcome_file_beside_gives_the_verdict(tmp_path: Path):
    file = tmp_path / "outcomes.jsonl"
    file.write_text('{"task_id": 3, "reward": 1}\n{"task_id": 4, "reward": 0}\n')
    records = [{"task_id": number, "messages": CHAT} for number in (3, 4, 5)]
    context = options(attempt_key="task_id", outcome_file=str(file), mapping=REWARD)
    reading = read("messages", json.dumps(records).encode(), context=context)

    assert [v.outcome if v else None for v in reading.verdicts] == [Outcome.SUCCESS, Outcome.FAILURE, None]


def test_an_outcome_file_without_a_key_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match="attempt key"):
        read("messages", json.dumps(CHAT).encode(), context=options(outcome_file="x", mapping=REWARD))


def test_a_missing_outcome_file_is_named():
    with pytest.raises(DataError, match=r"gone\.json"):
        read("messages", json.dumps(CHAT).encode(), context=options(outcome_file="gone.json", attempt_key="k"))


def test_empty_runs_are_counted_and_only_nothing_at_all_is_an_error():
    records = [{"messages": []}, {"messages": CHAT}, 7]
    reading = read("messages", json.dumps(records).encode())

    assert len(reading.traces) == 1
    assert reading.report.skipped == Counter({"record with no messages": 1, "record that is no object": 1})
    with pytest.raises(DataError, match="holds no message at 'traj'"):
        read("messages", b'[{"messages_": []}]', context=options(messages_field="traj"))


def test_a_wrong_field_is_told_with_the_field_that_holds_messages():
    records = [{"id": 1, "talk": CHAT, "tags": ["a"], "odd\x1bname": CHAT}]
    with pytest.raises(DataError, match="holds no message at 'traj'") as told:
        read("messages", json.dumps(records).encode(), context=options(messages_field="traj"))
    assert told.value.hint == "its messages seem to be at talk: --messages-field talk"
    with pytest.raises(DataError) as told:
        read("messages", b'[{"tags": ["a"]}]', context=options(messages_field="traj"))
    assert told.value.hint == "name the field that holds the list of messages: --messages-field FIELD"


def test_restricted_tools_leave_no_content():
    chat = [call("hr", '{"name": "Mia Li"}'), {"role": "tool", "tool_call_id": "c1", "content": "salary"}]
    reading = read("messages", json.dumps(chat).encode(), context=options(restricted=(RestrictedPattern(tool="hr"),)))

    assert [bool(e.restricted) for e in reading.trace.events] == [True, True]
    assert "Mia Li" not in reading.text
    assert "salary" not in reading.text


def test_bad_lines_are_reported_together_and_nothing_is_given():
    with pytest.raises(DataError, match=r"f\.jsonl:2: is not JSON\nf\.jsonl:3: is not JSON"):
        read("messages", b'{"messages":[]}\n{x\n{y\n{"messages":[]}\n', path="f.jsonl")


def test_detection_needs_a_role():
    importer = MessagesImporter()

    assert importer.detect(json.dumps(CHAT).encode(), "x.json")
    assert not importer.detect(b'{"a": 1}', "x.json")
    assert not importer.detect(b'{"sessionId":"a","message":{"role":"user"}}\n', "x.jsonl")


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system", "x"])},
    optional=dict.fromkeys(("content", "tool_calls", "tool_call_id", "name", "timestamp", "id", "reasoning"), _JSON),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_MESSAGE | _JSON, max_size=5), _JSON, _JSON)
def test_no_message_of_any_shape_breaks_the_import(messages, key, reward):
    record = {"k": key, "reward": reward, "messages": messages}
    with contextlib.suppress(DataError):
        read("messages", json.dumps([record]).encode(), context=options(attempt_key="k", mapping=REWARD))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_import(data: bytes):
    with contextlib.suppress(DataError):
        read("messages", data)


def test_the_airline_attempts_are_imported_completely_and_no_gold_with_them():
    data = (corpus("taubench-airline-gpt4o") / "attempts.json").read_bytes()
    context = options(messages_field="traj", attempt_key="task_id", mapping=REWARD)
    reading = read("messages", data, path="attempts.json", context=context)
    records = json.loads(data)

    assert len(reading.traces) == 100
    assert len({t.trace_id for t in reading.traces}) == 100
    assert reading.bodies == read("messages", data, path="attempts.json", context=context).bodies
    success = [v.outcome is Outcome.SUCCESS for v in reading.verdicts]
    assert success == [record["reward"] >= 1 for record in records]
    assert not reading.report.skipped
    for record, trace in zip(records, reading.traces, strict=True):
        assert trace.header.attempt_key == f"task_id {record['task_id']}"
        said = "\n".join(str(message.get("content")) for message in record["traj"])
        stored = "\n".join(event.text or "" for event in trace.events)
        for sentence in record["info"]["task"]["instruction"].split(". "):
            if len(sentence) > 20 and sentence not in said:
                assert sentence not in stored
        assert "###STOP###" not in stored
        calls = sum(len(m.get("tool_calls") or ()) for m in record["traj"] if m["role"] == "assistant")
        assert sum(e.kind == "tool_call" for e in trace.events) == calls


def test_the_default_context_reads_the_field_messages():
    assert CONTEXT.messages.messages_field == "messages"
