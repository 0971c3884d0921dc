"""One attempt's events: ids, restrictions, commits and times."""

import pytest

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.codec import Trace, parse_trace
from skillc.importers.attempt import Attempt, arguments_of
from skillc.importers.base import ImportContext, ImportReport
from tests.importers.reading import CONTEXT


def attempt(context: ImportContext = CONTEXT) -> Attempt:
    return Attempt(context, ImportReport(path="x", kind="atif"), ref="s", session="s")


def sealed(writing: Attempt) -> Trace:
    imported = writing.finish(agent="a", git=writing.commits.context(None))
    assert imported is not None
    return parse_trace(imported.body.read(), path="x")


def test_a_call_id_that_is_used_again_does_not_give_a_result_to_another_call():
    writing = attempt()
    first, second = writing.calls("f", {}, "c"), writing.calls("f", {}, "c")
    third = writing.calls("f", {}, "c#2")
    writing.gets(first, "1")

    assert [first.id, second.id, third.id] == ["c", "c#2", "c#2#2"]
    assert sealed(writing).events[-1].call_id == "c"


def test_an_attempt_without_events_is_none():
    assert attempt().finish(agent="a") is None


def test_first_and_last_time_are_the_attempts():
    writing = attempt()
    writing.asks("x", "2026-01-05T09:00:00Z")
    writing.says("y", None)
    writing.fails("z", "2026-01-05T09:01:00Z")
    trace = sealed(writing)

    assert str(trace.header.started_at) == "2026-01-05 09:00:00+00:00"
    assert str(trace.close.at) == "2026-01-05 09:01:00+00:00"


def test_a_restricted_call_and_its_result_are_references():
    writing = attempt(ImportContext(namespace="acme", secret=b"s" * 32, restricted=(RestrictedPattern(tool="hr"),)))
    writing.gets(writing.calls("hr", {"name": "Mia"}, "c"), "salary")
    trace = sealed(writing)

    assert [event.restricted.ref for event in trace.events if event.restricted] == ["atif:s:c", "atif:s:c"]
    assert trace.events[1].text is None


def test_only_the_output_of_the_program_shows_a_commit():
    writing = attempt()
    writing.gets(
        writing.calls("bash", {"command": "git commit -m x"}, "c"), "head\n[main abc1234] x", shown="no commit"
    )
    assert sealed(writing).header.environment.git is None


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("[1]", {"_raw": "[1]"}),
        ("not json", {"_raw": "not json"}),
        (None, {}),
        (7, {"_raw": 7}),
    ],
)
def test_arguments_are_an_object_or_stand_under_raw(value: object, arguments: dict[str, object]):
    assert arguments_of(value) == arguments
