"""Evaluations of candidates: asked for, recorded by who ran them, and listed. skillc runs none of them.

A result counts by the signature of a registered evaluator, for the digest of one group. A failed one rejects the
group: its branch goes, and the same content is not made again without new evidence. Paper: 5.4, Evaluations.
Not here: the records (core.admit.evaluation), the gate (core.admit.gates).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from skillc.core.admission_policy import Evaluator
from skillc.core.admit.approval import ledger_folder
from skillc.core.admit.evaluation import (
    EVALUATION_NAMESPACE,
    EvaluationRecord,
    EvaluationRequest,
    EvaluationVerdict,
    verdicts_of,
)
from skillc.core.compile.history import OutcomeRecord
from skillc.core.compile.proposal import ProposalOutcome, content_key
from skillc.core.record import Record, canonical_json
from skillc.core.trace.verification import same_key
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.candidates import Candidate, candidate_named, drop_candidate, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.undo import ledger_undo
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.keys import key_from_text, public_half, sign
from skillc.repo.layout import candidate_ref
from skillc.repo.ledger import LedgerFile, append_to_ledger, ledger_file


class EvaluationLine(Record):
    """One evaluator and one candidate. `state` says what is known; `is_required` what policy wants."""

    group: str
    run: str
    task_family: str
    branch: str
    skills: tuple[str, ...]
    evaluator: str
    is_required: bool
    is_registered: bool
    state: Literal["missing", "requested", "passed", "failed"]
    evaluator_version: str | None = None
    environment: str | None = None
    evidence: str | None = None


class EvaluationReport(Record):
    """The answer of `skillc evaluation`. `commit` is that of the ledger, None where nothing was written."""

    format: Literal["skillc.evaluations/1"] = "skillc.evaluations/1"
    evaluations: tuple[EvaluationLine, ...]
    dropped_branch: str | None = None
    commit: str | None = None
    undo: str | None = None


def evaluations_of(context: Context, group: str) -> dict[str, EvaluationRecord]:
    """Returns evaluator -> the record that counts for a group: signed by its registered key, for this namespace."""
    found = []
    for _, envelope in context.ledger.evaluations.get(group.removeprefix("sha256:"), ()):
        if not context.signatures.is_signed(envelope, namespace=EVALUATION_NAMESPACE):
            continue
        try:
            record = EvaluationRecord.model_validate_json(envelope.payload)
        except ValidationError:
            continue
        evaluator = context.policy.evaluations.evaluator(record.evaluator)
        if evaluator is None or not same_key(evaluator.key, envelope.key):
            continue
        if record.namespace == context.policy.namespace and record.group == group:
            found.append(record)
    return verdicts_of(found, group=group)


def failed_evaluations(context: Context, group: str | None) -> tuple[EvaluationRecord, ...]:
    """Returns the records that count for a group and say that it failed."""
    found = evaluations_of(context, group) if group is not None else {}
    return tuple(r for r in found.values() if r.verdict is EvaluationVerdict.FAILED)


def list_evaluations(context: Context, name: str | None = None) -> EvaluationReport:
    """Returns every evaluation that a waiting candidate needs or has."""
    chosen = list(pending_candidates(context).values()) if name is None else [candidate_named(context, name)]
    return EvaluationReport(evaluations=tuple(line for c in chosen for line in _lines(context, c)))


def request_evaluation(
    context: Context, name: str, evaluators: Sequence[str] = (), *, by: str, dry_run: bool = False
) -> EvaluationReport:
    """Records that a candidate waits for evaluations: the required ones, or those that are named."""
    candidate = candidate_named(context, name)
    wanted = tuple(evaluators) or context.policy.evaluations.required_for(candidate.task_family)
    if not wanted:
        raise UsageError(
            f"policy requires no evaluation for the family {candidate.task_family!r}",
            hint="name an evaluator: --evaluator ID, or set evaluations.required in skillc.yaml",
        )
    for evaluator in wanted:
        _require_registered(context, evaluator)
    asked = {(r.group, r.evaluator) for r in context.ledger.requests}
    known = evaluations_of(context, candidate.group)
    files = [
        ledger_file("requests", _request(context, candidate, evaluator, by))
        for evaluator in wanted
        if evaluator not in known and (candidate.group, evaluator) not in asked
    ]
    commit = None
    if files and not dry_run:
        message = f"evaluation requested: run {candidate.run}\n"
        commit = append_to_ledger(context.repository, files, message=message, at=context.now)
        context.forget_ledger()
    lines = tuple(line for line in _lines(context, candidate, extra=wanted) if line.evaluator in wanted)
    return EvaluationReport(evaluations=lines, commit=commit, undo=ledger_undo(commit))


def record_evaluation(
    context: Context,
    name: str,
    *,
    evaluator: str,
    version: str,
    environment: str,
    verdict: EvaluationVerdict,
    evidence: str,
    key_path: Path,
    dry_run: bool = False,
) -> EvaluationReport:
    """Signs and appends a result. A failed one rejects the group: records and branch move together."""
    registered = _require_registered(context, evaluator)
    if not same_key(registered.key, public_half(key_path)):
        raise PolicyError(f"{str(key_path)!r} is not the registered key of the evaluator {evaluator!r}")
    candidate = candidate_named(context, name)
    folder = ledger_folder("evaluations", candidate.group)
    try:
        record = EvaluationRecord(
            namespace=context.policy.namespace,
            group=candidate.group,
            run=candidate.run,
            task_family=candidate.task_family,
            evaluator=evaluator,
            evaluator_version=version,
            environment=environment,
            verdict=verdict,
            evidence=evidence,
            at=context.now,
            previous=context.ledger.heads(folder),
        )
    except ValidationError as error:
        field = str(error.errors(include_url=False, include_input=False)[0]["loc"][0]).replace("_", "-")
        raise UsageError(f"--{field} must be one line of 1 to 400 characters") from error
    fails = verdict is EvaluationVerdict.FAILED
    if dry_run:
        branch = candidate.branch if fails else None
        return EvaluationReport(evaluations=_lines(context, candidate, extra=(evaluator,)), dropped_branch=branch)
    file = ledger_file(folder, sign(canonical_json(record), namespace=EVALUATION_NAMESPACE, key_path=key_path))
    message = f"evaluation {verdict.value}: run {candidate.run}\n"
    lines = (_line(context, candidate, evaluator, record),)
    if not fails:
        commit = append_to_ledger(context.repository, [file], message=message, at=context.now)
        context.forget_ledger()
        return EvaluationReport(evaluations=lines, commit=commit, undo=ledger_undo(commit))
    files = (file, *_rejection(context, candidate, record))
    due = DueRecords(candidate_ref(candidate.task_family), None, files, message, context.now)
    move_with_records(context.repository, due, lambda: drop_candidate(context, candidate))
    context.forget_ledger()
    undo = f"git branch {candidate.branch} {candidate.tip[:12]}"
    return EvaluationReport(evaluations=lines, dropped_branch=candidate.branch, commit=context.ledger.commit, undo=undo)


@contextmanager
def evaluation_key(key: Path | None, variable: str) -> Iterator[Path]:
    """Gives the evaluator's private key: the file that is named, else the text of an environment variable."""
    if key is not None:
        yield key
        return
    text = os.environ.get(variable, "")
    if not text.strip():
        raise UsageError("which key signs the result?", hint=f"name it: --key PATH, or put its text into ${variable}")
    with key_from_text(text) as path:
        yield path


def _rejection(context: Context, candidate: Candidate, record: EvaluationRecord) -> list[LedgerFile]:
    """Returns the outcomes by which the failure is remembered: not made again without new evidence."""
    run = next((r for r in context.ledger.runs if r.run == candidate.run), None)
    sources = tuple(sorted(s.key for s in run.read)) if run else ()
    proposals = {p.skill_id: p.id for p in run.proposals} if run else {}
    return [
        ledger_file(
            "outcomes",
            OutcomeRecord(
                namespace=context.policy.namespace,
                run=candidate.run,
                proposal=proposals.get(version.skill_id, ""),
                task_family=candidate.task_family,
                outcome=ProposalOutcome.EVALUATION_FAILED,
                reason=f"{record.evaluator} {record.evaluator_version} failed it: {record.evidence}",
                content=content_key(version.contract),
                sources=sources,
                by=record.evaluator,
                at=context.now,
                previous=context.ledger.heads("outcomes"),
            ),
        )
        for version in candidate.versions
        if version.contract is not None
    ]


def _request(context: Context, candidate: Candidate, evaluator: str, by: str) -> EvaluationRequest:
    return EvaluationRequest(
        namespace=context.policy.namespace,
        group=candidate.group,
        run=candidate.run,
        task_family=candidate.task_family,
        evaluator=evaluator,
        by=by,
        at=context.now,
        previous=context.ledger.heads("requests"),
    )


def _require_registered(context: Context, evaluator: str) -> Evaluator:
    found = context.policy.evaluations.evaluator(evaluator)
    if found is None:
        raise PolicyError(
            f"{evaluator!r} is no registered evaluator",
            hint="add it under evaluations.evaluators in skillc.yaml with its key, and merge that",
        )
    return found


def _lines(context: Context, candidate: Candidate, *, extra: Sequence[str] = ()) -> tuple[EvaluationLine, ...]:
    known = evaluations_of(context, candidate.group)
    asked = [r.evaluator for r in context.ledger.requests if r.group == candidate.group]
    required = context.policy.evaluations.required_for(candidate.task_family)
    names = dict.fromkeys((*required, *asked, *known, *extra))
    return tuple(_line(context, candidate, name, known.get(name)) for name in names)


def _line(context: Context, candidate: Candidate, evaluator: str, record: EvaluationRecord | None) -> EvaluationLine:
    is_asked = any(r.evaluator == evaluator and r.group == candidate.group for r in context.ledger.requests)
    state: Literal["missing", "requested", "passed", "failed"] = "requested" if is_asked else "missing"
    if record is not None:
        state = record.verdict.value
    return EvaluationLine(
        group=candidate.group,
        run=candidate.run,
        task_family=candidate.task_family,
        branch=candidate.branch,
        skills=tuple(v.skill for v in candidate.versions),
        evaluator=evaluator,
        is_required=evaluator in context.policy.evaluations.required_for(candidate.task_family),
        is_registered=context.policy.evaluations.evaluator(evaluator) is not None,
        state=state,
        evaluator_version=record.evaluator_version if record else None,
        environment=record.environment if record else None,
        evidence=record.evidence if record else None,
    )
