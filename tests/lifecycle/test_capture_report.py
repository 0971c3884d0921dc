"""The shape that others build on: names stay, sums are of new Traces only."""

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
