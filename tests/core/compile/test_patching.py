"""A patch touches only fields that new evidence speaks of; all else stays byte for byte."""

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.compile.evidence import PastProposal, StaleLine, StaleSkill
from skillc.core.compile.history import source_key
from skillc.core.compile.patching import patched
from skillc.core.compile.proposal import LossReason, claim_digest
from skillc.core.record import canonical_json
from skillc.core.skill.contract import Validity, claims_of, contract_fields
from tests.refunds import NEW, ONE, TREE, TWO, cites, line, refund, refund_contract, refunds, step

OLD = refund_contract()
FIELDS = [f for f in contract_fields() if f not in ("description", "steps", "inputs", "effects", "failure_modes")]


def touched(evidence=None, losses=(), **changes):
    return patched(OLD, refund_contract(**changes), evidence or refunds(refund(NEW)), tuple(losses)).fields


def test_new_words_from_old_evidence_touch_nothing():
    assert touched(outputs=(line("Anything.", "out-1", "e4"),)) == ()


def test_new_words_from_new_evidence_touch_their_field():
    assert touched(outputs=(line("Anything.", "out-1", "e4", traces=(NEW,)),)) == ("outputs",)


def test_steps_and_inputs_are_touched_together():
    new = step("refund", "e3", id="step-new", traces=(NEW,), text="Pay back.", arguments={})
    made = patched(OLD, refund_contract(steps=(new,), inputs=()), refunds(refund(NEW)))
    assert made.fields == ("inputs", "steps")


def test_a_line_that_a_person_rejected_may_go():
    evidence = refunds()
    keys = tuple(source_key(s.trace, s.standing) for s in evidence.sources)
    past = PastProposal(
        run="r", proposal="p", outcome="human-rejected", content="", sources=keys,
        claims=(claim_digest("outputs", "The refund."),),
    )  # fmt: skip
    assert touched(evidence.model_copy(update={"history": (past,)}), outputs=()) == ("outputs",)
    assert touched(evidence, outputs=()) == ()


def test_a_line_whose_evidence_is_gone_may_go():
    gone = refunds().model_copy(update={"sources": (refund(ONE), refund(NEW))})
    assert touched(gone, outputs=()) == ("outputs",)


def test_a_line_that_new_evidence_contradicts_may_go():
    stale = StaleSkill(
        skill_id=OLD.skill_id, skill=OLD.name, tree=TREE,
        lines=(
            StaleLine(
                field="preconditions", claim_id="pre-1", kind="fact", text="x", says="y",
                against=cites("e2", traces=(NEW,)), agreeing=2, opposing=1,
            ),
        ),
    )  # fmt: skip
    evidence = refunds(refund(NEW), stale=(stale,))
    assert touched(evidence, preconditions=(), outputs=()) == ("preconditions",)


def test_a_reason_takes_a_line_away_only_with_new_evidence_that_is_stored():
    def reason(*events: str, trace: str = NEW) -> LossReason:
        citations = cites(*events, traces=(trace,))
        return LossReason(skill_id=OLD.skill_id, field="outputs", claim_id="out-1", reason="r", citations=citations)

    assert touched(losses=(reason("e4"),), outputs=()) == ("outputs",)
    for wrong in (reason("e99"), reason("e4", trace=ONE), reason("e4", trace="t-99999999")):
        assert touched(losses=(wrong,), outputs=()) == ()


def test_identity_and_validity_stay():
    made = patched(
        OLD,
        refund_contract(name="other", task_family="another", validity=Validity(tested_with=("nobody (nothing)",))),
        refunds(refund(NEW)),
    ).contract
    assert (made.name, made.task_family, made.validity) == (OLD.name, OLD.task_family, OLD.validity)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(FIELDS), st.sampled_from([(ONE,), (TWO, ONE), (NEW,)]), st.text(min_size=1, max_size=20))
def test_untouched_fields_are_byte_identical(field: str, traces: tuple[str, ...], text: str):
    if not text.strip():
        return
    made = patched(OLD, refund_contract(**{field: (line(text, "x-1", "e4", traces=traces),)}), refunds(refund(NEW)))
    for other in contract_fields():
        if other not in made.fields:
            left, right = claims_of(made.contract, other), claims_of(OLD, other)
            assert [canonical_json(c) for c in left] == [canonical_json(c) for c in right]
    assert set(made.fields) <= {field}
