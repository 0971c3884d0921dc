"""A conflict has two verified sides, is known again, and what a person set aside stays aside."""

from datetime import timedelta

from skillc.core.compile.conflict import (
    ConflictRecord,
    ResolutionRecord,
    conflict_id,
    conflict_of,
    open_conflicts,
    set_aside,
    stale_skill,
    why_no_conflict,
)
from skillc.core.compile.contradictions import contradictions
from tests.makers import START, make_evidence
from tests.refunds import NEW, ONE, TREE, TWO, cites, current, refund, refund_contract, step

CONTRACT = refund_contract(steps=(step("refund", "e3", arguments={"order": "<order>", "method": "original"}),))
EVIDENCE = make_evidence(refund(ONE), refund(TWO), refund(NEW, method="voucher"), current=(current(CONTRACT),))


def found():
    (made,) = contradictions(CONTRACT, EVIDENCE, share=0.8)
    return made


def record(*, at: int = 0, **changes) -> ConflictRecord:
    conflict = conflict_of(CONTRACT.skill_id, found())
    fields = {
        "conflict": conflict_id(CONTRACT.skill_id, conflict), "namespace": "acme", "task_family": "some-family",
        "skill": "some-family", "skill_id": CONTRACT.skill_id, "tree": TREE, "field": "steps", "kind": "value",
        "sides": tuple(s.citations for s in conflict.sides), "families": tuple(s.families for s in conflict.sides),
        "run": "r-1", "at": START + timedelta(hours=at),
    }  # fmt: skip
    return ConflictRecord(**(fields | changes))


def resolution(keep: str, conflict: str | None = None) -> ResolutionRecord:
    return ResolutionRecord(
        conflict=conflict or record().conflict, namespace="acme", skill_id=CONTRACT.skill_id, keep=keep, reason="r",
        by="alice", at=START,
    )  # fmt: skip


def test_what_the_attempts_show_becomes_a_conflict_with_both_sides():
    conflict = conflict_of(CONTRACT.skill_id, found())
    assert why_no_conflict(conflict, EVIDENCE) == ""
    assert [s.families for s in conflict.sides] == [(ONE, TWO), (NEW,)]
    assert all(s.citations for s in conflict.sides)


def test_the_same_conflict_has_the_same_id_and_another_side_has_not():
    conflict = conflict_of(CONTRACT.skill_id, found())
    other = conflict.model_copy(update={"sides": (conflict.sides[0], conflict.sides[0])})
    assert conflict_id(CONTRACT.skill_id, conflict) == record().conflict
    assert conflict_id(CONTRACT.skill_id, other) != record().conflict


def test_a_record_holds_ids_and_no_words():
    data = record().model_dump_json()
    assert "voucher" not in data
    assert "original" not in data


def test_a_conflict_is_open_until_somebody_resolves_it():
    made = record()
    assert open_conflicts([made, record(at=1)], []) == (made,)
    assert open_conflicts([made], [resolution("A")]) == ()
    assert open_conflicts([made], [resolution("A", "c-ffffffffffff")]) == (made,)


def test_the_side_that_a_person_did_not_keep_is_set_aside():
    assert set(set_aside([record()], [resolution("A")])) == {NEW}
    assert set(set_aside([record()], [resolution("B")])) == {ONE, TWO}
    assert set_aside([record()], [resolution("split")]) == {}
    assert set_aside([], [resolution("A")]) == {}


def test_a_trace_of_both_sides_is_never_set_aside():
    made = record(sides=(cites("e3", traces=(ONE,)), cites("e3", traces=(ONE, NEW))), families=((ONE,), (ONE, NEW)))
    assert set(set_aside([made], [resolution("A", made.conflict)])) == {NEW}


def test_a_contradicted_skill_is_stale_with_its_lines():
    stale = stale_skill(CONTRACT.skill_id, "some-family", TREE, [found()])
    assert stale is not None
    assert [(x.field, x.claim_id, x.agreeing, x.opposing) for x in stale.lines] == [("steps", "step-refund", 2, 1)]
    assert stale_skill(CONTRACT.skill_id, "some-family", TREE, []) is None
