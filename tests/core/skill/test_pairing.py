"""Which line is which: the same words first, then the most words in common at the same place."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.skill.pairing import changed_lines, same_lines

LINES = st.lists(st.sampled_from(["a b c", "a b d", "e f", "g", "a b c d", "`<x>`: y", "`<x>`: z"]), max_size=6)


@given(LINES, LINES)
def test_every_line_is_used_once_and_the_same_words_come_first(before: list[str], after: list[str]):
    same = same_lines(before, after)
    changed = changed_lines(before, after, same)
    assert all(before[i] == after[j] for j, i in same.items())
    used = [*same.values(), *changed.values()]
    assert len(used) == len(set(used))
    assert not set(same) & set(changed)
    assert sorted(set(before) & set(after)) == sorted({after[j] for j in same})


def test_a_line_is_the_one_with_most_of_its_words():
    before = ["Run the tests", "Read the order"]
    after = ["Read the whole order", "Run the tests twice"]
    assert changed_lines(before, after, {}) == {0: 1, 1: 0}


def test_other_words_at_another_place_are_another_line():
    before, after = ["Run the tests", "Stop"], ["Stop", "Ask somebody"]
    assert changed_lines(before, after, same_lines(before, after)) == {}
    assert changed_lines(["Run the tests now"], ["Please run it"], {}) == {0: 0}


def test_an_input_of_the_same_name_is_the_same_whatever_it_says():
    assert changed_lines(["`<id>`: The user states it."], ["x", "`<id>`: On paper."], {}) == {1: 0}
