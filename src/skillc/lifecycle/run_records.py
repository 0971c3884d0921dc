"""What a run leaves on the ledger: its record, the outcomes that follow from it, and the audit of an admission.

No event text goes there, only ids and digests. Paper: 5.3, 5.6 Audit.
"""

from collections.abc import Sequence
from datetime import datetime

from skillc.core.compile.calls import CallFailure, ModelCall
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.group import ResultGroup
from skillc.core.compile.history import (
    LineRecord,
    OutcomeRecord,
    RunProposal,
    RunRecord,
    RunSource,
    RunVersion,
    source_key,
)
from skillc.core.compile.proposal import ProposalOutcome
from skillc.lifecycle.audit_records import admission_file, signed_file
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.compile_report import VersionReport
from skillc.lifecycle.context import Context
from skillc.repo.ledger import LedgerFile, append_to_ledger, ledger_file


def run_files(
    context: Context,
    evidence: Evidence,
    run: str,
    engine: tuple[str, str],
    at: datetime,
    proposals: Sequence[RunProposal],
    group: ResultGroup | None,
    versions: Sequence[VersionReport],
    superseded: Candidate | None,
    *,
    calls: tuple[ModelCall, ...] | None = None,
    failure: CallFailure | None = None,
) -> list[LedgerFile]:
    """Returns the record of a run, and the end of the candidate that it replaced."""
    record = RunRecord(
        run=run,
        namespace=evidence.namespace,
        task_family=evidence.task_family,
        engine=engine[0],
        engine_version=engine[1],
        base_commit=context.base.commit,
        ledger_commit=context.ledger.commit,
        at=at,
        read=tuple(
            RunSource(
                trace_id=s.trace_id,
                key=source_key(s.trace, s.standing),
                role=s.role.value,
                outcome=s.standing.outcome.value,
                strength=s.standing.strength.value,
            )
            for s in evidence.sources
        ),
        left_out=evidence.left_out,
        proposals=tuple(proposals),
        group=group.manifest if group else None,
        versions=_run_versions(versions),
        calls=calls,
        failure=failure,
        stale=tuple(
            LineRecord(field=line.field, claim_id=line.claim_id, reason=line.kind, skill=skill.skill)
            for skill in evidence.stale
            for line in skill.lines
        )
        or None,
        previous=context.ledger.heads("runs"),
    )
    files = [run_file(record)]
    if superseded is not None and group is not None and superseded.run != run:
        files += superseded_files(context, superseded, by=run, at=at)
    return files


def run_file(record: RunRecord) -> LedgerFile:
    """Returns the ledger file of a run, signed where it made a version: who else could say that skillc made it."""
    return signed_file("runs", record) if record.versions else ledger_file("runs", record)


def superseded_files(context: Context, candidate: Candidate, *, by: str, at: datetime) -> list[LedgerFile]:
    """Returns the outcome records of a candidate that a newer run replaced."""
    old = [r for r in context.ledger.runs if r.run in (candidate.run, *candidate.amends)]
    ended = {(o.run, o.proposal) for o in context.ledger.outcomes if not o.claims}
    pending = [(r.run, p) for r in old for p in r.proposals if p.outcome is ProposalOutcome.PENDING]
    return [
        ledger_file(
            "outcomes",
            OutcomeRecord(
                namespace=context.policy.namespace,
                run=run,
                proposal=p.id,
                task_family=candidate.task_family,
                outcome=ProposalOutcome.SUPERSEDED,
                reason=f"replaced by run {by}",
                content=p.content,
                by="skillc",
                at=at,
                previous=context.ledger.heads("outcomes"),
            ),
        )
        for run, p in pending
        if run == candidate.run or (run, p.id) not in ended
    ]


def admission_of(context: Context, group: ResultGroup, versions: Sequence[VersionReport]) -> LedgerFile:
    """Returns the audit record of an admission by policy: an act of now, whatever the run read."""
    return admission_file(
        context,
        run=group.run,
        group=group.manifest,
        versions=_run_versions(versions),
        by="policy",
        proof="policy",
        at=context.now,
        commit=versions[-1].commit if versions else None,
    )


def _run_versions(versions: Sequence[VersionReport]) -> tuple[RunVersion, ...]:
    return tuple(
        RunVersion(skill=v.skill, skill_id=v.skill_id, change=v.change, tree=v.tree) for v in versions if v.tree
    )


def append_files(context: Context, files: list[LedgerFile], run: str, at: datetime) -> None:
    """Appends the records of a run that changed no Skill."""
    append_to_ledger(context.repository, files, message=f"run {run}\n", at=at)
    context.forget_ledger()
