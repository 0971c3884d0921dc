"""Which task ids of a tau2 file can be believed."""

from typing import Any

import pytest

from skillc.importers.base import ImportReport
from skillc.importers.tau2_tasks import TaskIds

TASKS = [
    {"id": "1", "evaluation_criteria": {"actions": [{"action_id": "create_1"}], "nl_assertions": ["a"]}},
    {"id": "2", "evaluation_criteria": {"actions": [{"action_id": "x"}], "communicate_info": ["7"]}},
]


def held(*simulations: dict[str, Any], tasks: list[dict[str, Any]] = TASKS) -> list[str | None]:
    ids = TaskIds([(tasks, one) for one in simulations])
    return [ids.why_held(position) for position in range(len(simulations))]


def simulation(task_id: str, **info: Any) -> dict[str, Any]:
    return {"id": f"s{task_id}", "task_id": task_id, "reward_info": info}


def checks(*ids: str) -> list[dict[str, Any]]:
    return [{"action": {"action_id": i}} for i in ids]


@pytest.mark.parametrize(
    "info",
    [
        {"action_checks": checks("create_1")},
        {"nl_assertions": [{"nl_assertion": "a"}]},
        {"action_checks": [], "nl_assertions": None},
        {},
    ],
)
def test_checks_of_the_own_task_and_absent_checks_are_believed(info: dict[str, Any]):
    assert held(simulation("1", **info)) == [None]


@pytest.mark.parametrize(
    "info",
    [
        {"action_checks": checks("x")},
        {"action_checks": checks("create_1"), "nl_assertions": [{"nl_assertion": "other"}]},
        {"communicate_checks": [{"info": "7"}]},
    ],
)
def test_checks_of_another_task_are_not_believed(info: dict[str, Any]):
    assert held(simulation("1", **info)) == ["simulation whose task id disagrees with its own checks"]


def test_a_task_that_the_file_does_not_hold_is_held():
    assert held(simulation("7")) == ["simulation whose task the file does not hold"]
    assert held(simulation("7"), tasks=[]) == [None]


def test_one_wrong_id_makes_what_cannot_be_checked_doubtful():
    found = held(simulation("1", action_checks=checks("x")), simulation("2"))

    assert found[1] == "simulation whose task id cannot be checked, in a file whose ids disagree"


def test_a_long_list_is_told_by_twenty_and_a_number():
    ids = TaskIds([(TASKS, simulation(str(n), action_checks=checks("y"))) for n in range(25)])
    report = ImportReport(path="r.json", kind="tau2")
    ids.tell(report)

    assert "of 25 simulations" in report.notes[0]
    assert "and 5 more" in report.notes[0]
