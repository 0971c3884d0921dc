"""What leaves a namespace: the same text, and nothing of what it rested on."""

from skillc.core.compile.checks import check_contract
from skillc.core.compile.evidence import Evidence
from skillc.core.skill.claim import ClaimBasis, FailureClaim, Frequency, StepClaim
from skillc.core.skill.contract import PublishedFrom, cited_events, iter_claims
from skillc.core.skill.publication import published_contract
from skillc.core.skill.render import render_agent_view
from tests.makers import make_citation, make_claim, make_contract

SOURCE = PublishedFrom(namespace="acme", commit="c" * 40, contract="sha256:1")
CONTRACT = make_contract(
    use_when=(make_claim("Asked.", id="use"),),
    steps=(
        StepClaim(id="s1", text="Do it.", citations=(make_citation(),), optional=True, frequency=Frequency(families=1, of=2)),
        StepClaim(id="s2", text="By hand.", basis=ClaimBasis.PERSON, person="alice"),
    ),
    failure_modes=(
        FailureClaim(
            id="f", text="It fails.", recovery="Again.", citations=(make_citation(),), recovery_citations=(make_citation(),)
        ),
    ),
)  # fmt: skip


def codes(contract, **options: bool) -> set[str]:
    evidence = Evidence(namespace="web", task_family=contract.task_family, sources=())
    return {f.code for f in check_contract(contract, evidence, **options)}


def test_text_stays_and_evidence_people_and_notes_go():
    made = published_contract(CONTRACT, SOURCE, name="other-name")
    assert (made.name, made.skill_id, made.origin.published) == ("other-name", CONTRACT.skill_id, SOURCE)
    assert [c.text for _, c in iter_claims(made)] == [c.text for _, c in iter_claims(CONTRACT)]
    assert {(c.basis, c.citations, c.person) for _, c in iter_claims(made)} == {(ClaimBasis.PUBLISHED, (), None)}
    assert cited_events(made) == {}
    assert made.support.attempt_families == ()
    same_name = published_contract(CONTRACT.model_copy(update={"name": "other-name"}), SOURCE, name="other-name")
    assert render_agent_view(made) == render_agent_view(same_name)


def test_the_run_follows_from_where_it_comes_from():
    one = published_contract(CONTRACT, SOURCE, name="a").origin.run
    assert one == published_contract(CONTRACT, SOURCE, name="a").origin.run
    assert one != published_contract(CONTRACT, SOURCE.model_copy(update={"commit": "d" * 40}), name="a").origin.run


def test_such_a_contract_is_sound_only_where_people_may_stand_for_it():
    made = published_contract(CONTRACT, SOURCE, name="some-family")
    assert codes(made, by_people=True) == set()
    assert {"foreign-basis", "false-support"} <= codes(made)  # an engine states no published line
    cites = made.use_when[0].model_copy(update={"citations": (make_citation(),)})
    assert "cites-events" in codes(made.model_copy(update={"use_when": (cites,)}), by_people=True)
