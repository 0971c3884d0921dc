"""Audit records are signed with the machine's key where there is one, and kept unsigned where there is none."""

import pytest

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord
from skillc.lifecycle.audit_records import StoredAudit, audit_file, stored_audit
from skillc.repo.ledger import LedgerFile, append_to_ledger
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


def test_a_file_that_is_no_audit_record_is_given_as_none(world: World):
    append_to_ledger(world.context().repository, [LedgerFile("audit", b"{}")], message="x\n", at=NOW)
    (found,) = stored_audit(world.context())
    assert (found.record, found.envelope) == (None, None)
