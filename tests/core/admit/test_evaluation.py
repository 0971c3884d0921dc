"""Evaluations: the record says who, which version, where and what was seen; what failed once stays failed."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from skillc.core.admit.evaluation import EvaluationRecord, EvaluationVerdict, verdicts_of

GROUP = "sha256:" + "a" * 64
START = datetime(2026, 1, 1, tzinfo=UTC)


def record(verdict: str = "passed", *, hour: int = 0, **changes: Any) -> EvaluationRecord:
    fields: dict[str, Any] = {
        "namespace": "acme", "group": GROUP, "run": "r-1", "task_family": "refunds", "evaluator": "sandbox",
        "evaluator_version": "1.0", "environment": "staging", "verdict": verdict, "evidence": "log 17",
        "at": START + timedelta(hours=hour),
    }  # fmt: skip
    return EvaluationRecord(**(fields | changes))


def test_the_newest_result_of_an_evaluator_counts():
    found = verdicts_of([record(hour=2, evidence="new"), record(hour=1, evidence="old")], group=GROUP)
    assert found["sandbox"].evidence == "new"


def test_a_failed_evaluation_is_not_undone_by_a_later_pass_of_the_same_content():
    found = verdicts_of([record("failed", hour=1), record("passed", hour=2)], group=GROUP)
    assert found["sandbox"].verdict is EvaluationVerdict.FAILED


def test_a_result_of_other_content_says_nothing():
    assert verdicts_of([record(group="sha256:" + "b" * 64)], group=GROUP) == {}


@pytest.mark.parametrize("field", ["evaluator_version", "environment", "evidence"])
@pytest.mark.parametrize("text", ["", "two\nlines", "an \x1b escape", "x" * 401])
def test_what_a_record_names_is_one_printable_line(field: str, text: str):
    with pytest.raises(ValidationError):
        record(**{field: text})
