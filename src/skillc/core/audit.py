"""Audit records: admissions and publications, as the ledger keeps them, signed by whoever did it.

Verifications, rejections, approvals, evaluations and deletions (core.remove) are records of their own; the audit is
all of them in one order. Paper: 5.6, Audit. Not here: reading and checking them (lifecycle.audit).
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from skillc.core.compile.history import RunVersion
from skillc.core.record import Moment, Record

AUDIT_FORMAT = "skillc.audit/1"
AUDIT_NAMESPACE = "skillc-audit"


class AdmissionRecord(Record):
    """An admission: what was admitted by whom, the ledger commit that it saw, and base where it appeared.

    `by` is `policy`, or the person whose approval it was; `proof` says what stands for that.
    """

    format: Literal["skillc.audit/1"] = "skillc.audit/1"
    event: Literal["admission"] = "admission"
    namespace: str
    by: str
    run: str
    group: str
    proof: str | None = None
    commit: str | None = None
    ledger_commit: str | None = None
    versions: tuple[RunVersion, ...]
    at: Moment
    previous: tuple[str, ...] = ()


class PublicationRecord(Record):
    """A publication: which version went where, or came from where, and on whose word."""

    format: Literal["skillc.audit/1"] = "skillc.audit/1"
    event: Literal["publication"] = "publication"
    namespace: str
    by: str
    direction: Literal["out", "in"]
    skill: str
    skill_id: str
    contract: str
    tree: str
    commit: str
    other: str
    ledger_commit: str | None = None
    at: Moment
    previous: tuple[str, ...] = ()


AuditRecord = Annotated[AdmissionRecord | PublicationRecord, Field(discriminator="event")]


def parse_audit_record(data: str | bytes) -> AdmissionRecord | PublicationRecord | None:
    """Returns an audit record, or None for anything else."""
    adapter: TypeAdapter[AdmissionRecord | PublicationRecord] = TypeAdapter(AuditRecord)
    try:
        return adapter.validate_json(data)
    except ValidationError:
        return None
