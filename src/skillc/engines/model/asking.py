"""Asking: one question with all that can go wrong, and a record of every call.

An answer that was kept is used again; a new one is kept before it is read. A refusal is not asked twice, an answer
that cannot be read is asked once more with the reason, a cut one once more with more room, and a request that is too
large once with less evidence. A cut answer is never read. Then the call has failed. Paper: 5.3; ADR 0015.
Not here: what is asked (engines.model.prompts), what an answer means (core.compile).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import ValidationError

from skillc.core.compile.answer_text import AnswerProblem
from skillc.core.compile.calls import ANSWERED, DroppedInput, ModelCall
from skillc.core.policy import MAX_ANSWER_TOKENS
from skillc.core.record import Record, canonical_json
from skillc.engines.model.deadline import DeadlineError, within
from skillc.engines.model.meter import CostMeter, worst_cost
from skillc.engines.model.prompts import again
from skillc.engines.model.transport import (
    COMPLETE,
    STOPPING,
    TOO_LARGE,
    TRUNCATED,
    UNAVAILABLE,
    AnswerStore,
    ModelAnswer,
    ModelRequest,
    Transport,
    TransportError,
)
from skillc.errors import CallFailedError

_T = TypeVar("_T", bound=Record)

INVALID, REFUSED, CUT, STOPPED, BUDGET, DEADLINE, CANARY = (
    "invalid",
    "refusal",
    "truncated",
    "stopped",
    "budget",
    "deadline",
    "canary",
)
_KNOWN_STOPS = ("max_tokens", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded")


class KeptAnswer(Record):
    """A request and its answer as they are kept outside git."""

    request: ModelRequest
    answer: ModelAnswer


@dataclass(frozen=True)
class Question(Generic[_T]):
    """A request, how its answer is read, and what it left out. `smaller` makes the same with less evidence."""

    request: ModelRequest
    read: Callable[[str], _T | AnswerProblem]
    dropped: tuple[DroppedInput, ...] = ()
    smaller: "Callable[[], Question[_T]] | None" = None


@dataclass
class Asker:
    """Asks the questions of one command. `clock` is monotonic, in seconds; `tell` shows progress."""

    transport: Transport
    store: AnswerStore
    meter: CostMeter
    timeout_s: float
    run_timeout_s: float
    tell: Callable[[str], None] = lambda line: None
    clock: Callable[[], float] = time.monotonic
    calls: list[ModelCall] = field(default_factory=list)
    _started: float | None = None
    _answers: dict[str, ModelAnswer] = field(default_factory=dict)
    _unrecorded: dict[str, float] = field(default_factory=dict)  # cost of batch answers that no call has told yet

    def ask(self, question: Question[_T]) -> _T:
        """Returns what is read from the answer; raises CallFailedError when there is none that can be used."""
        for is_last in (False, True):
            following = self._try(question, is_last=is_last)
            if not isinstance(following, Question):
                return following
            question = following
        raise AssertionError("a last try gives a value or raises")

    def _try(self, question: Question[_T], *, is_last: bool) -> "_T | Question[_T]":
        """Returns the value, or the question to ask next; raises when this was the last one."""
        request = question.request
        try:
            answer = self._answer(request, question.dropped)
        except TransportError as error:
            if error.kind == TOO_LARGE and question.smaller is not None and not is_last:
                self._note(request, error.kind, error.message)
                return question.smaller()
            raise self._failed(request, error.kind, error.message, hint=error.hint) from error
        stop = answer.stop_reason
        if stop == TRUNCATED:
            self._reject(request, CUT, "the answer was cut at its greatest length")
            return self._next(question, _with_more_room(request), CUT, "the answer was cut twice", is_last=is_last)
        if stop == "model_context_window_exceeded" and question.smaller is not None and not is_last:
            self._reject(request, TOO_LARGE, _stop_words(stop))
            return question.smaller()
        if stop not in COMPLETE:
            raise self.fail(request, REFUSED if stop == "refusal" else STOPPED, _stop_words(stop))
        value = question.read(answer.text)
        if not isinstance(value, AnswerProblem):
            return value
        self._reject(request, INVALID, value.reason)
        return self._next(question, again(request, value.reason), INVALID, value.reason, is_last=is_last)

    def _next(
        self, question: Question[_T], request: ModelRequest, kind: str, reason: str, *, is_last: bool
    ) -> Question[_T]:
        if is_last:
            raise self._failed(question.request, kind, reason)
        return replace(question, request=request)

    def prefetch(self, requests: Sequence[ModelRequest]) -> None:
        """Asks many questions as one batch and keeps the answers; what is missing afterwards is asked one by one."""
        new = [r for r in requests if self._kept(r) is None]
        if not new:
            return
        for request in new:
            self._require_budget(request, is_batch=True, ahead=new)
        self.tell(f"batch: {len(new)} requests")
        seconds = self._seconds_left(new[0], self.run_timeout_s)
        try:
            answers = within(
                seconds, lambda: self.transport.ask_many(new, timeout_s=seconds), give_up=self.transport.close
            )
        except DeadlineError as error:
            raise self._failed(new[0], DEADLINE, f"the batch did not end within {seconds:.0f} s") from error
        except TransportError as error:
            raise self._failed(new[0], error.kind, error.message, hint=error.hint) from error
        for request in new:
            answer = answers.get(request.digest)
            if answer is not None:
                self._unrecorded[request.digest] = self._keep(request, answer)

    def fail(self, request: ModelRequest, kind: str, reason: str) -> CallFailedError:
        """Returns the failure of a call whose answer could be read and is worth nothing."""
        self._reject(request, kind, reason)
        return self._failed(request, kind, reason)

    def note(self, words: Sequence[str]) -> None:
        """Adds what was left out of an answer to the record of the last call."""
        if self.calls and words:
            last = self.calls[-1]
            self.calls[-1] = last.model_copy(update={"notes": (*last.notes, *words)[:40]})

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Returns the calls since the last time, and forgets them."""
        taken = tuple(self.calls)
        self.calls.clear()
        return taken

    def is_kept(self, request: ModelRequest) -> bool:
        """Says whether a request was answered before."""
        return self._kept(request) is not None

    def _answer(self, request: ModelRequest, dropped: Sequence[DroppedInput]) -> ModelAnswer:
        kept = self._kept(request)
        if kept is not None:
            cost = self._unrecorded.pop(request.digest, None)
            self._record(request, kept, cost or 0.0, is_recorded=cost is None, dropped=dropped)
            return kept
        self._require_budget(request)
        seconds = self._seconds_left(request, self.timeout_s)
        self.tell(f"{request.role}: {request.model}, about {request.chars // 1000 + 1}k characters")
        try:
            answer = within(
                seconds,
                lambda: self.transport.ask(request, timeout_s=seconds),
                give_up=self.transport.close,
            )
        except DeadlineError as error:
            raise TransportError(DEADLINE, f"the answer did not come within {seconds:.0f} s") from error
        cost = self._keep(request, answer)
        self._record(request, answer, cost, is_recorded=False, dropped=dropped)
        return answer

    def _kept(self, request: ModelRequest) -> ModelAnswer | None:
        """Returns the answer to exactly this question, if it was kept; whatever else stands there is not believed."""
        digest = request.digest
        if digest in self._answers:
            return self._answers[digest]
        data = self.store.get(digest)
        if data is None:
            return None
        try:
            kept = KeptAnswer.model_validate_json(data)
        except ValidationError:
            return None
        return kept.answer if kept.request == request else None

    def _keep(self, request: ModelRequest, answer: ModelAnswer) -> float:
        cost = self.meter.add(answer, self.transport.price(request.model), self.transport.price(answer.model))
        self._answers[request.digest] = answer
        try:
            data = canonical_json(KeptAnswer(request=request, answer=answer).model_dump(mode="json"))
        except UnicodeEncodeError:
            return cost  # a lone surrogate: the answer will not be read either
        self.store.put(request.digest, data)
        return cost

    def _require_budget(
        self, request: ModelRequest, *, is_batch: bool = False, ahead: Sequence[ModelRequest] = ()
    ) -> None:
        price = self.transport.price(request.model)
        wanted = [(r, self.transport.price(r.model)) for r in ahead] or [(request, price)]
        reserved = CostMeter(self.meter.limit, self.meter.spent)
        for one, one_price in wanted:
            if self.meter.limit is not None and one_price is None:
                raise self._failed(
                    one,
                    BUDGET,
                    f"the price of the model {one.model!r} is not known, so --max-cost cannot hold",
                    hint="name it in skillc.yaml: engines.claude.prices, or run without --max-cost",
                )
            if not reserved.allows(one, one_price, is_batch=is_batch):
                raise self._failed(
                    one,
                    BUDGET,
                    f"the next call could pass the limit of ${self.meter.limit:g}: ${self.meter.spent:.4f} are spent",
                    hint="what was answered is kept; run again with a higher --max-cost to go on from there",
                )
            if one_price is not None:
                reserved.spent += worst_cost(one, one_price, is_batch=is_batch)

    def _seconds_left(self, request: ModelRequest, most: float) -> float:
        now = self.clock()
        if self._started is None:
            self._started = now
        left = self._started + self.run_timeout_s - now
        if left <= 0:
            raise self._failed(request, DEADLINE, f"the run took longer than {self.run_timeout_s:.0f} s")
        return min(most, left)

    def _record(
        self,
        request: ModelRequest,
        answer: ModelAnswer,
        cost: float,
        *,
        is_recorded: bool,
        dropped: Sequence[DroppedInput],
    ) -> None:
        usage = answer.usage
        self.calls.append(
            ModelCall(
                role=request.role,
                request=request.digest,
                model=answer.model,
                outcome=ANSWERED,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cache_read_tokens=usage.cache_read_tokens,
                cache_write_tokens=usage.cache_write_tokens,
                cost_usd=round(cost, 6),
                is_recorded=is_recorded,
                dropped=tuple(dropped),
            )
        )

    def _note(self, request: ModelRequest, kind: str, reason: str) -> None:
        self.calls.append(
            ModelCall(role=request.role, request=request.digest, model=request.model, outcome=kind, reason=reason)
        )

    def _reject(self, request: ModelRequest, kind: str, reason: str) -> None:
        """Says in the record of the last call that its answer was no good, and lets the next run ask again."""
        self._answers.pop(request.digest, None)
        self.store.set_aside(request.digest)
        if self.calls and self.calls[-1].request == request.digest:
            self.calls[-1] = self.calls[-1].model_copy(update={"outcome": kind, "reason": reason})
        else:
            self._note(request, kind, reason)

    def _failed(self, request: ModelRequest, kind: str, reason: str, *, hint: str | None = None) -> CallFailedError:
        if not (self.calls and self.calls[-1].request == request.digest and self.calls[-1].outcome == kind):
            self._note(request, kind, reason)
        stops = kind in (*STOPPING, BUDGET) or (kind == DEADLINE and "the run" in reason) or kind == UNAVAILABLE
        return CallFailedError(
            f"the {request.role.replace('_', ' ')} gave no answer that can be used: {reason}",
            role=request.role,
            kind=kind,
            stops_run=stops,
            hint=hint or "nothing was admitted and every source is kept; run the command again",
        )


def _with_more_room(request: ModelRequest) -> ModelRequest:
    return request.model_copy(update={"max_tokens": min(MAX_ANSWER_TOKENS, request.max_tokens * 2)})


def _stop_words(stop: str | None) -> str:
    if stop == "refusal":
        return "the model refused to answer"
    if stop is None:
        return "the answer does not say why it ended"
    return f"the answer ended with {stop}" if stop in _KNOWN_STOPS else "the answer ended for an unknown reason"
