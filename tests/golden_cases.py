"""Golden cases: small hand-written attempts in tests/golden/<case>/input.jsonl, and what is compiled from them.

A line is one Trace: {trace_id, family, outcome, check?, project?, events}; an event is {user}, {says},
{call, arguments}, {gives} or {fails}. SKILLC_UPDATE_GOLDEN=1 rewrites the expected files; read their diff.
"""

import json
import os
from pathlib import Path
from typing import Any

from skillc.core.compile.evidence import Evidence, Source
from skillc.core.trace.records import Outcome
from tests import makers

GOLDEN = Path(__file__).parent / "golden"


def golden_evidence(case: str) -> Evidence:
    """The evidence of a golden case; the case's name is its task family."""
    text = (GOLDEN / case / "input.jsonl").read_text(encoding="utf-8")
    return evidence_of_lines(case, text.splitlines())


def evidence_of_lines(case: str, lines: list[str]) -> Evidence:
    """The evidence of lines of a golden case."""
    sources = [_source(json.loads(line), number) for number, line in enumerate(lines)]
    return makers.make_evidence(*sources, task_family=case)


def check_golden(case: str, name: str, data: bytes) -> None:
    """Compares bytes with the golden file, or writes it when updating."""
    path = GOLDEN / case / name
    if os.environ.get("SKILLC_UPDATE_GOLDEN") == "1":
        path.write_bytes(data)
    assert data.decode() == path.read_text(encoding="utf-8")


def _source(line: dict[str, Any], minutes: int) -> Source:
    return makers.make_source(
        *(_draft(event) for event in line["events"]),
        trace_id=line["trace_id"],
        attempt_family=line["family"],
        outcome=Outcome(line["outcome"]),
        check=line.get("check"),
        project=line.get("project"),
        minutes=minutes,
    )


def _draft(event: dict[str, Any]) -> makers.EventDraft:
    if "user" in event:
        return makers.user(event["user"])
    if "says" in event:
        return makers.says(event["says"])
    if "call" in event:
        return makers.call(event["call"], event["arguments"])
    return makers.fails(event["fails"]) if "fails" in event else makers.gives(event["gives"])
