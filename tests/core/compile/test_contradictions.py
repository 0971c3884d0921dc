"""Lines that verified attempts contradict are found from what the attempts did; what only differs is no contradiction."""

from typing import Any

import pytest

from skillc.core.compile.amendment import persons_digest
from skillc.core.compile.contradictions import contradictions
from skillc.core.compile.evidence import KnownLine
from skillc.core.policy import Thresholds
from skillc.core.skill.claim import Action, Claim, ClaimBasis, InputClaim, InputSource, StepClaim
from skillc.engines.offline.reflect import propose
from tests.corpora import airline_sources
from tests.makers import bash, fails, gives, make_evidence, make_source, user
from tests.refunds import NEW, ONE, TWO, cites, line, order_input, refund, refund_contract, refunds, step

SHARE = Thresholds().mandatory_share
NAMES = [f"t-0000000{n}" for n in range(1, 9)]


def shell(trace_id: str, *commands: str, end: Any = None):
    drafts = [user("please release it")]
    for command in commands:
        drafts += [bash(command), gives("ok")]
    if end is not None:
        drafts[-1] = end
    return make_source(*drafts, trace_id=trace_id)


def run(command: str, operation: str, id: str, event: str = "e1") -> StepClaim:
    action = Action(tool="Bash", operation=operation, arguments={"command": command})
    return StepClaim(id=id, text=f"Run `{command}`.", action=action, citations=cites(event))


def found(contract, *sources, share: float = SHARE):
    return contradictions(contract, make_evidence(*sources), share=share)


# A constant against another one


def method(value: str, **changes):
    return refund_contract(steps=(step("refund", "e3", arguments={"order": "<order>", "method": value}),), **changes)


def test_two_verified_attempts_with_opposite_constants_are_a_conflict():
    (made,) = found(method("original"), refund(NAMES[0]), refund(NAMES[1], method="voucher"))
    assert (made.kind, made.field, made.claim_id, made.is_conflict) == ("value", "steps", "step-refund", True)
    assert made.says == "`method` is `voucher`"
    assert [c.trace_id for c in made.for_it] == [NAMES[0]]
    assert [c.trace_id for c in made.against] == [NAMES[1]]


def test_a_value_that_the_user_or_a_record_gave_is_no_rule():
    assert found(method("original"), refund(NAMES[0]), refund(NAMES[1], method="voucher", said="as a voucher")) == ()
    given = refund(NAMES[1], method="voucher", status="voucher")
    assert found(method("original", preconditions=()), refund(NAMES[0]), given) == ()
    assert found(method("original"), refund(NAMES[0], said="original"), refund(NAMES[1], method="voucher")) == ()


def test_a_few_against_nearly_all_are_told_and_are_no_conflict():
    sources = [*(refund(n) for n in NAMES[:5]), refund(NAMES[5], method="voucher")]
    (made,) = found(method("original"), *sources)
    assert not made.is_conflict
    assert (len(made.agreeing), len(made.opposing)) == (5, 1)


def test_a_placeholder_is_never_contradicted():
    assert found(method("<method>"), refund(NAMES[0]), refund(NAMES[1], method="voucher")) == ()


@pytest.mark.parametrize(
    ("mine", "other", "says"),
    [
        ("make deploy --env=staging", "make deploy --env=production", "--env"),
        ("make deploy --env staging", "make deploy --env production", "--env"),
        ("npm publish --no-provenance", "npm publish --provenance", "--provenance"),
        ("MODE=fast make deploy", "MODE=slow make deploy", "MODE="),
    ],
)
def test_options_and_settings_of_a_command_can_be_opposite(mine: str, other: str, says: str):
    operation = " ".join(w for w in mine.split() if w[0] != "-" and "=" not in w and w not in ("staging",))
    contract = refund_contract(steps=(run(mine, operation, "s-1"),), inputs=())
    (made,) = found(contract, shell(NAMES[0], mine), shell(NAMES[1], other))
    assert made.is_conflict
    assert says in made.says


def test_another_option_beside_the_same_one_is_no_contradiction():
    contract = refund_contract(steps=(run("pytest -q", "pytest", "s-1"),), inputs=())
    assert found(contract, shell(NAMES[0], "pytest -q"), shell(NAMES[1], "pytest -x tests")) == ()
    look = refund_contract(steps=(run("git log --max-count=5", "git log", "s-1"),), inputs=())
    assert found(look, shell(NAMES[0], "git log --max-count=5"), shell(NAMES[1], "git log --max-count=9")) == ()


# The order


TWO_STEPS = refund_contract(
    steps=(run("make migrate", "make migrate", "s-1"), run("make seed", "make seed", "s-2", "e3")), inputs=()
)


def test_two_commands_in_the_other_order_are_a_conflict_when_two_families_stand_on_each_side():
    right = [shell(n, "make migrate", "make seed") for n in NAMES[:2]]
    wrong = [shell(n, "make seed", "make migrate") for n in NAMES[2:4]]
    (made,) = found(TWO_STEPS, *right, *wrong)
    assert (made.kind, made.is_conflict) == ("order", True)
    (made,) = found(TWO_STEPS, *right, wrong[0])
    assert not made.is_conflict


def test_an_order_that_the_case_decides_is_no_rule():
    placed = refund_contract(steps=(step("cancel_order", "e1"), step("refund", "e3")))
    one = refund(NAMES[0])
    assert found(placed, one, refund(NAMES[1])) == ()


def test_checks_may_run_in_any_order():
    checks = refund_contract(steps=(run("pytest", "pytest", "s-1"), run("ruff check", "ruff check", "s-2")), inputs=())
    right = [shell(n, "pytest", "ruff check") for n in NAMES[:2]]
    assert found(checks, *right, *(shell(n, "ruff check", "pytest") for n in NAMES[2:4])) == ()


# Facts, observations, completion


def test_a_precondition_that_a_verified_success_does_not_show_is_contradicted():
    (made,) = found(refund_contract(), refund(NAMES[0]), refund(NAMES[1], status="pending"))
    assert (made.kind, made.field, made.claim_id) == ("fact", "preconditions", "pre-1")
    assert made.says == "`status` is `pending`"


def test_a_result_that_the_skill_promises_and_an_attempt_does_not_see():
    made = refund_contract(expected_observations=(line("The result of `refund` shows `done` = `no`.", "obs-1"),))
    assert found(made, refund(NAMES[0])) == ()  # nobody stands for it either: there are no two sides
    both = refund_contract(
        expected_observations=(line("The result of `find_order` shows `status` = `open`.", "obs-1"),)
    )
    kinds = {c.claim_id for c in found(both, refund(NAMES[0], status="open"), refund(NAMES[1], status="shut"))}
    assert "obs-1" in kinds


def test_a_check_that_ends_a_verified_success_with_an_error_contradicts_its_completion():
    done = refund_contract(completion_criteria=(line("`pytest -q` passes after the last change.", "done-1"),))
    sources = [shell(NAMES[0], "pytest -q"), shell(NAMES[1], "pytest -q", end=fails("2 failed"))]
    (made,) = found(done, *sources)
    assert (made.kind, made.field) == ("completion", "completion_criteria")


# Words


def test_two_lines_that_say_the_opposite_from_different_families():
    one = line("Always restart the worker.", "d-1", "e0", traces=(NAMES[0],))
    two = line("Never restart the worker.", "d-2", "e0", traces=(NAMES[1],))
    (made,) = found(refund_contract(decisions=(one, two), preconditions=()), refund(NAMES[0]), refund(NAMES[1]))
    assert (made.kind, made.is_conflict) == ("words", True)
    same = two.model_copy(update={"citations": one.citations})
    assert found(refund_contract(decisions=(one, same), preconditions=()), refund(NAMES[0]), refund(NAMES[1])) == ()


def test_the_order_of_attempts_does_not_matter():
    sources = [refund(NAMES[0]), refund(NAMES[1], method="voucher"), refund(NAMES[2], status="pending")]
    assert found(method("original"), *sources) == found(method("original"), *reversed(sources))


def test_a_contract_of_its_own_evidence_has_no_contradiction():
    assert contradictions(refund_contract(), refunds(), share=SHARE) == ()


def test_real_attempts_raise_no_false_alarm():
    """Two thirds of an airline benchmark: whatever is compiled from a part is not contradicted by the rest."""
    sources = [s for s in airline_sources() if any(e.tool == "update_reservation_flights" for e in s.trace.events)]
    families = sorted({s.attempt_family for s in sources})
    for size in (1, 2, 3, len(families) // 2, len(families)):
        part = make_evidence(*(s for s in sources if s.attempt_family in families[:size]), task_family="update-flights")
        for proposal in propose(part, run="r-1", thresholds=Thresholds()):
            if proposal.contract is not None:
                assert found(proposal.contract, *sources) == ()


# Lines that people wrote


def test_only_what_a_person_did_not_know_speaks_against_their_line():
    """An input that a person set to a constant, and attempts that used another one before and after."""
    text = "Always `voucher`."
    own = InputClaim(
        id="method", name="method", text=text, source=InputSource.CONSTANT, basis=ClaimBasis.PERSON, person="alice"
    )
    acts = step("refund", "e3", arguments={"order": "<order>", "method": "<method>"})
    made = refund_contract(steps=(acts,), inputs=(order_input(), own))
    old = [refund(ONE, method="original"), refund(TWO, method="original")]
    new = [refund(NEW, method="original"), refund("t-00000007", method="original")]
    known = (KnownLine(digest=persons_digest("inputs", own), traces=(ONE, TWO)),)
    assert contradictions(made, make_evidence(*old, known_to_people=known), share=0.8) == ()
    (one,) = contradictions(made, make_evidence(*old, new[0], known_to_people=known), share=0.8)
    assert (one.field, one.claim_id, one.agreeing, one.opposing, one.is_conflict) == (
        "inputs",
        "method",
        (),
        (NEW,),
        False,
    )
    (two,) = contradictions(made, make_evidence(*old, *new, known_to_people=known), share=0.8)
    assert (two.for_it, two.is_conflict) == ((), True)
    assert {c.trace_id for c in two.against} == {NEW, "t-00000007"}
    agrees = [refund(f"t-0000002{n}", method="voucher") for n in range(9)]
    (few,) = contradictions(made, make_evidence(*new, *agrees, known_to_people=known), share=0.8)
    assert not few.is_conflict  # nearly all attempts do as the person says


def test_a_cited_line_that_says_the_opposite_of_a_persons_is_one_too():
    fact = "`status` is `delivered`."
    own = Claim(id="mine", text=fact, basis=ClaimBasis.PERSON)
    made = refund_contract(use_when=(line("Refunds.", "use-9"), own), do_not_use_when=(line(fact, "not-1", "e2"),))
    (one,) = [x for x in found(made, refund(ONE), refund(TWO)) if x.kind == "words"]
    assert (one.field, one.claim_id, one.for_it, one.opposing, one.is_conflict) == (
        "use_when",
        "mine",
        (),
        (ONE, TWO),
        True,
    )
    known = (KnownLine(digest=persons_digest("use_when", own), traces=(ONE, TWO)),)
    assert not [x for x in contradictions(made, refunds(known_to_people=known), share=SHARE) if x.kind == "words"]
