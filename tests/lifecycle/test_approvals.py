"""Whose approval counts: a registered approver's signature in the right namespace, over exactly this content."""

from pathlib import Path
from typing import Any

import pytest

from skillc.core.admit.approval import ApprovalRecord, ledger_folder
from skillc.core.record import canonical_json
from skillc.core.trace.verification import APPROVAL_NAMESPACE, DECISION_NAMESPACE
from skillc.lifecycle.approvals import approved_by, versions_of
from skillc.lifecycle.candidates import candidate_named
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import make_key, public_of, register_person
from tests.world import FIELD, NOW, World


@pytest.fixture
def key(world: World, tmp_path: Path) -> Path:
    path = tmp_path / "alice"
    make_key(path)
    register_person(world, public_of(path))
    world.compile(FIELD)
    return path


def put(world: World, key: Path, *, namespace: str = APPROVAL_NAMESPACE, **changes: Any) -> str | None:
    """Puts a record on the ledger as anybody with push rights can, and returns who is taken to have approved."""
    context = world.context()
    candidate = candidate_named(context, FIELD)
    fields: dict[str, Any] = {
        "namespace": context.policy.namespace, "group": candidate.group, "run": candidate.run,
        "task_family": FIELD, "versions": versions_of(candidate), "by": "alice", "at": NOW,
    }  # fmt: skip
    record = ApprovalRecord(**(fields | changes))
    envelope = sign(canonical_json(record), namespace=namespace, key_path=key)
    file = ledger_file(ledger_folder("approvals", candidate.group), envelope)
    append_to_ledger(context.repository, [file], message="x\n", at=NOW)
    context.forget_ledger()
    return approved_by(context, candidate.group, versions_of(candidate))


def test_an_approvers_signature_counts(world: World, key: Path):
    assert put(world, key) == "alice"


def test_a_strangers_signature_is_nobodys(world: World, key: Path, tmp_path: Path):
    make_key(tmp_path / "mallory")
    assert put(world, tmp_path / "mallory") is None


def test_a_signature_of_another_namespace_is_no_approval(world: World, key: Path):
    assert put(world, key, namespace=DECISION_NAMESPACE) is None


@pytest.mark.parametrize(
    "changes", [{"namespace": "other"}, {"by": "bob"}, {"versions": ()}, {"group": "sha256:" + "0" * 64}]
)
def test_a_record_about_anything_else_is_silent(world: World, key: Path, changes: dict[str, Any]):
    assert put(world, key, **changes) is None


def test_one_who_is_no_approver_any_more_counts_no_more(world: World, key: Path):
    assert put(world, key) == "alice"
    world.set_policy("roles: [approver, verifier]", "roles: [verifier]")
    context = world.context()
    candidate = candidate_named(context, FIELD)
    assert approved_by(context, candidate.group, versions_of(candidate)) is None
