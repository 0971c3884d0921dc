"""Contradicted lines, conflicts and withdrawals as a person reads them."""

from typing import Any

from skillc.cli.show_upkeep import show_due, show_gone, show_resolved, show_withdrawn
from skillc.core.compile.conflict import conflict_of, stale_skill
from skillc.core.compile.contradictions import contradictions
from skillc.core.compile.weakening import WeakTrace
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.lifecycle.compile_report import FamilyReport, GroupReport, VersionReport, WeakSkill
from skillc.lifecycle.resolve import ResolveReport
from skillc.lifecycle.withdrawal import WithdrawalReport
from tests.makers import make_evidence
from tests.refunds import NEW, ONE, TREE, refund, refund_contract, step

CONTRACT = refund_contract(steps=(step("refund", "e3", arguments={"order": "<order>", "method": "original"}),))
(FOUND,) = contradictions(CONTRACT, make_evidence(refund(ONE), refund(NEW, method="voucher")), share=0.8)


def family(**changes: Any) -> FamilyReport:
    group = GroupReport(branch=None, state="none", versions=(), gates=())
    fields: dict[str, Any] = {
        "task_family": "refunds", "run": None, "read": (), "attempt_families": 0, "left_out": (), "proposals": (),
        "group": group,
    }  # fmt: skip
    return FamilyReport(**(fields | changes))


def test_nothing_due_prints_nothing(capsys):
    show_due(family())
    assert capsys.readouterr().out == ""


def test_a_contradicted_line_names_both_sides(capsys):
    show_due(family(stale=(stale_skill(CONTRACT.skill_id, "refunds", TREE, [FOUND]),)))
    out = capsys.readouterr().out
    assert "contradicted  refunds steps: Call `refund` with `<order>`." in out
    assert "`method` is `voucher`; 1 against 1 attempt families (t-00000003)" in out


def test_a_conflict_is_told_once_with_its_command(capsys):
    stale = stale_skill(CONTRACT.skill_id, "refunds", TREE, [FOUND])
    show_due(family(stale=(stale,), conflicts=(conflict_of(CONTRACT.skill_id, FOUND),)))
    told = capsys.readouterr()
    assert "contradicted" not in told.out
    assert "B  `method` is `voucher`" in told.out
    assert "skillc resolve" in told.out + told.err


def test_weak_evidence_names_the_trace_and_why(capsys):
    weak = WeakTrace(trace_id=ONE, reason="its verifications disagree", lines=())
    show_due(family(weak=(WeakSkill(skill_id="s-1", traces=(weak,)),)))
    assert f"evidence-weakened  {ONE}: its verifications disagree" in capsys.readouterr().out


def test_many_weak_traces_of_a_skill_are_counted(capsys):
    weak = tuple(WeakTrace(trace_id=f"t-{n:08}", reason="not verified", lines=()) for n in range(5))
    show_due(family(weak=(WeakSkill(skill_id="s-1", traces=weak),)))
    out = capsys.readouterr().out
    assert out.count("evidence-weakened") == 3
    assert "and 2 more cited Traces" in out


def test_a_skill_that_goes_out_of_service_is_told_with_the_reason(capsys):
    version = VersionReport(
        skill="refunds", skill_id="s-1", change="withdraw", commit="c" * 40, tree=TREE, reason="conflict: 1 conflict"
    )
    show_gone(version)
    show_gone(version.model_copy(update={"commit": None}))
    out = capsys.readouterr().out
    assert "  out of service  refunds: conflict: 1 conflict" in out
    assert "would go out of service  refunds" in out


def test_a_resolution_says_what_comes_next(capsys):
    report = ResolveReport(
        skill="refunds", conflict="c-1", keep="B", in_service=False, dropped_branch=None, restored=None, left=0
    )
    show_resolved(report)
    told = capsys.readouterr()
    assert "resolved  c-1 of refunds: B is kept" in told.out
    assert "skillc compile" in told.out + told.err


def test_a_withdrawal_prints_its_way_back(capsys):
    report = WithdrawalReport(
        skill="refunds", skill_id="s-1", tree=TREE, reason=WithdrawalReason.RETIRED, detail="r", commit="c" * 40,
        branch="main",
    )  # fmt: skip
    show_withdrawn(report, "skillc restore refunds 1")
    told = capsys.readouterr()
    assert "withdrawn  refunds  on main" in told.out
    assert "skillc restore refunds 1" in told.out + told.err


def test_a_dry_run_claims_nothing(capsys):
    report = ResolveReport(
        skill="refunds", conflict="c-1", keep="A", in_service=True, dropped_branch=None, restored=None, left=0
    )
    show_resolved(report, dry_run=True)
    gone = WithdrawalReport(
        skill="refunds", skill_id="s-1", tree=TREE, reason=WithdrawalReason.RETIRED, detail="r", commit=None,
        branch="main",
    )  # fmt: skip
    show_withdrawn(gone, None)
    assert capsys.readouterr().out.splitlines() == [
        "would resolve c-1 of refunds: A would be kept, and the Skill would be in service again",
        "would withdraw refunds on main",
    ]
