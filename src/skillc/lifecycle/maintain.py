"""`maintain`: upkeep that nobody has to remember, to be run on a schedule.

Withdraws Skills whose validity is past, retires those that no session uses, records admissions that git made alone,
and tells stale ones. One commit each; where policy protects base each waits on a branch of its own. Paper: 5.4, 5.6.
Every Skill counts as provisional: nothing computes trust values yet, so `thresholds.established_trust` spares none.
Not here: weak evidence and conflicts, which a compilation withdraws (lifecycle.compile).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from skillc.core.audit import AdmissionRecord
from skillc.core.compile.select import Attempt
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import Record
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Origin
from skillc.lifecycle.admissions import Admission, Admissions
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.audit_records import admission_file, signs_here, stored_audit
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.skill_uses import is_used
from skillc.lifecycle.skills import SkillHistory, StoredSkill, current_skills
from skillc.lifecycle.stale import OutdatedSkill, outdated_skills
from skillc.lifecycle.upkeep import expired_skills, expired_words, withdrawals
from skillc.lifecycle.withdrawal import WithdrawalReport, withdraw
from skillc.repo.ledger import append_to_ledger
from skillc.repo.objects import open_reader

BY = "skillc maintain"
_NO_KEY = "admissions are not recorded: the tool key of this machine is no registered verifier's"


class RecordedAdmission(Record):
    """An admission that the ledger had no record of: what base shows, and whose word stands for it."""

    commit: str
    run: str
    by: str
    proof: str
    skills: tuple[str, ...]


class MaintainReport(Record):
    """The answer of `skillc maintain`. In a dry run nothing of it was written."""

    format: Literal["skillc.maintain/1"] = "skillc.maintain/1"
    withdrawn: tuple[WithdrawalReport, ...] = ()
    recorded: tuple[RecordedAdmission, ...] = ()
    stale: tuple[OutdatedSkill, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Due:
    skill: StoredSkill
    why: WithdrawalReason
    detail: str


def maintain(context: Context, *, dry_run: bool = False) -> MaintainReport:
    """Does what is due and says it. A second run at once finds nothing to do. Raises RepoError in a shallow clone."""
    context.repository.require_full_history()
    skills = current_skills(context)
    attempts = load_attempts(context)
    recorded, notes = _record_admissions(context, dry_run=dry_run)
    done = []
    for due in list(_due(context, skills, attempts)):
        done.append(withdraw(context, due.skill, due.why, due.detail, by=BY, dry_run=dry_run))
        context.base = context.repository.base()
    gone = {report.skill for report in done}
    left = [s for s in skills.values() if s.name not in gone and s.tree not in withdrawals(context)]
    stale = outdated_skills(context, left, [a.trace.header for a in attempts])
    return MaintainReport(withdrawn=tuple(done), recorded=recorded, stale=stale, notes=notes)


def _due(context: Context, skills: Mapping[str, StoredSkill], attempts: Sequence[Attempt]) -> Iterator[_Due]:
    out = withdrawals(context)
    own = [s for s in skills.values() if s.contract is not None and s.tree not in out]
    expired = expired_skills(context, own)
    limit = context.policy.maintain.retire_unused_after
    waiting = pending_candidates(context) if limit else {}
    history = SkillHistory(context)
    for skill in own:
        contract = skill.contract
        if contract is None:
            continue
        if contract.skill_id in expired:
            yield _Due(skill, WithdrawalReason.EXPIRED, expired_words(expired[contract.skill_id]))
        elif limit and contract.task_family not in waiting:  # somebody decides on a new version first
            unused = _unused_sessions(skill, history, attempts)
            if unused >= limit:
                detail = f"no session used it in the last {unused} sessions of {contract.task_family}"
                yield _Due(skill, WithdrawalReason.RETIRED, detail)


def _unused_sessions(skill: StoredSkill, history: SkillHistory, attempts: Sequence[Attempt]) -> int:
    """Returns how many sessions of its family began since a version's admission and since its last use.

    Parts of one session count once; a Trace that does not say when it began counts for neither side.
    """
    assert skill.contract is not None
    since = next((c.at for c in reversed(history.changes.get(skill.name, [])) if c.tree == skill.tree), None)
    if since is None:
        return 0
    later = [(at, a) for a in attempts if (at := a.trace.header.started_at) is not None and at > since]
    used = max((at for at, a in later if is_used(a.trace, skill.name)), default=since)
    family = skill.contract.task_family
    return len({_session_of(a.trace) for at, a in later if a.task_family == family and _counts(a.trace, at, used)})


def _counts(trace: Trace, at: datetime, since: datetime) -> bool:
    return at > since and trace.header.origin is not Origin.SIMULATED


def _session_of(trace: Trace) -> str:
    return f"{trace.header.source.kind} {trace.header.source.ref}"


def _record_admissions(context: Context, *, dry_run: bool) -> tuple[tuple[RecordedAdmission, ...], tuple[str, ...]]:
    """Writes the admissions by merge that have a proof and no record, signed; without a registered key it says so."""
    known = set(_known(context))
    made = {(r.run, v.skill, v.tree): v for r in context.ledger.runs for v in r.versions}
    found: dict[tuple[str, str], list[Admission]] = {}
    with open_reader(context.repository) as reader:
        for admission in Admissions(context, reader).all():
            key = admission.run or "", admission.skill, admission.tree or ""
            is_told = admission.proof not in ("unproven", "withdrawn") and admission.by != "policy"
            if key in made and key not in known and admission.group is not None and is_told:
                found.setdefault((admission.commit, key[0]), []).append(admission)
    if not found:
        return (), ()
    if not signs_here(context.policy):
        return (), (_NO_KEY,)
    files, told = [], []
    for (commit, run), admissions in found.items():
        first = admissions[0]
        by = first.by or first.proof
        versions = [made[run, a.skill, a.tree or ""] for a in admissions]
        files.append(
            admission_file(
                context,
                run=run,
                group=first.group or "",
                versions=versions,
                by=by,
                proof=first.proof,
                at=context.now,
                commit=commit,
            )
        )
        names = tuple(a.skill for a in admissions)
        told.append(RecordedAdmission(commit=commit, run=run, by=by, proof=first.proof, skills=names))
    if not dry_run:
        append_to_ledger(context.repository, files, message="audit: admissions by merge\n", at=context.now)
        context.forget_ledger()
    return tuple(told), ()


def _known(context: Context) -> Iterator[tuple[str, str, str]]:
    for stored in stored_audit(context):
        if isinstance(stored.record, AdmissionRecord):
            yield from ((stored.record.run, v.skill, v.tree) for v in stored.record.versions)
