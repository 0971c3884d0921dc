"""A table of words is written as one text."""

from skillc.core.words import names


def test_words_are_told_apart_by_blanks_and_line_ends():
    assert names("cd  pushd\nls ") == {"cd", "pushd", "ls"}
    assert names("") == frozenset()
