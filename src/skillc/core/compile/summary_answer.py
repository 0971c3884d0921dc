"""A Summarizer's answer: from a model's account of one Trace to a summary whose lines its events show.

Tools are counted from the events, the outcome is compared with the record and never overrides it, a recovery must
come after its error. What remains passes core.trace.summary once more. Paper: 5.1.
Not here: asking for it (engines.model), what a summary is (core.trace.summary).
"""

from skillc.core.compile.aliases import Aliases, resolve_cites, without_aliases
from skillc.core.compile.answer_items import (
    MAX_SUMMARY_ERRORS,
    MAX_SUMMARY_STEPS,
    Cites,
    SummaryError,
    SummaryLine,
    SummaryStep,
)
from skillc.core.compile.answer_text import AnswerProblem, Dropped, item_of, items_of, missing_keys, parse_answer
from skillc.core.record import Record
from skillc.core.skill.contract import event_order
from skillc.core.trace.codec import Trace
from skillc.core.trace.operation import is_failed
from skillc.core.trace.records import EventKind, Outcome
from skillc.core.trace.summary import SummaryClaim, TraceSummary, checked_summary

KEYS = ("trace_id", "objective", "approach", "steps", "errors", "outcome", "tools_used")
MAX_EVENTS_OF_A_TOOL = 24


class SummaryAnswer(Record):
    """What is left of an answer; `disagrees` when the model's outcome is not the recorded one."""

    summary: TraceSummary
    dropped: tuple[Dropped, ...] = ()
    disagrees: bool = False


def read_summary(
    text: str, trace: Trace, aliases: Aliases, *, engine: str, version: str
) -> SummaryAnswer | AnswerProblem:
    """Returns the summary in an answer, or why the answer cannot be used: it must be about this Trace."""
    value = parse_answer(text)
    if isinstance(value, AnswerProblem):
        return value
    if wrong := missing_keys(value, KEYS):
        return AnswerProblem(reason=wrong)
    if value["trace_id"] != aliases.of_trace(trace.trace_id):
        return AnswerProblem(reason="the answer is about another Trace than the one that was shown")
    outcome = value["outcome"]
    if not isinstance(outcome, str) or outcome not in set(Outcome):
        return AnswerProblem(reason="the field 'outcome' is none of the outcomes")
    return _Reading(trace, aliases).read(
        value, TraceSummary(trace_id=trace.trace_id, trace_digest=trace.digest, engine=engine, version=version)
    )


class _Reading:
    """One answer while it is read."""

    def __init__(self, trace: Trace, aliases: Aliases) -> None:
        self.trace = trace
        self.aliases = aliases
        self.dropped: list[Dropped] = []

    def read(self, value: dict[str, object], empty: TraceSummary) -> SummaryAnswer:
        """Reads every part; lines that match no event fall and are counted."""
        steps, bad = items_of(SummaryStep, value["steps"], "steps", MAX_SUMMARY_STEPS)
        errors, worse = items_of(SummaryError, value["errors"], "errors", MAX_SUMMARY_ERRORS)
        self.dropped += [*bad, *worse]
        found: dict[str, list[SummaryClaim]] = {"effective": [], "ineffective": [], "errors": [], "recoveries": []}
        for number, step in enumerate(steps):
            self._keep(found[step.kind], self._claim(step.text, step.cites, f"steps[{number}]"))
        for number, error in enumerate(errors):
            here = f"errors[{number}]"
            claim = self._error(error, here)
            self._keep(found["errors"], claim)
            if claim is not None and error.recovery:
                self._keep(found["recoveries"], self._recovery(error, claim, here))
        lines = {name: self._line(value[name], name) for name in ("objective", "approach")}
        made = empty.model_copy(
            update={name: tuple(claims) for name, claims in {**found, **lines}.items()} | {"tools": self._tools()}
        )
        checked = checked_summary(self.trace, made)
        lost = sum(len(getattr(made, f)) - len(getattr(checked, f)) for f in (*found, *lines))
        if lost:
            self.dropped.append(Dropped(place="summary", reason=f"{lost} lines cite events of another kind"))
        return SummaryAnswer(
            summary=checked, dropped=tuple(self.dropped), disagrees=value["outcome"] != self.trace.close.outcome.value
        )

    def _line(self, value: object, place: str) -> list[SummaryClaim]:
        found: list[SummaryClaim] = []
        item = item_of(SummaryLine, value, place)
        if isinstance(item, Dropped):
            self.dropped.append(item)
        else:
            self._keep(found, self._claim(item.text, item.cites, place))
        return found

    def _keep(self, claims: list[SummaryClaim], claim: SummaryClaim | None) -> None:
        if claim is not None:
            claims.append(claim)

    def _claim(self, text: str, cites: Cites, place: str) -> SummaryClaim | None:
        resolved = resolve_cites(cites, self.aliases, text=text)
        words = without_aliases(text)
        if resolved.reason or not words:
            self.dropped.append(Dropped(place=place, reason=resolved.reason or "has an alias in its text"))
            return None
        events = [e for c in resolved.citations if c.trace_id == self.trace.trace_id for e in c.events]
        return SummaryClaim(text=words, events=tuple(events))

    def _error(self, error: SummaryError, place: str) -> SummaryClaim | None:
        claim = self._claim(error.text, error.cites, place)
        if claim is None:
            return None
        events = [self.trace.event(e) for e in claim.events]
        if any(e is not None and (e.kind is EventKind.ERROR or is_failed(e)) for e in events):
            return claim
        self.dropped.append(Dropped(place=place, reason="cites no event that is an error"))
        return None

    def _recovery(self, error: SummaryError, claim: SummaryClaim, place: str) -> SummaryClaim | None:
        recovery = self._claim(error.recovery, error.recovery_cites, f"{place}.recovery")
        if recovery is None:
            return None
        if min(map(event_order, recovery.events)) > max(map(event_order, claim.events)):
            return recovery
        self.dropped.append(Dropped(place=f"{place}.recovery", reason="does not come after its error"))
        return None

    def _tools(self) -> tuple[SummaryClaim, ...]:
        used: dict[str, list[str]] = {}
        for event in self.trace.events:
            if event.kind in (EventKind.TOOL_CALL, EventKind.SKILL_USE) and event.tool and event.restricted is None:
                used.setdefault(event.operation or event.tool, []).append(event.id)
        return tuple(
            SummaryClaim(
                text=f"`{name.replace('`', '')[:80]}`, {len(ids)} {'call' if len(ids) == 1 else 'calls'}",
                events=tuple(ids[:MAX_EVENTS_OF_A_TOOL]),
            )
            for name, ids in used.items()
        )
