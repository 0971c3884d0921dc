"""A credential that a stored Trace holds in spite of redaction is found, and never told."""

import io

from skillc.core.trace.codec import Trace, encode_record
from skillc.lifecycle.stored_secrets import StoredSecret, stored_secrets
from skillc.repo.traces import NewTrace
from tests.makers import bash, call, gives, make_trace, user
from tests.world import World

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def store(world: World, *traces: Trace) -> None:
    """Puts Traces into the store as they are, as an older redaction would have."""
    new = []
    for trace in traces:
        lines = [trace.header, *trace.events, trace.close]
        body = b"".join(encode_record(record) + b"\n" for record in lines)
        path = f"traces/2026/01/{trace.trace_id}.jsonl"
        new.append(NewTrace(trace.trace_id, path, io.BytesIO(body), len(body), trace.header.started_at))
    world.context().traces.add(new)


def test_credentials_in_texts_arguments_and_the_objective_are_found(fresh: World):
    leaky = make_trace(
        user(f"use {TOKEN}"),
        bash(f"curl -H 'Authorization: token {TOKEN}' https://example.org"),
        gives("fine"),
        call("write", {"content": {"deep": [f"{TOKEN} and {TOKEN}"]}}),
        trace_id="t-leaky001",
    )
    store(fresh, leaky, make_trace(user("nothing here"), trace_id="t-clean001"))
    found = stored_secrets(fresh.context())

    assert [(s.trace_id, s.event_id, s.count) for s in found] == [
        ("t-leaky001", "header", 1),
        ("t-leaky001", "e0", 1),
        ("t-leaky001", "e1", 1),
        ("t-leaky001", "e3", 2),
    ]
    assert TOKEN not in str(found)


def test_at_most_the_limit_is_told(fresh: World):
    store(fresh, *(make_trace(user(f"use {TOKEN}"), trace_id=f"t-leaky00{n}") for n in range(4)))
    assert len(stored_secrets(fresh.context(), 3)) == 3
    assert stored_secrets(fresh.context(), 0) == []


def test_redacted_traces_hold_none(world: World):
    assert stored_secrets(world.context()) == []
    assert StoredSecret.model_fields.keys() == {"trace_id", "event_id", "kind", "count"}
