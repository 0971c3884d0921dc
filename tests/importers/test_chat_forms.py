"""Every form of a message gives the same: role, text, calls, results."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.importers.chat_forms import Call, messages_of, opened, plain

CALL = [Call("c1", "look", {"q": 1})]


def constructor(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", name], "kwargs": kwargs}


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "Hi"},
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
        {"role": "user", "parts": [{"type": "text", "content": "Hi"}]},
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"type": "human", "content": "Hi"},
        {"type": "human", "data": {"content": "Hi"}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
        constructor("HumanMessage", content="Hi", additional_kwargs={}),
        '{"role": "user", "content": "Hi"}',
        "Hi",
    ],
)
def test_a_users_words_are_found_in_every_form(message: Any):
    for value in (message, [message] if isinstance(message, dict) else message, {"messages": [message]}):
        found = messages_of(value)
        if found:
            assert [(s.role, s.text) for s in found] == [("user", "Hi")]
    assert messages_of(message)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": {"q": 1}}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"q": 1}}]},
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"q": 1}}]},
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": {"q": 1}}]},
        {"type": "function_call", "id": "item", "call_id": "c1", "name": "look", "arguments": {"q": 1}},
        {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "look", "args": {"q": 1}}}]},
        constructor("AIMessage", content="", tool_calls=[{"name": "look", "args": {"q": 1}, "id": "c1", "type": "tool_call"}]),
        constructor(
            "AIMessageChunk",
            content="",
            tool_calls=[],
            additional_kwargs={"tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": {"q": 1}}}]},
        ),
        {"choices": [{"message": {"content": None, "tool_calls": [{"id": "c1", "name": "look", "arguments": {"q": 1}}]}}]},
        {"generations": [[{"message": constructor("AIMessage", content="", tool_calls=[{"name": "look", "args": {"q": 1}, "id": "c1"}])}]]},
    ],
)  # fmt: skip
def test_a_call_is_found_in_every_form(message: dict[str, Any]):
    found = messages_of(message, role="assistant")

    assert [(s.role, s.calls) for s in found] == [("assistant", CALL)]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool", "tool_call_id": "c1", "content": "7"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "7"}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "7"}]},
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "7"}}],
        },
        {"type": "function_call_output", "call_id": "c1", "output": "7"},
        {"role": "function", "parts": [{"functionResponse": {"id": "c1", "response": {"result": "7"}}}]},
        constructor("ToolMessage", content="7", tool_call_id="c1"),
    ],
)
def test_a_result_is_found_in_every_form(message: dict[str, Any]):
    assert [(s.role, s.call_id, s.text) for s in messages_of(message)] == [("tool", "c1", "7")]


def test_reasoning_is_counted_and_its_text_dropped():
    (said,) = messages_of(
        [{"role": "assistant", "content": [{"type": "thinking", "thinking": "hidden"}, {"type": "text", "text": "x"}]}]
    )

    assert (said.text, said.thinking) == ("x", 1)


def test_media_is_replaced_by_its_type_size_and_digest():
    url = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
    blob = {"type": "blob", "mime_type": "image/png", "content": "QUJD"}
    (said,) = messages_of([{"role": "user", "content": [url, blob]}])

    assert "QUJD" not in said.text
    assert said.text.count("image/png 3 bytes sha256:b5d4045c3f46") == 2


@pytest.mark.parametrize(
    "answer",
    [
        [
            {"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"},
            {"message": {"content": "B"}},
        ],
        {"message": {"role": "assistant", "content": "A"}},
        {
            "id": "r",
            "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A"}]}],
        },
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "A"}]}}]},
        {"text": "A", "toolCalls": []},
        {"id": "m", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "A"}]},
    ],
)
def test_the_first_answer_of_a_model_is_found_in_every_envelope(answer: Any):
    assert [(s.role, s.text) for s in messages_of(answer, role="assistant")] == [("assistant", "A")]


def test_a_request_of_the_responses_form_is_instructions_and_items():
    items = [
        {"role": "user", "content": "Q"},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
    ]
    found = messages_of({"instructions": "Be kind", "input": items, "model": "m"})

    assert [(s.role, s.text, len(s.calls)) for s in found] == [
        ("system", "Be kind", 0),
        ("user", "Q", 0),
        ("assistant", "", 1),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (None, ""),
        ({"output": {"content": "x", "type": "tool"}}, "x"),
        ({"output": constructor("ToolMessage", content="x")}, "x"),
        ({"a": 1, "b": 2}, '{"a":1,"b":2}'),
        ([{"type": "text", "text": "x"}, {"type": "text", "text": "y"}], "x\ny"),
        ({"type": "json", "value": [1]}, "[1]"),
    ],
)
def test_a_tools_output_is_its_text_or_its_json(value: Any, text: str):
    assert plain(value) == text


def test_only_a_string_that_is_json_is_opened():
    assert opened('{"a": 1}') == {"a": 1}
    assert opened("{a") == "{a"
    assert opened(5) == 5


def test_messages_in_messages_without_end_give_nothing():
    value: Any = "x"
    for _ in range(50):
        value = {"messages": [value], "prompt": {"messages": value}}

    assert messages_of({"prompt": value}) == []


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(("user", "constructor")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "type",
                    "content",
                    "parts",
                    "kwargs",
                    "lc",
                    "id",
                    "data",
                    "messages",
                    "choices",
                    "generations",
                    "message",
                    "tool_calls",
                    "function",
                    "name",
                    "input",
                    "arguments",
                    "functionCall",
                    "functionResponse",
                    "source",
                    "text",
                    "value",
                    "output",
                    "prompt",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=14,
)


@settings(max_examples=400, deadline=None)
@given(_JSON)
def test_no_value_breaks_the_reading(value: Any):
    for said in messages_of(value):
        assert isinstance(said.text, str)
        assert said.role in ("user", "assistant", "system", "tool")
    assert isinstance(plain(value), str)
