"""Over the real SDK against a server on loopback: what is sent, what comes back, what fails and how."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from anthropic.lib._parse._transform import transform_schema

from skillc.core.compile.answer_schemas import (
    curator_schema,
    family_schema,
    reflector_schema,
    scanner_schema,
    summary_schema,
)
from skillc.core.policy import ClaudePolicy, ModelPrice
from skillc.engines.claude.prices import PRICES
from skillc.engines.claude.transport import ClaudeTransport, answer_of, parameters_of
from skillc.engines.model.transport import PromptBlock, TransportError
from tests.engines.model.test_asking import REQUEST
from tests.model_server import ModelServer, Reply, serving

pytestmark = pytest.mark.slow  # a process or a repository for each case


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving(lambda asked: Reply(text="fine")) as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "stub")
        yield found


def test_structured_output_effort_and_cache_marks_are_sent(server: ModelServer):
    request = REQUEST.model_copy(
        update={"effort": "high", "blocks": (PromptBlock(text="a", is_stable=True), PromptBlock(text="b"))}
    )
    answer = ClaudeTransport(ClaudePolicy()).ask(request, timeout_s=10)
    assert (answer.text, answer.stop_reason, answer.model) == ("fine", "end_turn", "claude-opus-5-5")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (1000, 200)
    body = server.asked[0].body
    assert body["output_config"] == {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}}
    assert [("cache_control" in b) for b in body["messages"][0]["content"]] == [True, False]
    assert "temperature" not in body
    assert "tools" not in body


def test_without_a_key_there_is_one_clear_message(server: ModelServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(TransportError) as caught:
        ClaudeTransport(ClaudePolicy()).ask(REQUEST, timeout_s=10)
    assert caught.value.kind == "auth"
    assert "ANTHROPIC_API_KEY" in (caught.value.hint or "")
    assert server.asked == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "bad-request"),
        (402, "auth"),
        (404, "unknown-model"),
        (413, "too-large"),
        (422, "bad-request"),
        (503, "unavailable"),
    ],
)
def test_every_status_is_a_kind_and_no_word_of_the_server_comes_through(server: ModelServer, status: int, kind: str):
    server.behave = lambda asked: Reply(status=status, text="secret of the server")
    with pytest.raises(TransportError) as caught:
        ClaudeTransport(ClaudePolicy()).ask(REQUEST, timeout_s=10)
    assert caught.value.kind == kind
    assert "secret" not in caught.value.message


def test_a_server_that_does_not_answer_is_unavailable(server: ModelServer):
    server.behave = lambda asked: Reply(text="late", wait_s=1.0)
    started = time.monotonic()
    with pytest.raises(TransportError) as caught:
        ClaudeTransport(ClaudePolicy()).ask(REQUEST, timeout_s=0.2)
    assert caught.value.kind == "unavailable"
    assert time.monotonic() - started < 8


def test_a_closed_transport_opens_again(server: ModelServer):
    transport = ClaudeTransport(ClaudePolicy())
    transport.ask(REQUEST, timeout_s=10)
    transport.close()
    transport.close()
    assert transport.ask(REQUEST, timeout_s=10).text == "fine"


def test_tokens_are_counted_without_a_call(server: ModelServer):
    counted = ClaudeTransport(ClaudePolicy()).count_tokens(REQUEST)
    assert counted is not None
    assert counted > 10
    assert (server.counted, server.asked) == (1, [])


def test_nobody_counts_without_a_key(server: ModelServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert ClaudeTransport(ClaudePolicy()).count_tokens(REQUEST) is None


def test_a_batch_gives_what_succeeded_by_digest(server: ModelServer):
    waited: list[float] = []
    others = [REQUEST.model_copy(update={"blocks": (PromptBlock(text=f"{n}?"),)}) for n in range(3)]
    server.behave = lambda asked: Reply(status=500) if "1?" in asked.prompt else Reply(text=asked.prompt)
    found = ClaudeTransport(ClaudePolicy(), sleep=waited.append).ask_many(others, timeout_s=60)
    assert {others[0].digest: "0?", others[2].digest: "2?"} == {d: a.text for d, a in found.items()}
    assert all(a.usage.is_batch for a in found.values())
    assert waited == [1.0]


def test_a_batch_that_does_not_end_in_time_is_given_up(server: ModelServer):
    server.batch_polls = 10**6
    with pytest.raises(TransportError, match="did not end"):
        ClaudeTransport(ClaudePolicy(), sleep=lambda s: time.sleep(0.02)).ask_many([REQUEST], timeout_s=1.2)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>",
        b"{}\n",
        b'{"custom_id": 5, "result": null}\n',
        b'{"custom_id": "ID", "result": {"type": "succeeded"}}\n',
        b'{"custom_id": "ID", "result": {"type": "succeeded", "message": {"type": "message", "content": "x"}}}\n',
        b'{"custom_id": "ID", "result": {"type": "succeeded", "message": []}}\n',
        b'{"custom_id": "r-other", "result": {"type": "succeeded", "message": {}}}\n',
    ],
)
def test_results_of_a_batch_that_are_none_give_no_answer(server: ModelServer, raw: bytes):
    server.raw_results = raw.replace(b"ID", f"r-{REQUEST.digest[7:63]}".encode())
    transport = ClaudeTransport(ClaudePolicy(), sleep=lambda s: None)
    found, kind = {}, ""
    try:
        found = dict(transport.ask_many([REQUEST], timeout_s=20))
    except TransportError as error:
        kind = error.kind
    assert found == {}
    assert kind in ("", "malformed")


def test_thinking_and_other_blocks_are_not_the_answer():
    body = {
        "type": "message", "model": "m", "stop_reason": "end_turn", "usage": {},
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
    }  # fmt: skip
    assert answer_of(body).text == "ab"


@pytest.mark.parametrize("value", [-1, None, "5", 1.5, True, 10**15, {}])
def test_numbers_that_are_none_count_as_nothing(value: Any):
    body = {"type": "message", "model": "m", "content": [], "usage": {"input_tokens": value}}
    assert answer_of(body).usage.input_tokens == 0


def test_a_policy_can_name_a_price():
    policy = ClaudePolicy(prices={"new-model": ModelPrice(input=10, output=50)})
    price = ClaudeTransport(policy).price("new-model")
    assert price is not None
    assert price.cache_write == 12.5
    assert ClaudeTransport(policy).price("other") is None
    cheap = ClaudePolicy(prices={"claude-opus-5-5": ModelPrice(input=0, output=0)})
    assert ClaudeTransport(cheap).price("claude-opus-5-5") == PRICES["claude-opus-5-5"], "never cheaper than published"


def test_parameters_are_plain_json():
    assert json.loads(json.dumps(parameters_of(REQUEST)))["max_tokens"] == 1000


@pytest.mark.parametrize("schema", [reflector_schema, summary_schema, curator_schema, scanner_schema, family_schema])
def test_the_sdk_itself_would_send_the_same_schemas(schema: Any):
    """What structured output does not know, the SDK moves into descriptions: of ours it moves nothing."""
    sent = transform_schema(json.loads(json.dumps(schema())))
    assert "description" not in set(_keywords(sent))
    assert set(_keywords(schema())) == set(_keywords(sent))


def _keywords(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _keywords(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keywords(item)
