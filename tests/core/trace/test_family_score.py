"""The calibrated score of a task family: measured on held-out Traces, silent where it cannot be."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.trace.family_marks import FamilyMarks
from skillc.core.trace.family_score import MIN_GROUPS, DeclaredTrace, FamilyModel


def marks(change: str, *words: str, names: tuple[str, ...] = ()) -> FamilyMarks:
    return FamilyMarks(
        changes=frozenset({change} if change else ()), names=frozenset({change, *names}), words=frozenset(words)
    )


def declared(family: str, count: int, found: FamilyMarks, *, start: int = 0) -> list[DeclaredTrace]:
    return [DeclaredTrace(group=f"{family}-{n}", task_family=family, marks=found) for n in range(start, start + count)]


CANCEL, BOOK = marks("cancel_order", "cancel", "order"), marks("book_flight", "book", "flight")
ENOUGH = [*declared("cancel", 12, CANCEL), *declared("book", 12, BOOK)]


def test_a_trace_like_the_declared_ones_gets_their_family_with_a_high_score():
    found = FamilyModel(ENOUGH).score(CANCEL)
    assert found.task_family == "cancel"
    assert found.score >= 0.95


def test_with_too_few_declared_traces_nothing_is_inferred():
    few = [*declared("cancel", MIN_GROUPS // 2, CANCEL), *declared("book", MIN_GROUPS // 2 - 1, BOOK)]
    model = FamilyModel(few)
    assert not model.is_usable
    assert model.score(CANCEL).task_family is None


def test_attempts_at_one_task_are_one_witness():
    same = [DeclaredTrace(group="one", task_family="cancel", marks=CANCEL) for _ in range(50)]
    assert not FamilyModel([*same, *declared("book", 12, BOOK)]).is_usable


def test_a_trace_that_changed_what_a_family_never_changes_is_not_of_it():
    both = FamilyMarks(
        changes=CANCEL.changes | {"refund_order"}, names=CANCEL.names | {"refund_order"}, words=CANCEL.words
    )
    assert FamilyModel(ENOUGH).score(both).task_family is None


def test_a_trace_of_no_known_family_stays_below_the_threshold():
    found = FamilyModel(ENOUGH).score(marks("", "weather", "tomorrow"))
    assert found.task_family is None or found.score < 0.95


def test_families_that_cannot_be_told_apart_are_not_guessed():
    same = [*declared("left", 12, CANCEL), *declared("right", 12, CANCEL)]
    assert FamilyModel(same).score(CANCEL).score < 0.95


def test_the_reliability_table_counts_every_held_out_answer():
    model = FamilyModel(ENOUGH)
    table = model.reliability()
    assert sum(row.count for row in table) == len(model.held_out)
    assert sum(row.right for row in table) == sum(right for _, right in model.held_out)
    assert all(0 <= row.right <= row.count for row in table)


_MARKS = st.builds(
    lambda c, w: marks(c, *w), st.sampled_from(["", "a", "b", "c"]), st.lists(st.sampled_from("uvwxyz"), max_size=3)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["f", "g", "h"]), st.integers(0, 15), _MARKS), max_size=60), _MARKS)
def test_scores_are_shares_and_more_margin_is_never_less_score(
    items: list[tuple[str, int, FamilyMarks]], other: FamilyMarks
):
    model = FamilyModel([DeclaredTrace(group=f"{f}{g}", task_family=f, marks=m) for f, g, m in items])
    assert 0.0 <= model.score(other).score <= 1.0
    found = sorted((model.score(m) for _, _, m in items), key=lambda s: s.margin)
    named = [s for s in found if s.task_family is not None]
    assert [s.score for s in named] == sorted(s.score for s in named)


@given(st.permutations(ENOUGH))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_declared_traces_does_not_matter(items: list[DeclaredTrace]):
    assert FamilyModel(items).score(CANCEL) == FamilyModel(ENOUGH).score(CANCEL)
