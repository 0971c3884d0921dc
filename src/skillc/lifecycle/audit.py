"""The audit: every verification, approval, admission, rejection, evaluation, publication and deletion in one order.

Read from the ledger and from base; nothing of it is kept twice, so nothing can be left out of it. Paper: 5.6, Audit.
Not here: whether it is whole and true (lifecycle.audit_verify).
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError

from skillc.core.admit.approval import ApprovalRecord
from skillc.core.admit.evaluation import EvaluationRecord
from skillc.core.audit import AdmissionRecord, PublicationRecord
from skillc.core.compile.history import PERSON
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.record import Record
from skillc.core.remove import TombstoneRecord
from skillc.core.trace.verification import Envelope, MergeRecord, Verification
from skillc.errors import UsageError
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.audit_records import stored_audit
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory
from skillc.repo.ledger import ledger_file
from skillc.repo.ledger_history import LedgerHistory, read_ledger_history
from skillc.repo.objects import open_reader

EventKind = Literal[
    "verification", "approval", "merge", "evaluation", "admission", "rejection", "compilation", "conflict",
    "resolution", "withdrawal", "return", "publication", "deletion", "family",
    "amendment",
]  # fmt: skip


_R = TypeVar("_R", bound=BaseModel)


class AuditEvent(Record):
    """One thing that happened. `subject` is a Trace, run, group or commit; `record` where it is written down.

    `is_signed`: the record carries a signature; `audit --verify` says whether it holds. What a compilation writes is
    dated by its sources, the same on every machine: then it happened between `at` and `until`, null where nothing
    later tells, and `is_bound` says so.
    """

    at: datetime
    until: datetime | None = None
    is_bound: bool = False
    event: EventKind
    skill: str | None
    subject: str
    by: str
    detail: str
    record: str
    is_signed: bool


class AuditReport(Record):
    """The answer of `skillc audit`, oldest first."""

    format: Literal["skillc.audit-report/1"] = "skillc.audit-report/1"
    ledger: str | None
    base: str | None
    events: tuple[AuditEvent, ...]


def audit(context: Context, *, since: str | None = None, skill: str | None = None) -> AuditReport:
    """Returns all events, or those since a day or of one Skill (by name or id)."""
    begin = _moment(since) if since is not None else None
    found = [*_signed_events(context), *_plain_events(context), *_admissions(context), *_deletions(context)]
    if skill is not None:
        names = _names_of(context, skill)
        found = [e for e in found if e.skill in names]
    if begin is not None:
        found = [e for e in found if e.at >= begin or (e.is_bound and (e.until is None or e.until >= begin))]
    found.sort(key=lambda e: (e.at, e.event, e.subject, e.record))
    return AuditReport(ledger=context.ledger.commit, base=context.base.commit, events=tuple(found))


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no day or time", hint="give it as 2026-11-30 or 2026-11-30T12:00:00Z") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _names_of(context: Context, skill: str) -> set[str | None]:
    """Returns every name that a Skill had, so that a rename hides nothing."""
    ids = {v.skill_id for r in context.ledger.runs for v in r.versions if skill in (v.skill, v.skill_id)}
    names: set[str | None] = {v.skill for r in context.ledger.runs for v in r.versions if v.skill_id in ids}
    if not names and skill not in SkillHistory(context).changes:
        raise UsageError(f"there is and was no Skill {skill!r}", hint="run: skillc show, or skillc audit")
    return names | {skill}


def _signed_events(context: Context) -> Iterator[AuditEvent]:
    ledger = context.ledger
    skills = _skills_of_groups(context)
    for trace_id, items in ledger.envelopes.items():
        for name, envelope in items:
            v = _payload(Verification, envelope)
            if v is not None:
                where = f"verifications/{trace_id}/{name}.json"
                told = f"{v.outcome.value} by {v.basis.kind.value} {v.basis.ref}"
                yield _event(v.at, "verification", None, v.trace_id, v.verifier_id, told, where, is_signed=True)
    for key, items in ledger.approvals.items():
        for name, envelope in items:
            where = f"approvals/{key}/{name}.json"
            approval = _payload(ApprovalRecord, envelope)
            merge = None if approval is not None else _payload(MergeRecord, envelope)
            if approval is not None:
                for version in approval.versions:
                    told = f"signed for group {approval.group[7:19]}"
                    told += f": {approval.reason}" if approval.reason else ""
                    yield _event(
                        approval.at, "approval", version.skill, approval.run, approval.by, told, where, is_signed=True
                    )
            elif merge is not None:
                told = f"merged by {merge.merged_by}"
                yield _event(merge.at, "merge", None, merge.commit, merge.verifier_id, told, where, is_signed=True)
    for key, items in ledger.evaluations.items():
        for name, envelope in items:
            e = _payload(EvaluationRecord, envelope)
            if e is not None:
                told = f"{e.verdict.value} in {e.environment}, {e.evaluator} {e.evaluator_version}: {e.evidence}"
                where = f"evaluations/{key}/{name}.json"
                for skill in skills.get(e.group, (None,)):
                    yield _event(e.at, "evaluation", skill, e.run, e.evaluator, told, where, is_signed=True)


def _deletions(context: Context) -> Iterator[AuditEvent]:
    for trace_id, items in context.ledger.tombstones.items():
        for name, envelope in items:
            stone = _payload(TombstoneRecord, envelope)
            if stone is None:
                continue
            told = "the whole Trace" if stone.is_whole else f"events {', '.join(line.id for line in stone.lines)}"
            told += f": {stone.reason}" if stone.reason else ""
            where = f"tombstones/{trace_id}/{name}.json"
            for skill in stone.skills or (None,):
                yield _event(stone.at, "deletion", skill, trace_id, stone.by, told, where, is_signed=True)


def _plain_events(context: Context) -> Iterator[AuditEvent]:
    ledger = context.ledger
    skills = {v.skill_id: v.skill for r in ledger.runs for v in r.versions}
    by_proposal = {(r.run, p.id): p.skill for r in ledger.runs for p in r.proposals}
    dates = _Dates(context)
    signed = {r.run: ledger_file("runs", envelope).path for r, envelope in ledger.signed_runs}
    for run in ledger.runs:
        read = f"{run.engine} read {len(run.read)} Traces of {run.task_family}"
        path = signed.get(run.run) or ledger_file("runs", run).path
        for version in run.versions or (None,):
            told = f"{version.change if version else 'no change'}, {read}"
            skill = version.skill if version else None
            made = _event(run.at, "compilation", skill, run.run, run.engine, told, path, is_signed=run.run in signed)
            yield dates.bound(made)
    for outcome in ledger.outcomes:
        if outcome.outcome is ProposalOutcome.SUPERSEDED:
            continue
        lines = f"{len(outcome.claims)} lines: " if outcome.claims else ""
        told = f"{outcome.outcome.value}: {lines}{outcome.reason}"
        skill = by_proposal.get((outcome.run, outcome.proposal))
        yield _event(outcome.at, "rejection", skill, outcome.run, outcome.by, told, "outcomes/")
    for conflict in ledger.conflicts:
        told = f"{conflict.kind} in {conflict.field}"
        path = ledger_file("conflicts", conflict).path
        yield dates.bound(_event(conflict.at, "conflict", conflict.skill, conflict.conflict, "skillc", told, path))
    for resolution in ledger.resolutions:
        told = f"keeps {resolution.keep}: {resolution.reason}"
        skill = skills.get(resolution.skill_id)
        yield _event(resolution.at, "resolution", skill, resolution.conflict, resolution.by, told, "resolutions/")
    for gone in ledger.withdrawals:
        told = f"{gone.reason.value}: {gone.detail}"
        path = ledger_file("withdrawals", gone).path
        yield dates.bound(_event(gone.at, "withdrawal", gone.skill, gone.tree, gone.by, told, path))
    for lift in ledger.lifts:
        told = f"{lift.reason.value} ended: {lift.detail}"
        path = ledger_file("lifts", lift).path
        yield dates.bound(_event(lift.at, "return", skills.get(lift.skill_id), lift.tree, lift.by, told, path))
    for edit in ledger.amendments:
        told = f"{len(edit.lines)} lines written, {len(edit.gone or ())} of people taken away"
        yield _event(edit.at, "amendment", edit.skill, edit.run, edit.by, told, "amendments/")
    for family in ledger.families:
        told = f"{len(family.trace_ids)} Traces"
        yield _event(family.at, "family", None, family.slug, "a person", told, "families/")


class _Dates:
    """When the records of runs came, from the history of the ledger."""

    def __init__(self, context: Context) -> None:
        tip = context.ledger.commit
        history = LedgerHistory() if tip is None else read_ledger_history(context.repository, tip)
        self._dates = history.dates

    def bound(self, event: AuditEvent) -> AuditEvent:
        """Returns an event with the bounds of its time; a person's record keeps the time that it says."""
        found = self._dates.get(event.record)
        if found is None or (event.by != "skillc" and event.event != "compilation") or event.by == PERSON:
            return event
        at = max(event.at, found.at)
        until = None if found.until is None else max(found.until, at)
        return event.model_copy(update={"at": at, "until": until, "is_bound": until != at})


def _admissions(context: Context) -> Iterator[AuditEvent]:
    """What the records and base itself tell of each change of a compiled Skill's folder: one event for both."""
    recorded: dict[tuple[str, str], AuditEvent] = {}
    for path, record, envelope in stored_audit(context):
        is_signed = envelope is not None
        if isinstance(record, AdmissionRecord):
            for version in record.versions:
                told = f"{version.change}, proof: {record.proof or 'none named'}"
                made = _event(
                    record.at, "admission", version.skill, record.run, record.by, told, path, is_signed=is_signed
                )
                known = recorded.setdefault((record.run, version.skill), made)
                if made.at < known.at:  # two clones recorded the same one
                    recorded[record.run, version.skill] = made
        elif isinstance(record, PublicationRecord):
            told = f"{record.direction} {record.other}, {record.contract}"
            yield _event(
                record.at, "publication", record.skill, record.tree, record.by, told, path, is_signed=is_signed
            )
    with open_reader(context.repository) as reader:
        for found in Admissions(context, reader).all():
            key = (found.run or "", found.skill)
            yield _on_base(found, recorded.pop(key) if key in recorded else None)
    yield from recorded.values()


def _on_base(found: Admission, made: AuditEvent | None) -> AuditEvent:
    """Returns the event of a change on base: at the time that its record says, where it has one."""
    at = datetime.fromisoformat(found.at)
    told = f"{found.change}, {found.proof}: {found.reason}"
    is_signed = found.proof in ("signed", "forge", "approval") or (made is not None and made.is_signed)
    if made is None:
        return _event(
            at, "admission", found.skill, found.commit, found.by or "nobody", told, found.commit, is_signed=is_signed
        )
    by = found.by or made.by
    told += f"; commit {found.commit[:12]}"
    return _event(made.at, "admission", found.skill, found.run or "", by, told, made.record, is_signed=is_signed)


def _skills_of_groups(context: Context) -> dict[str, tuple[str | None, ...]]:
    return {r.group: tuple(v.skill for v in r.versions) or (None,) for r in context.ledger.runs if r.group}


def _payload(model: type[_R], envelope: Envelope) -> _R | None:
    try:
        return model.model_validate_json(envelope.payload)
    except ValidationError:
        return None


def _event(
    at: datetime, event: EventKind, skill: str | None, subject: str, by: str, detail: str, record: str,
    *, is_signed: bool = False,
) -> AuditEvent:  # fmt: skip
    return AuditEvent(
        at=at, event=event, skill=skill, subject=subject, by=by, detail=detail, record=record, is_signed=is_signed
    )
