"""A line is a person's by a record of that person, for that Skill, and by nothing else."""

from skillc.core.compile.amendment import (
    AmendedLine,
    AmendmentRecord,
    covered_digests,
    identities_of,
    persons_digest,
    persons_lines,
    replaced_identities,
    uncovered_lines,
)
from skillc.core.skill.claim import Action, Claim, ClaimBasis, InputClaim, InputSource, StepClaim
from skillc.core.skill.contract import Contract, Replaced
from tests.makers import START, make_claim, make_contract

MINE = Claim(id="mine", text="Always ask first.", basis=ClaimBasis.PERSON, person="alice")


def record(*claims: Claim, gone: tuple[Claim, ...] = (), minutes: int = 0, **changes) -> AmendmentRecord:
    fields = {
        "namespace": "acme", "skill": "some-family", "skill_id": make_contract().skill_id, "contract": "x", "run": "r-1",
        "lines": tuple(AmendedLine(field="use_when", claim_id=c.id, digest=persons_digest("use_when", c)) for c in claims),
        "gone": tuple(persons_digest("use_when", c) for c in gone) or None,
        "by": "alice", "at": START.replace(minute=minutes),
    }  # fmt: skip
    return AmendmentRecord(**(fields | changes))


def holding(*claims: Claim, **changes) -> Contract:
    return make_contract(use_when=(make_claim(id="u"), *claims), **changes)


def test_a_line_without_a_record_is_nobodys():
    assert uncovered_lines(holding(MINE), ()) == (("use_when", MINE),)
    assert uncovered_lines(holding(MINE), (record(MINE),)) == ()
    assert uncovered_lines(holding(), ()) == ()
    assert persons_lines(holding(MINE)) == (("use_when", MINE),)


def test_a_record_is_for_one_skill_one_line_and_one_person():
    assert uncovered_lines(holding(MINE), (record(MINE, skill_id="s-another0000"),))
    assert uncovered_lines(holding(MINE), (record(MINE, by="bob"),))
    for change in ({"text": "Never ask."}, {"person": "bob"}, {"person": None}):
        other = MINE.model_copy(update=change)
        assert uncovered_lines(holding(other), (record(MINE),)), change
    step = StepClaim(id="mine", text=MINE.text, basis=ClaimBasis.PERSON, person="alice", action=Action(tool="delete"))
    assert persons_digest("steps", step) != persons_digest("steps", step.model_copy(update={"action": None}))
    assert persons_digest("steps", MINE) != persons_digest("use_when", MINE)


def test_an_id_is_no_part_of_what_a_person_said():
    assert uncovered_lines(holding(MINE.model_copy(update={"id": "other"})), (record(MINE),)) == ()


def test_a_line_that_a_person_took_away_does_not_come_back_by_its_old_record():
    records = (record(MINE, minutes=1), record(gone=(MINE,), minutes=2))
    assert uncovered_lines(holding(MINE), records)
    assert uncovered_lines(holding(MINE), (*records, record(MINE, minutes=3))) == ()
    assert uncovered_lines(holding(MINE), records[::-1])  # the order of reading does not matter


def test_a_skill_keeps_the_lines_of_those_whose_place_it_took():
    made = holding(MINE, skill_id="s-another0000")
    assert uncovered_lines(made, (record(MINE),))
    taken = (Replaced(skill="some-family", skill_id=make_contract().skill_id, tree="0" * 40),)
    made = made.model_copy(update={"origin": made.origin.model_copy(update={"replaces": taken})})
    assert covered_digests(made, (record(MINE),)) == {persons_digest("use_when", MINE): "alice"}
    assert uncovered_lines(made, (record(MINE),)) == ()


def test_what_a_persons_line_stands_for_stays_out_as_long_as_it_is_there():
    line = AmendedLine(field="use_when", claim_id="mine", digest=persons_digest("use_when", MINE), instead_of=("one",))
    made = record(lines=(line,))
    assert replaced_identities(holding(MINE), (made,)) == {"one"}
    assert replaced_identities(holding(), (made,)) == frozenset()


def test_a_step_is_known_by_what_it_does_and_an_input_by_its_name():
    step = StepClaim(id="s", text="Run it.", action=Action(tool="Bash", arguments={"command": "x"}))
    again = step.model_copy(update={"text": "Run it at last."})
    assert len(set(identities_of("steps", step)) & set(identities_of("steps", again))) == 1
    one = InputClaim(id="a", name="one", text="The user states it.", source=InputSource.USER)
    assert identities_of("inputs", one) != identities_of("inputs", one.model_copy(update={"name": "two"}))
