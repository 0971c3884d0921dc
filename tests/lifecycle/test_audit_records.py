"""Audit records are signed with the machine's key where there is one, and kept unsigned where there is none."""

from pathlib import Path

import pytest

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord
from skillc.errors import RepoError
from skillc.lifecycle.audit_records import StoredAudit, audit_file, signs_here, stored_audit
from skillc.lifecycle.registry import add_verifier
from skillc.repo.ledger import LedgerFile, append_to_ledger
from tests.approvers import make_key, public_of
from tests.world import NOW, World

RECORD = AdmissionRecord(namespace="acme", by="policy", run="r-1", group="g", versions=(), at=NOW)


def stored(world: World) -> StoredAudit:
    """What the ledger gives back of the record."""
    file = audit_file(RECORD)
    assert file.folder == "audit"
    append_to_ledger(world.context().repository, [file], message="x\n", at=NOW)
    (found,) = stored_audit(world.context())
    return found


def test_a_record_is_signed_in_the_namespace_of_the_audit(world: World):
    found = stored(world)
    assert found.record == RECORD
    assert found.envelope is not None
    assert world.context().signatures.is_signed(found.envelope, namespace=AUDIT_NAMESPACE)


def test_without_a_key_the_record_is_kept_unsigned(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skillc.lifecycle.audit_records.tool_key", lambda: None)
    assert (stored(world).record, stored(world).envelope) == (RECORD, None)


def test_a_ci_gives_its_key_in_the_environment(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_key(tmp_path / "compile")
    monkeypatch.setenv("SKILLC_RUN_KEY", (tmp_path / "compile").read_text("utf-8"))
    assert not signs_here(world.context().policy)
    found = stored(world)
    assert found.envelope is not None
    assert found.envelope.key.split()[:2] == public_of(tmp_path / "compile").split()[:2]
    add_verifier(world.root, {"id": "compile", "kind": "external"}, key_file=tmp_path / "compile.pub")
    world.git("commit", "--quiet", "-am", "register")
    assert signs_here(world.context().policy)


def test_a_key_in_the_environment_that_is_none_is_told(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SKILLC_RUN_KEY", "no key")
    with pytest.raises(RepoError, match="signing key cannot be read"):
        audit_file(RECORD)


def test_a_file_that_is_no_audit_record_is_given_as_none(world: World):
    append_to_ledger(world.context().repository, [LedgerFile("audit", b"{}")], message="x\n", at=NOW)
    (found,) = stored_audit(world.context())
    assert (found.record, found.envelope) == (None, None)
