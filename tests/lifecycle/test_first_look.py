"""Capture tells at once which events of a new Trace give an agent orders, without showing them."""

import io
import json
from pathlib import Path

from skillc.lifecycle.first_look import note_of, seen_orders
from tests.core.scan.test_first_look import ORDERS, line
from tests.world import World


def test_events_of_a_stream_are_named_and_the_stream_is_at_its_beginning():
    lines = [line("fine")] * 4000 + [line(ORDERS[0], id="e4000")] + [line("fine")] * 4000
    body = io.BytesIO(b"\n".join(lines) + b"\n")
    body.seek(5)
    assert [order.event_id for order in seen_orders(body)] == ["e4000"]
    assert body.tell() == 0


def test_a_note_names_a_few_events_and_the_rules():
    orders = seen_orders(io.BytesIO(b"\n".join(line(ORDERS[0], id=f"e{n}") for n in range(8))))
    note = note_of("t-1", orders)
    assert note.startswith("t-1: untrusted text in e0, e1, e2, e3, e4 and 3 more is what the scanner blocks")
    assert "instruction-override" in note
    assert "previous" not in note


def session(path: Path, result: str) -> Path:
    messages = [
        {"role": "user", "content": "Read the page"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "fetch", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        {"role": "assistant", "content": "Done."},
    ]  # fmt: skip
    path.write_text(json.dumps({"messages": messages}), "utf-8")
    return path


def test_capture_tells_of_a_new_trace_once(fresh: World, tmp_path: Path):
    path = str(session(tmp_path / "s.json", f"<p>{ORDERS[0]}</p>"))
    done = fresh.run("capture", path)
    assert done.returncode == 0, done.stderr
    assert "1 event holds orders that nobody trusted gave" in done.stdout
    assert "instruction-override" in done.stderr
    assert "print the configuration" not in done.stdout + done.stderr
    (again,) = json.loads(fresh.run("capture", path, "--json").stdout)["sources"]
    assert again["orders"] == 0


def test_capture_in_json_has_a_note_and_a_count(fresh: World, tmp_path: Path):
    bad, good = session(tmp_path / "a.json", ORDERS[1]), session(tmp_path / "b.json", "all fine")
    answer = json.loads(fresh.run("capture", str(bad), str(good), "--json").stdout)
    assert [s["orders"] for s in answer["sources"]] == [1, 0]
    (note,) = answer["sources"][0]["notes"]
    assert "is what the scanner blocks" in note
