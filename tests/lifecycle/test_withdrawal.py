"""Out of service by a person's command, and the way back."""

import pytest

from skillc.core.compile.proposal import (
    ConflictSide,
    CuratorDecision,
    Proposal,
    ProposalOperation,
    SkillConflict,
    Verdict,
)
from skillc.core.compile.select import select_evidence
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import ChangeKind
from skillc.errors import UsageError
from skillc.lifecycle.check import check
from skillc.lifecycle.judging import Run, judge
from skillc.lifecycle.restore import restore
from skillc.lifecycle.run_inputs import evidence_of
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import Upkeep, withdrawals
from skillc.lifecycle.withdrawal import retire, take_out_of_service, upkeep_files
from tests.reward_world import FAMILY
from tests.world import World


def test_a_retired_skill_leaves_a_note_and_comes_back_by_restore(shop: World):
    tree = current_skills(shop.context())[FAMILY].tree
    report = retire(shop.context(), FAMILY, reason="the shop refunds nothing", by="ada")
    assert (report.tree, report.branch) == (tree, "main")
    assert FAMILY not in current_skills(shop.context())
    assert (shop.root / ".skillc" / "withdrawn" / f"{FAMILY}.json").is_file()
    assert withdrawals(shop.context())[tree].reason is WithdrawalReason.RETIRED
    assert "retired: the shop refunds nothing" in shop.git("log", "-1", "--format=%B")
    assert "nothing new" in shop.compile_one(FAMILY).note  # its evidence is no reason to make it again
    restore(shop.context(), FAMILY, "1")
    assert current_skills(shop.context())[FAMILY].tree == tree
    assert withdrawals(shop.context()) == {}
    assert not (shop.root / ".skillc").exists()


def test_words_of_a_reason_are_no_trailer(shop: World):
    retire(shop.context(), FAMILY, reason="gone\n\nSkillc-Change: add\x1b[2J", by="ada")
    assert shop.git("log", "-1", "--format=%(trailers:key=Skillc-Change,valueonly)") == "withdraw"
    assert "\x1b" not in shop.git("log", "-1", "--format=%B")


def test_a_folder_that_a_revert_brought_back_is_in_service_again_by_restore(shop: World):
    tree = retire(shop.context(), FAMILY, reason="not now", by="ada").tree
    shop.git("revert", "--no-edit", "HEAD")
    (problem,) = [p for p in check(shop.context()).problems if p.code == "out-of-service"]
    assert problem.next.endswith(f"skillc restore {FAMILY} {tree[:12]}")
    before = shop.git("rev-parse", "main")
    assert restore(shop.context(), FAMILY, tree[:12]).commit is None
    assert (withdrawals(shop.context()), shop.git("rev-parse", "main")) == ({}, before)


def test_a_weak_skill_goes_out_of_service_and_the_run_and_its_commit_say_why(shop: World):
    shop.set_policy("success_at: 1", "success_at: 2")
    (version,) = shop.compile_one(FAMILY).group.versions
    assert version.reason == "evidence-weakened: 3 cited Traces support it no longer"
    message = shop.git("log", "-1", "--format=%B", version.commit)
    assert f"Out of service: {version.reason}" in message
    assert "attempt families" not in message  # it rests on nothing


def test_a_folder_of_a_version_out_of_service_goes_when_no_new_version_takes_its_place(shop: World):
    """After a decision the removal is made anew with the run, unless the run makes a new version."""
    context = shop.context()
    skill = current_skills(context)[FAMILY]
    attempts = {a.trace.trace_id: a for a in shop.attempts().values()}
    selection = select_evidence(attempts.values(), cited=frozenset(attempts), consumed=frozenset())
    retire(context, FAMILY, reason="not now", by="ada")
    record = withdrawals(shop.context())[skill.tree]
    run = Run("r-1", evidence_of(context, FAMILY, selection, [skill]), selection, context.now, attempts, own=(skill,))
    run.upkeep = Upkeep(out={skill.tree: record})
    take_out_of_service(run)
    assert [(c.kind, c.reason) for c in run.changes] == [(ChangeKind.WITHDRAW, "retired: not now")]
    take_out_of_service(run)
    assert len(run.changes) == 1


def test_where_base_is_protected_the_removal_waits_on_a_branch(shop: World):
    shop.set_policy("protected_base: false", "protected_base: true")
    report = retire(shop.context(), FAMILY, reason="not now", by="ada")
    assert report.branch == f"skillc/candidate/{FAMILY}-retire"
    assert FAMILY in current_skills(shop.context())
    assert list(withdrawals(shop.context())) == [report.tree]  # and yet it counts at once


def test_a_dry_run_writes_nothing_and_a_reason_is_needed(shop: World):
    before = shop.git("for-each-ref")
    assert retire(shop.context(), FAMILY, reason="r", by="ada", dry_run=True).commit is None
    with pytest.raises(UsageError):
        retire(shop.context(), FAMILY, reason=" ", by="ada")
    assert shop.git("for-each-ref") == before


def test_auto_admission_takes_a_weak_skill_out_at_once(shop: World):
    shop.set_policy("mode: pr", "mode: auto")
    shop.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    shop.set_policy("success_at: 1", "success_at: 2")
    family = shop.compile_one(FAMILY)
    assert (family.group.state, [v.change for v in family.group.versions]) == ("admitted", ["withdraw"])
    assert FAMILY not in current_skills(shop.context())


def test_a_conflict_that_an_engine_reports_takes_the_skill_out_and_no_change_of_it_goes_on(shop: World):
    """The Curator decided it and trusted code found both sides sound: no rule is kept silently."""
    context = shop.context()
    skill = current_skills(context)[FAMILY]
    assert skill.contract is not None
    attempts = {a.trace.trace_id: a for a in shop.attempts().values()}
    selection = select_evidence(attempts.values(), cited=frozenset(attempts), consumed=frozenset())
    evidence = evidence_of(context, FAMILY, selection, [skill])
    one, two = (Citation(trace_id=t, events=("e3",)) for t in sorted(attempts)[:2])
    stated = SkillConflict(
        skill_id=skill.contract.skill_id, field="steps", kind="value",
        sides=(ConflictSide(text="a", citations=(one,)), ConflictSide(text="b", citations=(two,))),
    )  # fmt: skip
    proposal = Proposal(id="p-1", operation=ProposalOperation.CONFLICT, conflict=stated)
    run = Run("r-1", evidence, selection, context.now, attempts, own=(skill,))
    judge(run, (proposal,), (Verdict(proposal_id="p-1", decision=CuratorDecision.CONFLICT),))
    assert run.conflicts == [stated]
    take_out_of_service(run)
    assert [c.kind for c in run.changes] == [ChangeKind.WITHDRAW]
    folders = {file.folder for file in upkeep_files(context, run.own, run.upkeep, run="r-1", at=context.now)}
    assert folders == {"conflicts", "withdrawals"}
