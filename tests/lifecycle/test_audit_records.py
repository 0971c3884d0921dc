"""Audit records are signed with the machine's key where there is one, and kept unsigned where there is none."""

import pytest

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord, parse_audit_record
from skillc.lifecycle.admissions import envelope_of
from skillc.lifecycle.audit_records import audit_file
from skillc.repo import keys
from tests.world import NOW, World

RECORD = AdmissionRecord(namespace="acme", by="policy", run="r-1", group="g", versions=(), at=NOW)


def test_a_record_is_signed_in_the_namespace_of_the_audit(world: World):
    file = audit_file(RECORD)
    envelope = envelope_of(file.data)
    assert envelope is not None
    assert world.context().signatures.is_signed(envelope, namespace=AUDIT_NAMESPACE)
    assert parse_audit_record(envelope.payload) == RECORD
    assert file.folder == "audit"


def test_without_a_key_the_record_is_kept_unsigned(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("skillc.lifecycle.audit_records.tool_key", lambda: None)
    file = audit_file(RECORD)
    assert envelope_of(file.data) is None
    assert parse_audit_record(file.data) == RECORD
    assert keys.tool_key() is not None
