"""The audit: everything that happened is in it once, in order, and a Skill's part of it can be asked for."""

from datetime import timedelta
from pathlib import Path

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.approve import approve
from skillc.lifecycle.audit import audit
from skillc.lifecycle.reject import reject
from tests.approvers import key_that_asks, public_of, register_person
from tests.world import FIELD, FIX, NOW, World


@pytest.fixture
def told(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A namespace in which one candidate was approved and merged, and the other rejected."""
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(world, public_of(key))
    world.compile()
    approve(world.context(), FIELD, key_path=key, reason="fine")
    world.merge(FIELD)
    reject(world.context(), FIX, None, reason="too general", by="Ada")
    return world


def kinds(world: World, **options: str) -> list[str]:
    return [e.event for e in audit(world.context(), **options).events]


def test_verification_compilation_approval_admission_and_rejection_are_all_there(told: World):
    found = kinds(told)
    assert found.count("verification") == len(told.context().ledger.envelopes)
    assert (found.count("approval"), found.count("admission"), found.count("rejection")) == (1, 1, 1)
    assert found.count("compilation") == 2


def test_events_are_in_the_order_of_their_time(told: World):
    times = [e.at for e in audit(told.context()).events]
    assert times == sorted(times)


def test_the_events_of_one_skill_by_name_or_id(told: World):
    contract_id = next(v.skill_id for r in told.context().ledger.runs for v in r.versions if v.skill == FIELD)
    assert sorted(kinds(told, skill=FIELD)) == ["admission", "approval", "compilation"]
    assert kinds(told, skill=contract_id) == kinds(told, skill=FIELD)


def test_a_signed_event_says_so_and_names_its_record(told: World):
    approval = next(e for e in audit(told.context()).events if e.event == "approval")
    assert (approval.by, approval.is_signed) == ("alice", True)
    assert approval.record in told.context().ledger.paths
    rejection = next(e for e in audit(told.context()).events if e.event == "rejection")
    assert (rejection.by, rejection.is_signed, rejection.skill) == ("Ada", False, FIX)


def test_only_what_came_since_a_day_is_told(told: World):
    assert kinds(told, since="2099-01-01") == []
    assert len(kinds(told, since="2000-01-01")) == len(kinds(told))
    with pytest.raises(UsageError, match="is no day or time"):
        audit(told.context(), since="yesterday")


def test_a_compilation_is_in_the_part_since_a_day_although_its_sources_are_older(told: World):
    """It is dated by what it read; what it may have come after is told."""
    newest = max(e.at for e in audit(told.context()).events if e.event == "verification")
    compiled = [e for e in audit(told.context()).events if e.event == "compilation"]
    assert all(e.at >= newest and e.is_bound is (e.until != e.at) for e in compiled)
    since = (newest + timedelta(microseconds=1)).isoformat()
    kept = [e.event for e in audit(told.context(), since=since).events]
    assert kept.count("compilation") == sum(e.until is None or e.until > newest for e in compiled)


def test_an_admission_by_policy_is_told_once_and_at_the_time_it_was_made(world: World):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    assert world.compile_one(FIELD).group.state == "admitted"
    (admission,) = [e for e in audit(world.context()).events if e.event == "admission"]
    assert (admission.at, admission.by, admission.skill) == (NOW, "policy", FIELD)
    assert world.git("rev-parse", "--short=12", "main") in admission.detail
    assert "admission" in kinds(world, since=NOW.isoformat())


def test_a_skill_that_never_was_is_an_error(told: World):
    with pytest.raises(UsageError, match="there is and was no Skill 'nope'"):
        audit(told.context(), skill="nope")


def test_of_the_last_compilation_nobody_can_tell_until_when_so_no_day_hides_it(world: World):
    world.compile(FIELD)
    (event,) = [e for e in audit(world.context()).events if e.event == "compilation"]
    assert (event.is_bound, event.until) == (True, None)
    assert kinds(world, since="2099-01-01") == ["compilation"]
