"""Spans become Traces, in every written form and by every convention; evaluations need a mapping."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.errors import DataError
from skillc.importers.otel import OtelImporter
from tests.importers.reading import Reading, read
from tests.importers.stores import check_mutations, corpus_files, json_lines, mapped, outcomes, read_json

TRACE = "0af7651916cd43dd8448eb211c80319c"
GOOD = mapped("good")
USER = {"role": "user", "parts": [{"type": "text", "content": "Weather in Paris?"}]}
CALL = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "c1", "name": "weather", "arguments": {"city": "Paris"}}],
    "finish_reason": "tool_call",
}
RESULT = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "sunny"}]}
SAYS = {
    "role": "assistant",
    "parts": [{"type": "text", "content": "It is sunny"}, {"type": "reasoning", "content": "hidden"}],
}

EXPECTED = [
    ("user_message", "Weather in Paris?"),
    ("tool_call", None),
    ("tool_result", "sunny"),
    ("model_message", "It is sunny"),
]


def any_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(v) for v in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": k, "value": any_value(v)} for k, v in value.items()]}}
    return {"stringValue": value}


def span(
    span_id: str, second: int, attributes: dict[str, Any], parent: str = "00000000000000a0", **fields: Any
) -> dict[str, Any]:
    return {
        "traceId": TRACE,
        "spanId": span_id.rjust(16, "0"),
        "parentSpanId": "" if span_id == "a0" else parent,
        "name": span_id,
        "startTimeUnixNano": str(1_767_600_000_000_000_000 + second * 10**9),
        "endTimeUnixNano": str(1_767_600_000_500_000_000 + second * 10**9),
        "attributes": [{"key": k, "value": any_value(v)} for k, v in attributes.items()],
        "status": {},
    } | fields


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def genai(text: bool = False, root: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    form = json.dumps if text else (lambda value: value)
    return [
        span("c0", 3, {"gen_ai.operation.name": "chat", "gen_ai.input.messages": form([USER, CALL, RESULT]),
                       "gen_ai.output.messages": form([SAYS])}),
        span("a0", 0, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper"} | (root or {})),
        span("b0", 1, {"gen_ai.operation.name": "chat", "gen_ai.request.model": "model-1", "gen_ai.usage.input_tokens": 9,
                       "gen_ai.input.messages": form([USER]), "gen_ai.output.messages": form([CALL])}),
        span("b1", 2, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather", "gen_ai.tool.call.id": "c1",
                       "gen_ai.tool.call.arguments": form({"city": "Paris"}), "gen_ai.tool.call.result": "sunny"}),
    ]  # fmt: skip


def openinference() -> list[dict[str, Any]]:
    user = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Weather in Paris?"}
    call = "tool_calls.0.tool_call"
    asked = {"message.role": "assistant", f"message.{call}.id": "c1", f"message.{call}.function.name": "weather",
             f"message.{call}.function.arguments": '{"city": "Paris"}'}  # fmt: skip
    return [
        span("a0", 0, {"openinference.span.kind": "CHAIN", "input.value": '{"question": "Weather in Paris?"}'}),
        span("b0", 1, {"openinference.span.kind": "LLM", "llm.model_name": "model-1"} | user
             | {f"llm.output_messages.0.{k}": v for k, v in asked.items()}),
        span("b1", 2, {"openinference.span.kind": "TOOL", "tool.name": "weather", "input.value": '{"city": "Paris"}', "output.value": "sunny"}),
        span("c0", 3, {"openinference.span.kind": "LLM"} | user | {f"llm.input_messages.1.{k}": v for k, v in asked.items()} | {
            "llm.input_messages.2.message.role": "tool", "llm.input_messages.2.message.tool_call_id": "c1",
            "llm.input_messages.2.message.content": "sunny", "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "It is sunny"}),
    ]  # fmt: skip


def vercel() -> list[dict[str, Any]]:
    user = {"role": "user", "content": [{"type": "text", "text": "Weather in Paris?"}]}
    call = {"toolCallId": "c1", "toolName": "weather", "input": {"city": "Paris"}}
    history = [
        user,
        {"role": "assistant", "content": [{"type": "tool-call"} | call]},
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "sunny"}}],
        },
    ]
    return [
        span("a0", 0, {"ai.operationId": "ai.generateText", "ai.prompt": json.dumps({"prompt": "Weather in Paris?"}), "ai.response.text": "It is sunny"}),
        span("b0", 1, {"ai.operationId": "ai.generateText.doGenerate", "ai.model.id": "model-1", "ai.prompt.messages": json.dumps([user]),
                       "ai.response.toolCalls": json.dumps([call])}),
        span("b1", 2, {"ai.operationId": "ai.toolCall", "ai.toolCall.name": "weather", "ai.toolCall.id": "c1",
                       "ai.toolCall.args": '{"city":"Paris"}', "ai.toolCall.result": "sunny"}),
        span("c0", 3, {"ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(history), "ai.response.text": "It is sunny"}),
    ]  # fmt: skip


def shown(reading: Reading) -> list[tuple[str, str | None]]:
    return [(e.kind.value, e.text) for e in reading.trace.events]


@pytest.mark.parametrize(
    "spans", [genai(), genai(text=True), openinference(), vercel()], ids=["genai", "text", "oi", "vercel"]
)
def test_every_convention_tells_the_same(spans: list[dict[str, Any]]):
    reading = read_json("otel", otlp(*spans))

    assert shown(reading) == EXPECTED
    assert reading.trace.header.agent.model == "model-1"
    assert reading.trace.events[1].arguments == {"city": "Paris"}
    assert reading.trace.events[0].at.isoformat() == "2026-01-05T08:00:01+00:00"
    assert "hidden" not in reading.text


@pytest.mark.parametrize("form", ["object", "lines", "sdk", "python"])
def test_every_written_form_is_read(form: str):
    spans = genai(text=True)
    plain = [{a["key"]: next(iter(a["value"].values())) for a in s["attributes"]} for s in spans]
    sdk = [
        {"name": s["name"], "spanContext": {"traceId": TRACE, "spanId": s["spanId"]}, "parentSpanId": s["parentSpanId"],
         "attributes": a, "startTime": [int(s["startTimeUnixNano"][:10]), 0], "endTime": [1767600009, 1]}
        for s, a in zip(spans, plain, strict=True)
    ]  # fmt: skip
    python = [
        {"name": s["name"], "context": {"trace_id": f"0x{TRACE}", "span_id": f"0x{s['spanId']}"},
         "parent_id": f"0x{s['parentSpanId']}" if s["parentSpanId"] else None, "attributes": a,
         "start_time": f"2026-01-05T08:00:0{int(s['startTimeUnixNano'][9])}.000000Z"}
        for s, a in zip(spans, plain, strict=True)
    ]  # fmt: skip
    data = {
        "object": json.dumps(otlp(*spans), indent=1).encode(),
        "lines": json_lines(*(otlp(s) for s in spans)),
        "sdk": json.dumps(sdk).encode(),
        "python": json_lines(*python),
    }[form]

    assert OtelImporter().detect(data, "x")
    assert shown(read("otel", data)) == EXPECTED


def test_content_in_span_events_is_read():
    events = [
        {
            "name": "gen_ai.user.message",
            "attributes": [{"key": "content", "value": {"stringValue": "Weather in Paris?"}}],
        },
        {"name": "gen_ai.choice", "attributes": [{"key": "message", "value": {"stringValue": '{"content": "Sun"}'}}]},
    ]
    reading = read_json("otel", otlp(span("a0", 0, {"gen_ai.operation.name": "chat"}, events=events)))

    assert shown(reading) == [("user_message", "Weather in Paris?"), ("model_message", "Sun")]


def test_a_tool_span_without_content_is_a_call_without_arguments_and_counted():
    reading = read_json(
        "otel", otlp(span("a0", 0, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look"}))
    )

    assert [(e.kind.value, e.tool, e.arguments) for e in reading.trace.events] == [("tool_call", "look", {})]
    assert reading.report.skipped == {"tool call without content": 1}


def test_spans_without_any_content_are_an_error_that_says_why():
    with pytest.raises(DataError, match="only where that is switched on"):
        read_json("otel", otlp(span("a0", 0, {"gen_ai.operation.name": "chat"})))


def test_a_span_with_error_status_is_an_error():
    spans = genai()
    spans[3]["status"] = {"code": 2, "message": "Timeout"}
    result = next(e for e in read_json("otel", otlp(*spans)).trace.events if e.kind == "tool_result")

    assert result.is_error is True


def evaluation(value: Any, **more: Any) -> dict[str, Any]:
    return {"gen_ai.evaluation.name": "good", "gen_ai.evaluation.score.value": value} | more


def annotation(score: Any, kind: str, prefix: str = "") -> dict[str, Any]:
    return {
        f"{prefix}annotations.0.annotation.{k}": v
        for k, v in (("name", "good"), ("score", score), ("annotator_kind", kind))
    }


@pytest.mark.parametrize(
    ("root", "outcome", "why"),
    [
        (evaluation(1.0), "success", None),
        (evaluation(0), "failure", None),
        (annotation(1.0, "CODE"), "success", None),
        (annotation(0, "HUMAN"), "failure", None),
        (annotation(1.0, "LLM"), None, "score of a judge that the mapping does not name"),
        (evaluation("pass"), None, "score that is no number"),
        ({**annotation(1.0, "HUMAN"), **annotation(0.0, "CODE", "trace.")}, None, "attempt whose scores disagree"),
    ],
)
def test_an_evaluation_of_the_whole_is_an_outcome_by_its_mapping(
    root: dict[str, Any], outcome: str | None, why: str | None
):
    reading = read_json("otel", otlp(*genai(root=root)), context=GOOD)

    assert outcomes(reading) == [outcome]
    if why:
        assert reading.report.skipped[why] == 1


def test_a_judge_counts_when_the_mapping_names_it():
    spans = otlp(*genai(root=annotation(1.0, "LLM")))

    assert outcomes(read_json("otel", spans, context=mapped("good", source_type="LLM"))) == ["success"]


def test_an_evaluation_of_a_part_says_nothing_about_the_end():
    spans = genai()
    spans[0]["attributes"] += [{"key": k, "value": any_value(v)} for k, v in annotation(1.0, "CODE").items()]
    reading = read_json("otel", otlp(*spans), context=GOOD)

    assert outcomes(reading) == [None]
    assert reading.report.skipped["score of a part of the attempt"] == 1


def test_an_evaluation_event_is_read_from_the_span_and_from_the_logs():
    attributes = [{"key": k, "value": any_value(v)} for k, v in evaluation(1.0).items()]
    spans = genai()
    spans[1]["events"] = [{"name": "gen_ai.evaluation.result", "attributes": attributes}]
    record = {
        "traceId": TRACE,
        "spanId": "00000000000000a0",
        "eventName": "gen_ai.evaluation.result",
        "attributes": attributes,
    }
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record, record | {"spanId": "ff"}]}]}]}

    assert outcomes(read_json("otel", otlp(*spans), context=GOOD)) == ["success"]
    reading = read("otel", json_lines(otlp(*genai()), logs), context=GOOD)
    assert outcomes(reading) == ["success"]
    assert reading.report.skipped["log record of no span in the file"] == 1


def test_an_evaluator_with_a_model_below_is_a_judge_and_never_acts():
    judge = [
        span("e0", 5, {"openinference.span.kind": "EVALUATOR"} | evaluation(1.0)),
        span("e1", 6, {"openinference.span.kind": "LLM", "llm.output_messages.0.message.role": "assistant",
                       "llm.output_messages.0.message.content": "verdict"}, parent="00000000000000e0"),
    ]  # fmt: skip
    reading = read_json("otel", otlp(*genai(), *judge), context=GOOD)

    assert shown(reading) == EXPECTED
    assert outcomes(reading) == [None]


def test_traces_are_told_apart():
    other = [s | {"traceId": "1" * 32} for s in genai()]

    assert len(read_json("otel", otlp(*genai(), *other)).traces) == 2


@settings(max_examples=250, deadline=None)
@given(st.integers(min_value=0), st.sampled_from([genai(), genai(text=True), openinference(), vercel()]))
def test_no_mutation_of_spans_breaks_the_import(seed: int, spans: list[dict[str, Any]]):
    check_mutations("otel", otlp(*spans), seed, context=GOOD)


def test_every_recorded_span_is_imported_or_counted():
    counts = []
    for name in corpus_files("otel-openinference-spans"):
        data = name.read_bytes()
        if not OtelImporter().detect(data[:65536], name.name):
            assert name.parent.name == "schemas"
            continue
        reading = read("otel", data)
        assert reading.bodies == read("otel", data).bodies
        counts.append((len(reading.traces), sum(len(t.events) for t in reading.traces), dict(reading.report.skipped)))
    assert counts == [
        (2, 7, {}),
        (8, 22, {"trace without content": 2, "span of type ai.embed.doEmbed": 1, "span of type ai.embed": 1}),
    ]
