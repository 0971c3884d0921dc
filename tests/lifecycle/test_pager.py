"""Which pager: git's rules, and words instead of a shell line."""

import pytest

from skillc.lifecycle.pager import pager_command, show_in_pager


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, ["less", "-FRX"]),
        ({"PAGER": "more"}, ["more"]),
        ({"PAGER": "more", "SKILLC_PAGER": "less -S"}, ["less", "-S"]),
        ({"PAGER": "less", "SKILLC_PAGER": ""}, []),
        ({"PAGER": "cat"}, []),
        ({"PAGER": "less 'x"}, []),
        ({"PAGER": "less; touch x"}, ["less;", "touch", "x"]),
    ],
)
def test_the_pager_is_the_persons(environment: dict[str, str], words: list[str]):
    assert pager_command(environment) == words


def test_without_a_pager_nothing_is_shown(monkeypatch):
    monkeypatch.setenv("SKILLC_PAGER", "")
    assert show_in_pager("x\n") is False
