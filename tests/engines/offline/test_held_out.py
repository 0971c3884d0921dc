"""Rules of holding out: what is asked, and that nothing of the group that is asked was seen."""

import pytest

from skillc.core.compare import measured
from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.held_out import MAX_FOLDS, MEASURES, _was_done, folds_of, held_out_cases
from tests.makers import bash, call, fails, gives, make_evidence, make_source, says, user


def order(number, *, status="pending", named=True, outcome=Outcome.SUCCESS, errs=False):
    uid, oid = f"user-{number}", f"ord-{number}44"
    look = [call("get_user", {"user_id": uid}), gives({"orders": ["ord-0000", oid]})]
    tried = [call("cancel_order", {"order_id": oid, "pin": "0"}), fails("Error: the pin is not valid")] if errs else []
    retry = [call("get_pin", {"user_id": uid}), gives({"pin": f"{number}9"})] if errs else []
    return make_source(
        user(f"I am {uid}, cancel {oid}" if named else f"I am {uid}, cancel my order"), *([] if named else look),
        call("get_order", {"order_id": oid}), gives({"status": status}), says("Shall I?"), user("Yes, please"), *tried, *retry,
        call("cancel_order", {"order_id": oid, "pin": f"{number}9"}), gives({"status": "cancelled"}),
        trace_id=f"t-000000{number}", outcome=outcome,
    )  # fmt: skip


def figures(*sources):
    groups = {s.trace_id: s.trace_id for s in sources}
    cases = held_out_cases(make_evidence(*sources), groups, Thresholds())
    assert tuple(cases) == MEASURES
    return {name: m for name, own in cases.items() if (m := measured(name, own)) is not None}


def test_sources_actions_and_conditions_that_hold_are_found_held_out():
    found = figures(*(order(n, named=n % 2 == 0) for n in range(11, 21)))

    assert found["source_at_1"].ours == 1.0 > found["source_at_1"].best_baseline
    assert found["next_action"].ours == 1.0 > found["next_action"].baselines["bigram"]
    assert found["condition_holds"].ours == 1.0
    assert not any(m.loses for m in found.values())


def test_rule_that_does_not_hold_for_a_group_is_counted_against_the_engine():
    """The last one goes another way than all that it was learned from."""
    sources = [order(n, named=n % 2 == 0) for n in range(11, 21)]
    other = make_source(
        user("I am user-30, cancel ord-3044"), call("get_user", {"user_id": "user-30"}), gives({"orders": ["ord-3044"]}),
        trace_id="t-00000030",
    )  # fmt: skip

    assert figures(*sources, other)["condition_holds"].ours < 1.0


def test_precondition_is_asked_of_the_record_that_the_held_out_attempt_acts_on():
    failures = [order(n, status="shipped", outcome=Outcome.FAILURE) for n in range(31, 35)]

    held = figures(*(order(n) for n in range(11, 19)), *failures)["precondition_precision"]

    assert held.ours == 1.0
    assert held.baselines["base_rate"] == pytest.approx(7 / 11, abs=1e-3)


def test_recovery_is_asked_where_a_held_out_attempt_got_over_the_error():
    found = figures(*(order(n, errs=True) for n in range(11, 16)))

    assert found["recovery_hit"].ours == 1.0
    assert found["recovery_hit"].baselines == {"retry": 0.0}


def test_recovery_that_names_no_call_holds_only_where_nothing_was_changed_before_it():
    (attempt,) = attempts_of((make_source(
        user("go"), bash("pytest"), fails("1 failed"), call("Edit", {"file_path": "a.py"}), gives("ok"), bash("pytest"), gives("1 passed"),
    ),))  # fmt: skip
    _, edit, green = attempt.calls

    assert not _was_done("Run it again before you change anything.", [edit, green])
    assert _was_done("Run it again before you change anything.", [green])


def test_recovery_is_done_by_the_whole_command_that_it_names():
    (attempt,) = attempts_of((make_source(user("go"), bash("python tools/other.py"), gives("ok")),))

    assert not _was_done("Run `python tools/gen.py`, then run it again.", list(attempt.calls))
    assert _was_done("Run `python tools/other.py`, then run it again.", list(attempt.calls))


def test_every_measure_has_one_set_of_baselines():
    sources = [order(n, named=n % 2 == 0, errs=n % 3 == 0) for n in range(11, 21)]
    cases = held_out_cases(make_evidence(*sources), {s.trace_id: s.trace_id for s in sources}, Thresholds())

    assert all(len({tuple(sorted(c.baselines)) for c in own}) == 1 for own in cases.values() if own)


def test_attempts_without_a_group_are_not_read():
    sources = [order(n) for n in range(11, 15)]

    cases = held_out_cases(make_evidence(*sources), {s.trace_id: s.trace_id for s in sources[:2]}, Thresholds())

    assert {c.group for own in cases.values() for c in own} == {"t-00000011", "t-00000012"}


def test_many_groups_are_left_out_in_lots_and_each_once():
    groups = {f"t-{n}": f"g{n:03d}" for n in range(95)}

    folds = folds_of(groups)

    assert len(folds) == MAX_FOLDS
    assert sorted(g for fold in folds for g in fold) == sorted(groups.values())
