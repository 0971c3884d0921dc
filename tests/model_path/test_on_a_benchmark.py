"""On a real benchmark: a model that takes the draft over loses no line of it, and its Skill keeps the promises."""

import pytest

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.select import select_evidence
from skillc.core.policy import Thresholds
from skillc.core.skill.contract import claims_of, contract_fields
from skillc.engines.model.draft import offline_contract
from tests.end_to_end.test_airline import airline as airline
from tests.model_case import judge
from tests.promises import broken_promises

pytestmark = pytest.mark.slow
COMPUTED = ("tools", "effects")


def test_an_echo_of_the_draft_is_the_offline_skill(airline):
    world = airline[0]
    by_family: dict[str, list] = {}
    for attempt in world.attempts().values():
        if attempt.task_family is not None:
            by_family.setdefault(attempt.task_family, []).append(attempt)
    compared = 0
    for family, attempts in sorted(by_family.items()):
        selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
        namespace = attempts[0].trace.header.namespace
        evidence = Evidence(namespace=namespace, task_family=family, sources=selection.sources)
        offline = offline_contract(evidence, Thresholds(), run="r-1")
        judged = judge(evidence=evidence)
        if offline is None:
            assert judged.changes == []
            continue
        contract = judged.changes[0].contract
        assert judged.reasons == ""
        assert broken_promises(contract, evidence) == []
        for field in contract_fields():
            if field not in COMPUTED:
                assert [c.text for c in claims_of(contract, field)] == [c.text for c in claims_of(offline, field)]
        compared += 1
    assert compared >= 3
