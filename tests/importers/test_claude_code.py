"""Claude Code files as a whole: forks, hostile bytes, and the real corpora."""

import contextlib
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.codec import trace_id_of
from skillc.errors import DataError
from skillc.importers.claude_code import ClaudeCodeImporter
from skillc.importers.companions import find_companions
from tests.corpora import corpus
from tests.importers.reading import SESSION, Transcript, read


def test_only_the_live_branch_of_a_rewound_session_is_kept():
    transcript = Transcript().user("start").says("hello")
    fork = transcript.parent
    transcript.user("wrong way").says("going wrong", message_id="m2")
    transcript.call("c", "Bash", {"command": "rm x"})
    transcript.parent = fork
    transcript.user("right way").says("going right", message_id="m3")
    reading = transcript.read()

    assert [e.text for e in reading.trace.events] == ["start", "hello", "right way", "going right"]
    assert reading.report.skipped["record of an abandoned branch"] == 3


def test_a_subagent_of_an_abandoned_branch_goes_with_it():
    transcript = Transcript().user("start").says("hello")
    fork = transcript.parent
    transcript.user("wrong way")
    transcript.says("side", isSidechain=True, agentId="a1", parentUuid=None, message_id="s")
    transcript.parent = fork
    transcript.user("right way")

    assert [e.text for e in transcript.read().trace.events] == ["start", "hello", "right way"]


def test_two_results_of_one_parent_are_no_fork():
    transcript = Transcript().user("x").call("a", "Read", {}).call("b", "Read", {})
    parent = transcript.parent
    transcript.gives("a", "1")
    transcript.parent = parent
    transcript.gives("b", "2")

    assert len(transcript.read().trace.events) == 5


def test_a_subagents_file_alone_is_a_part_of_its_session():
    reading = Transcript().user("Look", isSidechain=True).says("found", isSidechain=True).read(path="agent-a1.jsonl")

    header = reading.trace.header
    assert header.parent_trace_id == trace_id_of("acme", "claude-code", SESSION)
    assert header.trace_id != header.parent_trace_id
    assert header.objective == "Look"


def test_the_compaction_helpers_file_is_refused():
    with pytest.raises(DataError, match="compaction"):
        Transcript().user("x").read(path="agent-acompact-1.jsonl")


@pytest.mark.parametrize(
    "ending", [b'{"type":"user","mess', b'{"type":"assistant","message":{"content":[{"text":"\xc3']
)
def test_a_cut_last_line_is_left_out_and_said(ending: bytes):
    reading = read("claude-code", Transcript().user("x").data() + ending)

    assert reading.kinds == ["user_message"]
    assert reading.report.skipped["cut last line"] == 1
    assert any("cut off" in note for note in reading.report.notes)


def test_lines_that_are_no_records_in_the_middle_are_counted():
    data = b"42\n[1]\nnull\n{broken\n\n" + Transcript().user("x").data()
    reading = read("claude-code", data)

    assert reading.kinds == ["user_message"]
    assert reading.report.skipped["line that is no object"] == 3
    assert reading.report.skipped["line that is not JSON"] == 1


def test_bom_crlf_nul_and_bad_bytes_are_read():
    data = b"\xef\xbb\xbf" + Transcript().user("a").says("nul \x00 here").data().replace(b"\n", b"\r\n")
    data += Transcript().user("UNIT").data().replace(b"UNIT", b"bad \xff\xfe here").replace(b"u0", b"u7")
    data += Transcript().user("UNIT").data().replace(b"UNIT", b"lone \\ud83d here").replace(b"u0", b"u8")
    reading = read("claude-code", data)

    assert [e.text for e in reading.trace.events] == [
        "a",
        "nul \x00 here",
        "bad \ufffd\ufffd here",
        "lone \ufffd here",
    ]


def test_unusual_line_separators_inside_a_text_do_not_split_it():
    reading = Transcript().user("a\u2028b\u0085c\x0cd").read()

    assert reading.trace.events[0].text == "a\u2028b\u0085c\x0cd"


def test_a_ten_megabyte_line_is_read_and_cut():
    reading = Transcript().user("x").call("c", "Read", {}).gives("c", "word " * 2_000_000).read()

    assert reading.trace.events[2].truncated.bytes == 10_000_000
    assert len(reading.bodies[0]) < 40_000


def test_progress_is_dropped_unparsed_but_never_a_record_that_quotes_it():
    transcript = Transcript().user("x")
    transcript.add("progress", data={"type": "hook_progress", "message": "noise"})
    transcript.call("c", "Write", {"x": {"type": "progress", "data": {"type": "hook_progress"}}})
    reading = transcript.read()

    assert reading.kinds == ["user_message", "tool_call"]
    assert reading.report.skipped["progress"] == 1


def test_detection_is_by_content():
    importer = ClaudeCodeImporter()

    assert importer.detect(Transcript().user("x").data(), "anything.txt")
    assert importer.detect(b'{"type":"summary","summary":"t","leafUuid":"u"}\n', "x.jsonl")
    assert not importer.detect(b'[{"role":"user","content":"x"}]', "x.json")
    assert not importer.detect(b'{"record":"trace","format":"skillc.trace/1"}\n', "x.jsonl")
    assert not importer.detect(b"", "x.jsonl")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = [
    "type", "message", "uuid", "parentUuid", "isSidechain", "cwd", "sessionId", "timestamp", "isMeta",
    "isCompactSummary", "agentId", "gitBranch", "toolUseResult", "subtype",
]  # fmt: skip
_BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "image"]) | _JSON},
    optional=dict.fromkeys(("text", "id", "name", "input", "tool_use_id", "content", "is_error", "source"), _JSON),
)
_RECORD = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "progress"]) | _JSON},
    optional=dict.fromkeys(_FIELDS[2:], _JSON)
    | {
        "message": st.fixed_dictionaries(
            {"content": st.text(max_size=20) | st.lists(_BLOCK, max_size=3)},
            optional={"id": _JSON, "model": _JSON},
        )
    },
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_RECORD, max_size=6))
def test_no_record_of_any_shape_breaks_the_import(records):
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    with contextlib.suppress(DataError):
        read("claude-code", data)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_break_the_import(data: bytes):
    with contextlib.suppress(DataError):
        read("claude-code", data)


def test_any_damage_to_a_real_session_is_survived():
    data = Transcript().user("fix").says("ok").bash("c", "ls", "a\nb").gives("c", [{"type": "text"}]).data()
    source = random.Random(5)
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(source.randint(1, 8)):
            at = source.randrange(len(damaged))
            damaged[at : at + source.randint(0, 3)] = source.randbytes(source.randint(0, 3))
        with contextlib.suppress(DataError):
            read("claude-code", bytes(damaged))


@pytest.mark.parametrize(
    "name", ["claude-code-agentcmd", "claude-code-edge-cases", "claude-code-viewer-mock", "claude-code-spotter"]
)
def test_real_sessions_are_imported_whole_twice_with_the_same_bytes(name: str):
    files = [f for f in sorted(corpus(name).rglob("*.jsonl")) if not f.name.startswith("agent-acompact-")]
    assert files
    for file in files:
        data = file.read_bytes()
        companions = {c.name: c.open().read() for c in find_companions(file, ClaudeCodeImporter())}
        first = read("claude-code", data, path=str(file), companions=companions)
        again = read("claude-code", data, path=str(file), companions=companions)
        assert first.bodies == again.bodies
        assert first.trace.events
        assert "/home/" not in first.text
        assert "/Users/" not in first.text
        assert not first.report.skipped["line that is not JSON"]


def test_a_real_session_takes_its_subagents_files_in():
    file = corpus("claude-code-spotter") / "4d5611e5-241a-462a-8d15-5122611a9569.jsonl"
    companions = {c.name: c.open().read() for c in find_companions(file, ClaudeCodeImporter())}
    reading = read("claude-code", file.read_bytes(), path=str(file), companions=companions)

    actors = [e.actor for e in reading.trace.events]
    assert actors.count("a2898e3") > 50
    assert actors.index("a2898e3") > 3
    assert actors[-1] != "a2898e3"
    assert reading.report.skipped["compaction helper file"] == 1
