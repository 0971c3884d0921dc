"""Which sources a run reads, and why the others are left out. Paper: 5.1, 5.3."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.compile import select as module
from skillc.core.compile.evidence import SourceRole
from skillc.core.compile.history import RunRecord, RunSource
from skillc.core.compile.select import Attempt, consumed_keys, role_of, select_evidence, support_words
from skillc.core.policy import Thresholds
from skillc.core.trace.records import Origin, Outcome
from skillc.core.trace.verification import Standing, Strength
from tests.makers import START, make_standing, make_trace, user

SUCCESS, FAILURE = Outcome.SUCCESS, Outcome.FAILURE


def attempt(
    number: int = 1, *, family: str | None = None, standing: Standing | None = None, **header: object
) -> Attempt:
    trace_id = f"t-{number:08d}"
    return Attempt(
        trace=make_trace(user(f"task {number}"), trace_id=trace_id, **header),
        standing=standing or make_standing(),
        attempt_family=family or trace_id,
        task_family="refunds",
    )


def failed(number: int, **changes: object) -> Attempt:
    return attempt(number, standing=make_standing(FAILURE), **changes)


def select(*attempts: Attempt, cited=(), consumed=(), single: bool = False):
    return select_evidence(attempts, cited=frozenset(cited), consumed=frozenset(consumed), single=single)


def reasons(selection) -> dict[str, str]:
    return {item.trace_id: item.reason for item in selection.left_out}


@pytest.mark.parametrize(
    ("standing", "role", "why"),
    [
        (make_standing(SUCCESS), SourceRole.SUPPORT, ""),
        (make_standing(FAILURE), SourceRole.CONTRAST, ""),
        (make_standing(conflicted=True), None, "its verifications disagree"),
        (make_standing(Outcome.PARTIAL), None, "verified as partial: neither success nor failure"),
        (Standing(strength=Strength.SELF, outcome=SUCCESS), None, "only the agent says that it succeeded"),
        (Standing(strength=Strength.SELF, outcome=FAILURE), None, "not verified"),
        (Standing(), None, "not verified"),
    ],
)
def test_only_a_strong_verdict_gives_a_trace_a_role(standing: Standing, role: SourceRole | None, why: str):
    assert role_of(attempt(standing=standing)) == (role, why)


def test_a_simulated_trace_is_never_evidence():
    """What was made up shows nothing about the world. Paper: 5.1."""
    assert role_of(attempt(origin=Origin.SIMULATED)) == (None, "simulated: never evidence")


def test_failures_are_read_as_contrast():
    selection = select(attempt(1), failed(2))
    assert [(s.trace_id, s.role) for s in selection.sources] == [
        ("t-00000001", SourceRole.SUPPORT), ("t-00000002", SourceRole.CONTRAST),
    ]  # fmt: skip
    assert selection.has_support
    assert not select(failed(2)).has_support


def test_every_attempt_is_read_or_left_out_with_a_reason():
    selection = select(attempt(1), attempt(2, standing=Standing()), failed(3))
    assert {s.trace_id for s in selection.sources} | set(reasons(selection)) == {f"t-0000000{n}" for n in (1, 2, 3)}
    assert all(reasons(selection).values())


def test_duplicate_retries_are_left_out_and_the_family_keeps_its_place():
    many = [attempt(n, family="t-00000001", minutes=n) for n in range(1, 12)]
    selection = select(*many, attempt(50))
    assert len([s for s in selection.sources if s.attempt_family == "t-00000001"]) == module.MAX_PER_FAMILY
    assert set(reasons(selection).values()) == {"duplicate retry of its attempt family"}
    assert selection.sources[0].trace_id == "t-00000001", "the earliest ones stay"


def test_the_size_of_a_run_is_limited_and_said(monkeypatch):
    monkeypatch.setattr(module, "MAX_TRACES", {SourceRole.SUPPORT: 2, SourceRole.CONTRAST: 1})
    selection = select(*(attempt(n) for n in range(1, 5)), *(failed(n) for n in range(5, 8)))
    assert len(selection.sources) == 3
    assert set(reasons(selection).values()) == {"over the size limit of one run"}


def test_the_events_of_a_run_are_limited_too_and_one_source_is_always_read(monkeypatch):
    monkeypatch.setattr(module, "MAX_EVENTS", {SourceRole.SUPPORT: 0, SourceRole.CONTRAST: 0})
    selection = select(*(attempt(n) for n in range(1, 5)), *(failed(n) for n in range(5, 8)))
    assert [s.trace_id for s in selection.sources] == ["t-00000001", "t-00000005"]


def test_over_the_limit_cited_traces_stay_and_each_family_gives_one_before_a_second(monkeypatch):
    monkeypatch.setattr(module, "MAX_TRACES", {SourceRole.SUPPORT: 3, SourceRole.CONTRAST: 1})
    many = [attempt(n, family="t-00000001", minutes=n) for n in range(1, 5)]
    selection = select(*many, attempt(50), attempt(60), cited=["t-00000003"])
    assert [s.trace_id for s in selection.sources] == ["t-00000003", "t-00000050", "t-00000060"]


def test_over_the_limit_what_no_run_has_read_comes_before_what_one_has(monkeypatch):
    monkeypatch.setattr(module, "MAX_TRACES", {SourceRole.SUPPORT: 2, SourceRole.CONTRAST: 1})
    many = [attempt(n) for n in range(1, 5)]
    first = select_evidence(many, cited=frozenset(), consumed=frozenset())
    read = frozenset(a.key for a in many if a.trace.trace_id in {s.trace_id for s in first.sources})
    second = select_evidence(many, cited=frozenset(), consumed=frozenset(), read_before=read)
    assert not {s.trace_id for s in first.sources} & {s.trace_id for s in second.sources}


def test_a_consumed_success_is_left_out_unless_the_skill_cites_it():
    one = attempt(1)
    assert reasons(select(one, consumed=[one.key])) == {"t-00000001": "consumed by earlier runs"}
    assert [s.trace_id for s in select(one, cited=["t-00000001"], consumed=[one.key]).sources] == ["t-00000001"]


def test_a_consumed_failure_is_still_contrast_and_is_not_fresh():
    one = failed(1)
    selection = select(attempt(2), one, consumed=[one.key])
    assert [s.trace_id for s in selection.sources] == ["t-00000001", "t-00000002"]
    assert selection.fresh == ("t-00000002",)


def test_what_the_skill_cites_is_read_again_and_is_not_fresh():
    assert select(attempt(1), cited=["t-00000001"]).fresh == ()


def test_a_single_trace_is_read_although_it_was_consumed():
    one = attempt(1)
    assert select(one, consumed=[one.key], single=True).has_support


@settings(max_examples=20, deadline=None)
@given(
    st.permutations(
        [
            attempt(1),
            failed(2),
            attempt(3, family="t-00000001"),
            attempt(4, standing=Standing()),
            attempt(5, started_at=None),
        ]
    )
)
def test_the_order_of_attempts_does_not_matter(attempts):
    assert select(*attempts) == select(*sorted(attempts, key=lambda a: a.trace.trace_id))


# Cite or retain


def run(name: str, *sources: RunSource, family: str = "refunds") -> RunRecord:
    return RunRecord(
        run=name, namespace="acme", task_family=family, engine="offline", engine_version="1", base_commit=None,
        ledger_commit=None, at=START, read=sources, left_out=(), proposals=(),
    )  # fmt: skip


def read(key: str, role: str = "support") -> RunSource:
    return RunSource(trace_id="t-00000001", key=key, role=role, outcome="success", strength="tool")


def consumed(*runs: RunRecord) -> frozenset[str]:
    return consumed_keys(runs, task_family="refunds", thresholds=Thresholds(retain_runs=3))


def test_a_failure_is_consumed_by_the_run_that_read_it():
    assert consumed(run("r-1", read("k", "contrast"))) == {"k"}


def test_a_success_is_consumed_after_three_runs_that_did_not_need_it():
    runs = [run(f"r-{n}", read("k")) for n in range(3)]
    assert consumed(*runs[:2]) == frozenset()
    assert consumed(*runs) == {"k"}


def test_a_run_that_two_clones_recorded_counts_once():
    runs = [run("r-1", read("k"))] * 3
    assert consumed(*runs) == frozenset()


def test_runs_of_another_family_consume_nothing_here():
    assert consumed(run("r-1", read("k", "contrast"), family="other")) == frozenset()


def test_a_person_is_told_why_a_trace_can_or_cannot_support():
    unassigned = attempt(1).model_copy(update={"task_family": None})
    words = support_words([unassigned, attempt(2), failed(3), attempt(4, standing=Standing())])
    assert words == {
        "t-00000001": (False, "no task family yet"),
        "t-00000002": (True, "strongly verified success"),
        "t-00000003": (False, "verified failure: contrast only"),
        "t-00000004": (False, "not verified"),
    }
