"""Narrowing takes single lines away and nothing else; what hangs on them follows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.compile.narrow import counted, narrowed, placeholders_of
from skillc.core.skill.contract import Support, claims_of, contract_fields, iter_claims
from tests.refunds import NEW, ONE, TWO, line, refund, refund_contract, refunds, step

LINES = [(f, c.id) for f, c in iter_claims(refund_contract())]


def test_without_a_weak_line_nothing_changes():
    assert narrowed(refund_contract(), {}, refunds()) == (refund_contract(), ())


def test_a_weak_line_goes_alone():
    left, fallen = narrowed(refund_contract(), {("outputs", "out-1"): "no"}, refunds())
    assert left == refund_contract(outputs=())
    assert [(d.field, d.claim_id, d.reason) for d in fallen] == [("outputs", "out-1", "no")]


def test_a_step_goes_with_its_input_and_an_unused_input_goes_too():
    plain = step("refund", "e3", text="Call `refund`.", arguments={})
    left, fallen = narrowed(
        refund_contract(steps=(step("find_order", "e1"), plain)), {("inputs", "input-order"): "no"}, refunds()
    )
    assert left is not None
    assert left.steps == (plain,)
    assert left.inputs == ()
    assert "<order>" in next(d.reason for d in fallen if d.field == "steps")
    unused = narrowed(refund_contract(steps=(plain,)), {}, refunds())
    assert unused[0].inputs == ()


def test_a_word_of_the_text_is_never_cut():
    """A step with the word "return" survives byte for byte."""
    text = "Call `refund` with `<order>`, return the receipt; then return."
    made = refund_contract(steps=(step("refund", "e3", text=text),))
    left, _ = narrowed(made, {("outputs", "out-1"): "no"}, refunds())
    assert left.steps == made.steps


def test_a_dropped_change_of_a_patch_gives_the_old_line_back_with_its_input():
    old = refund_contract()
    new = refund_contract(inputs=(), steps=(step("refund", "e3", text="Refund it.", arguments={}),))
    left, _ = narrowed(new, {("steps", "step-refund"): "no"}, refunds(), current=old)
    assert left.steps == (old.steps[1],)
    assert left.inputs == old.inputs


def test_support_is_what_the_citations_give():
    wrong = refund_contract(support=Support(attempt_families=("t-invented1",), single_source=True))
    assert counted(wrong, refunds(refund(NEW))).support == Support(attempt_families=(ONE, TWO), single_source=False)


def test_placeholders_are_found_in_text_and_arguments():
    made = step("refund", "e3", text="For `<who>`.", arguments={"a": ["<b>", {"c": "<d_1>"}], "n": 3})
    assert placeholders_of(made) == {"who", "b", "d_1"}


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from(LINES)))
def test_what_is_left_was_there_before(weak: set[tuple[str, str]]):
    left, _ = narrowed(refund_contract(), dict.fromkeys(weak, "no"), refunds())
    if left is not None:
        for field in contract_fields():
            assert {c.id for c in claims_of(left, field)} <= {c.id for c in claims_of(refund_contract(), field)}
        assert not weak & {(f, c.id) for f, c in iter_claims(left)}
        again, fallen = narrowed(left, {}, refunds())
        assert (again, fallen) == (left, ())


def test_a_line_may_name_an_input_that_only_it_uses():
    made = refund_contract(
        steps=(step("refund", "e3", text="Refund.", arguments={}),),
        decisions=(line("Without `<order>`, ask.", "d-1", "e0"),),
    )
    assert narrowed(made, {}, refunds())[0].inputs == made.inputs
