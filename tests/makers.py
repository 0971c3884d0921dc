"""Shared makers: each builds a valid record from what matters to a test and fills in the rest.

Events are written as short calls: `user("...")`, `says("...")`, `call("tool", {...})`, `gives({...})`; a result
belongs to the call before it. Every maker is deterministic.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from skillc.core.compile.evidence import CurrentSkill, Evidence, PastProposal, Source, SourceRole
from skillc.core.skill.claim import Citation, Claim
from skillc.core.skill.contract import Contract, SkillOrigin, Support
from skillc.core.trace.codec import Trace, encode_record, salt_of, seal
from skillc.core.trace.operation import operation_of
from skillc.core.trace.records import (
    Agent,
    Close,
    Environment,
    Event,
    EventKind,
    GitContext,
    Origin,
    Outcome,
    TraceHeader,
    TraceSource,
)
from skillc.core.trace.verification import Assurance, Basis, BasisKind, Standing, Strength

SECRET = b"test secret"
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NAMESPACE = "acme"

EventDraft = dict[str, Any]


def user(text: str) -> EventDraft:
    return {"kind": EventKind.USER_MESSAGE, "actor": "user", "text": text}


def says(text: str) -> EventDraft:
    return {"kind": EventKind.MODEL_MESSAGE, "actor": "agent", "text": text}


def call(tool: str, arguments: dict[str, Any] | None = None) -> EventDraft:
    arguments = arguments or {}
    return {
        "kind": EventKind.TOOL_CALL,
        "actor": "agent",
        "tool": tool,
        "operation": operation_of(tool, arguments),
        "arguments": arguments,
    }


def bash(command: str) -> EventDraft:
    return call("Bash", {"command": command})


def gives(result: Any = "", *, is_error: bool | None = None) -> EventDraft:
    """A tool result; a value that is no text becomes JSON."""
    text = result if isinstance(result, str) else json.dumps(result)
    return {
        "kind": EventKind.TOOL_RESULT,
        "actor": "tool",
        "text": text,
        "is_error": is_error,
        "untrusted": True,
    }


def fails(text: str) -> EventDraft:
    return gives(text, is_error=True)


def make_event(draft: EventDraft, *, seq: int = 0, trace_id: str = "t-00000001", **changes: Any) -> Event:
    fields = {"id": f"e{seq}", "seq": seq, "salt": salt_of(SECRET, trace_id, seq)} | draft | changes
    fields.setdefault("at", START + timedelta(seconds=seq))
    return Event(**fields)


def make_header(trace_id: str = "t-00000001", **changes: Any) -> TraceHeader:
    """A header; `project` sets the cwd label, `at` the start in minutes after the first test Trace."""
    project = changes.pop("project", None)
    minutes = changes.pop("minutes", 0)
    fields: dict[str, Any] = {
        "trace_id": trace_id,
        "namespace": NAMESPACE,
        "objective": f"objective of {trace_id}",
        "origin": Origin.CAPTURED,
        "agent": Agent(name="claude-code", model="claude"),
        "environment": Environment(git=GitContext(branch="main"), os="linux", cwd_label=project),
        "source": TraceSource(kind="claude-code", ref=f"{trace_id}.jsonl", sha256="0" * 64),
        "started_at": START + timedelta(minutes=minutes),
        "salt": salt_of(SECRET, trace_id, "header"),
    }
    return TraceHeader(**(fields | changes))


def make_trace(
    *drafts: EventDraft, trace_id: str = "t-00000001", outcome: Outcome = Outcome.UNKNOWN, **header: Any
) -> Trace:
    """A sealed Trace of these events. Results get the id and tool of the last call without one."""
    events: list[Event] = []
    waiting: list[EventDraft] = []
    for seq, draft in enumerate(drafts):
        draft = dict(draft)
        if draft["kind"] is EventKind.TOOL_CALL:
            draft.setdefault("call_id", f"c{seq}")
            waiting.append(draft)
        elif draft["kind"] is EventKind.TOOL_RESULT and waiting and "call_id" not in draft:
            asked = waiting.pop(0)
            draft["call_id"] = asked["call_id"]
            draft.setdefault("tool", asked["tool"])
        events.append(make_event(draft, seq=seq, trace_id=trace_id))
    if "objective" not in header:
        first = next((e.text for e in events if e.kind is EventKind.USER_MESSAGE and e.text), None)
        header["objective"] = first or f"objective of {trace_id}"
    head = make_header(trace_id, **header)
    close = Close(outcome=outcome, reported_by="host", digest="", salt=salt_of(SECRET, trace_id, "close"))
    head_line, _, close_line = seal(head, [encode_record(e) for e in events], close)
    return Trace(
        header=TraceHeader.model_validate_json(head_line),
        events=tuple(events),
        close=Close.model_validate_json(close_line),
    )


def make_standing(outcome: Outcome = Outcome.SUCCESS, **changes: Any) -> Standing:
    """A strong, agreed standing; `check` sets the basis to a run of that check."""
    check = changes.pop("check", None)
    basis = (
        Basis(kind=BasisKind.CHECK_RUN, ref="0" * 40, detail=check)
        if check
        else Basis(kind=BasisKind.MAPPING, ref="reward", detail="reward = 1.0")
    )
    fields: dict[str, Any] = {
        "strength": Strength.TOOL if check else Strength.EXTERNAL,
        "assurance": Assurance.LOCAL,
        "outcome": outcome,
        "verifier_id": "unit-tests" if check else "checker",
        "basis": basis,
    }
    return Standing(**(fields | changes))


def make_source(
    *drafts: EventDraft,
    trace_id: str = "t-00000001",
    attempt_family: str | None = None,
    outcome: Outcome = Outcome.SUCCESS,
    check: str | None = None,
    **header: Any,
) -> Source:
    """A source whose role follows the verified outcome: a success supports, a failure is contrast."""
    return Source(
        trace=make_trace(*drafts, trace_id=trace_id, **header),
        standing=make_standing(outcome, check=check),
        attempt_family=attempt_family or trace_id,
        role=SourceRole.SUPPORT if outcome is Outcome.SUCCESS else SourceRole.CONTRAST,
    )


def make_evidence(
    *sources: Source,
    task_family: str = "some-family",
    current: tuple[CurrentSkill, ...] = (),
    history: tuple[PastProposal, ...] = (),
    **changes: Any,
) -> Evidence:
    return Evidence(
        namespace=NAMESPACE,
        task_family=task_family,
        sources=sources,
        current=current,
        history=history,
        **changes,
    )


def make_citation(trace_id: str = "t-00000001", *events: str) -> Citation:
    return Citation(trace_id=trace_id, events=events or ("e0",))


def make_claim(text: str = "Do the thing.", *, id: str = "claim-1", **changes: Any) -> Claim:
    return Claim(id=id, text=text, citations=changes.pop("citations", (make_citation(),)), **changes)


def make_contract(**changes: Any) -> Contract:
    fields: dict[str, Any] = {
        "skill_id": "s-0123456789abcdef",
        "name": "some-family",
        "task_family": "some-family",
        "description": make_claim("Does the thing. Use when the thing is to do.", id="description"),
        "support": Support(attempt_families=("t-00000001",), single_source=True),
        "origin": SkillOrigin(skill_id="s-0123456789abcdef", run="r-1", group=""),
    }
    return Contract(**(fields | changes))
