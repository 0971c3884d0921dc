"""One line of the page as a claim: each form is read back, and nothing is taken for something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.skill.claim import Action, FailureClaim, StepClaim
from skillc.core.skill.line_forms import input_name, persons_claim, why_unreadable, without_lost_names
from skillc.core.skill.render import claim_text
from tests.core.skill.contracts import TEXT
from tests.makers import make_citation

FIELDS = ("use_when", "inputs", "steps", "failure_modes", "decisions")


def read(field: str, text: str, before=None):
    return persons_claim(field, text, before, taken=set(), person=None)


@given(st.sampled_from(FIELDS), TEXT)
def test_a_line_is_read_only_as_what_is_written_so_again(field: str, text: str):
    claim = read(field, text)
    assert claim is None or (claim_text(claim) == text and claim.is_persons and claim.citations == ())
    assert claim is not None or why_unreadable(field, text)


def test_the_forms_of_a_step_are_told_apart():
    step = read("steps", "If needed: look it up (repeat for each order).")
    assert (step.text, step.optional, step.repeat) == ("look it up", True, "each order")
    assert read("steps", "If needed: Look it up.").optional is False  # the renderer would write it with a small letter
    assert read("steps", "If needed: ").optional is False if read("steps", "If needed: ") else True
    assert read("steps", "Look it up.").action is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It hangs: Wait.", ("It hangs", "Wait.")),
        ("It hangs. Wait: a while.", ("It hangs.", "Wait: a while.")),
        ("`make` fails with `x` Run `make clean`.", ("`make` fails with `x`", "Run `make clean`.")),
        ("It hangs: No verified recovery is known.", ("It hangs", None)),
        ("It hangs. No verified recovery is known.", ("It hangs.", None)),
    ],
)
def test_a_symptom_and_what_to_do_are_parted(text: str, parts: tuple[str, str | None]):
    claim = read("failure_modes", text)
    assert isinstance(claim, FailureClaim)
    assert (claim.text, claim.recovery) == parts


def test_what_a_changed_step_did_stays_where_its_code_is_the_same():
    action = Action(tool="Bash", operation="pytest", arguments={"command": "pytest -q"})
    before = StepClaim(id="s", text="Run `pytest -q`.", citations=(make_citation(),), action=action)
    assert read("steps", "Run `pytest -q` twice.", before).action == action
    other = read("steps", "Run `pytest -x`.", before).action
    assert (other.operation, other.arguments) == ("pytest", {"command": "pytest -x"})
    assert read("steps", "Run all tests.", before).action == Action(tool="Bash")


def test_an_action_without_its_inputs_keeps_its_tool():
    action = Action(tool="refund", arguments={"order": "<order_id>"})
    before = StepClaim(id="s", text="Refund it.", action=action)
    step = read("steps", "Refund it now.", before)
    assert without_lost_names(step, {"another"}) == step
    assert without_lost_names(step, {"order_id"}).action == Action(tool="refund")
    assert without_lost_names(before, {"order_id"}) == before  # a cited step is what its events show


def test_ids_of_new_lines_are_their_own():
    one = persons_claim("steps", "Do it.", None, taken=set(), person="alice")
    two = persons_claim("steps", "Do it.", None, taken={one.id}, person="alice")
    assert one.id != two.id
    assert (one.person, two.person) == ("alice", "alice")


def test_what_is_wrong_with_a_line_is_said_without_its_words():
    assert why_unreadable("steps", "") == "is empty"
    assert "2000" in why_unreadable("steps", "x" * 3000)
    assert read("steps", "x" * 3000) is None
    assert "secret" not in why_unreadable("inputs", "secret")
    assert input_name("`<a_b>`: text") == "a_b"
    assert input_name("text") is None
