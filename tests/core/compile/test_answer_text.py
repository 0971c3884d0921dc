"""An answer is one JSON object and nothing else, and its strings hide nothing."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.compile.answer_items import AnswerClaim
from skillc.core.compile.answer_text import (
    MAX_DEPTH,
    AnswerProblem,
    Dropped,
    item_of,
    items_of,
    missing_keys,
    parse_answer,
    plain,
)

TEXTS = st.text('ab"\\{}[]:,\n é数', max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_any_json_object_is_read_as_it_is(value: dict[str, Any]):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), f"```json\n{json.dumps(value)}\n```"):
        assert parse_answer(text) == value


@given(st.text(max_size=400) | st.binary(max_size=200).map(lambda b: b.decode("utf-8", "surrogateescape")))
def test_any_text_gives_an_object_or_a_reason(text: str):
    found = parse_answer(text)
    assert isinstance(found, dict | AnswerProblem)


def test_depth_is_counted_without_the_strings():
    assert isinstance(parse_answer('{"a": "' + "[" * 50 + '"}'), dict)
    assert isinstance(parse_answer('{"a": ' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}"), dict)
    assert isinstance(parse_answer('{"a": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}"), AnswerProblem)


def test_a_problem_never_repeats_the_answer():
    for text in (
        "secret-word",
        '{"secret-word": 1, "secret-word": 2}',
        '{"a": secret-word}',
        "[" * 100 + "secret-word",
    ):
        found = parse_answer(text)
        assert isinstance(found, AnswerProblem)
        assert "secret-word" not in found.reason


@pytest.mark.parametrize(
    "text", ["a\u200bb", "a\u202eb", "a\x00b", "a\ud800b", "a\ue000b", "a\u0378b", "e\u0301\u0301\u0301", "\ufeffa"]
)
def test_a_text_with_something_unseen_is_refused(text: str):
    with pytest.raises(ValueError, match=r"reader does not see|piles"):
        plain(text)


def test_a_text_becomes_one_line():
    assert plain(" Run\n\tit \r\n twice ") == "Run it twice"
    assert plain("Größe, 数据 und é") == "Größe, 数据 und é"


def test_a_bad_item_costs_itself_and_names_no_word_of_the_answer():
    good = {"claim_id": "k1", "text": "Do it.", "cites": ["t1.e1"]}
    found, dropped = items_of(AnswerClaim, [good, good | {"leak": 1}, 5, None], "claims", 10)
    assert len(found) == 1
    assert [d.place for d in dropped] == ["claims[1]", "claims[2]", "claims[3]"]
    assert all("leak" not in d.reason for d in dropped)
    assert items_of(AnswerClaim, {"a": 1}, "claims", 10) == ([], [Dropped(place="claims", reason="is not a list")])
    assert "over the limit" in items_of(AnswerClaim, [good] * 3, "claims", 2)[1][0].reason


def test_types_are_strict():
    assert isinstance(item_of(AnswerClaim, {"claim_id": "k1", "text": 5, "cites": ["t1.e1"]}, "x"), Dropped)
    assert isinstance(item_of(AnswerClaim, {"claim_id": "k1", "text": "a", "cites": [True]}, "x"), Dropped)


def test_the_fields_of_an_answer_are_exactly_those_asked_for():
    assert missing_keys({"a": 1}, ("a",)) == ""
    assert "no field 'b'" in missing_keys({"a": 1}, ("a", "b"))
    assert "other than" in missing_keys({"a": 1, "secret": 2}, ("a",))
    assert "secret" not in missing_keys({"a": 1, "secret": 2}, ("a",))
