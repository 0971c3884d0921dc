"""Who stands for the run that made a version: a registered key, in a record of this namespace."""

from pathlib import Path

import pytest

from skillc.core.audit import AUDIT_NAMESPACE
from skillc.core.record import canonical_json
from skillc.core.trace.verification import VERIFICATION_NAMESPACE
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.reject import reject
from skillc.lifecycle.run_signers import refusal_of, unmade_skills, unsigned_skills
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import make_key
from tests.world import FIELD, NOW, World


@pytest.fixture
def unsigned(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A candidate that was compiled where no key is."""
    with monkeypatch.context() as patch:
        patch.setattr("skillc.lifecycle.audit_records.tool_key", lambda: None)
        world.compile(FIELD)
    return world


def nobodys(world: World) -> tuple[str, ...]:
    context = world.context()
    versions = pending_candidates(context)[FIELD].versions
    return unsigned_skills(context, ((v.skill, v.tree, v.contract) for v in versions))


def append_signed(world: World, key: Path, signed_for: str = AUDIT_NAMESPACE, **changes: str) -> None:
    context = world.context()
    own = context.policy.namespace
    run = next(r for r in context.ledger.runs if r.versions and r.namespace == own).model_copy(update=changes)
    envelope = sign(canonical_json(run), namespace=signed_for, key_path=key)
    append_to_ledger(context.repository, [ledger_file("runs", envelope)], message="x\n", at=NOW)


def test_a_run_is_signed_with_the_registered_key_of_the_machine(world: World):
    world.compile(FIELD)
    assert nobodys(world) == ()


def test_what_goes_away_needs_nobody(world: World):
    assert unsigned_skills(world.context(), [("gone", "f" * 40, None)]) == ()


def test_a_run_that_no_key_signed_is_nobodys(unsigned: World):
    assert nobodys(unsigned) == (FIELD,)


def test_a_key_counts_from_the_moment_that_base_registers_it(unsigned: World, tmp_path: Path):
    make_key(tmp_path / "other")
    append_signed(unsigned, tmp_path / "other")
    assert nobodys(unsigned) == (FIELD,)
    add_verifier(unsigned.root, {"id": "other", "kind": "external"}, key_file=tmp_path / "other.pub")
    assert nobodys(unsigned) == (FIELD,)
    unsigned.git("commit", "--quiet", "-am", "register")
    assert nobodys(unsigned) == ()


@pytest.mark.parametrize(
    ("signed_for", "changes"),
    [(AUDIT_NAMESPACE, {"namespace": "elsewhere"}), (VERIFICATION_NAMESPACE, {})],
    ids=["of another namespace", "signed for something else"],
)
def test_a_signature_for_something_else_does_not_count(unsigned: World, signed_for: str, changes: dict[str, str]):
    from skillc.repo.home import tool_key_path

    append_signed(unsigned, tool_key_path(), signed_for, **changes)
    assert nobodys(unsigned) == (FIELD,)
    append_signed(unsigned, tool_key_path())
    assert nobodys(unsigned) == ()


def test_bytes_that_were_changed_after_the_run_are_nobodys_whatever_their_trailers_say(world: World):
    world.compile(FIELD)
    context = world.context()
    (version,) = pending_candidates(context)[FIELD].versions
    run = pending_candidates(context)[FIELD].run
    assert unmade_skills(context, [(version.skill, version.tree, version.contract)], runs={run}) == ()
    assert unmade_skills(context, [(version.skill, "f" * 40, version.contract)], runs={run}) == (FIELD,)
    assert unmade_skills(context, [(version.skill, version.tree, version.contract)], runs={"r-other"}) == (FIELD,)
    assert unmade_skills(context, [(version.skill, "f" * 40, None)], runs={run}) == ()


def test_a_rejection_is_of_exactly_that_run(world: World):
    world.compile(FIELD)
    context = world.context()
    candidate = pending_candidates(context)[FIELD]
    assert refusal_of(context, candidate.run) is None
    reject(context, FIELD, None, reason="too long", by="Ada")
    assert refusal_of(world.context(), candidate.run) == "rejected by Ada: too long"
    assert refusal_of(world.context(), "r-other") is None
