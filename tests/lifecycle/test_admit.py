"""Admission of a candidate that waits: whole, recorded, and only where base is where it was."""

import pytest

from skillc.core.audit import AdmissionRecord
from skillc.errors import PolicyError, RepoError
from skillc.lifecycle.admissions import signed_admissions
from skillc.lifecycle.admit import admit_candidate, admit_if_ready
from skillc.lifecycle.candidates import candidate_named
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, World


@pytest.fixture
def waiting(world: World) -> World:
    world.compile(FIELD)
    return world


def admit(world: World) -> None:
    context = world.context()
    admit_candidate(context, candidate_named(context, FIELD), by="alice", proof="approval")


def test_base_and_the_checkout_move_and_the_record_names_the_ledger_that_it_saw(waiting: World):
    saw = waiting.git("rev-parse", "skillc/ledger")
    admit(waiting)
    assert FIELD in current_skills(waiting.context())
    assert (waiting.root / ".claude" / "skills" / FIELD / "contract.json").is_file()
    (record,) = signed_admissions(waiting.context())
    assert isinstance(record, AdmissionRecord)
    assert (record.by, record.ledger_commit, record.commit) == ("alice", saw, waiting.git("rev-parse", "main"))


def test_a_base_that_moved_on_stops_it_with_nothing_changed(waiting: World):
    waiting.commit({"other.txt": "x"})
    refs = waiting.git("for-each-ref")
    with pytest.raises(PolicyError, match="moved on since"):
        admit(waiting)
    assert waiting.git("for-each-ref") == refs


def test_a_file_in_the_way_stops_it_with_nothing_changed(waiting: World):
    waiting.write(f".claude/skills/{FIELD}/SKILL.md", "mine")
    refs = waiting.git("for-each-ref")
    with pytest.raises(RepoError, match="in the way"):
        admit(waiting)
    assert waiting.git("for-each-ref") == refs


def test_nothing_is_admitted_by_itself_where_approval_is_by_merge(waiting: World):
    context = waiting.context()
    assert admit_if_ready(context, candidate_named(context, FIELD)) is None
    assert FIELD not in current_skills(waiting.context())


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_pushed_candidate_with_a_forged_run_is_not_admitted_by_policy(
    world: World, monkeypatch: pytest.MonkeyPatch, is_signed: bool
):
    """Everything else lets it in: with the signature of a registered key it is admitted."""
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    waits = "skillc.lifecycle.compile.may_admit_at_once"  # as one that somebody pushed
    with monkeypatch.context() as patch:
        patch.setattr(waits, lambda gates: False)
        if not is_signed:
            patch.setattr("skillc.lifecycle.audit_records.tool_key", lambda: None)
        world.compile(FIELD)
    context = world.context()
    gates = admit_if_ready(context, candidate_named(context, FIELD))
    assert (gates is not None) is is_signed
    assert (FIELD in current_skills(world.context())) is is_signed
