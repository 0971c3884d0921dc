"""The roles: an engine is whatever answers with records; nothing else is asked of it."""

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import CuratorDecision, Proposal, ProposalOperation, Verdict
from skillc.core.compile.roles import Curator, Engine, Reflector
from tests.makers import make_evidence


class Silent:
    """An engine that proposes one thing and rejects it."""

    name = "silent"
    version = "1"

    def reflect(self, evidence: Evidence, *, run: str) -> tuple[Proposal, ...]:
        return (Proposal(id="p-1", operation=ProposalOperation.NONE),)

    def curate(self, evidence: Evidence, proposals: tuple[Proposal, ...]) -> tuple[Verdict, ...]:
        return tuple(Verdict(proposal_id=p.id, decision=CuratorDecision.REJECT) for p in proposals)


def test_any_object_with_the_two_methods_is_an_engine():
    engine: Engine = Silent()
    reflector: Reflector = engine
    curator: Curator = engine
    proposals = reflector.reflect(make_evidence(), run="r-1")
    assert [v.proposal_id for v in curator.curate(make_evidence(), proposals)] == ["p-1"]
