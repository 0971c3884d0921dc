"""What an attempt did, read from its events alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.compile.deeds import by_family, commands_with_values, deeds_of, is_explained, plain_values, scalars
from tests.makers import bash, call, fails, gives, make_source, user


def deeds(*drafts):
    return deeds_of(make_source(*drafts))


def test_a_call_is_told_with_its_values_and_what_it_showed():
    (made,) = deeds(call("refund", {"method": "card", "note": "two words", "n": 2}), gives({"state": {"code": "ok"}}))
    assert (made.tool, made.failed, made.events) == ("refund", False, ("e0", "e1"))
    assert made.values == {"method": "card", "n": "2"}
    assert made.shows == {"state.code": "ok"}


def test_a_failed_call_shows_nothing():
    (made,) = deeds(call("refund", {"a": "b"}), fails('{"state": "ok"}'))
    assert made.failed
    assert made.shows == {}


def test_each_command_of_a_line_is_a_deed():
    found = deeds(bash("cd app && make gen && pytest -q"), gives("ok"))
    assert [d.operation for d in found if d.is_check] == ["pytest"]
    assert len({d.part for d in found}) == len(found)


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("deploy --env=staging", {"--env": "staging"}),
        ("deploy --env staging --force", {"--env": "staging", "--force": "on"}),
        ("deploy --no-cache", {"--cache": "off"}),
        ("MODE=fast deploy", {"MODE=": "fast"}),
        ("export MODE=fast; deploy", {"MODE=": "fast"}),
        ("deploy app", {}),
    ],
)
def test_options_and_settings_of_a_command_are_read(command: str, values: dict[str, str]):
    assert list(commands_with_values("Bash", {"command": command}))[-1][1] == values


def test_long_values_and_lists_are_left_out():
    assert plain_values({"a": "x" * 41, "b": "two words", "c": ["d"], "e": {"f": True}, "g": "<H>"}) == {"e.f": "true"}
    assert scalars([1, 2]) == {}
    assert scalars("x") == {}


def test_a_value_that_the_user_or_a_result_gave_before_is_explained():
    source = make_source(
        user("use the card"), call("find"), gives({"plan": "gold"}), call("refund", {"m": "card", "p": "gold", "v": "late"}),
        gives("late"),
    )  # fmt: skip
    refund = deeds_of(source)[-1]
    assert is_explained(source, refund, "card")
    assert is_explained(source, refund, "gold")
    assert not is_explained(source, refund, "late")
    assert not is_explained(source, refund, "car")  # a part of a word is another word


def test_deeds_are_kept_by_family():
    one = make_source(call("a"), gives(), trace_id="t-00000001", attempt_family="f-1")
    two = make_source(call("b"), gives(), trace_id="t-00000002", attempt_family="f-1")
    assert [d.tool for d in by_family([*deeds_of(one), *deeds_of(two)])["f-1"]] == ["a", "b"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.recursive(st.text(max_size=5) | st.booleans() | st.integers(), lambda c: st.lists(c, max_size=3) | st.dictionaries(st.text(max_size=3), c, max_size=3), max_leaves=8))  # fmt: skip
def test_no_command_and_no_result_breaks_it(command: str, result):
    assert all(d.tool for d in deeds(bash(command), gives(result), call("x", {"v": result}), gives(command)))
