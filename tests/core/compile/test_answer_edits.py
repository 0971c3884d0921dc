"""Typed edits of whole lines: unchanged words keep their line, a person's lines stay, placeholders are held to inputs."""

from skillc.core.compile.answer_edits import edited, merged_fields, undeclared, unique, unused_inputs, words_of
from skillc.core.compile.answer_items import EditAction
from skillc.core.skill.claim import ClaimBasis, InputClaim, InputSource
from tests.makers import make_citation, make_claim, make_contract

OLD = make_claim("Look first.", id="old")
OWN = make_claim("Ask Ada.", id="own", citations=(), basis=ClaimBasis.PERSON)
NEW = make_claim("Look last.", id="new")
INPUT = InputClaim(id="in", text="Stated.", name="order_id", source=InputSource.USER, citations=(make_citation(),))
NONE: frozenset[str] = frozenset()


def test_set_takes_the_place_of_all_lines_but_a_persons():
    assert edited((OLD, OWN), EditAction.SET, (NEW,), NONE) == (NEW, OWN)
    assert edited((OLD, OWN), EditAction.SET, (), NONE) == (OLD, OWN), "an empty set takes nothing away"


def test_append_and_remove_touch_what_they_name():
    assert edited((OLD, OWN), EditAction.APPEND, (NEW,), NONE) == (OLD, OWN, NEW)
    assert edited((OLD, OWN), EditAction.REMOVE, (), frozenset({"old", "own"})) == (OWN,)


def test_unchanged_words_keep_their_id_and_take_new_evidence():
    same = OLD.model_copy(update={"id": "other", "citations": (make_citation("t-00000002", "e1"),)})
    assert edited((OLD,), EditAction.SET, (same,), NONE)[0].id == "old"
    repeated = OLD.model_copy(update={"id": "other"})
    assert edited((OLD,), EditAction.SET, (repeated,), NONE) == (OLD,)
    assert words_of(OLD) == words_of(repeated)


def test_placeholders_and_inputs_are_held_against_each_other():
    line = make_claim("Give <order_id> and <card>.", id="line")
    contract = make_contract(use_when=(line,), inputs=(INPUT,))
    assert undeclared(contract) == {("use_when", "line"): "undeclared-input"}
    assert unused_inputs(contract, None) == set()
    bare = make_contract(inputs=(INPUT,))
    assert unused_inputs(bare, None) == {"in"}
    assert unused_inputs(bare, bare) == set()


def test_every_id_stands_once_over_all_fields():
    assert unique({"outputs": (OLD,), "decisions": (OLD, NEW)}) == {"outputs": (OLD,), "decisions": (NEW,)}


def test_merged_fields_hold_each_text_once():
    first = make_contract(stop_conditions=(OLD,))
    second = make_contract(stop_conditions=(OLD.model_copy(update={"id": "x"}), NEW))
    fields = merged_fields([first, second])
    assert fields["stop_conditions"] == (OLD, NEW)
    assert fields["description"] == (first.description,)
