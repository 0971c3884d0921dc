"""Records of what was done: written signed with this machine's key where it has one, and read as they are.

The key is the tool key; a CI, which has none, gives one in SKILLC_RUN_KEY. A record without a signature is kept too,
and stands for nothing. Paper: 5.6, Audit. Not here: what the records say
(core.audit), the timeline (lifecycle.audit).
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord, PublicationRecord, parse_audit_record
from skillc.core.compile.history import RunVersion
from skillc.core.policy import Policy
from skillc.core.record import Record, canonical_json
from skillc.core.trace.verification import Envelope
from skillc.lifecycle.context import Context
from skillc.lifecycle.signers import is_registered
from skillc.repo.home import tool_key_path
from skillc.repo.keys import key_from_text, public_half, sign, tool_key
from skillc.repo.ledger import LedgerFile, ledger_file

AUDIT_FOLDER = "audit"
RUN_KEY_VARIABLE = "SKILLC_RUN_KEY"


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
    """Returns the ledger file of an audit record, signed where this machine has a key."""
    return signed_file(AUDIT_FOLDER, record)


def signed_file(folder: str, record: Record) -> LedgerFile:
    """Returns the ledger file of a record, signed in the namespace of the audit where this machine has a key."""
    with _machine_key() as key_path:
        if key_path is None:
            return ledger_file(folder, record)
        return ledger_file(folder, sign(canonical_json(record), namespace=AUDIT_NAMESPACE, key_path=key_path))


def signs_here(policy: Policy) -> bool:
    """Says whether what this machine signs counts: it has a key, and the policy registers it."""
    with _machine_key() as key_path:
        return key_path is not None and is_registered(policy, public_half(key_path))


@contextlib.contextmanager
def _machine_key() -> Iterator[Path | None]:
    text = os.environ.get(RUN_KEY_VARIABLE, "")
    if text.strip():
        with key_from_text(text) as path:
            yield path
    else:
        yield tool_key_path() if tool_key() is not None else None


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
