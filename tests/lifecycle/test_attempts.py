"""Every stored Trace with its standing, attempt family and task family."""

import pytest

from skillc.core.compile.history import FamilyRecord
from skillc.errors import UsageError
from skillc.lifecycle.attempts import chosen_attempts, task_family_of
from tests.makers import START, bash, call, gives, make_trace
from tests.world import FIELD, FIX, World


def family(slug: str, *, traces: tuple[str, ...] = (), operations: tuple[str, ...] = ()) -> FamilyRecord:
    return FamilyRecord(namespace="acme", slug=slug, trace_ids=traces, operations=operations, at=START)


def policy():
    from skillc.core.policy import parse_policy

    return parse_policy(b"format: skillc.namespace/1\nnamespace: acme\nsecurity_domain: acme\n")


def test_a_failure_and_its_retry_are_one_attempt_family(world: World):
    families: dict[str, set[str]] = {}
    for attempt in world.attempts().values():
        families.setdefault(attempt.attempt_family, set()).add(attempt.standing.outcome.value)
    assert sorted(sorted(f) for f in families.values() if len(f) > 1) == [["failure", "success"]] * 2


def test_a_persons_assignment_counts_before_the_declared_family():
    trace = make_trace(bash("ls"), gives("a"), task_family="declared")
    records = [family("old", traces=(trace.trace_id,)), family("new", traces=(trace.trace_id,))]
    assert task_family_of(trace, records, policy()) == "new"
    assert task_family_of(trace, [], policy()) == "declared"


def test_an_accepted_group_takes_only_traces_that_change_exactly_the_same():
    cancel = make_trace(call("cancel_order", {"id": "1"}), gives({}))
    look = make_trace(call("get_order", {"id": "1"}), gives({}))
    records = [family("cancel", operations=("cancel_order",))]
    assert task_family_of(cancel, records, policy()) == "cancel"
    assert task_family_of(look, records, policy()) is None


def test_traces_are_chosen_by_the_beginning_of_their_id(world: World):
    trace_id = next(iter(world.attempts()))
    assert [a.trace.trace_id for a in chosen_attempts(world.context(), [trace_id[:12]])] == [trace_id]
    with pytest.raises(UsageError, match="no Trace"):
        chosen_attempts(world.context(), ["zzz"])
    with pytest.raises(UsageError, match="11 Traces"):
        chosen_attempts(world.context(), ["t-"])


def test_the_registry_on_base_decides_what_a_verification_is_worth(world: World):
    assert {a.standing.strength.value for a in world.attempts().values()} == {"tool"}
    world.set_policy("id: unit-tests", "id: renamed")
    standings = [a.standing for a in world.attempts().values()]
    assert {s.strength.value for s in standings} == {"none"}
    assert all("not a registered verifier" in s.reasons[0] for s in standings)
    assert {a.task_family for a in world.attempts().values()} == {FIX, FIELD}


def test_in_draft_mode_no_verification_is_more_than_local(world: World):
    world.set_policy("kind: tool,", "kind: tool, key_class: isolated,")
    assert {a.standing.assurance.label for a in world.attempts().values()} == {"isolated"}
    world.git("rm", "--quiet", "--cached", "skillc.yaml")
    world.git("commit", "--quiet", "-m", "a draft again")
    assert world.context().is_draft
    assert {a.standing.assurance.label for a in world.attempts().values()} == {"local"}
