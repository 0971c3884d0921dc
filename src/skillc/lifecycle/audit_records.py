"""Audit records on the ledger: written signed with this machine's tool key where it has one, and read as they are.

A record without a signature is kept too, and stands for nothing. Paper: 5.6, Audit. Not here: what the records say
(core.audit), the timeline (lifecycle.audit).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from pydantic import ValidationError

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord, PublicationRecord, parse_audit_record
from skillc.core.compile.history import RunVersion
from skillc.core.record import Record, canonical_json
from skillc.core.trace.verification import Envelope
from skillc.lifecycle.context import Context
from skillc.repo.home import tool_key_path
from skillc.repo.keys import sign, tool_key
from skillc.repo.ledger import LedgerFile, ledger_file

AUDIT_FOLDER = "audit"


class StoredAudit(NamedTuple):
    """One file of the audit: what it says, None where it is no audit record, and its envelope where it is signed."""

    path: str
    record: AdmissionRecord | PublicationRecord | None
    envelope: Envelope | None


def stored_audit(context: Context) -> Iterator[StoredAudit]:
    """Yields every file of the audit on the ledger. A signature is not checked here."""
    for path, data in context.ledger.audit:
        try:
            envelope = Envelope.model_validate_json(data)
        except ValidationError:
            yield StoredAudit(path, parse_audit_record(data), None)
        else:
            yield StoredAudit(path, parse_audit_record(envelope.payload), envelope)


def audit_file(record: AdmissionRecord | PublicationRecord) -> LedgerFile:
    """Returns the ledger file of an audit record, signed where this machine has a tool key."""
    return signed_file(AUDIT_FOLDER, record)


def signed_file(folder: str, record: Record) -> LedgerFile:
    """Returns the ledger file of a record, signed in the namespace of the audit where this machine has a tool key."""
    if tool_key() is None:
        return ledger_file(folder, record)
    return ledger_file(folder, sign(canonical_json(record), namespace=AUDIT_NAMESPACE, key_path=tool_key_path()))


def admission_file(
    context: Context,
    *,
    run: str,
    group: str,
    versions: Iterable[RunVersion],
    by: str,
    proof: str,
    at: datetime,
    commit: str | None = None,
) -> LedgerFile:
    """Returns the record of an admission; it names the ledger commit that it saw."""
    return audit_file(
        AdmissionRecord(
            namespace=context.policy.namespace,
            by=by,
            run=run,
            group=group,
            proof=proof,
            commit=commit,
            ledger_commit=context.ledger.commit,
            versions=tuple(versions),
            at=at,
            previous=context.ledger.heads(AUDIT_FOLDER),
        )
    )
