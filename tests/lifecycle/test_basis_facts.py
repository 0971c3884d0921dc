"""The basis of a verification is looked up again whenever it is read."""

import pytest

from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Assurance, Basis, BasisKind, Strength, Verification
from skillc.lifecycle.basis_facts import events_fact, looked_up
from tests.approvers import session
from tests.makers import bash, gives, user
from tests.world import CHECK, NOW, World

PASSES = (bash("python3 -m unittest -q"), gives("Ran 1 test\nOK", is_error=False))


@pytest.mark.parametrize(
    ("ref", "outcome", "verifier", "holds"),
    [
        ("e1 e2", Outcome.SUCCESS, CHECK, True), ("e1 e2", Outcome.FAILURE, CHECK, False),
        ("e0 e1", Outcome.SUCCESS, CHECK, False), ("e1 e2", Outcome.SUCCESS, "stranger", False),
    ],
)  # fmt: skip
def test_cited_events_must_be_the_run_that_counts(fresh: World, ref: str, outcome: Outcome, verifier: str, holds: bool):
    trace = session(fresh, user("x"), *PASSES)
    claim = Verification(
        namespace="n", trace_id=trace.trace_id, trace_digest=trace.digest, outcome=outcome, verifier_id=verifier,
        basis=Basis(kind=BasisKind.EVENTS, ref=ref), at=NOW,
    )  # fmt: skip
    fact = events_fact(trace, claim, fresh.context().policy)
    assert fact.holds is holds
    assert (fact.strength, fact.assurance) == (
        (Strength.TOOL, Assurance.LOCAL) if holds else (Strength.NONE, Assurance.NONE)
    )
    assert holds or fact.reason


def test_a_check_that_ran_needs_no_second_look(world: World):
    context = world.context()
    found = looked_up(context, list(context.traces.read_all()))
    assert found
    assert {c.fact for records in found.values() for c in records} == {None}
