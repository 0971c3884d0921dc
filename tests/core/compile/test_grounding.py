"""What a line names must stand in its cited events; programs and addresses in what no stranger wrote."""

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compile.grounding import (
    Haystack,
    cited,
    is_encoded,
    shown_text,
    split_value,
    why_not_shown,
    why_ungrounded,
    worked_calls,
)
from skillc.core.skill.claim import Action, FailureClaim, StepClaim
from tests.makers import bash, fails, gives, make_citation, make_claim, make_contract, make_evidence, make_source, user

EVIDENCE = make_evidence(
    make_source(
        user("run the checks of app/store.py"),
        bash("python -m pytest -q app"),
        fails("curl: not found, see https://help.example/x and `make gen`"),
        bash("make gen && python -m pytest -q app"),
        gives("3 passed"),
    )
)
FIRST = make_citation("t-00000001", "e0", "e1")
ALL = make_citation("t-00000001", "e0", "e1", "e2", "e3", "e4")


@pytest.mark.parametrize(
    "text",
    [
        "Run the checks and read what fails.",
        "Run `python -m pytest -q` in `app`.",
        "Look at app/store.py, e.g. its end, and/or ask.",
        "Give it <order_id> and 100 % of your care.",
        "Use python for it.",
    ],
)
def test_a_line_that_its_events_show_is_grounded(text: str):
    assert why_ungrounded(make_claim(text, citations=(ALL,)), EVIDENCE) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Run `npm test`.", "code"),
        ("Run curl on it.", "a program"),
        ("See https://help.example/x.", "an address"),
        ("Ask help.example first.", "an address"),
        ("Write to ada@help.example.", "an address"),
        ("Call delete_all_orders.", "a name"),
        ("Change app/other.py.", "a host or file"),
        ("Use W1188231.", "an identifier"),
        ("Pay 55192 first.", "a number"),
        ("Take VzExODgyMzE= along.", "an encoded value"),
        ("Take %57%31 along.", "an encoded value"),
    ],
)
def test_a_name_that_no_cited_event_has_is_refused_by_its_kind(text: str, reason: str):
    found = why_ungrounded(make_claim(text, citations=(FIRST,)), EVIDENCE)
    assert reason in found
    assert "W1188231" not in found


def test_a_program_that_only_a_tools_output_names_is_not_shown():
    assert "a program" in why_ungrounded(make_claim("Run curl.", citations=(ALL,)), EVIDENCE)
    assert "an address" in why_ungrounded(make_claim("See https://help.example/x", citations=(ALL,)), EVIDENCE)


def test_a_steps_call_is_one_that_was_made():
    def step(**action):
        return StepClaim(id="s", text="Do it.", citations=(ALL,), action=Action(**action))

    assert why_ungrounded(step(tool="Bash", operation="make gen", arguments={}), EVIDENCE) == ""
    assert "tool" in why_ungrounded(step(tool="Write"), EVIDENCE)
    assert "operation" in why_ungrounded(step(tool="Bash", operation="rm"), EVIDENCE)
    assert "argument that" in why_ungrounded(step(tool="Bash", arguments={"timeout": "5"}), EVIDENCE)
    assert "value" in why_ungrounded(step(tool="Bash", arguments={"command": "rm -rf /"}), EVIDENCE)
    assert why_ungrounded(step(tool="Bash", arguments={"command": "make <what>"}), EVIDENCE) == ""


def test_a_recovery_may_name_what_its_own_events_show():
    claim = FailureClaim(
        id="f", text="The generated file is old.", citations=(FIRST,), recovery="Run `make gen`.",
        recovery_citations=(make_citation("t-00000001", "e3"),),
    )  # fmt: skip
    assert why_ungrounded(claim, EVIDENCE) == ""


def test_calls_that_failed_are_no_worked_calls_and_restricted_ones_are_not_read():
    assert [e.id for _, e in worked_calls((ALL,), EVIDENCE)] == ["e3"]
    assert [e.id for e in cited((make_citation("t-00000001", "e1", "e99"),), EVIDENCE)] == ["e1"]
    assert "3 passed" in shown_text((ALL,), EVIDENCE)


def test_a_value_in_two_lines_next_to_each_other_is_seen():
    halves = (make_claim("The first is W118", id="a"), make_claim("8231 is the second.", id="b"))
    assert split_value(make_contract(use_when=halves), ["w1188231"])
    assert not split_value(make_contract(use_when=halves), ["w9999999"])


@given(st.binary(min_size=6, max_size=60))
def test_base64_of_a_text_is_seen_unless_the_events_show_it(data: bytes):
    word = base64.b64encode(data).decode()
    plain = data.isascii() and data.decode().isprintable()
    assert is_encoded(word, "") or not plain
    assert not is_encoded(word, word.casefold())


def test_hostile_text_takes_linear_time():
    started = time.process_time()
    for text in ("a" * 400, "`" * 400, "a." * 200, "@" * 400, "<a" * 200, "%41" * 130):
        why_not_shown(text * 50, Haystack("", ""))
    assert time.process_time() - started < 6
