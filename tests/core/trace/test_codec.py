"""The bytes of a Trace: what is written is read back, and no line changes without the digest showing it."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.record import sha256_hex
from skillc.core.trace.codec import (
    Trace,
    TraceDigest,
    encode_line,
    encode_record,
    iter_event_lines,
    parse_trace,
    salt_of,
    seal,
    seal_ends,
    split_lines,
    trace_id_of,
)
from skillc.core.trace.records import Close, EventKind, Outcome, Restricted, Truncated
from skillc.errors import DataError
from tests import makers

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
EVENTS = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(EventKind), "actor": TEXT},
        optional={
            "text": TEXT,
            "tool": TEXT,
            "call_id": TEXT,
            "arguments": st.dictionaries(TEXT, JSON, max_size=3),
            "is_error": st.booleans(),
            "untrusted": st.booleans(),
            "restricted": st.builds(Restricted, ref=TEXT),
            "truncated": st.builds(Truncated, bytes=st.integers(0, 2**40), sha256=st.just("0" * 64)),
            "at": st.datetimes(min_value=datetime(1971, 1, 1), timezones=st.just(UTC)),
        },
    ),
    max_size=5,
)


def sealed(trace: Trace) -> bytes:
    return b"".join(encode_record(r) + b"\n" for r in (trace.header, *trace.events, trace.close))


def small() -> bytes:
    return sealed(makers.make_trace(makers.user("find it"), makers.call("search", {"q": "x"}), makers.gives("found")))


def refused(data: bytes) -> str:
    with pytest.raises(DataError) as caught:
        parse_trace(data, path="traces/t.jsonl")
    assert caught.value.hint
    return caught.value.message


@settings(max_examples=60, deadline=None)
@given(EVENTS, TEXT, st.sampled_from(Outcome))
def test_any_trace_is_read_back_as_it_was_written(drafts: list[dict[str, Any]], objective: str, outcome: Outcome):
    events = [makers.make_event(draft, seq=seq) for seq, draft in enumerate(drafts)]
    close = Close(outcome=outcome, reported_by="host", digest="", salt="s")
    head, lines, end = seal(makers.make_header(objective=objective), [encode_record(e) for e in events], close)
    data = b"\n".join([head, *lines, end, b""])

    trace = parse_trace(data, path="t")

    assert list(trace.events) == events
    assert (trace.header.objective, trace.close.outcome) == (objective, outcome)
    assert sealed(trace) == data, "and written again it gives the same bytes"
    assert list(iter_event_lines(data)) == lines


def test_a_null_that_an_agent_passed_is_kept():
    trace = makers.make_trace(makers.call("t", {"a": None, "b": [None], "c": {"d": None}}))
    assert parse_trace(sealed(trace), path="t").events[0].arguments == {"a": None, "b": [None], "c": {"d": None}}


def test_absent_fields_are_not_written():
    line = json.loads(encode_record(makers.make_event(makers.user("x"), at=None)))
    assert sorted(line) == ["actor", "id", "kind", "record", "salt", "seq", "text"]


def test_a_line_is_compact_json_in_the_order_given():
    assert encode_line({"b": 1, "a": "ü\u2028"}) == '{"b":1,"a":"ü\u2028"}'.encode()


def test_crlf_line_ends_of_a_checkout_change_nothing():
    assert parse_trace(small().replace(b"\n", b"\r\n"), path="t") == parse_trace(small(), path="t")


def test_a_missing_last_newline_changes_nothing():
    assert parse_trace(small().rstrip(b"\n"), path="t") == parse_trace(small(), path="t")


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"", []), (b"\n", [b""]), (b"a", [b"a"]), (b"a\n", [b"a"]), (b"a\r\nb\r\n", [b"a", b"b"]),
     (b"a\n\nb", [b"a", b"", b"b"]), ("a\u2028b\n".encode(), ["a\u2028b".encode()]), (b"a\x0bb\x0cc", [b"a\x0bb\x0cc"])],
)  # fmt: skip
def test_lines_end_with_lf_only(data: bytes, lines: list[bytes]):
    assert split_lines(data) == lines


# Digest and salt


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_byte_is_refused(data):
    original = small()
    at = data.draw(st.integers(0, len(original) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != original[at]))
    changed = original[:at] + bytes([byte]) + original[at + 1 :]
    try:
        trace = parse_trace(changed, path="t")
    except DataError:
        return
    # The close line is hashed as a record: a blank or an escape in it may change, what it says may not.
    assert trace == parse_trace(original, path="t")


@pytest.mark.parametrize("how", ["dropped", "doubled", "swapped", "renamed", "outcome", "header"])
def test_a_changed_trace_is_refused(how: str):
    lines = small().splitlines()
    if how == "dropped":
        lines.pop(2)
    elif how == "doubled":
        lines.insert(2, lines[2])
    elif how == "swapped":
        lines[1], lines[2] = lines[2], lines[1]
    elif how == "renamed":
        lines[0] = lines[0].replace(b"t-00000001", b"t-00000002")
    elif how == "outcome":
        lines[-1] = lines[-1].replace(b'"unknown"', b'"success"')
    else:
        lines[0] = lines[0].replace(b"find it", b"find me")
    refused(b"\n".join(lines))


def test_the_digest_covers_header_events_and_close_with_an_empty_digest():
    """ADR 0007, spelled out by hand."""
    lines = small().splitlines()
    close = json.loads(lines[-1])
    bare = lines[-1].replace(close["digest"].encode(), b"")
    hashes = b"".join(bytes.fromhex(sha256_hex(line)) for line in [*lines[:-1], bare])
    assert close["digest"] == "sha256:" + sha256_hex(hashes)


def test_the_source_digest_is_over_the_event_lines():
    lines = small().splitlines()
    hashes = b"".join(bytes.fromhex(sha256_hex(line)) for line in lines[1:-1])
    assert json.loads(lines[0])["source"]["sha256"] == sha256_hex(hashes)


def test_a_streamed_trace_has_the_same_ends():
    trace = makers.make_trace(makers.user("x"), makers.says("y"))
    digest = TraceDigest()
    for event in trace.events:
        digest.add(encode_record(event))
    assert seal_ends(trace.header, digest, trace.close) == (encode_record(trace.header), encode_record(trace.close))


def test_a_salt_depends_on_secret_trace_and_line():
    salts = {
        salt_of(secret, trace, seq) for secret in (b"a", b"b") for trace in ("t-1", "t-2") for seq in (0, 1, "close")
    }
    assert len(salts) == 12
    assert all(len(salt) == 32 and int(salt, 16) >= 0 for salt in salts)
    assert salt_of(b"a", "t-1", 0) == salt_of(b"a", "t-1", 0)


@given(st.lists(TEXT, min_size=4, max_size=4), st.lists(TEXT, min_size=4, max_size=4))
def test_a_trace_id_is_one_of_its_four_parts(left: list[str], right: list[str]):
    assert trace_id_of(*left).startswith("t-")
    if not any("\x00" in part for part in left + right):
        assert (trace_id_of(*left) == trace_id_of(*right)) == (left == right)
    makers.make_header(trace_id_of(*left))


# Bad files


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "traces/t.jsonl:1: the file is empty"),
        (b"{", "traces/t.jsonl:1: is not JSON"),
        (b"[]\n[]", "traces/t.jsonl:1: is JSON, but not an object"),
        (b"\xef\xbb\xbf{}", "traces/t.jsonl:1: is not JSON"),
        (b"\xff\n", "traces/t.jsonl:1: is not JSON"),
        (b"\0\0", "traces/t.jsonl:1: is not JSON"),
        (b'{"record":"trace","format":"skillc.trace/9"}', "skillc.trace/9"),
        (b"[" * 100_000, "traces/t.jsonl:1: is not JSON"),
    ],
)
def test_a_file_that_is_no_trace_is_named_with_its_line(data: bytes, said: str):
    assert said in refused(data)


def test_a_file_without_close_is_refused():
    lines = small().splitlines()
    assert "is no Close" in refused(b"\n".join(lines[:-1]))
    assert "not closed" in refused(lines[0])


def test_every_bad_line_is_named():
    lines = small().splitlines()
    lines[1:3] = [b"{}", b"x"]
    message = refused(b"\n".join(lines))
    assert [part.split(":")[1] for part in message.splitlines()] == ["2", "3"]


def test_a_bad_line_shows_nothing_of_its_text():
    lines = small().splitlines()
    lines[1] = b'{"sk-secret-key": "sk-secret-value", "kind": "sk-secret-kind"}'
    assert "secret" not in refused(b"\n".join(lines))


@pytest.mark.parametrize("event_id", ["e1", "e01", "e-1", "x0", "e", "", "e٣", "e" + "9" * 30, "e0 "])
def test_an_id_that_is_not_of_this_trace_gives_no_event(event_id: str):
    assert makers.make_trace(makers.user("x")).event(event_id) is None


def test_an_event_is_found_by_its_id():
    trace = makers.make_trace(makers.user("x"), makers.says("y"))
    assert trace.event("e1") == trace.events[1]
    assert trace.digest == trace.close.digest


@settings(max_examples=200)
@given(st.binary(max_size=80) | st.lists(st.sampled_from(small().splitlines()), max_size=6).map(b"\n".join))
def test_any_bytes_are_a_sound_trace_or_one_error(data: bytes):
    try:
        trace = parse_trace(data, path="t")
    except DataError:
        return
    assert trace == parse_trace(small(), path="t")
