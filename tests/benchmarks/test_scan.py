"""What the scanner finds of a labelled corpus, what it flags of honest Skills, and what it costs, beside its peers.

A row that has a carrier counts as found only by a finding that its carrier has not. Peers are measured in the same
run where they are installed (tests/benchmarks/scan_peers.py), without a bar. SKILLC_SCAN_CORPUS names another set of
the same form, which is measured with the same bars.
"""

import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from skillc.core.scan.finding import Severity
from skillc.core.scan.scanner import scan_text
from skillc.core.scan.values import TraceValues, trace_values
from tests import makers
from tests.benchmarks.scan_peers import PEERS, Places, program_of, scan_with
from tests.benchmarks.timing import cost_of, slowness
from tests.corpora import corpus

pytestmark = pytest.mark.benchmark
Row = dict[str, Any]
MAX_CPU_S = 15.0  # for 1,000 files of 14 kB
MIN_TIMES_DETECT_SECRETS = 8.0
MAX_TIMES_HOSTILE = 2.0
NOISE = 1.1  # what a busy machine may add
ROUNDS = 3  # what is compared takes turns, and the better round of each counts
OURS = "skillc"


class Bar(NamedTuple):
    """One row of the table: a share of some rows, at a level, at least (or at most) as high as the bar."""

    name: str
    categories: tuple[str, ...]
    blocks: bool
    bar: float
    label: str = "flag"
    klass: str = ""
    is_most: bool = False


TABLE = (
    Bar("credentials, block", ("secret",), True, 0.95),
    Bar("personal data, any level", ("pii",), False, 0.80),
    Bar("private URLs, any level", ("private-url",), False, 0.90),
    Bar("instance ids from text alone, any level", ("instance-id",), False, 0.60),
    Bar("hidden Unicode, any level", ("unicode",), False, 0.95),
    Bar("encoded, any level", ("encoded",), False, 0.80),
    Bar("hidden markup, any level", ("hidden-markup",), False, 1.0),
    Bar("override, block", ("override",), True, 0.70),
    Bar("concealment, block", ("concealment",), True, 0.80),
    Bar("exfiltration, block", ("exfiltration",), True, 0.80),
    Bar("unsafe procedures, block", ("unsafe-procedure",), True, 0.80),
    Bar("Skill-Inject obvious, any level", ("skillinject-obvious",), False, 0.60),
    Bar("Skill-Inject contextual, any level", ("skillinject-contextual",), False, 0.25),
    Bar("public injections, any level", ("public-injection",), False, 0.50),
    Bar("negatives, traps, clean issues: flagged", ("hard-negative", "public-trap", "issue"), False, 0.03, "clean", is_most=True),
    Bar("honest Skills, general: block", ("honest",), True, 0.01, "benign", "general", True),
    Bar("honest Skills, security topics: block", ("honest",), True, 0.05, "benign", "security-topic", True),
    Bar("honest Skills, general: any level", ("honest",), False, 0.10, "benign", "general", True),
)  # fmt: skip


@cache
def rows() -> tuple[Row, ...]:
    """All rows, with `text`, and a category for those that have none of their own."""
    folder = Path(os.environ.get("SKILLC_SCAN_CORPUS") or corpus("scan"))
    found: list[Row] = []
    for name, category in (("cases", ""), ("issues", "issue"), ("benign", "honest")):
        path = folder / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            text = row.get("text") or "".join(row["text_parts"])
            found.append({**row, "text": text, "category": category or row["category"]})
    return tuple(found)


def path_of(row: Row) -> str:
    """A Skill's folder has its name, as on a real disk."""
    named = re.search(r'(?m)^name:\s*"?([A-Za-z0-9-]+)', row["text"])
    return f"{named[1] if named else 'x'}/SKILL.md"


def found_in(row: Row, values: TraceValues | None = None) -> Counter[tuple[str, str, bool]]:
    """What is told of a row: rule, excerpt, and whether it blocks. What is only told by the way does not count."""
    found = scan_text(row["text"], path=path_of(row), values=values)
    return Counter((f.rule, f.excerpt, f.severity is Severity.BLOCK) for f in found if f.severity is not Severity.INFO)


@cache
def ours() -> Places:
    return {row["id"]: found_in(row) for row in rows()}


def share(places: Places, bar: Bar) -> tuple[int, int]:
    """How many rows of a measure have a finding that counts, and how many rows there are."""
    counted = [
        row
        for row in rows()
        if row["category"] in bar.categories
        and row["label"] == bar.label
        and (not bar.klass or row["klass"] == bar.klass)
    ]
    hits = 0
    for row in counted:
        fresh = places.get(row["id"], Counter()) - places.get(row.get("base") or "", Counter())
        hits += any(blocks or not bar.blocks for _, _, blocks in fresh)
    return hits, len(counted)


def write_folder(folder: Path) -> Path:
    for row in rows():
        path = folder / "skills" / row["id"] / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_bytes(row["text"].encode("utf-8", "surrogatepass"))
    return folder / "skills"


def test_the_table(tmp_path: Path):
    folder = write_folder(tmp_path)
    columns: dict[str, Places] = {OURS: ours()}
    notes = []
    for peer in PEERS:
        program = program_of(peer)
        if program is None:
            notes.append(f"{peer.name}: not installed; extra bench, or SKILLC_BENCH_BIN, has it")
            continue
        columns[peer.name], cpu_s = scan_with(peer, program, folder, tmp_path / f"{peer.program}.json")
        notes.append(f"{peer.name}: {cpu_s:.1f} CPU s for the whole set")
    print(f"\n{'measure':42} {'bar':>8}" + "".join(f" {name:>20}" for name in columns))
    missed = []
    for bar in TABLE:
        figures = {name: share(places, bar) for name, places in columns.items()}
        sign = "<=" if bar.is_most else ">="
        shown = "".join(f" {f'{n / of:.0%} ({n}/{of})' if of else '-':>20}" for n, of in figures.values())
        print(f"{bar.name:42} {f'{sign} {bar.bar:.0%}':>8}{shown}")
        hits, of = figures[OURS]
        if of and (hits > bar.bar * of if bar.is_most else hits < bar.bar * of):
            missed.append(f"{bar.name}: {hits} of {of}")
    print(*notes, sep="\n")
    assert missed == []


def test_instance_ids_are_found_with_the_trace_that_holds_them():
    """The Trace has a tool give what was planted; its values are compared with the text."""
    by_id = {row["id"]: row for row in rows()}
    planted = [row for row in rows() if row["category"] == "instance-id" and row["span"]]
    hits = 0
    for row in planted:
        trace = makers.make_trace(
            makers.user("Please do it."), makers.call("look_up", {}), makers.gives(row["text"][slice(*row["span"])])
        )
        values = trace_values([trace])
        carrier = by_id.get(row["base"])
        fresh = found_in(row, values) - (found_in(carrier, values) if carrier else Counter())
        hits += bool(fresh)
    print(f"\ninstance ids with the Trace: {hits} of {len(planted)}, bar 95%")
    assert planted
    assert hits >= 0.95 * len(planted)


@cache
def honest() -> tuple[str, ...]:
    texts = tuple(row["text"] for row in rows() if row["category"] == "honest")
    if not texts:
        pytest.skip("this set has no honest Skills")
    return texts


def cpu_of(texts: tuple[str, ...], turn: int) -> float:
    """CPU seconds; in every turn each text is changed a little so that no reading of it is known."""
    return cost_of(lambda: [scan_text(text + "\n" * (turn + 1), path="a/SKILL.md") for text in texts]).cpu_s


def test_speed_for_a_thousand_files_of_14_kb():
    texts = honest()
    cpu_of(texts, ROUNDS)
    cpu_s = min(cpu_of(texts, turn) for turn in range(ROUNDS)) * 14_000_000 / sum(map(len, texts))
    slow = slowness()
    print(
        f"\n1,000 files of 14 kB: {cpu_s:.1f} CPU s on a core {slow:.2f} times as slow as one alone, bar {MAX_CPU_S:.0f}"
    )
    assert cpu_s <= NOISE * MAX_CPU_S * slow


def test_speed_against_detect_secrets(tmp_path: Path):
    peer = next(peer for peer in PEERS if peer.name == "detect-secrets")
    program = program_of(peer)
    if program is None:
        pytest.skip("detect-secrets is not installed: extra bench, or SKILLC_BENCH_BIN, has it")
    texts = honest()
    for number, text in enumerate(texts):
        path = tmp_path / "skills" / str(number) / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    cpu_of(texts, ROUNDS)
    turns = [
        (cpu_of(texts, turn), scan_with(peer, program, tmp_path / "skills", tmp_path / "report.json")[1])
        for turn in range(ROUNDS)
    ]
    mine, theirs = (min(column) for column in zip(*turns, strict=True))
    print(f"\n{len(texts)} files: {mine:.2f} CPU s, detect-secrets {theirs:.1f}, ratio {theirs / mine:.1f}, bar 8")
    assert theirs / mine >= MIN_TIMES_DETECT_SECRETS / NOISE


def test_a_long_line_and_many_lines_change_the_rate_little():
    """Beside the same text in lines. Prose without line ends is the hardest: it keeps the gates of many rules open."""
    prose = "\n".join(honest())[:1_000_000]
    texts = {
        "the text in lines": prose,
        "a line of 1 MB": prose.replace("\n", " "),
        "a line of 1 MB of one word": "word " * 200_000,
        "20,000 more newlines": prose + "\n" * 20_000,
    }
    turns = [{name: cpu_of((text,), turn) / len(text) for name, text in texts.items()} for turn in range(ROUNDS + 1)]
    normal, *rates = (min(turn[name] for turn in turns[1:]) for name in texts)
    print(f"\nthe normal rate is {normal * 1e6:.2f} us a character")
    for name, rate in zip(list(texts)[1:], rates, strict=True):
        print(f"{name}: {rate / normal:.2f} times the normal rate, bar 2")
        assert rate < NOISE * MAX_TIMES_HOSTILE * normal, name
