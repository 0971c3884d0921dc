"""Rules of the alignment over attempt families."""

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.align import align
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.symbols import alphabet_of
from tests.makers import bash, call, fails, gives, make_source


def source(names, number, **changes):
    drafts = [d for name in names.split() for d in (call(name, {"id": f"v{number}"}), gives({}))]
    return make_source(*drafts, trace_id=f"t-0000000{number}", **changes)


def columns(*sources):
    attempts = attempts_of(sources)
    return align(attempts, alphabet_of(attempts, Thresholds()), Thresholds())


def shape(*sources):
    return [(c.symbol.removeprefix("tool "), c.optional) for c in columns(*sources)]


def test_step_of_most_families_is_mandatory_and_of_some_is_optional():
    found = shape(
        source("get_a set_b", 1),
        source("get_a get_c set_b", 2),
        source("get_a get_c set_b", 3),
        source("get_a set_b", 4),
    )

    assert found == [("get_a", False), ("get_c", True), ("set_b", False)]


def test_step_of_one_family_among_several_is_left_out():
    assert ("get_z", True) not in shape(source("get_a get_z", 1), source("get_a", 2))


def test_many_attempts_of_one_family_weigh_no_more_than_one():
    retries = [source("get_a get_c", n, attempt_family="t-00000001") for n in (1, 2, 3)]

    assert dict(shape(*retries, source("get_a", 4), source("get_a get_c", 5)))["get_c"] is True


def test_failed_attempt_cannot_support_a_step():
    failed = source("get_a get_c", 2, outcome=Outcome.FAILURE)

    assert [c.families for c in columns(source("get_a", 1), failed)] == [("t-00000001",)]


def test_call_that_failed_is_no_step():
    broken = make_source(call("get_a"), fails("no"), call("get_b"), gives({}), trace_id="t-00000001")

    assert shape(broken) == [("get_b", False)]


def test_order_is_the_majoritys():
    assert [s for s, _ in shape(source("get_a get_b", 1), source("get_a get_b", 2), source("get_b get_a", 3))] == [
        "get_a",
        "get_b",
    ]


def test_failing_check_before_the_change_comes_first_and_the_passing_one_last():
    drafts = [
        bash("pytest -q"), fails("1 failed"), call("Edit", {"file_path": "a.py"}), gives("ok"),
        bash("pytest -q"), gives("1 passed"), bash("git add -A && git commit -m x"), gives(""),
    ]  # fmt: skip

    found = [c.symbol for c in columns(make_source(*drafts))]

    assert found == ["check pytest before", "edit <source_file>", "check pytest after", "run git commit"]


def test_needed_look_is_an_optional_column_however_few_families_have_it():
    attempts = attempts_of((source("get_a set_b", 1), source("get_c get_a set_b", 2), source("get_a set_b", 3)))
    alphabet = alphabet_of(attempts, Thresholds())

    found = align(attempts, alphabet, Thresholds(), needed=frozenset(("tool get_c",)))

    assert [(c.symbol, c.optional) for c in found] == [
        ("tool get_c", True),
        ("tool get_a", False),
        ("tool set_b", False),
    ]
