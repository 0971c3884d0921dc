"""Which scores become an outcome, and that every other one is counted."""

import math
from typing import Any

import pytest

from skillc.importers.base import ImportReport, OutcomeMapping
from skillc.importers.scores import Score, mapped_verdict, party_of


def verdict(*scores: Score, source_type: str | None = None, at: float = 1.0, field: str = "correct", **bounds: Any):
    report = ImportReport(path="x", kind="k")
    found = mapped_verdict(scores, OutcomeMapping("v", field, at, source_type), report, **bounds)
    return (found.outcome.value if found else None), dict(report.skipped)


@pytest.mark.parametrize("source", ["api", "API", "app", "ANNOTATION", "CODE", "HUMAN", None])
def test_code_people_and_a_source_that_is_not_said_count_by_the_mapping(source: str | None):
    assert verdict(Score("correct", 1, source)) == ("success", {})


@pytest.mark.parametrize("source", ["model", "LLM", "EVAL", "auto_eval", "NL_ASSERTION"])
def test_a_judge_counts_only_when_the_mapping_names_it(source: str):
    assert verdict(Score("correct", 1, source)) == (None, {"score of a judge that the mapping does not name": 1})
    assert verdict(Score("correct", 1, source), source_type="api")[0] is None
    assert verdict(Score("correct", 1, source), source_type=source) == ("success", {})
    assert verdict(Score("correct", 0, source), source_type="model")[0] == "failure"


def test_a_source_that_nobody_knows_counts_only_by_its_name():
    assert verdict(Score("correct", 1, "oracle")) == (None, {"score of another source type": 1})
    assert verdict(Score("correct", 1, "oracle"), source_type="Oracle")[0] == "success"
    assert party_of("oracle") is None


def test_a_named_source_type_leaves_out_every_other():
    assert verdict(Score("correct", 1, "app"), source_type="api") == (None, {"score of another source type": 1})
    assert verdict(Score("correct", 1, None), source_type="api") == (None, {"score of another source type": 1})


@pytest.mark.parametrize("value", [None, "1", math.nan, math.inf, 10**400, [], {}])
def test_what_is_no_number_gives_no_verdict(value: Any):
    assert verdict(Score("correct", value)) == (None, {"score that is no number": 1})


def test_a_score_out_of_range_gives_no_verdict():
    assert verdict(Score("correct", 1.01), low=0.0, high=1.0) == (None, {"score out of range": 1})
    assert verdict(Score("correct", 7))[0] == "success"


def test_scores_that_disagree_give_no_verdict():
    assert verdict(Score("correct", 1), Score("correct", 0)) == (None, {"attempt whose scores disagree": 1})
    assert verdict(Score("correct", 0.9), Score("correct", 0.8), at=0.5) == ("success", {})


def test_a_score_of_a_part_or_of_another_name_says_nothing_about_the_end():
    assert verdict(Score("correct", 1, "api", is_whole=False)) == (None, {"score of a part of the attempt": 1})
    assert verdict(Score("tone", 1))[1] == {
        "score of another name than the mapping's": 1,
        "attempt without the mapped score": 1,
    }


@pytest.mark.parametrize("field", ["correct", "scores.correct", "feedback.correct"])
def test_a_field_may_name_the_place_of_the_score(field: str):
    assert verdict(Score("correct", 1), field=field)[0] == "success"


def test_without_a_mapping_every_score_is_counted_and_none_counts():
    report = ImportReport(path="x", kind="k")

    assert mapped_verdict([Score("a", 1), Score("b", 1)], None, report) is None
    assert report.skipped == {"score without a registered mapping": 2}


def test_the_detail_says_the_value_and_the_source_and_no_foreign_text():
    report = ImportReport(path="x", kind="k")
    found = mapped_verdict([Score("a", True, "api")], OutcomeMapping("v", "a", 1.0), report)
    odd = mapped_verdict([Score("a", 1, "x\n[red]")], OutcomeMapping("v", "a", 1.0, "x\n[red]"), report)

    assert found.detail == "a = 1.0 (source api)"
    assert odd.detail == "a = 1.0 (source other)"
