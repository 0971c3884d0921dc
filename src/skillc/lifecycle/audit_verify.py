"""`audit --verify`: is the record whole, unchanged and in order, and does it explain everything that is on base?

Looks at the ledger's history, every signature, the `previous` links, the pins, and each change of a Skill's folder.
What it cannot explain it names; nothing is taken on trust but the pins. Paper: 5.6, Audit.
Not here: the timeline (lifecycle.audit), what stands for an admission (lifecycle.admissions).
"""

import json
import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, Literal

from skillc.core.admit.evaluation import EVALUATION_NAMESPACE
from skillc.core.audit import AUDIT_NAMESPACE, AdmissionRecord
from skillc.core.record import Record
from skillc.core.trace.verification import (
    APPROVAL_NAMESPACE,
    DECISION_NAMESPACE,
    VERIFICATION_NAMESPACE,
    Envelope,
)
from skillc.errors import UsageError
from skillc.lifecycle.admissions import Admission, Admissions, signed_admissions
from skillc.lifecycle.audit_records import stored_audit
from skillc.lifecycle.context import Context
from skillc.lifecycle.evaluation import failed_evaluations
from skillc.repo import layout
from skillc.repo.ledger_history import LedgerHistory, pin_ledger, pinned_ledgers, read_ledger_history
from skillc.repo.objects import open_reader

_MAX_RECORD_BYTES = 4 * 1024 * 1024
_BACK = "fetch the whole ledger: skillc sync; or revert what took it away, on that branch: git log skillc/ledger"
_COMMIT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class AuditProblem(Record):
    """One thing that the record does not explain, or that was done to it."""

    code: str
    where: str
    message: str
    next: str


class AuditVerifyReport(Record):
    """The answer of `skillc audit --verify`. `pinned`: the tip is kept, so that a later audit finds a cut ledger."""

    format: Literal["skillc.audit-verify/1"] = "skillc.audit-verify/1"
    ok: bool
    ledger: str | None
    base: str | None
    records: int
    admissions: int
    problems: tuple[AuditProblem, ...]
    pinned: bool = False


def verify_audit(context: Context, *, pin: str | None = None) -> AuditVerifyReport:
    """Verifies the whole record. `pin` is a ledger commit that somebody kept elsewhere."""
    ledger = context.ledger
    problems = [_of_record(path, what) for path, what in ledger.problems]
    history = LedgerHistory()
    if ledger.commit is not None:
        history = read_ledger_history(context.repository, ledger.commit)
        problems += _breaks(history, ledger.paths)
        problems += _links(context, history)
        problems += _signatures(context)
    problems += _pins(context, pin)
    count, found = _admissions(context)
    problems += found
    unique = tuple(dict.fromkeys(problems))
    is_pinned = not unique and ledger.commit is not None and not context.repository.is_dry
    if is_pinned and ledger.commit is not None:
        pin_ledger(context.repository, ledger.commit)
    return AuditVerifyReport(
        ok=not unique,
        ledger=ledger.commit,
        base=context.base.commit,
        records=len(ledger.paths),
        admissions=count,
        problems=unique,
        pinned=is_pinned,
    )


def pin_anew(context: Context) -> str:
    """Keeps the ledger's tip of now as the pin, after a person took records back on purpose."""
    if context.ledger.commit is None:
        raise UsageError("there is no ledger to pin", hint="run: skillc sync")
    pin_ledger(context.repository, context.ledger.commit)
    return context.ledger.commit


def _of_record(path: str, what: str) -> AuditProblem:
    return AuditProblem(code="changed-record", where=f"{layout.LEDGER_BRANCH}:{path}", message=what, next=_BACK)


def _breaks(history: LedgerHistory, here: Container[str]) -> Iterator[AuditProblem]:
    """What was taken away and is not back; what is there is what it was, for its name is its digest."""
    for found in history.breaks:
        if found.path in here:
            continue
        code = "removed-record" if found.what == "removed" else "changed-record"
        message = f"was {found.what} in {found.commit[:12]}; the ledger only grows"
        away = found.commit[:12]
        back = f"bring it back: git worktree add ../ledger {layout.LEDGER_BRANCH}, and there: git revert {away}"
        where = f"{layout.LEDGER_BRANCH}:{found.path}"
        yield AuditProblem(code=code, where=where, message=message, next=f"{back}; or fetch it: skillc sync")


def _links(context: Context, history: LedgerHistory) -> Iterator[AuditProblem]:
    """Every record names those before it: one that is named and missing was removed, one that came later was moved."""
    names = {path.rsplit("/", 1)[-1].removesuffix(".json"): path for path in context.ledger.paths}
    paths = [path for path in sorted(context.ledger.paths) if "/" in path]
    with open_reader(context.repository) as reader:
        contents = reader.read_many([f"{context.ledger.commit}:{path}" for path in paths], limit=_MAX_RECORD_BYTES)
        for path, data in zip(paths, contents, strict=True):
            where, folder = f"{layout.LEDGER_BRANCH}:{path}", path.rsplit("/", 1)[0]
            for before in _previous(data):
                other = names.get(before)
                if other is None:
                    message = f"names the record {before[:12]} of {folder} before it, and that is not here"
                    yield AuditProblem(code="removed-record", where=where, message=message, next=_BACK)
                elif history.order.get(other, -1) > history.order.get(path, 1 << 60):
                    message = f"names the record {before[:12]} before it, and that came later"
                    yield AuditProblem(code="reordered-record", where=where, message=message, next=_BACK)


def _previous(data: bytes | None) -> list[str]:
    """Returns the ids that a record or the payload of a signed one names as before it."""
    value: Any = None
    try:
        value = json.loads(data or b"null")
        if isinstance(value, dict) and isinstance(value.get("payload"), str):
            value = json.loads(value["payload"])
    except (ValueError, RecursionError):
        return []
    found = value.get("previous", ()) if isinstance(value, dict) else ()
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def _signatures(context: Context) -> Iterator[AuditProblem]:
    ledger = context.ledger
    signed: list[tuple[str, Envelope, str]] = [
        (f"{folder}/{key}/{name}.json", envelope, namespace)
        for folder, mapping, namespace in (
            ("verifications", ledger.envelopes, VERIFICATION_NAMESPACE),
            ("approvals", ledger.approvals, APPROVAL_NAMESPACE),
            ("evaluations", ledger.evaluations, EVALUATION_NAMESPACE),
            ("tombstones", ledger.tombstones, AUDIT_NAMESPACE),
        )
        for key, items in mapping.items()
        for name, envelope in items
    ]
    signed += [(path, envelope, DECISION_NAMESPACE) for path, envelope in ledger.signed_decisions]
    for stored in stored_audit(context):
        if stored.envelope is not None:
            signed.append((stored.path, stored.envelope, AUDIT_NAMESPACE))
        if stored.record is None:
            yield _of_record(stored.path, "is no audit record")
    for path, envelope, namespace in signed:
        if not context.signatures.is_signed(envelope, namespace=namespace):
            yield AuditProblem(
                code="bad-signature",
                where=f"{layout.LEDGER_BRANCH}:{path}",
                message="its signature does not hold, so it counts for nothing",
                next=_BACK,
            )


def _pins(context: Context, pin: str | None) -> Iterator[AuditProblem]:
    """The ledger must descend from every commit of it that somebody saw: this clone, its remote, or a record."""
    pins = pinned_ledgers(context.repository)
    if pin is not None:
        found = context.repository.resolve(pin)
        if found is None and not _COMMIT_ID.fullmatch(pin):
            raise UsageError(
                f"{pin!r} is no commit of this clone", hint="give the whole id that was noted: --pin COMMIT"
            )
        if found is None:
            yield _cut(context, f"the pin {pin[:12]}", "is not in this clone")
        else:
            pins["the pin that was given"] = found
    for run in context.ledger.runs:
        if run.ledger_commit is not None:
            pins[f"run {run.run}"] = run.ledger_commit
    for _, record, _ in stored_audit(context):
        if record is not None and record.ledger_commit is not None:
            pins[f"the {record.event} of {record.at.isoformat()}"] = record.ledger_commit
    known: dict[str, bool] = {}
    for who, commit in pins.items():
        if commit not in known:
            known[commit] = _descends(context, commit)
        if not known[commit]:
            yield _cut(context, who, f"saw {commit[:12]}, and the ledger does not descend from it")


def _descends(context: Context, commit: str) -> bool:
    tip = context.ledger.commit
    if tip is None or context.repository.resolve(commit) is None:
        return False
    return tip == commit or context.repository.is_ancestor(commit, tip)


def _cut(context: Context, who: str, what: str) -> AuditProblem:
    return AuditProblem(
        code="cut-ledger",
        where=f"{layout.LEDGER_BRANCH}@{(context.ledger.commit or 'none')[:12]}",
        message=f"{who} {what}: records were cut off",
        next="fetch it: skillc sync; where a person took records back on purpose: skillc audit --pin-anew",
    )


def _failed_evaluations(context: Context, current: Iterable[Admission]) -> Iterator[AuditProblem]:
    """What a registered evaluator failed and what stands on base all the same: no merge settles that."""
    for admission in current:
        for failed in failed_evaluations(context, admission.group):
            yield AuditProblem(
                code="failed-evaluation",
                where=f"{admission.skill} in {admission.commit[:12]}",
                message=f"{failed.evaluator} failed exactly this version: {failed.evidence}",
                next=f"git revert {admission.commit[:12]}, or skillc retire {admission.skill} --reason TEXT",
            )


def _admissions(context: Context) -> tuple[int, list[AuditProblem]]:
    found: list[AuditProblem] = []
    count = 0
    with open_reader(context.repository) as reader:
        admissions = Admissions(context, reader)
        found += _failed_evaluations(context, admissions.of_current().values())
        for admission in admissions.all():
            count += 1
            if admission.proof != "unproven":
                continue
            is_explained = admission.run is not None or admission.change == "restore"
            found.append(
                AuditProblem(
                    code="unproven-admission" if is_explained else "unexplained-commit",
                    where=f"{admission.skill} in {admission.commit[:12]}",
                    message=f"{admission.change}: {admission.reason}",
                    next="skillc approve before the merge, a signed merge, or protected_base in skillc.yaml"
                    if is_explained
                    else f"git show {admission.commit[:12]}; then git revert it, or skillc amend {admission.skill}",
                )
            )
    signed = set(signed_admissions(context))
    for path, record, _ in stored_audit(context):
        if isinstance(record, AdmissionRecord) and record not in signed:
            message = f"says that {record.by} admitted {record.run}, and nobody registered signed that"
            found.append(AuditProblem(code="unsigned-admission", where=path, message=message, next="skillc check"))
    return count, found
