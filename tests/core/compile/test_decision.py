"""The decision table: a decision only narrows, an unsupported line takes away its own change, nothing is lost silently.

Paper: 5.3, Curator.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.compile.checks import check_contract
from skillc.core.compile.decision import TABLE, decide, decide_all
from skillc.core.compile.proposal import (
    ClaimVerdict,
    ConflictSide,
    CuratorDecision,
    LossReason,
    ProposalOperation,
    SkillConflict,
)
from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import ChangeKind, SkillOrigin, Support, iter_claims
from tests.refunds import (
    BAD,
    NEW,
    ONE,
    TREE,
    TWO,
    cites,
    current,
    failed,
    line,
    order_input,
    proposal,
    ref,
    refund,
    refund_contract,
    refunds,
    step,
    verdict,
)

D, OP = CuratorDecision, ProposalOperation
ALL = (ONE, TWO, NEW)


def patch_with(**changes):
    support = Support(attempt_families=ALL, single_source=False)
    return proposal(refund_contract(support=support, **changes), OP.PATCH)


def other_skill(name: str = "other", *, traces=(TWO,), tree: str = "b" * 40, **changes):
    fields = {
        "skill_id": "s-fedcba9876543210",
        "origin": SkillOrigin(skill_id="s-fedcba9876543210", run="r-0", group=""),
        "name": name,
        "steps": (step("find_order", "e1", traces=traces), step("refund", "e3", traces=traces)),
        "support": Support(attempt_families=traces, single_source=len(traces) == 1),
    }
    return current(refund_contract(**(fields | changes)), tree)


def test_the_table_is_the_designs():
    nothing = {D.CONFLICT, D.REJECT, D.NONE}
    assert {
        OP.ADD: {D.ADD, D.PATCH, D.MERGE, D.REPLACE} | nothing,
        OP.PATCH: {D.PATCH} | nothing,
        OP.MERGE: {D.MERGE, D.PATCH} | nothing,
        OP.CONFLICT: nothing,
        OP.NONE: {D.REJECT, D.NONE},
    } == TABLE


@pytest.mark.parametrize("operation", list(OP))
@pytest.mark.parametrize("decision", list(D))
def test_a_decision_that_the_table_does_not_have_changes_nothing(operation: OP, decision: D):
    made = proposal(refund_contract(), operation)
    found = decide(refunds(current=(current(),)), made, verdict(made, decision))
    if decision not in TABLE[operation] or decision in (D.REJECT, D.NONE):
        assert found.change is None
        assert found.conflict is None
        assert found.reasons


def test_an_addition_is_added_with_its_supported_lines_only():
    made = proposal(refund_contract())
    found = decide(refunds(), made, verdict(made, D.ADD, unsupported=("out-1",)))
    assert found.change is not None
    assert found.change.kind is ChangeKind.ADD
    assert found.change.contract.outputs == ()
    assert [d.claim_id for d in found.dropped] == ["out-1"]
    assert found.change.contract.steps == made.contract.steps


@pytest.mark.parametrize("missing", ["description", "use-1"])
def test_a_proposal_dies_only_when_no_valid_contract_is_left(missing: str):
    made = proposal(refund_contract())
    assert decide(refunds(), made, verdict(made, D.ADD, unsupported=(missing,))).change is None


def test_a_step_goes_with_its_input():
    made = proposal(refund_contract())
    found = decide(refunds(), made, verdict(made, D.ADD, unsupported=("input-order",)))
    assert found.change is None  # every step used it
    assert {d.field for d in found.dropped} == {"inputs", "steps"}


def test_a_verdict_that_is_missing_or_given_twice_is_no_support():
    made = proposal(refund_contract())
    full = verdict(made, D.ADD)
    without = full.model_copy(update={"claims": tuple(c for c in full.claims if c.claim_id != "out-1")})
    twice = full.model_copy(
        update={"claims": (*full.claims, ClaimVerdict(field="outputs", claim_id="out-1", supported=True))}
    )
    for answer in (without, twice):
        found = decide(refunds(), made, answer)
        assert found.change is not None
        assert found.change.contract.outputs == ()
    assert decide(refunds(), made, None).reasons == ("the Curator gave no verdict",)


def test_support_is_counted_anew_from_what_is_left():
    one = line("Also this.", "out-2", "e4", traces=(NEW,))
    made = proposal(refund_contract(outputs=(one,), support=Support(attempt_families=ALL, single_source=False)))
    found = decide(refunds(refund(NEW)), made, verdict(made, D.ADD, unsupported=("out-2",)))
    assert found.change.contract.support.attempt_families == (ONE, TWO)


# Patches


def test_a_patch_puts_back_every_field_without_new_evidence():
    made = patch_with(
        outputs=(line("The refund and a note.", "out-1", "e4", traces=(NEW,)),),
        preconditions=(),
        use_when=(line("Anybody asks for anything.", "use-1", "e0"),),
    )
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH))
    assert found.change.fields == ("outputs",)
    old, new = refund_contract(), found.change.contract
    assert (new.preconditions, new.use_when) == (old.preconditions, old.use_when)


def test_an_unsupported_change_of_a_patch_gives_the_old_line_back():
    made = patch_with(
        outputs=(
            line("The refund, at once.", "out-1", "e4", traces=(NEW,)),
            line("And a note.", "out-2", "e4", traces=(NEW,)),
        )
    )
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH, unsupported=("out-1",)))
    assert [c.text for c in found.change.contract.outputs] == ["The refund.", "And a note."]


def test_a_patch_of_which_nothing_is_left_is_no_change():
    made = patch_with(outputs=(line("Other.", "out-1", "e4", traces=(NEW,)),))
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH, unsupported=("out-1",)))
    assert found.change is None
    assert "no change is left" in found.reasons[0]


def test_what_a_patch_says_that_it_touches_counts_for_nothing():
    made = patch_with(outputs=(line("The refund, at once.", "out-1", "e4", traces=(NEW,)),)).model_copy(
        update={"fields": ("description", "steps")}
    )
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH))
    assert found.change.fields == ("outputs",)


def test_a_patch_of_another_version_is_stale():
    made = proposal(refund_contract(), OP.PATCH, base_tree="c" * 40)
    found = decide(refunds(current=(current(),)), made, verdict(made, D.PATCH))
    assert found.change is None
    assert "stale-base" in found.reasons[0]


def test_a_persons_line_stays_in_a_patch():
    own = line("Ask the shop first.", "own-1", "e0").model_copy(update={"basis": ClaimBasis.PERSON, "citations": ()})
    base = current(refund_contract(stop_conditions=(own,)))
    made = patch_with(outputs=(line("The refund, at once.", "out-1", "e4", traces=(NEW,)),))
    found = decide(refunds(refund(NEW), current=(base,)), made, verdict(made, D.PATCH))
    assert found.change.contract.stop_conditions == (own,)


def test_a_patch_with_less_support_is_weaker():
    made = proposal(
        refund_contract(
            steps=(step("find_order", "e1", traces=(NEW,)), step("refund", "e3", traces=(NEW,))),
            inputs=(refund_contract().inputs[0].model_copy(update={"citations": cites("e0", "e1", traces=(NEW,))}),),
            outputs=(), preconditions=(),
            description=line("Refunds.", "description", "e0", traces=(NEW,)),
            use_when=(line("Asked.", "use-1", "e0", traces=(NEW,)),),
            support=Support(attempt_families=(NEW,), single_source=True),
        ),
        OP.PATCH,
        losses=tuple(
            LossReason(skill_id=refund_contract().skill_id, field=f, claim_id=c, reason="no", citations=cites("e0", traces=(NEW,)))
            for f, c in (("outputs", "out-1"), ("preconditions", "pre-1"))
        ),
    )  # fmt: skip
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH))
    assert found.change is None
    assert found.reasons == ("weaker: it has less support than some-family",)


# Losses


def test_a_lost_line_is_listed_and_a_recorded_reason_stands_with_it():
    against = cites("e2", traces=(NEW,))
    reason = LossReason(
        skill_id=refund_contract().skill_id, field="preconditions", claim_id="pre-1",
        reason="refunded while pending", citations=against,
    )  # fmt: skip
    made = patch_with(preconditions=()).model_copy(update={"losses": (reason,)})
    evidence = refunds(refund(NEW, status="pending"), current=(current(),))
    found = decide(evidence, made, verdict(made, D.PATCH))
    assert [(lost.field, lost.claim_id, lost.reason) for lost in found.change.lost] == [
        ("preconditions", "pre-1", "refunded while pending")
    ]
    assert found.change.contract.origin.notes[0].kind == "lost"


def test_a_reason_that_cites_nothing_new_takes_no_line_away():
    reason = LossReason(
        skill_id=refund_contract().skill_id,
        field="preconditions",
        claim_id="pre-1",
        reason="because",
        citations=cites("e2"),
    )
    made = patch_with(
        preconditions=(), outputs=(line("The refund, at once.", "out-1", "e4", traces=(NEW,)),)
    ).model_copy(update={"losses": (reason,)})
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.PATCH))
    assert found.change.contract.preconditions == refund_contract().preconditions


# Twins, merges, replacements


def test_a_patch_of_the_compatible_skill_is_preferred_to_a_twin():
    addition = other_skill("refund-again", traces=(NEW,), outputs=(line("A receipt.", "out-9", "e4", traces=(NEW,)),))
    made = proposal(addition.contract)
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.ADD))
    assert found.change.kind is ChangeKind.PATCH
    assert found.change.contract.skill_id == refund_contract().skill_id
    assert found.change.base_tree == TREE
    assert [c.text for c in found.change.contract.outputs] == ["A receipt.", "The refund."]
    assert found.change.contract.support.attempt_families == ALL


def test_an_addition_under_a_taken_name_is_a_twin():
    unlike = refund_contract(
        skill_id="s-aaaaaaaaaaaaaaaa", origin=SkillOrigin(skill_id="s-aaaaaaaaaaaaaaaa", run="r", group=""),
        steps=(step("refund", "e3", text="Call `refund`.", arguments={}),), inputs=(),
    )  # fmt: skip
    known = current(refund_contract(steps=(step("find_order", "e1"),)))
    made = proposal(unlike)
    found = decide(refunds(current=(known,)), made, verdict(made, D.ADD))
    assert found.change is None
    assert found.reasons[0].startswith("twin:")
    elsewhere = decide(refunds(other_names=("some-family",)), made, verdict(made, D.ADD))
    assert elsewhere.reasons[0].startswith("twin:")


def test_two_equal_proposals_of_one_run_make_one_skill():
    first, second = proposal(refund_contract(), id="p-1"), proposal(refund_contract(), id="p-2")
    found = decide_all(refunds(), (first, second), {p.id: verdict(p, D.ADD) for p in (first, second)})
    assert found[0].change is not None
    assert found[1].change is None


def test_a_merge_keeps_one_id_removes_the_other_folders_and_lists_what_it_loses():
    one, two = current(), other_skill(stop_conditions=(line("It was refunded before.", "stop-1", "e2", traces=(TWO,)),))
    made = proposal(refund_contract(), OP.MERGE, targets=(ref(one), ref(two)))
    found = decide(refunds(current=(one, two)), made, verdict(made, D.MERGE))
    assert found.change.kind is ChangeKind.MERGE
    assert [r.skill for r in found.change.removes] == ["other"]
    assert [(lost.skill, lost.field) for lost in found.change.lost] == [("other", "stop_conditions")]
    assert found.change.contract.origin.replaces == found.change.removes


def test_the_successor_of_a_merge_is_checked_again():
    """A merge that brings in a line without evidence loses that line, and one that is no valid contract dies."""
    one, two = current(), other_skill()
    uncited = line("Out of nothing.", "out-3").model_copy(update={"citations": ()})
    made = proposal(refund_contract(outputs=(uncited,)), OP.MERGE, targets=(ref(one), ref(two)))
    found = decide(refunds(current=(one, two)), made, verdict(made, D.MERGE))
    assert found.change.contract.outputs == ()
    bare = proposal(refund_contract(use_when=()), OP.MERGE, targets=(ref(one), ref(two)))
    assert decide(refunds(current=(one, two)), bare, verdict(bare, D.MERGE)).change is None


def test_a_merge_needs_two_current_skills_and_the_id_of_one():
    one, two = current(), other_skill()
    foreign = refund_contract(
        skill_id="s-bbbbbbbbbbbbbbbb", origin=SkillOrigin(skill_id="s-bbbbbbbbbbbbbbbb", run="r", group="")
    )
    for made in (
        proposal(refund_contract(), OP.MERGE, targets=(ref(one),)),
        proposal(foreign, OP.MERGE, targets=(ref(one), ref(two))),
        proposal(refund_contract(), OP.MERGE, targets=(ref(one), ref(two).model_copy(update={"tree": "0" * 40}))),
    ):
        assert decide(refunds(current=(one, two)), made, verdict(made, D.MERGE)).change is None


def replacement(**changes):
    return proposal(other_skill("refund-better", traces=(ONE, TWO), **changes).contract)


def test_a_replacement_that_loses_nothing_takes_the_place():
    made = replacement()
    found = decide(refunds(current=(current(),)), made, verdict(made, D.REPLACE, target=refund_contract().skill_id))
    assert found.change.kind is ChangeKind.REPLACE
    assert [r.skill for r in found.change.removes] == ["some-family"]
    assert found.change.contract.skill_id != refund_contract().skill_id


@pytest.mark.parametrize(
    "changes",
    [
        {"preconditions": ()},
        {"preconditions": (line("`status` is known.", "pre-1", "e2"),)},
        {"outputs": ()},
    ],
)
def test_a_weaker_rewrite_never_takes_the_place_of_what_works(changes):
    made = replacement(**changes)
    found = decide(refunds(current=(current(),)), made, verdict(made, D.REPLACE, target=refund_contract().skill_id))
    assert found.change is None
    assert found.reasons[0].startswith("weaker:")


# Conflicts


def conflict(*, second=(NEW,), skill_id: str = "s-0123456789abcdef") -> SkillConflict:
    return SkillConflict(
        skill_id=skill_id, field="steps", claim_id="step-refund", kind="value",
        sides=(
            ConflictSide(text="to the card", citations=cites("e3")),
            ConflictSide(text="to a voucher", citations=cites("e3", traces=second)),
        ),
    )  # fmt: skip


def test_a_conflict_between_two_verified_attempts_is_recorded():
    made = proposal(None, OP.CONFLICT, conflict=conflict())
    found = decide(refunds(refund(NEW), current=(current(),)), made, verdict(made, D.CONFLICT))
    assert found.conflict == made.conflict


@pytest.mark.parametrize(
    "made",
    [conflict(second=(ONE,)), conflict(second=(BAD,)), conflict(second=()), conflict(skill_id="s-aaaaaaaaaaaaaaaa")],
)
def test_a_conflict_needs_verified_evidence_on_each_side(made: SkillConflict):
    stated = proposal(None, OP.CONFLICT, conflict=made)
    found = decide(refunds(refund(NEW), failed(), current=(current(),)), stated, verdict(stated, D.CONFLICT))
    assert found.conflict is None
    assert found.reasons[0].startswith("conflict: ")


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(list(D)),
    st.sampled_from([OP.ADD, OP.PATCH, OP.MERGE]),
    st.sets(
        st.sampled_from(["description", "use-1", "pre-1", "input-order", "step-find-order", "step-refund", "out-1"])
    ),
)
def test_whatever_the_curator_answers_what_is_left_keeps_every_rule(decision: D, operation: OP, unsupported: set[str]):
    one, two = current(), other_skill()
    changed = refund_contract(
        outputs=(line("A note.", "out-1", "e4", traces=(NEW,)),),
        support=Support(attempt_families=ALL, single_source=False),
    )
    made = proposal(changed, operation, targets=(ref(one), ref(two)))
    evidence = refunds(refund(NEW), current=(one, two))
    found = decide(evidence, made, verdict(made, decision, unsupported=tuple(unsupported)))
    if found.change is not None:
        contract = found.change.contract
        assert check_contract(contract, evidence) == ()
        old = [c for s in (one, two) for _, c in iter_claims(s.contract)]
        assert all(c.id not in unsupported or c in old for _, c in iter_claims(contract))


# Skills that are out of service


def again(**changes):
    new = SkillOrigin(skill_id="s-aaaaaaaaaaaaaaaa", run="r-9", group="")
    return proposal(refund_contract(skill_id="s-aaaaaaaaaaaaaaaa", origin=new, **changes))


def test_a_skill_out_of_service_comes_back_under_its_own_id():
    made = again(name="another-name")
    found = decide(refunds(former=(current(),)), made, verdict(made, D.ADD))
    contract = found.change.contract
    assert (contract.skill_id, contract.name) == (refund_contract().skill_id, "some-family")
    assert (found.change.kind, found.change.base_tree) == (ChangeKind.RESTORE, None)
    other = again(outputs=(line("A receipt.", "out-2"),))
    assert decide(refunds(former=(current(),)), other, verdict(other, D.ADD)).change.kind is ChangeKind.PATCH


def test_its_name_stays_with_the_skill_that_has_it_now():
    made = again(name="another-name")
    found = decide(refunds(former=(current(),), other_names=("some-family",)), made, verdict(made, D.ADD))
    assert (found.change.contract.skill_id, found.change.contract.name) == (refund_contract().skill_id, "another-name")


def test_other_work_is_no_return_of_a_former_skill():
    unlike = again(name="other-work", steps=(step("wire_money", "e3", text="Wire.", arguments={}),), inputs=())
    left = decide(refunds(former=(current(),)), unlike, verdict(unlike, D.ADD))
    assert left.change is None  # the cited calls never used that tool
    single = again(name="other-work", steps=(step("refund", "e3", text="Pay.", arguments={}),), inputs=())
    known = current(refund_contract(steps=(step("find_order", "e1"),)))
    found = decide(refunds(former=(known,)), single, verdict(single, D.ADD))
    assert (found.change.kind, found.change.contract.skill_id) == (ChangeKind.ADD, "s-aaaaaaaaaaaaaaaa")


def test_which_of_many_families_is_cited_may_change_when_there_are_no_fewer():
    evidence = refunds(refund(NEW), current=(current(),))
    moved = {"traces": (TWO, NEW)}
    made = proposal(
        refund_contract(
            description=line("Refunds an order.", "description", "e0", **moved),
            use_when=(line("Asked.", "use-1", "e0", **moved),),
            preconditions=(line("`status` is `delivered` in the result of `find_order`.", "pre-1", "e2", **moved),),
            inputs=(order_input((TWO, NEW)),),
            steps=(step("find_order", "e1", **moved), step("refund", "e3", **moved)),
            outputs=(line("The refund.", "out-1", **moved),),
            support=Support(attempt_families=(TWO, NEW), single_source=False),
        ),
        OP.PATCH,
    )
    found = decide(evidence, made, verdict(made, D.PATCH))
    assert found.change.contract.support.attempt_families == (TWO, NEW)


# Lines that people wrote


MINE = line("Ask the shop first.", "own-1").model_copy(
    update={"basis": ClaimBasis.PERSON, "citations": (), "person": "alice"}
)


def test_a_merge_has_the_lines_that_people_wrote_in_every_skill_it_takes_together():
    one, two = current(), other_skill(stop_conditions=(MINE,))
    made = proposal(refund_contract(), OP.MERGE, targets=(ref(one), ref(two)))
    found = decide(refunds(current=(one, two)), made, verdict(made, D.MERGE))
    assert found.change.contract.stop_conditions == (MINE,)
    assert found.change.lost == ()


def test_a_replacement_has_the_lines_that_people_wrote_in_what_it_takes_the_place_of():
    made = replacement()
    known = current(refund_contract(stop_conditions=(MINE,)))
    found = decide(refunds(current=(known,)), made, verdict(made, D.REPLACE, target=refund_contract().skill_id))
    assert (found.change.kind, found.change.contract.stop_conditions) == (ChangeKind.REPLACE, (MINE,))


def test_a_skill_that_comes_back_has_the_lines_that_people_wrote_in_it():
    made = again(name="another-name")
    known = current(refund_contract(stop_conditions=(MINE,)))
    found = decide(refunds(former=(known,)), made, verdict(made, D.ADD))
    assert (found.change.kind, found.change.contract.stop_conditions) == (ChangeKind.RESTORE, (MINE,))


def test_an_engine_cannot_say_that_a_person_wrote_a_line():
    made = proposal(refund_contract(stop_conditions=(MINE,)))
    found = decide(refunds(), made, verdict(made, D.ADD))
    assert found.change.contract.stop_conditions == ()
    other = MINE.model_copy(update={"person": "bob"})
    known = current(refund_contract(stop_conditions=(MINE,)))
    patch = patch_with(stop_conditions=(other,), outputs=(line("The refund, at once.", "out-1", "e4", traces=(NEW,)),))
    left = decide(refunds(refund(NEW), current=(known,)), patch, verdict(patch, D.PATCH))
    assert left.change is None or left.change.contract.stop_conditions == (MINE,)


def test_a_candidate_that_a_person_amended_keeps_its_identity_and_their_lines():
    waiting = current(refund_contract(stop_conditions=(MINE,)))
    made = again(name="another-name")
    found = decide(refunds(amended=(waiting,)), made, verdict(made, D.ADD))
    assert (found.change.kind, found.change.contract.skill_id) == (ChangeKind.ADD, refund_contract().skill_id)
    assert found.change.contract.stop_conditions == (MINE,)
