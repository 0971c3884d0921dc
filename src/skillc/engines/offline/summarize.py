"""The offline Summarizer: one Trace in plain sentences, each with its events, from the calls and their results.

Phases of like calls are the approach; what changed something or passed a check after a change was effective; what
failed, or was changed again before the check passed, was not. Paper: 5.1.
Not here: what a summary may say (core.trace.summary), what many Traces have in common (engines.offline.induction).
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from skillc.core.compile.evidence import Source, SourceRole
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import EventKind
from skillc.core.trace.summary import SummaryClaim, TraceSummary
from skillc.core.trace.verification import Standing
from skillc.engines.offline.calls import Attempt, Call, CallKind, attempts_of
from skillc.engines.offline.errors import error_line, is_refusal
from skillc.engines.offline.wording import code, plain_line, sentence

MAX_PHASES = 24
MAX_EVENTS = 24  # that one line names
MAX_LINES = 12
_QUOTE_CHARS = 160


def summarize(trace: Trace, *, engine: str, version: str) -> TraceSummary:
    """Returns the summary of one Trace; restricted events are not read."""
    source = Source(trace=trace, standing=Standing(), attempt_family=trace.trace_id, role=SourceRole.CONTRAST)
    (attempt,) = attempts_of((source,))
    calls = attempt.calls
    troubled = [c for c in calls if _is_trouble(c)]
    return TraceSummary(
        trace_id=trace.trace_id,
        trace_digest=trace.digest,
        engine=engine,
        version=version,
        objective=tuple(_objective(trace, attempt)),
        approach=tuple(_approach(calls)),
        effective=tuple(_effective(calls))[:MAX_LINES],
        ineffective=tuple(_ineffective(calls))[:MAX_LINES],
        errors=tuple(_errors(trace, troubled))[:MAX_LINES],
        recoveries=tuple(_recoveries(calls, troubled))[:MAX_LINES],
        tools=tuple(_tools(calls)),
    )


def _objective(trace: Trace, attempt: Attempt) -> Iterator[SummaryClaim]:
    first = next((s.event for s in attempt.said), None)
    note = next((e.id for e in trace.events if e.kind is EventKind.NOTE and e.restricted is None), None)
    words = plain_line(trace.header.objective, _QUOTE_CHARS)
    if words and (event := first or note):
        yield _claim(words, [event])


def _approach(calls: Iterable[Call]) -> list[SummaryClaim]:
    found = []
    for _, group in groupby(calls, key=lambda c: (c.kind, _did(c))):
        phase = list(group)
        times = f" ({len(phase)} calls)" if len(phase) > 1 else ""
        end = ", which failed" if phase[-1].failed else ""
        found.append(_claim(f"{_did(phase[0])}{times}{end}", _events(phase)))
    return found[:MAX_PHASES]


def _effective(calls: tuple[Call, ...]) -> Iterator[SummaryClaim]:
    seen = set()
    for call in calls:
        is_passed = call.kind is CallKind.CHECK and call.ran and call.after_change and not call.failed
        is_lasting = call.is_changing and not call.failed and _failed_check_after(call, calls) is None
        if (is_passed or is_lasting) and _did(call) not in seen:
            seen.add(_did(call))
            yield _claim(f"{_did(call)}{', which passed' if is_passed else ''}", call.events)


def _ineffective(calls: tuple[Call, ...]) -> Iterator[SummaryClaim]:
    for call in calls:
        if call.is_changing and not call.failed and (check := _failed_check_after(call, calls)) is not None:
            yield _claim(f"{_did(call)}; {_did(check, small=True)} still failed", [*call.events, *check.events])
        elif call.failed and call.kind is not CallKind.CHECK and not _worked_later(call, calls):
            yield _claim(f"{_did(call)}, which failed and was not mended", call.events)


def _errors(trace: Trace, troubled: Iterable[Call]) -> Iterator[SummaryClaim]:
    for call in troubled:
        line = error_line(call)
        if line:
            yield _claim(f"{_did(call)}: {plain_line(line, _QUOTE_CHARS)}", call.events)
    for event in trace.events:
        if event.kind is EventKind.ERROR and event.text and event.restricted is None:
            yield _claim(plain_line(event.text, _QUOTE_CHARS), [event.id])


def _recoveries(calls: tuple[Call, ...], troubled: Iterable[Call]) -> Iterator[SummaryClaim]:
    for call in troubled:
        again = _worked_later(call, calls)
        if again is None:
            continue
        between = [c for c in calls[call.position + 1 : again.position] if c.is_changing and not c.failed]
        done = f"after {len(between)} changes" if len(between) > 1 else "after a change" if between else "tried again"
        yield _claim(f"{_did(call)} worked {done}", [*call.events, *_events(between[:4]), *again.events])


def _tools(calls: tuple[Call, ...]) -> list[SummaryClaim]:
    by_name: dict[str, list[Call]] = {}
    for call in calls:
        by_name.setdefault(call.operation or call.tool, []).append(call)
    return [
        _claim(f"{code(plain_line(name, 80))}, {len(used)} {'call' if len(used) == 1 else 'calls'}", _calls_of(used))
        for name, used in by_name.items()
    ]


def _did(call: Call, *, small: bool = False) -> str:
    what = code(plain_line(call.operation or call.tool, 80))
    if call.kind is CallKind.EDIT:
        words = f"changed {code(plain_line(call.path, 80))}" if call.path else "changed a file"
    elif call.kind is CallKind.LOOK:
        words = "looked at files" if call.operation is None else f"looked with {what}"
    else:
        words = f"ran {what}" if call.operation else f"called {what}"
    return words if small else words[:1].upper() + words[1:]


def _is_trouble(call: Call) -> bool:
    return call.failed and call.result_event is not None and not is_refusal(call.text)


def _failed_check_after(call: Call, calls: tuple[Call, ...]) -> Call | None:
    """Returns the failed check that followed a change of a file which was then changed again."""
    if call.kind is not CallKind.EDIT or call.path is None:
        return None
    check = None
    for later in calls[call.position + 1 :]:
        if later.kind is CallKind.CHECK and later.ran and check is None:
            if not later.failed:
                return None
            check = later
        elif later.kind is CallKind.EDIT and later.path == call.path:
            return check
    return None


def _worked_later(call: Call, calls: tuple[Call, ...]) -> Call | None:
    for later in calls[call.position + 1 :]:
        if (later.tool, later.operation, later.path) == (call.tool, call.operation, call.path) and not later.failed:
            return later
    return None


def _events(calls: Iterable[Call]) -> list[str]:
    return [event for call in calls for event in call.events]


def _calls_of(calls: Iterable[Call]) -> list[str]:
    return [call.call_event for call in calls]


def _claim(text: str, events: Iterable[str]) -> SummaryClaim:
    return SummaryClaim(text=sentence(text), events=tuple(dict.fromkeys(events))[:MAX_EVENTS])
