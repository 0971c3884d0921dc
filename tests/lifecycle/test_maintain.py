"""Upkeep on a schedule: what is due is done once, one commit each, and status says why."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skillc.core.skill.contract import Contract, Validity
from skillc.lifecycle import maintain as module
from skillc.lifecycle.admissions import signed_admissions
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.maintain import MaintainReport, maintain
from skillc.lifecycle.restore import restore
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.upkeep import withdrawals
from skillc.repo.home import tool_key_path
from tests.approvers import make_key, public_of, register_person, signing
from tests.lifecycle.test_stale import a_skill
from tests.lifecycle.test_stale import project as project  # a fixture
from tests.reward_world import FAMILY, refund_run, take
from tests.skill_folders import put_skill
from tests.world import FIELD, NOW, World


def skill_of(shop: World) -> Contract:
    contract = current_skills(shop.context())[FAMILY].contract
    assert contract is not None
    return contract


def expire(world: World, contract: Contract, until: datetime) -> None:
    put_skill(world, contract.model_copy(update={"validity": Validity(valid_until=until)}), "until")


def done(report: MaintainReport) -> list[tuple[str, str, str]]:
    return [(w.skill, w.reason.value, w.detail) for w in report.withdrawn]


def test_a_skill_whose_validity_is_past_goes_out_of_service_once(project: World):
    expire(project, a_skill(), NOW)
    before = status(project.context())
    assert (before.skills[0].out_of_service, before.next and before.next.command) == ("expired", "skillc maintain")
    dry = maintain(project.context(), dry_run=True)
    assert done(dry) == [("some-family", "expired", "valid until 2026-12-01T12:00:00Z")]
    assert (dry.withdrawn[0].commit, withdrawals(project.context())) == (None, {})
    report = maintain(project.context())
    assert (done(report), project.git("rev-parse", "HEAD")) == (done(dry), report.withdrawn[0].commit)
    assert "Out of service: expired: valid until" in project.git("log", "-1", "--format=%B")
    (gone,) = status(project.context()).gone
    assert (gone.skill, gone.reason, gone.by) == ("some-family", "expired", "skillc maintain")
    assert done(maintain(project.context())) == []


def test_one_moment_before_its_end_a_skill_is_in_service(project: World):
    expire(project, a_skill(), NOW + timedelta(seconds=1))
    assert done(maintain(project.context())) == []
    assert status(project.context()).skills[0].out_of_service is None


def test_a_compilation_withdraws_an_expired_skill_too_and_makes_no_version_that_is_past(shop: World):
    expire(shop, skill_of(shop), NOW - timedelta(days=1))
    take(shop, "more", refund_run(7))
    (version,) = shop.compile_one(FAMILY).group.versions
    assert (version.change, version.reason) == ("withdraw", "expired: valid until 2026-11-30T12:00:00Z")
    (record,) = withdrawals(shop.context()).values()
    assert record.reason.value == "expired"
    shop.compile_one(FAMILY)  # and once is enough
    assert shop.git("rev-parse", f"skillc/candidate/{FAMILY}") == version.commit


def test_where_policy_protects_base_each_removal_waits_on_a_branch(project: World):
    expire(project, a_skill(), NOW)
    put_skill(project, a_skill(name="other", skill_id="s-fedcba9876543210", validity=Validity(valid_until=NOW)))
    project.set_policy("protected_base: false", "protected_base: true")
    head = project.git("rev-parse", "HEAD")
    report = maintain(project.context())
    assert [w.branch for w in report.withdrawn] == [
        "skillc/candidate/other-retire",
        "skillc/candidate/some-family-retire",
    ]
    assert project.git("rev-parse", "HEAD") == head
    assert len(withdrawals(project.context())) == 2  # which counts from now on
    for gone in report.withdrawn:
        assert project.git("rev-parse", f"{gone.branch}^") == head
    assert done(maintain(project.context())) == []


def sessions(shop: World, *numbers: int, reads: bool = False) -> None:
    """Stores later sessions of the family, each in a file of its own; one that `reads` looks into the Skill."""
    for number in numbers:
        run = refund_run(number)
        at = datetime.now(UTC) + timedelta(days=1 + number)
        run["started_at"] = at.isoformat()
        for place, message in enumerate(run["messages"]):
            message["timestamp"] = (at + timedelta(seconds=place)).isoformat()
        if reads:
            calls = run["messages"][1]["tool_calls"][0]["function"]
            calls["arguments"] = f'{{"path": ".claude/skills/{FAMILY}/SKILL.md"}}'
        take(shop, f"later-{number}", run)


def unused_after(shop: World, count: int) -> None:
    shop.set_policy("retire_unused_after: 0", f"retire_unused_after: {count}")


def test_a_skill_that_no_session_used_is_retired_and_comes_back_by_restore(shop: World):
    sessions(shop, 10, 11)
    assert done(maintain(shop.context())) == []  # 0 retires none
    unused_after(shop, 3)
    assert done(maintain(shop.context())) == []
    sessions(shop, 12)
    tree = current_skills(shop.context())[FAMILY].tree
    assert done(maintain(shop.context())) == [
        (FAMILY, "retired", f"no session used it in the last 3 sessions of {FAMILY}")
    ]
    (gone,) = status(shop.context()).gone
    assert (gone.reason, gone.by, gone.tree) == ("retired", "skillc maintain", tree)
    restore(shop.context(), FAMILY, tree[:12])
    assert current_skills(shop.context())[FAMILY].tree == tree


def test_sessions_count_from_the_last_use_and_not_from_before_the_admission(shop: World):
    unused_after(shop, 2)
    sessions(shop, 10)
    sessions(shop, 11, reads=True)
    sessions(shop, 12)
    assert done(maintain(shop.context())) == []
    sessions(shop, 13)
    assert [w[:2] for w in done(maintain(shop.context()))] == [(FAMILY, "retired")]


def test_a_family_whose_candidate_waits_is_left_to_the_person_who_decides(shop: World, monkeypatch: pytest.MonkeyPatch):
    unused_after(shop, 1)
    sessions(shop, 10)
    assert len(maintain(shop.context(), dry_run=True).withdrawn) == 1
    monkeypatch.setattr(module, "pending_candidates", lambda context: {FAMILY: None})
    assert done(maintain(shop.context(), dry_run=True)) == []


def test_an_admission_by_merge_is_recorded_once_and_signed(world: World, tmp_path: Path):
    key = tmp_path / "alice"
    make_key(key)
    register_person(world, public_of(key))
    world.compile(FIELD)
    world.git(*signing(key), "merge", "--quiet", "--no-ff", "-S", "-m", "ok", f"skillc/candidate/{FIELD}")
    assert [r.by for r in maintain(world.context(), dry_run=True).recorded] == ["alice"]
    (found,) = maintain(world.context()).recorded
    assert (found.commit, found.proof) == (world.git("rev-parse", "HEAD"), "signed")
    (record,) = signed_admissions(world.context())
    assert (record.by, record.proof, record.commit) == ("alice", "signed", found.commit)
    assert [v.skill for v in record.versions] == list(found.skills)
    assert maintain(world.context()).recorded == ()
    assert verify_audit(world.context()).problems == ()


def test_an_admission_without_proof_is_not_recorded(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    assert maintain(world.context()).recorded == ()


def test_a_machine_whose_key_is_not_registered_records_nothing_and_says_so(world: World, tmp_path: Path):
    key = tmp_path / "alice"
    make_key(key)
    register_person(world, public_of(key))
    world.compile(FIELD)
    world.git(*signing(key), "merge", "--quiet", "--no-ff", "-S", "-m", "ok", f"skillc/candidate/{FIELD}")
    tool_key_path().with_suffix(".pub").unlink()
    report = maintain(world.context())
    assert report.recorded == ()
    assert "no registered verifier" in report.notes[0]


def test_stale_skills_are_told(project: World):
    project.git("rm", "--quiet", "src/a.py")
    project.git("commit", "--quiet", "-m", "drop")
    (skill,) = maintain(project.context()).stale
    assert (skill.skill, {i.named for i in skill.items}) == ("some-family", {"src/a.py"})
