"""Rules of proposing."""

from skillc.core.compile.checks import check_proposal
from skillc.core.compile.evidence import CurrentSkill, PastProposal
from skillc.core.compile.history import source_key
from skillc.core.compile.proposal import ProposalOperation, claim_digest, content_key
from skillc.core.policy import Thresholds
from skillc.core.skill.contract import iter_claims
from skillc.core.skill.render import render_agent_view
from skillc.core.trace.records import Outcome
from skillc.engines.offline.reflect import propose
from tests.golden_cases import golden_evidence
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user


def reflect(evidence, run="r-1"):
    return propose(evidence, run=run, thresholds=Thresholds())


def reduced(evidence, *traces):
    return evidence.model_copy(update={"sources": tuple(s for s in evidence.sources if s.trace_id in traces)})


def with_current(evidence, contract):
    return evidence.model_copy(update={"current": (CurrentSkill(contract=contract, tree="a" * 40),)})


def keys(evidence):
    return tuple(sorted(source_key(s.trace, s.standing) for s in evidence.sources))


FULL = golden_evidence("refund-order")
FIRST = reduced(FULL, "t-refund-a1", "t-refund-b1")


def test_family_without_a_verified_success_yields_nothing():
    failed = make_source(call("get_a"), gives({}), outcome=Outcome.FAILURE)

    assert reflect(make_evidence(failed)) == ()


def test_new_evidence_patches_the_skill_and_makes_no_twin():
    first = reflect(FIRST)[0].contract

    (proposal,) = reflect(with_current(FULL, first), run="r-2")

    assert proposal.operation is ProposalOperation.PATCH
    assert proposal.base_tree == "a" * 40
    assert (proposal.contract.skill_id, proposal.contract.name) == (first.skill_id, first.name)
    assert "failure_modes" in proposal.fields
    assert set(proposal.contract.support.attempt_families) > set(first.support.attempt_families)
    assert check_proposal(proposal, with_current(FULL, first)) == ()


def test_same_evidence_again_changes_nothing():
    first = reflect(FULL)[0].contract

    (proposal,) = reflect(with_current(FULL, first), run="r-2")

    assert proposal.operation is ProposalOperation.NONE
    assert proposal.contract is None


def test_rejected_line_is_not_made_again_from_the_same_sources():
    contract = reflect(FULL)[0].contract
    line = contract.failure_modes[0]
    past = PastProposal(
        run="r-0", proposal="p", outcome="human-rejected", content="", claims=(claim_digest("failure_modes", line.text),),
        sources=keys(FULL),
    )  # fmt: skip

    (proposal,) = reflect(FULL.model_copy(update={"history": (past,)}))

    assert line.text not in {c.text for c in proposal.contract.failure_modes}


def test_rejected_line_comes_back_with_a_new_source():
    line = reflect(FULL)[0].contract.failure_modes[0]
    past = PastProposal(
        run="r-0", proposal="p", outcome="human-rejected", content="", claims=(claim_digest("failure_modes", line.text),),
        sources=keys(FIRST),
    )  # fmt: skip

    (proposal,) = reflect(FULL.model_copy(update={"history": (past,)}))

    assert line.text in {c.text for c in proposal.contract.failure_modes}


def test_rejected_proposal_is_not_made_again_from_the_same_sources():
    contract = reflect(FULL)[0].contract
    past = PastProposal(
        run="r-0", proposal="p", outcome="human-rejected", content=content_key(contract), sources=keys(FULL)
    )

    assert reflect(FULL.model_copy(update={"history": (past,)})) == ()


def test_single_source_keeps_no_literal_of_its_only_family():
    evidence = reduced(FULL, "t-refund-c1")
    (proposal,) = reflect(evidence)
    text = render_agent_view(proposal.contract)

    assert proposal.contract.is_single_source
    assert check_proposal(proposal, evidence) == ()
    assert not any(value in text for value in ("ord-2003", "pay-773", "cy_orr_3", "12", "USA", "refunded"))


def test_claim_ids_are_unique_and_stay_the_same():
    first, again = reflect(FULL)[0].contract, reflect(FULL, run="r-9")[0].contract
    ids = [c.id for _, c in iter_claims(first)]

    assert len(set(ids)) == len(ids)
    assert ids == [c.id for _, c in iter_claims(again)]


def test_huge_attempts_give_a_bounded_skill():
    drafts = [user("do many things")]
    for n in range(200):
        drafts += [
            call(
                f"set_thing_{'abcdefghij'[n % 10] * (n // 10 + 1)}",
                {f"key_{c}_{n % 9}": f"value {n}" for c in "abcdefgh"},
            ),
            gives({}),
        ]

    evidence = make_evidence(make_source(*drafts))
    (proposal,) = reflect(evidence)
    contract = proposal.contract

    assert check_proposal(proposal, evidence) == ()
    assert len(contract.steps) <= 20
    assert render_agent_view(contract).count("\n") < 500


def test_line_with_a_value_that_the_scanner_blocks_costs_itself_and_not_the_proposal():
    """Two accounts of one person meet the same error about the same flight."""

    def attempt(n):
        return make_source(
            user("book it"), call("book_seat", {"flight": "HAT139"}), fails("Error: not enough seats on flight HAT139"),
            call("book_seat", {"flight": f"HAT2{n}7"}), gives({"ok": True}), trace_id=f"t-000000{n}",
        )  # fmt: skip

    (proposal,) = propose(make_evidence(attempt(11), attempt(12)), run="r-1", thresholds=Thresholds())

    assert proposal.contract.steps
    assert not any("HAT139" in c.text for c in proposal.contract.failure_modes)


def test_family_without_a_common_step_yields_nothing_and_says_why():
    """Attempts of a whole benchmark: each looks at something else."""
    looks = ("find . -name a", "ls -l", "wc -l b", "find . -name c", "sort d", "find . -name e")
    sources = [make_source(user("?"), bash(c), gives("x"), trace_id=f"t-0000000{n}") for n, c in enumerate(looks)]

    (proposal,) = reflect(make_evidence(*sources))

    assert (proposal.operation, proposal.contract) == (ProposalOperation.NONE, None)
    assert proposal.reasons == (
        "the 6 attempt families have no step in common: what they do differs from case to case",
    )


def test_real_work_that_half_of_the_families_do_is_a_common_step():
    works = [bash("make gen"), gives("ok"), bash("git push"), gives("ok")]
    lists = [works, works, [bash("ls"), gives("x")], [bash("df"), gives("x")]]
    sources = [make_source(user("?"), *d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)]

    (proposal,) = reflect(make_evidence(*sources))

    assert all(s.optional for s in proposal.contract.steps)
