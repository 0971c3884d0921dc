"""How fast transcripts become redacted Traces, against reading the written lines with the Event model alone.

CPU and wall of both, medians of alternating rounds in one run. The git write is not part of it. The two jobs have
different inputs, so two numbers are told. As speeds in bytes a second, each over its own input, the bar is 0.3 times
the model's; measured is a little more, and the bound leaves room for a busy machine. As time for the same lines an
import takes many times as long as the model, far from 3.33 times, and the bounds are what is. The time is spread
evenly: finding and decoding records, gates, hashing, operations of shell calls, paths, long texts of which 16 KiB are
written, and the Python between.
"""

import io
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from skillc.core.trace.records import Event
from skillc.importers.base import ImportReport
from skillc.importers.claude_code import ClaudeCodeImporter
from skillc.lifecycle.first_look import seen_orders
from tests.corpora import corpus
from tests.importers.reading import CONTEXT

pytestmark = pytest.mark.benchmark
ROUNDS = 9
MIN_THROUGHPUT = 0.25  # of bytes read against bytes validated; measured: 0.33
MAX_RATIO_REAL = 19.0  # measured: 14 to 15; 6.7 for credentials alone, 10 with personal data, before what is encoded
MAX_RATIO_GENERATED = 9.0  # measured: 7; 3.7, 6.2
MAX_FIRST_LOOK = 0.12  # measured: 0.065 to 0.085
MAX_MEMORY_MB = 150
FILE_MB = 200

_WORDS = [
    "fix",
    "the",
    "failing",
    "test",
    "in",
    "cart",
    "totals",
    "because",
    "rounding",
    "differs",
    "when",
    "a",
    "discount",
    "applies",
    "twice",
]


def generated(megabytes: float) -> bytes:
    """A session as a host writes it: prompts, calls, results with their second copy, hook noise between."""
    lines: list[bytes] = []
    size, number, parent = 0, 0, None

    def add(kind: str, **fields: object) -> None:
        nonlocal size, number, parent
        record = {
            "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/home/ann/shop",
            "sessionId": "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f", "version": "2.1.39", "gitBranch": "main",
            "type": kind, **fields, "uuid": f"00000000-0000-4000-8000-{number:012d}",
            "timestamp": f"2026-01-05T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }  # fmt: skip
        copied = record.pop("toolUseResult", None)
        if copied is not None:
            record["toolUseResult"] = copied
        parent = record["uuid"]
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        lines.append(line)
        size += len(line)
        number += 1

    add("user", message={"role": "user", "content": "Fix the failing test"})
    while size < megabytes * 1_000_000:
        call = f"toolu_{number:024d}"
        body = "\n".join(
            f"{n:5d}\tdef step_{n}(x): return '{' '.join(_WORDS[n % 9 :])}'" for n in range(number % 60 + 2)
        )
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": number}
        message = {"id": f"msg_{number}", "role": "assistant", "model": "claude-test-1", "usage": usage}
        say = {"type": "text", "text": " ".join(_WORDS)}
        use = {
            "type": "tool_use",
            "id": call,
            "name": "Read",
            "input": {"file_path": f"/home/ann/shop/src/m{number}.py"},
        }
        result = {"tool_use_id": call, "type": "tool_result", "content": body}
        add("assistant", message=message | {"content": [say]})
        add("assistant", message=message | {"content": [use]})
        add("progress", data={"type": "hook_progress", "hookEvent": "PreToolUse"}, toolUseID=call)
        add("progress", data={"type": "hook_progress", "hookEvent": "PostToolUse"}, toolUseID=call)
        add(
            "user",
            message={"role": "user", "content": [result]},
            toolUseResult={"type": "text", "file": {"content": body}},
        )
    return b"".join(lines)


def import_all(files: list[tuple[str, bytes]]) -> list[bytes]:
    bodies = []
    for path, data in files:
        report = ImportReport(path=path, kind="claude-code")
        for imported in ClaudeCodeImporter().read(io.BytesIO(data), CONTEXT, report):
            bodies.append(imported.body.read())
            imported.body.close()
    return bodies


def timed(work: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def measure(name: str, files: list[tuple[str, bytes]]) -> tuple[float, float]:
    """Returns the ratio of times (lower is better) and that of throughputs in bytes a second (higher is better)."""
    lines = [line for body in import_all(files) for line in body.split(b"\n")[1:-2]]
    validate = Event.model_validate_json
    pairs = [
        (timed(lambda: import_all(files)), timed(lambda: [validate(line) for line in lines])) for _ in range(ROUNDS)
    ]
    wall = statistics.median(a[0] / b[0] for a, b in pairs)
    cpu = statistics.median(a[1] / b[1] for a, b in pairs)
    ours, base = (statistics.median(pair[side][0] for pair in pairs) for side in (0, 1))
    size_in, size_out = sum(len(data) for _, data in files), sum(map(len, lines))
    print(
        f"\n{name}: {len(lines)} events, {size_in / 1e6:.1f} MB in, {size_out / 1e6:.1f} MB out; import {ours * 1e3:.1f} ms,"
        f" model alone {base * 1e3:.1f} ms; ratio wall {wall:.2f}, CPU {cpu:.2f} ({1 / wall:.2f} times the speed);"
        f" {size_in / ours / 1e6:.0f} MB/s in against {size_out / base / 1e6:.0f} MB/s, throughput"
        f" {size_in / ours / (size_out / base):.2f}"
    )
    return wall, size_in / ours / (size_out / base)


def test_real_sessions_are_imported_at_a_known_ratio():
    folder = corpus("claude-code-spotter")
    files = [(str(f), f.read_bytes()) for f in sorted(folder.rglob("*.jsonl")) if "acompact" not in f.name]

    ratio, throughput = measure("spotter", files)
    assert throughput >= MIN_THROUGHPUT
    assert ratio < MAX_RATIO_REAL


def test_a_generated_session_is_imported_at_a_known_ratio():
    ratio, throughput = measure("generated", [("0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f.jsonl", generated(8))])
    assert throughput >= MIN_THROUGHPUT
    assert ratio < MAX_RATIO_GENERATED


def share_of_first_look(files: list[tuple[str, bytes]]) -> float:
    bodies = [io.BytesIO(body) for body in import_all(files)]
    pairs = [
        (timed(lambda: [seen_orders(body) for body in bodies])[1], timed(lambda: import_all(files))[1])
        for _ in range(ROUNDS)
    ]
    return statistics.median(look / whole for look, whole in pairs)


def test_the_first_look_of_capture_costs_at_most_a_tenth_of_the_import():
    folder = corpus("claude-code-spotter")
    real = [(str(f), f.read_bytes()) for f in sorted(folder.rglob("*.jsonl")) if "acompact" not in f.name]
    made = [("0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f.jsonl", generated(8))]
    for name, files in (("spotter", real), ("generated", made)):
        share = share_of_first_look(files)
        print(f"\n{name}: the first look takes {share:.1%} of the import's CPU")
        assert share < MAX_FIRST_LOOK


# The kernel's peak of this process: getrusage would tell the peak of the process that started it.
_CHILD = """
import sys
from pathlib import Path
from skillc.importers.base import ImportContext, ImportReport
from skillc.importers.claude_code import ClaudeCodeImporter

def peak_kb():
    return int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1])

context = ImportContext(namespace="acme", secret=b"s" * 32)
before = 0
for name in sys.argv[1:]:
    with Path(name).open("rb") as stream:
        for imported in ClaudeCodeImporter().read(stream, context, ImportReport(name, "claude-code")):
            if name == sys.argv[-1]:
                print(imported.events, imported.size_bytes, peak_kb() - before)
    before = peak_kb()
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_large_file_needs_little_memory(tmp_path: Path):
    path = tmp_path / "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f.jsonl"
    part = generated(20)
    with path.open("wb") as stream:
        for copy in range(FILE_MB // 20):
            stream.write(part.replace(b"00000000-0000-4000", b"%08d-0000-4000" % copy))
    small = tmp_path / "small.jsonl"
    small.write_bytes(generated(0.1))
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(small), str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    events, size, kilobytes = map(int, done.stdout.split())

    print(
        f"\n{path.stat().st_size / 1e6:.0f} MB: {events} events, {size / 1e6:.0f} MB out, {kilobytes / 1024:.0f} MB over start"
    )
    assert kilobytes / 1024 < MAX_MEMORY_MB
