"""When a person's turn opens a new task: only after a finished one, never across a call, and rather not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.importers.objective import ObjectiveWatch
from tests.importers.objective_turns import SHOWN, UNSEEN, Turn

FIRST = "Fix the failing cart total test"
SECOND = "Write release notes covering version 2.0 changes"


def finished(first: str = FIRST) -> ObjectiveWatch:
    watch = ObjectiveWatch()
    assert not watch.starts_new(first)
    watch.call("c1")
    watch.result("c1")
    watch.said()
    return watch


def test_a_new_objective_after_a_finished_one_begins_an_attempt():
    assert finished().starts_new(SECOND)


def test_never_across_a_tool_call():
    watch = finished()
    watch.call("c2")
    watch.said()
    assert not watch.starts_new(SECOND)


def test_a_task_that_the_agent_has_not_ended_goes_on():
    watch = finished()
    watch.call("c2")
    watch.result("c2")
    assert not watch.starts_new(SECOND)


def test_talk_without_any_work_is_no_finished_task():
    watch = ObjectiveWatch()
    watch.starts_new(FIRST)
    watch.said()
    assert not watch.starts_new(SECOND)


def test_after_an_interrupt_the_person_goes_on_with_the_same_task():
    watch = finished()
    watch.interrupted()
    assert not watch.starts_new(SECOND)


@pytest.mark.parametrize(
    "turn",
    [
        "yes",
        "continue",
        "run it again",
        "No, that broke the discount rounding in checkout",
        "Also update the changelog and release notes file",
        "Could you explain why it fails on Windows machines",
        "Fix the other failing cart test too",
        "But it still prints the wrong discount total",
        "",
    ],
)
def test_a_turn_that_refers_back_stays_with_the_task(turn: str):
    assert not finished().starts_new(turn)


@pytest.mark.parametrize(
    ("turns", "precision", "recall"),
    [(SHOWN, 0.97, 0.9), (UNSEEN, 0.7, 0.65)],
    ids=["shown", "unseen"],
)
def test_labelled_turns_are_told_apart_as_well_as_measured(turns: list[Turn], precision: float, recall: float):
    told = [turn for turn in turns if finished(turn.so_far).starts_new(turn.text)]
    right = sum(turn.is_new for turn in told)

    assert right >= precision * len(told), [turn.text for turn in told if not turn.is_new]
    assert right >= recall * sum(turn.is_new for turn in turns), [t.text for t in turns if t.is_new and t not in told]


def test_the_labelled_turns_are_half_new_tasks():
    assert [sum(turn.is_new for turn in turns) * 2 for turns in (SHOWN, UNSEEN)] == [len(SHOWN), len(UNSEEN)]


@given(st.lists(st.tuples(st.sampled_from(["call", "result", "said", "interrupted", "turn"]), st.text(max_size=40))))
def test_whatever_happens_a_new_objective_follows_an_agents_last_word_and_no_open_call(steps: list[tuple[str, str]]):
    watch = ObjectiveWatch()
    open_calls: set[str] = set()
    last = ""
    for kind, text in steps:
        if kind == "turn":
            if watch.starts_new(text):
                assert not open_calls
                assert last == "said"
        elif kind == "call":
            watch.call(text)
            open_calls.add(text)
        elif kind == "result":
            watch.result(text)
            open_calls.discard(text)
        elif kind == "said":
            watch.said()
        else:
            watch.interrupted()
            open_calls.clear()
        last = kind
