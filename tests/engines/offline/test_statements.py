"""Rules of statements of a query language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.policy import Thresholds
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import induce
from skillc.engines.offline.statements import asks_about_one, asks_for_schema, statement_of
from skillc.engines.offline.steps import steps_of
from tests.makers import call, fails, gives, make_evidence, make_source


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT a FROM b", "SELECT"),
        ("  select 1", "SELECT"),
        ("(SELECT 1) UNION (SELECT 2)", "SELECT"),
        ("-- names\nWITH x AS (SELECT 1) SELECT * FROM x", "SELECT"),
        ("show tables", "SHOW TABLES"),
        ("DESC people", "DESCRIBE"),
        ("create table t (a int)", "CREATE TABLE"),
        ("refund order 7", None),
        ("", None),
    ],
)
def test_kind_of_a_statement_is_its_first_words(text, kind):
    assert statement_of({"query": text}) == kind


def test_what_asks_for_the_schema_is_known():
    assert asks_for_schema("SHOW TABLES")
    assert asks_about_one("DESCRIBE")
    assert not asks_about_one("SHOW TABLES")
    assert not asks_for_schema("SELECT")


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    statement_of({"query": text, "sql": text})


def query(text, answer):
    return [call("run_sql", {"query": text}), answer]


def attempt(number):
    drafts = [
        *query(f"SELECT name{number} FROM user", fails("Error: Table 'shop.user' doesn't exist")),
        *query("SHOW TABLES", gives("users, orders")),
        *query(f"SELECT name{number} FROM users", gives("Mia")),
    ]
    return make_source(*drafts, trace_id=f"t-0000000{number}")


def test_statements_of_one_tool_are_steps_of_their_own():
    induction = induce(make_evidence(attempt(1), attempt(2)), Thresholds())

    assert [s.text for s in steps_of(induction)] == [
        "Run `SHOW TABLES` with `run_sql`.",
        "Run the `SELECT` with `run_sql`, as `<query>`.",
    ]


def test_question_for_the_schema_mends_an_unknown_table():
    (mode,) = failures_of(induce(make_evidence(attempt(1), attempt(2)), Thresholds()))

    assert mode.recovery == "Run `SHOW TABLES`, then call `run_sql` again with another `<query>`."


def test_another_statement_alone_is_no_remedy():
    drafts = [
        *query("SELECT a FROM user", fails("Error: Table 'shop.user' doesn't exist")),
        *query("SELECT a FROM users", gives("1")),
    ]
    sources = [make_source(*drafts, trace_id=f"t-0000000{n}") for n in (1, 2, 3)]

    (mode,) = failures_of(induce(make_evidence(*sources), Thresholds()))

    assert mode.recovery is None
