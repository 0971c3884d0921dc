"""A person's lines are in every version after them: their text, their id, and their place."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.compile.amendment import identities_of, persons_digest
from skillc.core.compile.carrying import carried
from skillc.core.skill.claim import Action, Claim, ClaimBasis, InputClaim, InputSource, StepClaim
from skillc.core.skill.contract import Contract, claims_of, contract_fields
from skillc.core.skill.render import claim_text
from tests.core.skill.contracts import contracts
from tests.makers import make_citation, make_claim, make_contract, make_evidence

NOTHING = make_evidence()


def mine(text: str, id: str = "mine", **changes) -> Claim:
    return Claim(id=id, text=text, basis=ClaimBasis.PERSON, person="alice", **changes)


def texts(contract: Contract, field: str = "use_when") -> list[str]:
    return [c.text for c in claims_of(contract, field)]


def lines(*claims: Claim | str) -> Contract:
    return make_contract(
        use_when=tuple(
            c if isinstance(c, Claim) else make_claim(c, id=f"c-{c}".lower().replace(" ", "-")) for c in claims
        )
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(contracts(), contracts())
def test_whatever_an_engine_writes_every_line_of_people_is_there_as_it_was(before: Contract, made: Contract):
    after = carried(before, made, NOTHING)
    for field in contract_fields():
        own = [c for c in claims_of(before, field) if c.basis is not ClaimBasis.EVENTS]
        assert [c for c in claims_of(after, field) if c in own] == own
        assert [claim_text(c) for c in claims_of(after, field) if c in own] == [claim_text(c) for c in own]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(contracts(), st.sets(st.integers(0, 60)))
def test_a_version_that_only_lost_lines_of_people_gets_them_back_where_they_were(before: Contract, gone: set[int]):
    number = 0
    fields = {}
    for field in contract_fields():
        if field == "description":
            continue
        kept = []
        for claim in claims_of(before, field):
            number += 1
            if claim.basis is ClaimBasis.EVENTS or number not in gone:
                kept.append(claim)
        fields[field] = tuple(kept)
    after = carried(before, before.model_copy(update=fields), NOTHING)
    for field in contract_fields():
        cited = [c for c in claims_of(before, field) if c.basis is ClaimBasis.EVENTS]
        if len({w for c in cited for w in identities_of(field, c)}) >= len(cited):  # no two say the same
            assert set(map(claim_text, claims_of(after, field))) == set(map(claim_text, claims_of(before, field)))


def test_a_line_stands_after_the_one_that_it_stood_after():
    before = lines("one", mine("between"), "two")
    assert texts(carried(before, lines("zero", "one", "two"), NOTHING)) == ["zero", "one", "between", "two"]
    assert texts(carried(before, lines("two", "three"), NOTHING)) == ["between", "two", "three"]
    assert texts(carried(before, lines("four", "five"), NOTHING)) == ["four", "between", "five"]
    assert texts(carried(before, lines(), NOTHING)) == ["between"]


def test_a_step_between_two_that_do_the_same_stays_after_its_own_neighbour():
    """The tests are run first and last; the step that a person wrote comes after the last run."""

    def check(id: str, text: str) -> StepClaim:
        action = Action(tool="Bash", operation="pytest", arguments={"command": "pytest"})
        return StepClaim(id=id, text=text, citations=(make_citation(),), action=action)

    own = StepClaim(id="own", text="Commit by hand.", basis=ClaimBasis.PERSON)
    before = make_contract(steps=(check("s-1", "Run it first."), check("s-2", "Run it until it passes."), own))
    made = make_contract(
        steps=(check("s-1", "Run it first."), make_step("Read."), check("s-9", "Run it until it passes."))
    )
    assert texts(carried(before, made, NOTHING), "steps")[-1] == "Commit by hand."


def test_a_step_that_does_the_same_as_one_that_a_person_changed_stays_where_it_is_another():
    def check(id: str, text: str) -> StepClaim:
        action = Action(tool="Bash", operation="pytest", arguments={"command": "pytest"})
        return StepClaim(id=id, text=text, citations=(make_citation(),), action=action)

    own = StepClaim(id="s-2", text="Run it until it passes, twice.", basis=ClaimBasis.PERSON)
    before = make_contract(steps=(check("s-1", "Run it first."), own))
    evidence = make_evidence(replaced=identities_of("steps", check("s-2", "Run it until it passes.")))
    made = make_contract(steps=(check("s-8", "Run it at first."), check("s-9", "Run it until it passes.")))
    assert texts(carried(before, made, evidence), "steps") == ["Run it at first.", "Run it until it passes, twice."]


def make_step(text: str) -> StepClaim:
    return StepClaim(id="s-read", text=text, citations=(make_citation(),))


def test_the_cited_line_that_it_stands_for_does_not_come_back_beside_it():
    old = make_claim("Do it", id="mine")
    before = lines(mine("Do it twice"))
    assert texts(carried(before, lines(old, "more"), NOTHING)) == ["Do it twice", "more"]
    other = old.model_copy(update={"id": "another-id"})
    assert texts(carried(before, lines(other), NOTHING)) == ["Do it twice", "Do it"]
    assert texts(carried(before, lines(other), make_evidence(replaced=identities_of("use_when", other)))) == [
        "Do it twice"
    ]


def test_a_step_that_does_what_it_stands_for_does_not_come_back_in_other_words():
    step = StepClaim(
        id="s", text="Run it.", citations=(make_citation(),), action=Action(tool="Bash", arguments={"command": "x"})
    )
    before = make_contract(steps=(StepClaim(id="s2", text="Run y.", basis=ClaimBasis.PERSON),))
    again = step.model_copy(update={"id": "s9", "text": "Run it at last."})
    assert texts(
        carried(before, make_contract(steps=(again,)), make_evidence(replaced=identities_of("steps", step))), "steps"
    ) == ["Run y."]


def test_an_input_and_a_description_of_a_person_are_there_once():
    before = make_contract(
        inputs=(InputClaim(id="i", name="order", text="On paper.", source=InputSource.USER, basis=ClaimBasis.PERSON),),
        description=mine("Mine.", id="description"),
    )
    fresh = InputClaim(
        id="j", name="order", text="The user states it.", source=InputSource.USER, citations=(make_citation(),)
    )
    after = carried(before, make_contract(inputs=(fresh,)), NOTHING)
    assert after.inputs == before.inputs
    assert after.description.text == "Mine."


def test_the_inputs_that_a_persons_lines_name_come_along():
    before = make_contract(
        inputs=(
            InputClaim(
                id="i", name="order", text="The user states it.", source=InputSource.USER, citations=(make_citation(),)
            ),
        ),
        steps=(StepClaim(id="s", text="Call it with <order>.", basis=ClaimBasis.PERSON),),
    )
    assert carried(before, make_contract(), NOTHING).inputs == before.inputs


def test_without_lines_of_people_nothing_changes():
    made = lines("one")
    assert carried(lines("two"), made, NOTHING) is made


def test_a_line_that_a_person_decided_against_is_not_carried_and_not_kept():
    line = mine("Always ask")
    before = lines("one", line)
    evidence = make_evidence(overruled=(persons_digest("use_when", line),))
    assert texts(carried(before, lines("one", "two"), evidence)) == ["one", "two"]
    assert texts(carried(before, before, evidence)) == ["one"]
