"""The shape that others build on: names stay, sums are of new Traces only."""

import json
from pathlib import Path

import pytest

from skillc.core.policy import Verifier
from skillc.lifecycle.capture import capture
from skillc.lifecycle.capture_report import CapturedTrace, unmapped_notes
from tests.reward_world import OPTIONS, new_reward_world, refund_run
from tests.world import FIX, World, sessions_of


def test_the_answer_has_the_names_that_others_build_on(fresh: World):
    fresh.capture(sessions_of(FIX)[:1])
    answer = fresh.capture(sessions_of(FIX)[:2]).model_dump(mode="json")

    assert set(answer) >= {"format", "sources", "totals"}
    assert set(answer["sources"][0]) >= {"path", "kind", "traces", "skipped", "redacted", "notes"}
    assert set(answer["sources"][0]["traces"][0]) >= {
        "trace_id", "path", "events", "outcome", "strength", "task_family", "is_new",
    }  # fmt: skip
    assert answer["totals"]["traces"] == 2
    assert answer["totals"]["new"] == 1
    assert answer["totals"]["events"] == answer["sources"][1]["traces"][0]["events"]


def test_a_mapping_that_finds_no_outcome_in_a_whole_source_is_told_with_its_field():
    verifier = Verifier.model_validate(
        {"id": "reward", "kind": "external", "mapping": {"field": "rewrd", "success_at": 1}}
    )
    trace = CapturedTrace(
        trace_id="t-00000001", path="p", events=1, outcome="unknown", strength="none", task_family=None, is_new=True
    )
    (note,) = unmapped_notes(verifier, [trace])
    assert "none of 1 Trace has a number at 'rewrd', the field of 'reward'" in note
    assert "skillc.yaml" in note
    judged = trace.model_copy(update={"strength": "external"})
    assert unmapped_notes(verifier, [trace, judged]) == []
    assert unmapped_notes(verifier, []) == unmapped_notes(None, [trace]) == []


def test_the_note_of_a_wrong_mapping_is_on_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    world = new_reward_world(tmp_path / "new", monkeypatch)
    record = refund_run(1)
    record["score"] = record.pop("reward")
    (world.home / "runs.json").write_text(json.dumps([record]), "utf-8")
    report = capture(world.context(), [str(world.home / "runs.json")], OPTIONS)
    assert ["no outcome was recorded" in n for n in report.sources[0].notes] == [True]
    assert report.verifications == 0
