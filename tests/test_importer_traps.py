"""What every importer of benchmarks and stores must bear: odd bytes, secrets, huge texts, restricted tools."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from skillc.core.policy import RestrictedPattern
from skillc.errors import DataError
from skillc.importers.base import ImportContext
from skillc.importers.table import importer_for
from tests.importers import (
    test_braintrust,
    test_langfuse,
    test_langsmith,
    test_otel,
    test_tau2,
    test_tau_bench,
)
from tests.importers.reading import CONTEXT, read

KEY = "AKIA" + "Q3EXAMPLE7ZT4LUV"
PLACE = "Paris"


def _tau(text: str) -> Any:
    said = [{"role": "user", "content": text}, test_tau_bench.run()["traj"][2]]
    return [test_tau_bench.run(traj=[*said, {"role": "tool", "tool_call_id": "c", "content": text}])]


def _tau2(text: str) -> Any:
    call = {"role": "assistant", "tool_calls": [{"id": "c", "name": "weather", "arguments": {"city": text}}]}
    said = [{"role": "user", "content": text}, call, {"role": "tool", "id": "c", "content": text}]
    return test_tau2.results(test_tau2.simulation(messages=said))


def _in_place(value: Any) -> Callable[[str], Any]:
    text = json.dumps(value)
    return lambda said: json.loads(text.replace(PLACE, json.dumps(said)[1:-1]).replace("sunny", json.dumps(said)[1:-1]))


# Flattened conventions hold JSON inside strings, so their text is put in by hand where it matters.
SAMPLES: dict[str, Callable[[str], Any]] = {
    "tau-bench": _tau,
    "tau2": _tau2,
    "langsmith": _in_place(test_langsmith.export()),
    "braintrust": _in_place(test_braintrust.export()),
    "langfuse": _in_place([o | {"input": None} if o["id"] == "g2" else o for o in test_langfuse.observations()]),
    "otel": _in_place(test_otel.otlp(*test_otel.genai())),
}
ALL = pytest.mark.parametrize("kind", SAMPLES)


def data_of(kind: str, text: str, **options: Any) -> bytes:
    return json.dumps(SAMPLES[kind](text), **options).encode("utf-8", "surrogatepass")


@ALL
def test_surrogates_controls_and_line_separators_are_borne(kind: str):
    odd = "a\ud83d b\x00\x1b[31m c\u2028d\u0085e\x0cf"
    for escaped in (True, False):
        reading = read(kind, data_of(kind, odd, ensure_ascii=escaped))
        assert "\ud83d" not in reading.text
        assert any("\u2028d\u0085e" in (e.text or "") for e in reading.trace.events)


@ALL
def test_a_bom_is_no_content(kind: str):
    data = data_of(kind, "Rome")

    assert importer_for(kind).detect(b"\xef\xbb\xbf" + data, "x.json")
    assert read(kind, b"\xef\xbb\xbf" + data).bodies == read(kind, data).bodies


@ALL
def test_a_credential_is_replaced_before_anything_is_written(kind: str):
    reading = read(kind, data_of(kind, f"the key is {KEY} and no more"))

    assert KEY not in reading.text
    assert sum(reading.report.redacted.values()) > 0


@ALL
def test_a_huge_text_is_cut_in_the_middle_and_counted(kind: str):
    reading = read(kind, data_of(kind, "long words " * 20_000))
    cut = [e for e in reading.trace.events if e.truncated is not None]

    assert reading.report.cut == len(cut) > 0
    assert all(len(e.text or "") < 20_000 for e in cut)


@ALL
def test_a_restricted_tool_leaves_a_reference_alone(kind: str):
    tool = "cancel" if kind == "tau-bench" else "weather"
    context = ImportContext(namespace="acme", secret=b"s" * 32, restricted=(RestrictedPattern(tool=tool),))
    reading = read(kind, data_of(kind, "Restricted-Place-77"), context=context)
    found = [e for e in reading.trace.events if e.restricted]

    assert [e.kind.value for e in found] == ["tool_call", "tool_result"]
    assert all(e.text is None and e.arguments is None for e in found)


@ALL
def test_the_same_input_gives_the_same_bytes(kind: str):
    assert read(kind, data_of(kind, "Rome")).bodies == read(kind, data_of(kind, "Rome")).bodies


@ALL
@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"7", b"[]", b"{}", b"[[", b'{"a":', b"[" * 5000 + b"]" * 5000, b"\xff\xfe\x00", b"[7, null]"],
)
def test_what_holds_nothing_is_one_clear_error(kind: str, data: bytes):
    with pytest.raises(DataError, match=r"x\.json"):
        read(kind, data, path="x.json")


@ALL
def test_no_head_of_a_file_breaks_the_detection(kind: str):
    data = data_of(kind, "Rome")
    importer = importer_for(kind)

    for end in range(0, len(data), 7):
        importer.detect(data[:end], "x.json")
        importer.detect(data[end:], "x.json")


@ALL
def test_a_cut_last_line_is_left_out_and_said(kind: str):
    value = SAMPLES[kind]("Rome")
    lines = [json.dumps(one).encode() for one in (value if isinstance(value, list) else [value])]
    reading = read(kind, b"\n".join([*lines, lines[0][:40]]), context=CONTEXT)

    assert reading.report.skipped["cut last line"] == 1
    assert len(reading.traces) == 1
