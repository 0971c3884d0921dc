"""Rules of grouping undeclared Traces by what they changed."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.family import (
    MAX_SLUG_CHARS,
    TraceOperations,
    changing_operations,
    group_by_operation,
    operations_of_traces,
    slug_of,
)
from tests.corpora import airline_sources
from tests.makers import bash, call, fails, gives, make_trace


def traced(trace_id: str, *operations: str, family: str | None = None) -> TraceOperations:
    return TraceOperations(trace_id=trace_id, attempt_family=family or trace_id, operations=operations)


def test_slug_is_made_of_tool_names():
    assert slug_of(["cancel_reservation"]) == "cancel-reservation"
    assert slug_of(["update_reservation_flights"]) == "update-reservation-flights"
    assert slug_of(["mcp__tracker__createIssue"]) == "create-issue"


def test_several_changes_are_joined_in_one_slug():
    assert slug_of(["cancel", "book"]) == "book-and-cancel"


def test_no_change_has_a_group_of_its_own():
    assert slug_of([]) == "no-change"
    assert changing_operations(make_trace(call("get_user", {"id": 1}), gives("{}"))) == ()


def test_trace_with_changes_of_two_groups_is_in_neither_of_them():
    groups = group_by_operation(
        [traced("t-00000001", "cancel"), traced("t-00000002", "book"), traced("t-00000003", "book", "cancel")]
    )

    assert {g.slug: g.trace_ids for g in groups} == {
        "book": ("t-00000002",),
        "book-and-cancel": ("t-00000003",),
        "cancel": ("t-00000001",),
    }


def test_groups_count_attempt_families_not_traces():
    groups = group_by_operation([traced(f"t-0000000{n}", "cancel", family="t-00000001") for n in (1, 2, 3)])

    assert groups[0].attempt_families == ("t-00000001",)
    assert len(groups[0].trace_ids) == 3


def test_change_that_only_failed_does_not_mark_a_trace():
    trace = make_trace(call("cancel_order", {"id": "A1"}), fails("no such order"))

    assert changing_operations(trace) == ()


def test_edits_are_named_with_the_tests_that_were_run():
    trace = make_trace(
        bash("cd app && python -m pytest -q"),
        fails("1 failed"),
        call("Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"}),
        gives("ok"),
        bash("python -m pytest -q && git commit -am fix"),
        gives("1 passed"),
    )

    assert changing_operations(trace) == ("edit", "pytest")
    assert slug_of(changing_operations(trace)) == "edit-and-pytest"


def test_arguments_never_decide_a_group():
    one = make_trace(call("cancel_order", {"id": "A1"}), gives("ok"), trace_id="t-00000001")
    two = make_trace(call("cancel_order", {"id": "B2", "why": "x"}), gives("ok"), trace_id="t-00000002")

    assert changing_operations(one) == changing_operations(two)


@given(st.lists(st.text(max_size=30), max_size=6))
def test_slug_is_always_a_slug(names):
    import re

    from skillc.core.trace.records import FAMILY_PATTERN

    slug = slug_of(names)
    assert re.match(FAMILY_PATTERN, slug)
    assert len(slug) <= MAX_SLUG_CHARS


@given(st.permutations([traced(f"t-0000000{n}", *ops) for n, ops in enumerate(("a", "ab", "b", "ba", ""))]))
def test_order_of_traces_does_not_matter(items):
    assert group_by_operation(items) == group_by_operation(sorted(items, key=lambda t: t.trace_id))


def test_airline_attempts_form_sensible_groups():
    sources = airline_sources()
    families = {s.trace_id: s.attempt_family for s in sources}

    groups = group_by_operation(operations_of_traces((s.trace for s in sources), families))

    by_slug = {g.slug: g for g in groups}
    assert sum(len(g.trace_ids) for g in groups) == 100
    assert {"cancel-reservation", "book-reservation"} <= set(by_slug)
    for slug in ("no-change", "transfer-to-human-agents", "update-reservation-flights", "send-certificate"):
        assert len(by_slug[slug].attempt_families) >= 3
