"""A credential that lies over two events is replaced in both."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.detectors import find_spans
from skillc.core.trace.codec import parse_trace
from skillc.core.trace.records import Agent, Event
from skillc.importers.base import ImportReport
from skillc.importers.joints import REACH, ends_of, may_cross
from skillc.importers.writer import TraceWriter
from tests.core.scan.test_detectors import SAMPLES
from tests.importers.reading import CONTEXT

TOKEN = SAMPLES["github_token"]


def events_of(*parts: dict[str, object]) -> tuple[Event, ...]:
    target = TraceWriter(CONTEXT, ImportReport(path="x", kind="native"), session="s")
    for part in parts:
        fields = {"kind": "tool_result", "actor": "tool", **part}
        target.add(**fields)  # type: ignore[arg-type]
    done = target.finish(source_ref="s", agent=Agent(name="bot"), reported_by="bot")
    return parse_trace(done.body.read(), path="x").events


@pytest.mark.parametrize("cut", [5, 12, 30])
@pytest.mark.parametrize("between", range(REACH))
def test_both_halves_become_one_placeholder(cut: int, between: int):
    others = [{"kind": "tool_call", "actor": "agent", "tool": "x", "arguments": {"n": i}} for i in range(between)]
    found = events_of({"text": f"see {TOKEN[:cut]}"}, *others, {"text": f"{TOKEN[cut:]} now"})

    assert (found[0].text, found[-1].text) == ("see <github_token:1>", "<github_token:1> now")


# Those that lie over lines or in an object of several fields: a cut leaves no half that a frame would tell.
_IN_PARTS = {"private_key", "putty_key", "static_key", "json_web_key"}
_ELSEWHERE = {"webhook", "azure_key", "docker_auth", "basic_auth", "named_value"}


@pytest.mark.parametrize("kind", sorted(set(SAMPLES) - _IN_PARTS - _ELSEWHERE))
def test_every_credential_is_found_over_a_joint(kind: str):
    text = SAMPLES[kind]
    span = next(span for span in find_spans(text) if span.kind == kind)
    cut = next(i for i in range((span.start + span.end) // 2, len(text)) if text[i - 1 : i + 1].isalnum())
    found = events_of({"text": f"a {text[:cut]}"}, {"text": f"{text[cut:]} b"})

    assert f"a {text[:cut]}" != found[0].text
    assert f"{text[cut:]} b" != found[1].text


def test_arguments_are_joined_too():
    write = {"kind": "tool_call", "actor": "agent", "tool": "Write"}
    found = events_of({**write, "arguments": {"content": TOKEN[:9]}}, {**write, "arguments": {"content": TOKEN[9:]}})

    assert [event.arguments for event in found] == [{"content": "<github_token:1>"}] * 2


def test_whole_values_beside_each_other_stay_two():
    other = TOKEN.replace("Z", "Y")
    found = events_of({"text": TOKEN}, {"text": other}, {"text": "test_a passed"})

    assert [event.text for event in found] == ["<github_token:1>", "<github_token:2>", "test_a passed"]


@pytest.mark.parametrize(
    ("before", "after"),
    [("all tests", "passed now"), ("token=abcd1234efgh5678", "src/app.py"), ("Done.", "The next"), ("", "x")],
)
def test_words_are_no_halves(before: str, after: str):
    assert events_of({"text": before}, {"text": after})[1].text == after


def test_what_has_a_blank_at_its_end_crosses_nothing():
    assert not may_cross([ends_of("note", b'"see ghp_a1B2 "', None), ends_of("note", b'"a1B2"', None)])
    assert not may_cross([])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["x", "a" * 9000, f"k {TOKEN[:10]}", f"{TOKEN[10:]} e", f"in {TOKEN} it", "é" * 40]), max_size=8
    ),
    st.integers(0, 8),
)
def test_what_is_written_does_not_depend_on_what_comes_later(texts: list[str], count: int):
    """A closed Trace is the beginning of the session that went on, line by line."""
    texts = [text for text in texts if not text.startswith("k ")] if count < len(texts) else texts
    whole = events_of({"text": "begin"}, *({"text": text} for text in texts))
    part = events_of({"text": "begin"}, *({"text": text} for text in texts[:count]))

    assert whole[: len(part)] == part
