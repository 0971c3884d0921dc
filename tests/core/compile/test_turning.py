"""An addition turned into a patch: the same lines keep their ids, new ones get their own, none gets lost."""

from skillc.core.compile.turning import MAX_TRACES, joined, turned
from skillc.core.skill.contract import iter_claims
from tests.refunds import NEW, ONE, TWO, cites, line, refund_contract, step

OLD = refund_contract()


def test_a_line_with_the_same_words_keeps_its_id_and_both_citations():
    made, _ = turned(OLD, refund_contract(outputs=(line("The refund.", "x-1", "e4", traces=(NEW,)),)), {})
    assert [c.id for c in made.outputs] == ["out-1"]
    assert [c.trace_id for c in made.outputs[0].citations] == [ONE, TWO, NEW]


def test_a_new_line_under_a_taken_id_gets_its_own_and_the_old_one_stays():
    made, weak = turned(OLD, refund_contract(outputs=(line("A note.", "out-1"),)), {("outputs", "out-1"): "no"})
    assert [c.text for c in made.outputs] == ["A note.", "The refund."]
    assert list(weak) == [("outputs", made.outputs[0].id)]
    ids = [c.id for _, c in iter_claims(made)]
    assert len(set(ids)) == len(ids)


def test_an_input_is_there_once():
    again = OLD.inputs[0].model_copy(update={"id": "i-2", "text": "Ask for it."})
    made, _ = turned(OLD, refund_contract(inputs=(again,)), {})
    assert [c.name for c in made.inputs] == ["order"]


def test_an_unsupported_description_is_marked_under_the_current_id():
    addition = refund_contract(description=line("Other words.", "d-9", "e0"), steps=(step("refund", "e3"),))
    made, weak = turned(OLD, addition, {("description", "d-9"): "no"})
    assert made.description.id == "description"
    assert weak == {("description", "description"): "no"}


def test_citations_are_joined_within_limits():
    many = line("x", "c-1", "e1", traces=tuple(f"t-0000001{n}" for n in range(9)))
    assert len(joined(line("x", "c-1", "e1"), many).citations) == MAX_TRACES
    assert joined(line("x", "c-1", "e3"), line("x", "c-2", "e1")).citations == cites("e1", "e3")
