"""The repositories with quirks, and their sessions as stored golden evidence.

`tests/golden/<family>/input.jsonl` holds the recorded sessions; SKILLC_RECORD_QUIRKS=1 records them again.
"""

import json
from pathlib import Path

from skillc.core.trace.records import EventKind
from tests import makers
from tests.golden_cases import GOLDEN
from tests.quirks.ledger import LEDGER
from tests.quirks.parcels import PARCELS
from tests.quirks.recording import record, write_files
from tests.quirks.routes import ROUTES
from tests.quirks.scripts import QuirkRepository

QUIRKS = {r.name: r for r in (PARCELS, ROUTES, LEDGER)}


def recorded_lines(repository: QuirkRepository, folder: Path) -> list[str]:
    """Plays every session in a fresh copy and returns the lines of its golden case."""
    lines = []
    for number, session in enumerate(repository.sessions):
        place = folder / session.name / repository.name
        place.mkdir(parents=True)
        write_files(repository, place)
        trace_id = f"t-{repository.name}-{number:02d}"
        line = {
            "trace_id": trace_id,
            "family": trace_id,
            "outcome": "success" if session.passes else "failure",
            "check": " ".join(repository.check),
            "project": repository.name,
            "events": [_event(draft) for draft in record(session, place)],
        }
        lines.append(json.dumps(line, ensure_ascii=False))
    return lines


def store_recording(repository: QuirkRepository, folder: Path) -> None:
    """Writes the golden case of a repository anew."""
    case = GOLDEN / repository.family
    case.mkdir(exist_ok=True)
    (case / "input.jsonl").write_text("\n".join(recorded_lines(repository, folder)) + "\n", "utf-8")


def _event(draft: makers.EventDraft) -> dict[str, object]:
    kind = draft["kind"]
    if kind is EventKind.TOOL_CALL:
        return {"call": draft["tool"], "arguments": draft["arguments"]}
    if kind is EventKind.TOOL_RESULT:
        return {"fails" if draft["is_error"] else "gives": draft["text"]}
    return {"user" if kind is EventKind.USER_MESSAGE else "says": draft["text"]}
