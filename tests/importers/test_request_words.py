"""What the words of a turn say: a request of its own, or going on with what was done."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.importers.request_words import asks_for_work, content_words, refers_back


@pytest.mark.parametrize(
    "text",
    [
        "Write a README for the project",
        "Thanks, great. Now please write a README for the project",
        "Could you please migrate billing to the new tax API",
        "I need a Dockerfile that builds the worker image",
        "The newsletter was sent twice yesterday. Find out which job is to blame",
        "Different topic: our certificates",
    ],
)
def test_an_imperative_a_wish_and_another_topic_ask_for_work(text: str):
    assert asks_for_work(text)


@pytest.mark.parametrize(
    "text",
    ["", "Thanks!", "The toggle does not keep its state after a reload", "Add dark mode", "Fix the circular import",
     "Run all tests and commit everything to the branch", "Bitte schreibe eine Anleitung"],
)  # fmt: skip
def test_a_statement_and_a_few_words_ask_for_none(text: str):
    assert not asks_for_work(text)


@pytest.mark.parametrize(
    "text",
    [
        "Add an endpoint /health to the server that returns status 200",
        "Make sure that the build passes on every commit",
        "Write a parser for INI files and test it",
        "Review this repository for unsafe calls",
        "Add a change that nobody can miss",
        "Great, thanks. Write a README",
    ],
)
def test_a_clause_and_a_thing_that_the_turn_names_itself_point_nowhere(text: str):
    assert not refers_back(text)


@pytest.mark.parametrize(
    "text",
    ["Fix that", "Do the same with that file", "Make it faster for large inputs", "Now fix the test you broke",
     "Can you also write the down step", "Add a test for empty input too", "Improve your solution for large inputs",
     "Rename them to experiments", "Great, but the error responses are missing", "And fix that please"],
)  # fmt: skip
def test_what_adds_to_the_work_or_points_at_it_refers_back(text: str):
    assert refers_back(text)


def test_routine_words_and_plurals_say_nothing():
    assert content_words("Run the tests and commit the reports") == {"run", "report"}


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str):
    assert asks_for_work(text) in (True, False)
    assert refers_back(text) in (True, False)


@pytest.mark.parametrize("text", ["thanks " * 100_000, "now, " * 100_000, "it " * 100_000, "that " * 100_000])
def test_a_long_text_costs_little(text: str):
    start = time.process_time()
    asks_for_work(text)
    refers_back(text)
    assert time.process_time() - start < 4
