"""What the attributes of a span say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.importers.otel_content import (
    input_messages,
    kind_of,
    model_of,
    output_messages,
    program_history,
    scores_of,
    state_of,
    tool_of,
)
from skillc.importers.otel_spans import OtelEvent, OtelSpan


def span(attributes: dict[str, Any], *events: OtelEvent, name: str = "n") -> OtelSpan:
    return OtelSpan("t", "s", None, name, 0, None, None, attributes, list(events))


def texts(found: list[Any]) -> list[tuple[str, str]]:
    return [(said.role, said.text) for said in found]


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"gen_ai.operation.name": "chat"}, "model"),
        ({"gen_ai.operation.name": "execute_tool"}, "tool"),
        ({"gen_ai.operation.name": "retrieval"}, "tool"),
        ({"gen_ai.operation.name": "invoke_agent"}, "agent"),
        ({"gen_ai.operation.name": "embeddings"}, "other"),
        ({"openinference.span.kind": "EVALUATOR"}, "scorer"),
        ({"openinference.span.kind": "LLM", "gen_ai.operation.name": "execute_tool"}, "model"),
        ({"traceloop.span.kind": "tool"}, "tool"),
        ({"ai.operationId": "ai.embedMany"}, "other"),
        ({"ai.operationId": "ai.streamText.doStream"}, "model"),
        ({"gen_ai.prompt.0.role": "user"}, "model"),
        ({"gen_ai.tool.name": "x"}, "tool"),
        ({"http.method": "GET"}, "group"),
        ({"gen_ai.operation.name": ["chat"]}, "group"),
    ],
)
def test_the_kind_is_told_by_the_convention(attributes: dict[str, Any], kind: str):
    assert kind_of(span(attributes))[0] == kind


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.prompt": '[{"role": "user", "content": "Q"}]', "gen_ai.completion": "A"},
        {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Q", "gen_ai.completion.0.content": "A"},
        {"ai.prompt": '{"prompt": "Q"}', "ai.response.object": "A"},
        {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.contents.0.message_content.text": "Q",
         "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "A"},
    ],
)  # fmt: skip
def test_old_and_flattened_attributes_are_read(attributes: dict[str, Any]):
    assert texts(input_messages(span(attributes))) == [("user", "Q")]
    assert texts(output_messages(span(attributes))) == [("assistant", "A")]


def test_instructions_come_before_the_history():
    found = input_messages(
        span(
            {
                "gen_ai.system_instructions": [{"type": "text", "content": "Be kind"}],
                "gen_ai.input.messages": '[{"role": "user", "content": "Q"}]',
            }
        )
    )

    assert texts(found) == [("system", "Be kind"), ("user", "Q")]


def test_content_of_the_details_event_is_read():
    event = OtelEvent(
        "gen_ai.client.inference.operation.details",
        {
            "gen_ai.input.messages": [{"role": "user", "content": "Q"}],
            "gen_ai.output.messages": [{"role": "assistant", "content": "A"}],
        },
    )

    assert texts(input_messages(span({}, event))) == [("user", "Q")]
    assert texts(output_messages(span({}, event))) == [("assistant", "A")]


def test_flattened_messages_beyond_nine_stay_in_order():
    attributes = {
        f"llm.input_messages.{n}.message.{k}": v for n in range(12) for k, v in (("role", "user"), ("content", f"q{n}"))
    }

    assert [said.text for said in input_messages(span(attributes))] == [f"q{n}" for n in range(12)]


def test_a_tool_says_name_arguments_result_and_call():
    full = {
        "gen_ai.tool.name": "f",
        "gen_ai.tool.call.arguments": '{"a": 1}',
        "gen_ai.tool.call.result": {"b": 2},
        "gen_ai.tool.call.id": "c",
    }

    assert tool_of(span(full)) == ("f", {"a": 1}, '{"b":2}', "c")
    assert tool_of(span({}, name="look")) == ("look", None, None, None)


def test_the_state_of_a_chain_is_its_task_and_answer():
    assert state_of(span({"input.value": '{"question": "Q", "expected": "E"}', "output.value": "A"})) == ("Q", "A")


def test_the_model_that_answered_is_named_before_the_one_that_was_asked():
    assert model_of(span({"gen_ai.request.model": "a", "gen_ai.response.model": "b"})) == "b"


def test_scores_of_a_trace_are_of_the_whole_and_others_of_the_span():
    attributes = {
        f"{prefix}.0.{word}.{k}": v
        for prefix, word in (("trace.evaluations", "evaluation"), ("annotations", "annotation"))
        for k, v in (("name", word), ("score", 1.0), ("annotator_kind", "CODE"))
    }
    found = scores_of(span(attributes), is_whole=False, judged=False)

    assert [(s.name, s.source, s.is_whole) for s in found] == [
        ("evaluation", "CODE", True),
        ("annotation", "CODE", False),
    ]


def test_the_messages_in_a_programs_state_are_its_history():
    attributes = {"input.value": '{"messages": [{"role": "user", "content": "Q"}]}', "output.value": "plain"}

    assert texts(program_history(span(attributes), "input.value", role="user")) == [("user", "Q")]
    assert program_history(span(attributes), "output.value", role="assistant") == []


_PLACES = ["llm.input_messages", "llm.output_messages", "gen_ai.prompt", "gen_ai.completion", "trace.annotations"]
_RESTS = ["", ".0", ".0.message", ".0.message.role", ".0.message.tool_calls", ".0.message.tool_calls.0.tool_call.id",
          ".0.message.tool_calls.0", ".0.message.contents", ".0.message.contents.0.message_content.text", ".0.tool_calls.0.id",
          ".0.annotation.name", ".0.annotation.score"]  # fmt: skip
_NAMES = ["gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions", "ai.prompt", "ai.response.toolCalls",
          "ai.response.text", "gen_ai.evaluation.name", "gen_ai.tool.call.arguments", "output.value", "input.value"]  # fmt: skip
_KEYS = st.sampled_from([*(place + rest for place in _PLACES for rest in _RESTS), *_NAMES])
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", "x", "user", '{"role": "tool"}', '["a"]', "tool_use"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "parts", "type", "tool_calls", "message", "0"]), inner)
    ),
    max_leaves=6,
)


@given(st.dictionaries(_KEYS, _VALUES, max_size=8), st.dictionaries(_KEYS, _VALUES, max_size=3))
def test_no_attributes_are_an_error(attributes: dict[str, Any], of_event: dict[str, Any]):
    events = [OtelEvent(name, of_event) for name in ("gen_ai.choice", "gen_ai.tool.message", "gen_ai.content.prompt")]
    one = span(attributes, *events)
    for read in (kind_of, input_messages, output_messages, state_of, tool_of, model_of):
        read(one)
    for role in ("user", "assistant"):
        program_history(one, "input.value", role=role)
    scores_of(one, is_whole=True, judged=False)


def test_a_value_in_the_place_of_a_list_of_calls_is_another_thing():
    place = "llm.output_messages.0.message"
    calls = {
        f"{place}.tool_calls.0.tool_call.function.name": "ls",
        f"{place}.tool_calls": "x",
        f"{place}.role": "assistant",
    }
    for attributes in (calls, dict(reversed(calls.items()))):
        assert [call.name for said in output_messages(span(attributes)) for call in said.calls] == ["ls"]
