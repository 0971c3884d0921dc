"""The records of a Trace: what they refuse, so that nothing after them has to."""

import pytest
from pydantic import ValidationError

from skillc.core.trace.records import Event, EventKind, Origin, Outcome, TraceHeader
from tests import makers


@pytest.mark.parametrize(
    "trace_id", ["short", "UPPER-00", "t_000001", "t-000001\n", "t" * 65, "", "t/000001", "../../aa"]
)
def test_a_trace_id_is_a_safe_file_name(trace_id: str):
    with pytest.raises(ValidationError):
        makers.make_header(trace_id)


@pytest.mark.parametrize("family", ["A", "a b", "a--b", "a/b", "a" * 65, ""])
def test_a_task_family_is_a_slug(family: str):
    with pytest.raises(ValidationError):
        makers.make_header(task_family=family)


def test_the_fixed_words_are_those_of_the_paper_and_the_design():
    """Paper: Table 1."""
    assert [o.value for o in Outcome] == ["success", "partial", "failure", "abandoned", "unknown"]
    assert [o.value for o in Origin] == ["captured", "imported", "simulated"]
    assert {k.value for k in EventKind} == {
        "user_message", "model_message", "tool_call", "tool_result", "decision", "checkpoint", "skill_use",
        "error", "note",
    }  # fmt: skip


def test_an_event_keeps_what_the_format_does_not_say_as_unknown():
    event = makers.make_event(makers.user("hello"))
    assert (event.is_error, event.untrusted, event.truncated, event.restricted) == (None, False, None, None)


@pytest.mark.parametrize(
    "bad", [{"seq": -1}, {"kind": "thought"}, {"thinking": "secret"}, {"at": "2026-01-01T00:00:00"}]
)
def test_an_event_of_another_shape_is_refused(bad: dict[str, object]):
    fields = makers.make_event(makers.user("x")).model_dump(mode="json") | bad
    with pytest.raises(ValidationError):
        Event.model_validate(fields)


def test_another_format_is_not_read_as_this_one():
    fields = makers.make_header().model_dump(mode="json") | {"format": "skillc.trace/2"}
    with pytest.raises(ValidationError):
        TraceHeader.model_validate(fields)
