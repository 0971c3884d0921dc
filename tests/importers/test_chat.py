"""Messages become events, and a user's own tools stay the user's."""

import pytest

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.codec import parse_trace
from skillc.core.trace.records import Agent
from skillc.importers.base import ImportContext, ImportReport
from skillc.importers.chat import Chat, arguments_of, user_text
from skillc.importers.writer import TraceWriter


def chat(**options) -> Chat:
    context = ImportContext(namespace="acme", secret=b"s" * 32, **options)
    report = ImportReport(path="x", kind="chat")
    return Chat(context, report, TraceWriter(context, report, session="s", place="4"))


def events(one: Chat):
    done = one.finish(source_ref="r", agent=Agent(name="a"), attempt_key=None, verdict=None)
    return parse_trace(done.body.read(), path="x").events


def test_what_a_user_does_with_a_tool_is_a_note():
    one = chat()
    one.call("u", "toggle", {"on": True}, None, actor="user")
    one.result("u", None, "done", None, None, actor="user")

    assert [(e.kind.value, e.actor, e.tool) for e in events(one)] == [
        ("note", "user", "toggle"),
        ("note", "user", "toggle"),
    ]


def test_a_restricted_tool_leaves_a_reference_and_no_content():
    one = chat(restricted=(RestrictedPattern(tool="hr"),))
    one.call("c", "hr", {"name": "Mia"}, None)
    one.result("c", None, "salary", None, None)
    found = events(one)

    assert [e.restricted.ref for e in found] == ["chat:4:c", "chat:4:c"]
    assert all(e.text is None and e.arguments is None for e in found)


def test_a_role_without_meaning_is_counted():
    one = chat()
    one.message({"role": "narrator", "content": "x"})

    assert one.report.skipped == {"message of role narrator": 1}


def test_an_outcome_is_never_written_into_the_close():
    one = chat()
    one.note("x", "2026-01-05T09:00:00Z")
    one.seen("2026-01-05T09:00:00Z")
    done = one.finish(source_ref="r", agent=Agent(name="a"), attempt_key="k", verdict=None)

    assert done.close.outcome.value == "unknown"
    assert done.header.attempt_key == "k"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", {"_raw": "[1]"}),
        ("x", {"_raw": "x"}),
        (None, {}),
        (5, {"_raw": 5}),
        ({"b": 2}, {"b": 2}),
    ],
)
def test_arguments_are_an_object_in_every_case(value, expected):
    assert arguments_of(value) == expected


def test_end_markers_of_a_simulated_user_are_no_words():
    assert user_text("Bye ###STOP###") == "Bye"
