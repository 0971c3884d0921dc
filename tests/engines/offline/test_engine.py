"""Golden contracts, determinism, and that every proposal passes the trusted checks."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.compile.checks import check_proposal
from skillc.core.compile.proposal import CuratorDecision
from skillc.core.record import canonical_json, pretty_json
from skillc.core.skill.contract import iter_claims
from skillc.core.skill.render import render_agent_view
from skillc.engines.offline.engine import OfflineEngine
from tests.golden_cases import check_golden, golden_evidence
from tests.makers import call, fails, gives, make_evidence, make_source, says, user

CASES = ("regenerate-client", "refund-order", "add-parcel-field", "add-route", "add-ledger-report")


def reflect(evidence, run="r-1"):
    return OfflineEngine().reflect(evidence, run=run)


@pytest.mark.parametrize("case", CASES)
def test_golden_contract_is_compiled_to_the_same_bytes(case):
    (proposal,) = reflect(golden_evidence(case))

    check_golden(case, "contract.json", pretty_json(proposal.contract))
    check_golden(case, "SKILL.md", render_agent_view(proposal.contract).encode())


@pytest.mark.parametrize("case", CASES)
def test_golden_proposal_passes_the_trusted_checks_and_the_curator(case):
    evidence = golden_evidence(case)
    proposals = reflect(evidence)

    assert check_proposal(proposals[0], evidence) == ()
    (verdict,) = OfflineEngine().curate(evidence, proposals)
    assert verdict.decision is CuratorDecision.ADD
    assert all(claim.supported for claim in verdict.claims)


@pytest.mark.parametrize("case", CASES)
def test_order_of_sources_does_not_matter(case):
    evidence = golden_evidence(case)

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.permutations(evidence.sources))
    def same_bytes(sources):
        shuffled = evidence.model_copy(update={"sources": tuple(sources)})
        assert [canonical_json(p) for p in reflect(shuffled)] == [canonical_json(p) for p in reflect(evidence)]

    same_bytes()


@pytest.mark.parametrize("case", CASES)
def test_every_claim_cites_events(case):
    (proposal,) = reflect(golden_evidence(case))

    assert all(claim.citations for _, claim in iter_claims(proposal.contract))


_EVENTS = st.lists(
    st.one_of(
        st.builds(user, st.text(max_size=40)),
        st.builds(says, st.text(max_size=20)),
        st.builds(
            call,
            st.sampled_from(["Bash", "Edit", "Read", "get_user", "cancel_order", "we`ird\n<tool>", "x"]),
            st.dictionaries(
                st.sampled_from(["command", "file_path", "order_id", "Weird Key!", "9"]),
                st.one_of(st.text(max_size=30), st.integers(), st.none(), st.lists(st.text(max_size=5), max_size=3)),
                max_size=3,
            ),
        ),
        st.builds(gives, st.one_of(st.text(max_size=60), st.dictionaries(st.text(max_size=5), st.text(max_size=9)))),
        st.builds(fails, st.text(max_size=60)),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_EVENTS, min_size=1, max_size=4))
def test_any_traces_give_a_valid_proposal_or_none(traces):
    """Hostile or odd events never break the engine, and what it proposes passes its own curator."""
    sources = [make_source(*drafts, trace_id=f"t-0000000{n}") for n, drafts in enumerate(traces)]
    evidence = make_evidence(*sources)

    for proposal in reflect(evidence):
        if proposal.contract is None:
            assert "no step in common" in proposal.reasons[0]
            continue
        codes = {failure.code for failure in check_proposal(proposal, evidence)}
        assert codes <= {"source-identifier", "only-untrusted"}
        assert proposal.contract.steps
