"""Real attempts for tests, found by the environment variable SKILLC_CORPORA; absent, such tests are skipped.

The conversion here is as small as it can be; the importers are tested by themselves.
"""

import json
import os
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from skillc.core.compile.evidence import Source
from skillc.core.trace.attempts import attempt_families
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Outcome, TraceSource
from tests import makers


def corpus(name: str) -> Path:
    root = os.environ.get("SKILLC_CORPORA")
    path = Path(root or "") / name
    if not root or not path.exists():
        pytest.skip(f"corpus {name} is not here: set SKILLC_CORPORA to its parent folder")
    return path


@lru_cache(maxsize=1)
def airline_sources() -> tuple[Source, ...]:
    """The 100 airline attempts as sources; attempts at one task are one attempt family."""
    records = json.loads((corpus("taubench-airline-gpt4o") / "attempts.json").read_text(encoding="utf-8"))
    pairs = [(_airline_trace(r), Outcome.SUCCESS if r["reward"] >= 1 else Outcome.FAILURE) for r in records]
    families = attempt_families(t.header for t, _ in pairs)
    return tuple(
        makers.make_source(
            outcome=outcome, attempt_family=families[trace.trace_id], trace_id=trace.trace_id
        ).model_copy(update={"trace": trace})
        for trace, outcome in pairs
    )


def _airline_trace(record: dict[str, Any]) -> Trace:
    drafts: list[makers.EventDraft] = []
    for number, message in enumerate(record["traj"]):
        text = message.get("content")
        role = message["role"]
        if role == "user":
            drafts.append(makers.user(text))
        elif role == "tool":
            drafts.append(makers.gives(text))
        elif role == "assistant":
            if text:
                drafts.append(makers.says(text))
            for item in message.get("tool_calls") or ():
                function = item["function"]
                draft = makers.call(function["name"], json.loads(function["arguments"]))
                drafts.append(draft | {"call_id": f"{item['id']}-{number}"})
    return makers.make_trace(
        *drafts,
        trace_id=f"t-air-{record['task_id']:03d}-{record['trial']}",
        attempt_key=str(record["task_id"]),
        started_at=makers.START + timedelta(days=record["trial"]),
        source=TraceSource(kind="messages", ref="attempts.json", sha256="0" * 64),
    )
