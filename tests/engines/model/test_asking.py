"""Asking: retries, what is kept, what is set aside, limits, and one record for every call."""

import json
from typing import Any

import pytest

from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.record import Record
from skillc.engines.model.asking import Asker, KeptAnswer, Question
from skillc.engines.model.meter import CostMeter
from skillc.engines.model.transport import ModelRequest, PromptBlock
from skillc.errors import CallFailedError
from tests.model_case import MemoryStore, ScriptedTransport
from tests.model_server import Asked, ModelServer, Reply

REQUEST = ModelRequest(
    role="reflector",
    model="claude-opus-5-5",
    effort=None,
    max_tokens=1000,
    system="You compile verified attempts",
    blocks=(PromptBlock(text="What?"),),
    answer_schema={"type": "object"},
)


class Said(Record):
    text: str


def read(text: str) -> Said | AnswerProblem:
    return AnswerProblem(reason="it is empty") if text == "bad" else Said(text=text)


def asker_of(*replies: Reply, **changes: Any) -> tuple[Asker, ModelServer]:
    waiting = list(replies)

    def behave(asked: Asked) -> Reply:
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    server = ModelServer(behave)
    fields: dict[str, Any] = {
        "transport": ScriptedTransport(server),
        "store": MemoryStore(),
        "meter": CostMeter(),
        "timeout_s": 5,
        "run_timeout_s": 50,
    }
    return Asker(**(fields | changes)), server


def test_an_answer_is_kept_whole_and_used_again():
    store = MemoryStore()
    asker, server = asker_of(Reply(text="fine"), store=store)
    assert asker.ask(Question(REQUEST, read)).text == "fine"
    assert asker.ask(Question(REQUEST, read)).text == "fine"
    assert len(server.asked) == 1
    other, second = asker_of(Reply(status=500), store=store)
    assert other.ask(Question(REQUEST, read)).text == "fine"
    assert second.asked == []
    kept = KeptAnswer.model_validate_json(store.kept[REQUEST.digest])
    assert kept.request == REQUEST


@pytest.mark.parametrize("data", [b"", b"{}", b"no json", b"\xff"])
def test_what_somebody_put_into_the_store_is_not_believed(data: bytes):
    store = MemoryStore({REQUEST.digest: data})
    asker, server = asker_of(Reply(text="fine"), store=store)
    assert asker.ask(Question(REQUEST, read)).text == "fine"
    assert len(server.asked) == 1


def test_an_answer_to_another_question_is_not_believed():
    store = MemoryStore()
    asker, _ = asker_of(Reply(text="fine"), store=store)
    asker.ask(Question(REQUEST, read))
    other = REQUEST.model_copy(update={"max_tokens": 7})
    store.kept[other.digest] = store.kept[REQUEST.digest]
    again, server = asker_of(Reply(text="new"), store=store)
    assert again.ask(Question(other, read)).text == "new"
    assert len(server.asked) == 1


def test_a_bad_answer_is_asked_once_more_with_the_reason_and_set_aside():
    store = MemoryStore()
    asker, server = asker_of(Reply(text="bad"), Reply(text="good"), store=store)
    assert asker.ask(Question(REQUEST, read)).text == "good"
    assert "it is empty" in server.asked[1].prompt
    assert list(store.aside) == [REQUEST.digest]
    assert [c.outcome for c in asker.take_calls()] == ["invalid", "answered"]
    assert asker.take_calls() == ()


def test_two_bad_answers_fail_and_a_refusal_is_not_asked_twice():
    asker, server = asker_of(Reply(text="bad"))
    with pytest.raises(CallFailedError) as caught:
        asker.ask(Question(REQUEST, read))
    assert (caught.value.kind, len(server.asked)) == ("invalid", 2)
    asker, server = asker_of(Reply(text="fine", stop="refusal"))
    with pytest.raises(CallFailedError) as caught:
        asker.ask(Question(REQUEST, read))
    assert (caught.value.kind, len(server.asked), caught.value.stops_run) == ("refusal", 1, False)


def test_a_request_that_is_too_large_is_asked_once_with_less():
    small = REQUEST.model_copy(update={"blocks": (PromptBlock(text="Less?"),)})
    asker, server = asker_of(Reply(status=413), Reply(text="fine"))
    question = Question(REQUEST, read, smaller=lambda: Question(small, read))
    assert asker.ask(question).text == "fine"
    assert "Less?" in server.asked[1].prompt
    asker, server = asker_of(Reply(status=413))
    with pytest.raises(CallFailedError):
        asker.ask(question)
    assert len(server.asked) == 2


def test_no_call_is_made_that_could_pass_the_limit():
    asker, server = asker_of(Reply(text="fine"), meter=CostMeter(0.001))
    with pytest.raises(CallFailedError) as caught:
        asker.ask(Question(REQUEST, read))
    assert (caught.value.kind, caught.value.stops_run, server.asked) == ("budget", True, [])
    unknown = REQUEST.model_copy(update={"model": "somebody-elses"})
    asker, _ = asker_of(Reply(text="fine"), meter=CostMeter(100))
    with pytest.raises(CallFailedError, match="price"):
        asker.ask(Question(unknown, read))


def test_a_batch_is_kept_and_its_cost_told_once_with_the_call():
    asker, server = asker_of(Reply(text="fine"))
    other = REQUEST.model_copy(update={"blocks": (PromptBlock(text="And?"),)})
    asker.prefetch([REQUEST, other])
    asker.prefetch([REQUEST, other])
    assert len(server.asked) == 2
    asker.ask(Question(REQUEST, read))
    (call,) = asker.take_calls()
    assert not call.is_recorded
    assert call.cost_usd > 0
    asker.ask(Question(REQUEST, read))
    assert asker.take_calls()[0].is_recorded


def test_a_batch_that_could_pass_the_limit_is_not_sent():
    asker, server = asker_of(Reply(text="fine"), meter=CostMeter(0.03))
    many = [REQUEST.model_copy(update={"blocks": (PromptBlock(text=f"{n}?"),)}) for n in range(10)]
    with pytest.raises(CallFailedError):
        asker.prefetch(many)
    assert server.asked == []


def test_what_is_left_out_of_an_answer_is_noted_beside_its_call():
    asker, _ = asker_of(Reply(text="fine"))
    asker.ask(Question(REQUEST, read))
    asker.note(["claims[0]: is not a list"])
    assert asker.take_calls()[0].notes == ("claims[0]: is not a list",)


def test_a_lone_surrogate_is_not_kept_and_breaks_nothing():
    store = MemoryStore()
    asker, _ = asker_of(Reply(text="\ud800"), store=store)
    assert asker.ask(Question(REQUEST, read)).text == "\ud800"
    assert store.kept == {}


def test_progress_is_told_without_a_word_of_the_question():
    told: list[str] = []
    asker, _ = asker_of(Reply(text=json.dumps({})), tell=told.append)
    asker.ask(Question(REQUEST, read))
    assert told == ["reflector: claude-opus-5-5, about 1k characters"]
