"""Pitfalls of compilers that learned from attempts, as rules of this one: evidence, verdicts, merges, budgets."""

import ast
import json
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from skillc.core.admit.gates import GATES, GateInput, check_gates
from skillc.core.audit import AdmissionRecord
from skillc.core.compile.checks import check_contract
from skillc.core.compile.decision import decide, decide_all
from skillc.core.compile.duplicates import merge_proposal, near_duplicates
from skillc.core.compile.evidence import SourceRole
from skillc.core.compile.group import Change, make_group
from skillc.core.compile.history import LineRecord, RepairRecord, RunProposal, RunRecord, RunVersion
from skillc.core.compile.narrow import narrowed
from skillc.core.compile.proposal import ClaimVerdict, CuratorDecision, ProposalOperation, ProposalOutcome, Verdict
from skillc.core.compile.select import Attempt, select_evidence
from skillc.core.compile.sifting import sift
from skillc.core.policy import MAX_BODY_TOKENS, Policy
from skillc.core.record import canonical_json, pretty_json
from skillc.core.skill.claim import ClaimBasis, FailureClaim, InputSource
from skillc.core.skill.contract import (
    ChangeKind,
    Contract,
    OriginNote,
    Replaced,
    SkillOrigin,
    Support,
    Validity,
    contract_fields,
    iter_claims,
    parse_contract,
)
from skillc.core.skill.render import render_full_form
from skillc.core.trace.records import Origin, Outcome
from skillc.core.trace.summary import SummaryClaim, TraceSummary, checked_summary
from skillc.core.trace.verification import Strength, Verification
from skillc.errors import DataError
from skillc.repo.ledger import _RECORDS
from tests.core.trace.test_verification import policy, signed, standing
from tests.makers import START, make_standing, make_trace, user
from tests.refunds import (
    BAD,
    NEW,
    ONE,
    cites,
    current,
    failed,
    line,
    order_input,
    proposal,
    ref,
    refund,
    refund_contract,
    refunds,
    step,
    verdict,
)

SRC = Path(__file__).parents[2] / "src" / "skillc"
D, OP = CuratorDecision, ProposalOperation
OTHER = "s-fedcba9876543210"


def full_contract() -> Contract:
    """A contract with something in every field."""
    mode = FailureClaim(
        id="f-1", text="It fails.", citations=cites("e2"), recovery="Again.", recovery_citations=cites("e3")
    )
    texts = ("do_not_use_when", "tools", "environments", "decisions", "expected_observations", "stop_conditions")
    origin = SkillOrigin(
        skill_id="s-0123456789abcdef", run="r-1", group="g",
        replaces=(Replaced(skill="old", skill_id=OTHER, tree="a" * 40),),
        notes=(OriginNote(kind="lost", field="outputs", claim_id="o", note="gone"),),
    )  # fmt: skip
    return refund_contract(
        **{field: (line(f"About {field}.", f"{field.replace('_', '-')}-1", "e4"),) for field in texts},
        completion_criteria=(line("It is done.", "done-1"),),
        failure_modes=(mode,),
        validity=Validity(valid_from=START, tested_with=("claude-code (claude)",)),
        origin=origin,
    )


def other_skill(*, name: str = "money-back", family: str = "money-back", **changes):
    fields = {
        "skill_id": OTHER, "name": name, "task_family": family,
        "origin": SkillOrigin(skill_id=OTHER, run="r-0", group=""),
    }  # fmt: skip
    return current(refund_contract(**(fields | changes)), "b" * 40)


def test_pitfall_03_no_writer_drops_what_a_record_says():
    made = full_contract()
    assert parse_contract(pretty_json(made), path="c") == made
    run = RunProposal(
        id="p-1", operation=OP.PATCH, skill="s", skill_id=OTHER, content="c", claims=("x",), fields=("steps",),
        verdicts=(ClaimVerdict(field="steps", claim_id="s-1", supported=False, reason="no"),),
        outcome=ProposalOutcome.CURATOR_REJECTED, reasons=("why",),
        dropped=(LineRecord(field="steps", claim_id="s-1", reason="unsupported"),),
        repairs=(RepairRecord(field="steps", claim_id="s-1", trace_id=ONE, event="e1"),),
        lost=(LineRecord(field="outputs", claim_id="o-1", reason="r", skill="s"),), conflict="c-1",
    )  # fmt: skip
    assert RunProposal.model_validate_json(canonical_json(run)) == run
    with pytest.raises(DataError, match="not allowed"):  # what is not known is refused by name and never dropped
        parse_contract(json.dumps(json.loads(pretty_json(made)) | {"rationale": "x"}).encode(), path="c")


@pytest.mark.parametrize("field", [f for f in contract_fields() if f not in ("effects",)])
def test_pitfall_04_a_field_without_a_citation_is_never_admitted(field: str):
    made = full_contract()
    value = getattr(made, field)
    bare = (value[0] if isinstance(value, tuple) else value).model_copy(update={"citations": (), "id": "bare-1"})
    changed = made.model_copy(update={field: (bare,) if isinstance(value, tuple) else bare})
    assert ("no-citation", "bare-1") in {(f.code, f.claim_id) for f in check_contract(changed, refunds())}


def test_pitfall_05_a_strength_is_computed_from_who_signed_and_never_read():
    assert "strength" not in Verification.model_fields
    by_a_stranger = standing(signed(verifier_id="stranger"), registry=policy(), reported=Outcome.SUCCESS)
    assert by_a_stranger.strength is Strength.SELF
    with pytest.raises(ValidationError):
        Verification.model_validate({**signed().verification.model_dump(), "strength": "external"})


def test_pitfall_06_a_simulated_success_supports_nothing():
    trace = make_trace(user("x"), trace_id=ONE, origin=Origin.SIMULATED)
    attempt = Attempt(trace=trace, standing=make_standing(), attempt_family=ONE, task_family="some-family")
    selection = select_evidence([attempt], cited=frozenset(), consumed=frozenset())
    assert selection.sources == ()
    assert [x.reason for x in selection.left_out] == ["simulated: never evidence"]


def test_pitfall_07_a_failure_reaches_the_reflector_as_contrast_and_fills_failure_modes_only():
    sources = {s.trace_id: s for s in (refund(ONE), failed())}
    attempts = [
        Attempt(trace=s.trace, standing=s.standing, attempt_family=t, task_family="f") for t, s in sources.items()
    ]
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    assert {s.trace_id: s.role for s in selection.sources} == {ONE: SourceRole.SUPPORT, BAD: SourceRole.CONTRAST}
    bad = cites("e1", traces=(BAD,))
    mode = FailureClaim(id="f-1", text="`refund` is refused.", citations=bad)
    made = refund_contract(failure_modes=(mode,), outputs=(line("x", "o-1").model_copy(update={"citations": bad}),))
    left = sift(proposal(made), refunds(failed())).proposal.contract
    assert (left.failure_modes, left.outputs) == ((mode,), ())


def test_pitfall_10_no_kind_of_line_is_exempt_from_validation():
    """Steps, decisions, effects, everything: a citation that does not resolve costs the line."""
    made = full_contract()
    invented = cites("e99", traces=(ONE,))
    for field, claim in iter_claims(made):
        changed = claim.model_copy(update={"citations": invented})
        value = getattr(made, field)
        broken = tuple(changed if c == claim else c for c in value) if isinstance(value, tuple) else changed
        found = {(f.code, f.claim_id) for f in check_contract(made.model_copy(update={field: broken}), refunds())}
        assert ("unknown-event", claim.id) in found, field


def test_pitfall_11_no_text_is_cut_at_a_word():
    text = "Call `refund` with `<order>`; return the receipt and return."
    made = refund_contract(steps=(step("refund", "e3", text=text),), outputs=())
    left, _ = narrowed(made, {("preconditions", "pre-1"): "no"}, refunds())
    assert left.steps[0].text.encode() == text.encode()
    assert text in render_full_form(left)


@pytest.mark.parametrize("kinds", [ChangeKind, ClaimBasis, InputSource, ProposalOperation, ProposalOutcome])
def test_pitfall_13_a_kind_is_checked_where_it_is_written_and_stays_what_it_is(kinds):
    for kind in kinds:
        assert kinds(kind.value) is kind
    with pytest.raises(ValueError):
        kinds("functional")
    with pytest.raises(ValidationError):
        RunVersion.model_validate({"skill": "s", "skill_id": OTHER, "change": None, "tree": "t"})


def test_pitfall_14_a_taken_name_is_a_clear_answer_and_changes_nothing():
    made = proposal(refund_contract())
    found = decide(refunds(other_names=("some-family",)), made, verdict(made, D.ADD))
    assert found.change is None
    assert found.reasons[0].startswith("twin: a Skill with this id or name exists")


def test_pitfall_15_a_successor_never_lives_beside_what_it_takes_the_place_of():
    made = proposal(other_skill(name="refund-better", family="some-family").contract)
    found = decide(refunds(current=(current(),)), made, verdict(made, D.REPLACE, target="s-0123456789abcdef"))
    assert [r.skill for r in found.change.removes] == ["some-family"]
    renamed = proposal(refund_contract(name="renamed"), OP.PATCH)
    assert "renamed" in {f.code for f in sift(renamed, refunds(current=(current(),))).failures}
    both = [proposal(refund_contract(), id=f"p-{n}") for n in (1, 2)]
    changes = decide_all(refunds(), tuple(both), {p.id: verdict(p, D.ADD) for p in both})
    assert sum(d.change is not None for d in changes) == 1


def near() -> object:
    return other_skill(
        description=line("Gives money back.", "description", "e0", traces=(NEW,)),
        use_when=(line("Money is wanted back.", "use-1", "e0", traces=(NEW,)),),
        inputs=(order_input((NEW,)),), outputs=(), preconditions=(),
        steps=(step("find_order", "e1", traces=(NEW,)), step("refund", "e3", traces=(NEW,))),
        support=Support(attempt_families=(NEW,), single_source=True),
    )  # fmt: skip


def test_pitfall_16_a_skill_that_another_one_covers_is_proposed_to_go():
    (pair,) = near_duplicates([current(), near()])
    evidence = refunds(refund(NEW), current=pair)
    made = merge_proposal(*pair, evidence, run="r-1")
    found = decide(evidence, made, verdict(made, D.MERGE))
    assert [r.skill for r in found.change.removes] == ["money-back"]


def test_pitfall_18_nothing_evaluates_text():
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), path
    hostile = "__import__('os').system('id')"
    with pytest.raises(DataError):
        parse_contract(hostile.encode(), path="c")


def test_pitfall_19_a_broken_answer_selects_nothing():
    made = proposal(refund_contract())
    for answer in (None, Verdict(proposal_id="p-1", decision=D.ADD), Verdict(proposal_id="p-1", decision=D.NONE)):
        found = decide(refunds(), made, answer)
        assert found.change is None
        assert found.reasons


def gates(contract: Contract, kind: ChangeKind, **approval) -> dict[str, str]:
    group = make_group("r-1", "some-family", (Change(kind=kind, contract=contract, proposal_id="p-1"),))
    settings = {
        "format": "skillc.namespace/1", "namespace": "acme", "security_domain": "acme", "approval": {"mode": "auto"} | approval,
    }  # fmt: skip
    given = GateInput(group=group, policy=Policy.model_validate(settings), standings={}, findings=(), trees={})
    return {v.gate: v.result.value for v in check_gates(given)}


def test_pitfall_20_an_empty_list_lets_nothing_through_and_none_is_no_filter():
    def approval(families) -> str:
        return gates(refund_contract(), ChangeKind.ADD, auto={"families": families})["approval"]

    assert (approval(None), approval([]), approval(["some-family"])) == ("pass", "hold", "pass")


def test_pitfall_21_a_budget_is_of_tokens_and_not_of_items():
    long = "word " * 390
    many = tuple(line(f"{long}{n}", f"o-{n}", "e4") for n in range(30))
    assert len(long) * 30 > 4 * MAX_BODY_TOKENS
    assert "too-long" in {f.code for f in check_contract(refund_contract(outputs=many), refunds())}


def test_pitfall_22_a_summary_names_its_events_or_says_nothing():
    trace = refund(ONE).trace
    made = TraceSummary(
        trace_id=ONE, trace_digest=trace.digest, engine="e", version="1",
        approach=(SummaryClaim(text="it looked", events=("e1",)), SummaryClaim(text="it flew", events=("e99",))),
        effective=(SummaryClaim(text="it paid", events=()),),
    )  # fmt: skip
    kept = checked_summary(trace, made)
    assert [c.text for c in kept.approach] == ["it looked"]
    assert kept.effective == ()


def test_pitfall_28_the_successor_of_a_merge_passes_the_same_checks_again():
    one, two = current(), other_skill(family="some-family")
    uncited = line("Out of nothing.", "o-7").model_copy(update={"citations": ()})
    made = proposal(refund_contract(outputs=(uncited,)), OP.MERGE, targets=(ref(one), ref(two)))
    found = decide(refunds(current=(one, two)), made, verdict(made, D.MERGE))
    assert found.change.contract.outputs == ()
    assert check_contract(found.change.contract, refunds()) == ()


@pytest.mark.parametrize("kind", list(ChangeKind))
def test_pitfall_33_no_kind_of_change_is_exempt_from_a_gate(kind: ChangeKind):
    assert len(gates(refund_contract(), kind)) == len(GATES)
    for operation in (OP.ADD, OP.PATCH, OP.MERGE):
        uncited = line("Out of nothing.", "o-7").model_copy(update={"citations": ()})
        base = (current(), other_skill(family="some-family"))
        made = proposal(refund_contract(outputs=(uncited,)), operation, targets=tuple(map(ref, base)))
        left = sift(made, refunds(current=base)).proposal
        assert left is None or uncited not in left.contract.outputs


def test_a_run_record_is_read_back_whole():
    """Part of pitfall 3: the record that history and consumption are told from."""
    run = RunRecord(
        run="r-1", namespace="acme", task_family="f", engine="offline", engine_version="1", base_commit=None,
        ledger_commit=None, at=START, read=(), left_out=(), proposals=(),
        stale=(LineRecord(field="steps", claim_id="s", reason="value", skill="x"),),
    )  # fmt: skip
    assert RunRecord.model_validate_json(canonical_json(run)) == run


@pytest.mark.parametrize("model", [*_RECORDS.values(), AdmissionRecord, Verification], ids=lambda m: m.__name__)
def test_a_field_that_may_be_absent_is_not_demanded_when_it_is_read(model):
    """Part of pitfall 3: what is None is left out of a record's bytes, so a reader must not ask for it."""
    for name, info in model.model_fields.items():
        assert not (info.is_required() and type(None) in get_args(info.annotation)), name
