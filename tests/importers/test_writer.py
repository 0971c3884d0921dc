"""The hot path keeps its promises for any event."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.codec import encode_record, parse_trace, salt_of
from skillc.core.trace.records import Agent, Event, GitContext
from skillc.importers.base import ImportContext, ImportedTrace, ImportReport
from skillc.importers.writer import TraceWriter
from tests.importers.reading import CONTEXT

KEY = "ghp_" + "a1B2" * 9
SMALL = ImportContext(namespace="acme", secret=b"k" * 80, max_result_bytes=1024)


def writer(context: ImportContext = CONTEXT) -> TraceWriter:
    return TraceWriter(context, ImportReport(path="x", kind="native"), session="s")


def finish(target: TraceWriter) -> tuple[bytes, list[Event]]:
    imported = target.finish(source_ref="s", agent=Agent(name="bot"), reported_by="bot")
    body = imported.body.read()
    return body, list(parse_trace(body, path="x").events)


def test_salts_are_those_of_the_codec():
    for context in (CONTEXT, SMALL):
        target = writer(context)
        target.add("note", "user", text="x")
        _, events = finish(target)
        assert events[0].salt == salt_of(context.secret, target.trace_id, 0)


def test_the_same_value_keeps_its_placeholder_over_the_whole_trace():
    other = "ghp_" + "Z9y8" * 9
    target = writer()
    for text in (KEY, other, f"{KEY} and {other}"):
        target.add("note", "user", text=text)
    _, events = finish(target)

    assert [e.text for e in events] == [
        "<github_token:1>",
        "<github_token:2>",
        "<github_token:1> and <github_token:2>",
    ]


def test_every_foreign_part_of_an_event_is_redacted():
    target = writer()
    target.add(
        "tool_call", KEY, tool=KEY, call_id=KEY, arguments={"a": [{"b": KEY, KEY: 1}], "password": "hunter2hunter"}
    )
    body, events = finish(target)

    assert KEY.encode() not in body
    assert b"hunter2" not in body
    assert events[0].arguments["password"] == "<assigned_secret:1>"


@pytest.mark.parametrize(
    "hidden", [KEY.replace("h", "\\u0068", 1), "a\\/" + KEY, "\\u00e9 " + KEY, "\\/home\\/ann " + KEY]
)
@pytest.mark.parametrize("filler", ["", "\\n" + "x" * 900])
def test_no_escape_of_json_hides_a_credential_or_a_path(hidden: str, filler: str):
    target = writer(SMALL)
    target.add("note", "user", text="clean")
    target.add("tool_result", "tool", encoded_text=f'"{hidden}{filler * 3}"'.encode())
    body, events = finish(target)

    assert b"ghp_" not in body
    assert b"ann" not in body
    assert "<github_token:1>" in events[1].text
    assert [encode_record(e) for e in events] == body.split(b"\n")[1:-2]


@given(st.text(max_size=60), st.booleans())
def test_an_encoded_text_is_written_as_the_text_is(text: str, ascii_only: bool):
    lines = []
    for part in ({"text": text}, {"encoded_text": json.dumps(text, ensure_ascii=ascii_only).encode()}):
        target = writer()
        target.add("note", "user", **part)
        lines.append(finish(target)[0])

    assert lines[0] == lines[1]


def test_large_arguments_are_cut_and_stay_an_object():
    target = writer(SMALL)
    target.add("tool_call", "agent", tool="Write", arguments={"file_path": "a", "content": "x" * 50_000})
    target.add("tool_call", "agent", tool="Odd", arguments={f"k{n}": "y" * 90 for n in range(1000)})
    body, events = finish(target)

    assert events[0].arguments["file_path"] == "a"
    assert "bytes cut" in events[0].arguments["content"]
    assert events[0].truncated.bytes > 50_000
    assert len(body) < 60_000


def test_what_fits_is_not_cut():
    target = writer(SMALL)
    target.add("tool_result", "tool", text="ä" * 512)
    target.add("tool_result", "tool", text='"' * 1024)
    _, events = finish(target)

    assert [e.truncated for e in events] == [None, None]


def test_a_working_folder_counts_from_its_event_on():
    target = writer()
    target.add("note", "user", text="/w/shop/a")
    target.add_root("/w/shop")
    target.add("note", "user", text="/w/shop/a")
    _, events = finish(target)

    assert [e.text for e in events] == ["/w/shop/a", "a"]


def test_the_objective_is_the_first_text_short_and_on_one_line():
    target = writer()
    target.set_objective(f"  use\n {KEY} " + "word " * 300)
    target.set_objective("second")

    assert target.objective.startswith("use <github_token:1> word word")
    assert len(target.objective) <= 500


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"kind": st.sampled_from(["note", "tool_call", "tool_result", "user_message"])},
            optional={
                "text": st.text(max_size=40) | st.text(min_size=300, max_size=400).map(lambda t: t * 6),
                "tool": st.text(min_size=1, max_size=6),
                "call_id": st.text(max_size=6),
                "is_error": st.booleans(),
                "untrusted": st.booleans(),
                "arguments": st.dictionaries(st.text(max_size=4), st.text(max_size=9) | st.integers(), max_size=3),
            },
        ),
        max_size=5,
    )
)
def test_every_line_is_what_its_record_encodes_to(parts):
    target = writer(SMALL)
    for part in parts:
        target.add(part.pop("kind"), "user", **part)
    body, events = finish(target)

    assert [encode_record(e) for e in events] == body.split(b"\n")[1:-2]
    assert all(len((e.text or "").encode()) <= 1024 for e in events)


@pytest.mark.parametrize("text", ["clean", "/home/ann", KEY])
def test_a_finished_line_is_kept_only_when_nothing_would_change(text: str):
    event = Event(id="e0", seq=0, kind="note", actor="user", text=text, salt="0" * 32)

    assert writer().would_change(event, encode_record(event)) is (text != "clean")


def test_what_a_later_event_gives_away_is_replaced_before_and_after_it():
    target = writer()
    for text in (
        "try zX9hunter2qq",
        "password: zX9hunter2qq",
        "again zX9hunter2qq",
        "elFYOWh1bnRlcjJxcQ== and ZX9hunter2",
    ):
        target.add("note", "user", text=text)
    body, events = finish(target)

    assert b"zX9hunter2qq" not in body
    assert [e.text for e in events][:3] == [
        "try <assigned_secret:1>",
        "password: <assigned_secret:1>",
        "again <assigned_secret:1>",
    ]


def test_the_header_and_the_close_are_redacted_whoever_filled_them_in():
    target = writer()
    target.add("note", "user", text="password: zX9hunter2qq")
    git = GitContext(branch=f"fix-{KEY}", commits=("zX9hunter2qq",))
    done = target.finish(
        source_ref=KEY, agent=Agent(name=KEY, model=KEY), reported_by=KEY, git=git, cwd_label=KEY, attempt_key=KEY
    )
    body = done.body.read()

    assert KEY.encode() not in body
    assert b"zX9hunter2qq" not in body
    assert parse_trace(body, path="x").header == done.header


def test_the_record_counts_what_was_replaced():
    target = writer()
    target.add("note", "user", text=f"{KEY} and {KEY}, ann@mailbox.org")
    done = target.finish(source_ref="s", agent=Agent(name="bot"), reported_by="bot")

    assert done.close.redacted == {"email": 1, "github_token": 2}
    assert writer_without_secrets().close.redacted is None


def writer_without_secrets() -> ImportedTrace:
    target = writer()
    target.add("note", "user", text="x")
    return target.finish(source_ref="s", agent=Agent(name="bot"), reported_by="bot")


def test_what_only_a_restricted_event_held_is_in_no_later_event():
    context = ImportContext(namespace="acme", secret=b"s" * 32, restricted=(RestrictedPattern(path="hr/**"),))
    target = writer(context)
    target.add("user_message", "user", text="What does E-44710 earn?")
    assert not target.add("tool_call", "agent", tool="Read", call_id="c", arguments={"file_path": "hr/pay.csv"})
    assert not target.add("tool_result", "tool", tool="Read", call_id="c", text="E-44710,Jane Doe,83500")
    assert target.add("model_message", "agent", text="Jane Doe (E-44710) earns 83500.")
    body, events = finish(target)

    assert b"83500" not in body
    assert b"Jane" not in body
    assert b"E-44710" in body, "the person named it before"
    assert [bool(e.restricted) for e in events] == [False, True, True, False]


def test_more_values_than_are_looked_for_twice_are_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skillc.core.scan.known_values.MAX_KNOWN", 20)
    target = writer()
    for number in range(30):
        target.add("note", "user", text=f"password: zX9hunter2{number}q")
    finish(target)

    assert any("more private values" in note for note in target.report.notes)
    few = writer()
    few.add("note", "user", text="password: zX9hunter2qq")
    finish(few)
    assert few.report.notes == []
