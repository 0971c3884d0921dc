"""Compilation: from stored Traces to a candidate, or admission at once where policy says so.

select, reflect, check, scan, curate, group, render, scan again, gates, write. Every engine answer passes the
trusted code before it has an effect, and the run record says what became of each source and proposal.
Paper: 5.3, 5.4. Not here: the checks (core.compile.checks), the induction (engines).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from skillc.core.admit.gates import GateVerdict, is_rejected, may_admit_at_once
from skillc.core.compile.evidence import Evidence, StaleSkill
from skillc.core.compile.group import ResultGroup, make_group
from skillc.core.compile.proposal import Proposal, ProposalOutcome
from skillc.core.compile.rejected import as_engines_see
from skillc.core.compile.roles import Engine
from skillc.core.compile.select import Attempt
from skillc.core.skill.contract import iter_claims
from skillc.engines.table import PAID
from skillc.errors import CallFailedError
from skillc.lifecycle.admission import gates_of_run
from skillc.lifecycle.admit import admit_if_ready
from skillc.lifecycle.candidates import (
    Candidate,
    publish_candidate,
    write_group,
)
from skillc.lifecycle.compile_report import (
    FamilyReport,
    GroupReport,
    ProposalReport,
    VersionReport,
    upkeep_report,
)
from skillc.lifecycle.context import Context
from skillc.lifecycle.judging import Run, judge, passes_checks, rejected
from skillc.lifecycle.model_runs import end_by_failure, is_recorded_failure, passes_model_scan, with_estimate
from skillc.lifecycle.overtaken import require_same_candidate, require_still_so
from skillc.lifecycle.run_inputs import lost_of_people, newest_of
from skillc.lifecycle.run_plan import plan_run
from skillc.lifecycle.run_records import admission_of, append_files, run_files
from skillc.lifecycle.skills import StoredSkill, near_duplicates_of
from skillc.lifecycle.withdrawal import take_out_of_service, upkeep_files
from skillc.repo.checkout import move_branch
from skillc.repo.commits import RefUpdate, WrittenCommits
from skillc.repo.due import DueRecords, move_with_records
from skillc.repo.layout import candidate_branch, candidate_ref
from skillc.repo.ledger import LedgerFile
from skillc.repo.lock import write_lock

_DECIDE = "the new candidate would lose them; merge it or reject it first"


@dataclass(frozen=True)
class CompileOptions:
    """What the command line said."""

    engine: str = "offline"
    dry_run: bool = False
    single: bool = False
    is_batch: bool = False
    max_cost: float | None = None
    tell: Callable[[str], None] = lambda line: None


def compile_family(
    context: Context, task_family: str, attempts: Sequence[Attempt], options: CompileOptions, engine: Engine
) -> FamilyReport:
    """Runs the compiler over one task family and writes what the gates allow."""
    plan = plan_run(context, task_family, attempts, (engine.name, engine.version), single=options.single)
    evidence, upkeep, waiting = plan.evidence, plan.upkeep, plan.waiting
    if plan.waits and waiting is not None:
        return _waits(context, evidence, waiting, upkeep.told, options)
    if plan.nothing is not None:
        return _nothing(evidence, plan.nothing, waiting, upkeep.told)
    by_id = {a.trace.trace_id: a for a in attempts}
    run = Run(plan.run_id, evidence, plan.selection, newest_of(plan.selection), by_id, upkeep=upkeep, own=plan.own)
    if options.dry_run and options.engine in PAID:
        return with_estimate(_nothing(evidence, "dry run: no model was asked", waiting, upkeep.told), run, engine)
    if plan.selection.has_support and not upkeep.conflicts:
        _ask(context, run, engine)
    take_out_of_service(run)
    return finish_run(context, run, plan.skills, waiting, options, (engine.name, engine.version))


def _ask(context: Context, run: Run, engine: Engine) -> None:
    """Asks the roles in their order; a call that failed ends the run with its sources kept."""
    proposals: tuple[Proposal, ...] = ()
    try:
        run.evidence = engine.prepare(run.evidence)
        proposals = engine.reflect(as_engines_see(run.evidence), run=run.run)
        checked = [left for p in proposals if (left := passes_checks(context, run, p)) is not None]
        passed = tuple(passes_model_scan(run, engine, checked))
        judge(run, passed, engine.curate(run.evidence, passed))
    except CallFailedError as error:
        end_by_failure(run, error, proposals)
    run.calls = engine.take_calls() or None


def finish_run(
    context: Context,
    run: Run,
    skills: dict[str, StoredSkill],
    waiting: Candidate | None,
    options: CompileOptions,
    engine: tuple[str, str],
) -> FamilyReport:
    """Groups, renders, scans, asks the gates and writes; old state or new at every moment."""
    group = make_group(run.run, run.evidence.task_family, tuple(run.changes)) if run.changes else None
    gates: tuple[GateVerdict, ...] = ()
    state = "none"
    if group is not None:
        gates = gates_of_run(context, group, run.evidence, run.attempts, skills, run.findings)
        if is_rejected(gates):
            blocked = tuple(f"{g.gate}: {g.reason}" for g in gates if g.result.value == "reject")
            group = None
            _give_up(run, blocked)
        elif lost := lost_of_people(waiting, [c.contract for c in group.changes]):
            assert waiting is not None
            group = None
            _give_up(run, (f"{waiting.branch} holds lines that a person wrote in {', '.join(lost)}: {_DECIDE}",))
    versions = _versions(context, group, None, skills)
    if group is not None and not options.dry_run:
        at_once = may_admit_at_once(gates)
        state = "admitted" if at_once else "candidate"
        with write_lock(context.repository):
            require_still_so(context, run.attempts)
            require_same_candidate(context, group.task_family, waiting)
            written = write_group(context, group, run.at)
            versions = _versions(context, group, written, skills)
            _publish(context, run, group, written, versions, waiting, engine, at_once)
    elif not options.dry_run:
        files = _run_files(context, run, engine, None, versions, waiting)
        if files:
            append_files(context, files, run.run, run.at)
    return _family_report(run, group, gates, versions, state, options.dry_run)


def _give_up(run: Run, reasons: tuple[str, ...]) -> None:
    """Records why nothing of the run is written."""
    run.proposals = [rejected(p, reasons) if p.outcome is ProposalOutcome.PENDING else p for p in run.proposals]


def _run_files(
    context: Context,
    run: Run,
    engine: tuple[str, str],
    group: ResultGroup | None,
    versions: tuple[VersionReport, ...],
    waiting: Candidate | None,
) -> list[LedgerFile]:
    due = upkeep_files(context, run.own, run.upkeep, run=run.run, at=run.at)
    if group is None and is_recorded_failure(context.ledger.runs, run):
        return due
    files = run_files(
        context,
        run.evidence,
        run.run,
        engine,
        run.at,
        run.proposals,
        group,
        versions,
        waiting,
        calls=run.calls,
        failure=run.failure,
    )
    return [*files, *due]


def _publish(
    context: Context,
    run: Run,
    group: ResultGroup,
    written: WrittenCommits,
    versions: tuple[VersionReport, ...],
    waiting: Candidate | None,
    engine: tuple[str, str],
    at_once: bool,
) -> None:
    """Moves base or the candidate branch, and the ledger with it."""
    files = _run_files(context, run, engine, group, versions, waiting)
    tip = written.ids[-1]
    if at_once:
        files.append(admission_of(context, group, versions))
        ref = context.base.ref

        is_ours = waiting is not None and not waiting.foreign
        old = [RefUpdate(candidate_ref(group.task_family), waiting.tip, None)] if waiting and is_ours else []

        def move() -> None:
            base, drop = context.base, [written.tmp_ref]
            move_branch(context.repository, base, old=base.commit, new=tip, drop=drop, also=old)

    else:
        ref = candidate_ref(group.task_family)

        def move() -> None:
            publish_candidate(context, group.task_family, written, waiting)

    due = DueRecords(ref, tip, tuple(files), f"run {run.run}\n", run.at)
    move_with_records(context.repository, due, move)
    context.forget_ledger()


def _versions(
    context: Context, group: ResultGroup | None, written: WrittenCommits | None, skills: dict[str, StoredSkill]
) -> tuple[VersionReport, ...]:
    if group is None:
        return ()
    found = []
    for index, change in enumerate(group.changes):
        commit = written.ids[index] if written else None
        tree = None
        if commit:
            folder = f"{context.policy.skills_dir}/{change.contract.name}"
            tree = change.base_tree
            if change.has_folder:
                tree = context.repository.git.line("rev-parse", f"{commit}:{folder}")
        found.append(
            VersionReport(
                skill=change.contract.name,
                skill_id=change.contract.skill_id,
                change=change.kind.value,
                commit=commit,
                tree=tree,
                fields=change.fields,
                claims=sum(1 for _ in iter_claims(change.contract)),
                attempt_families=len(change.contract.support.attempt_families),
                single_source=change.contract.is_single_source,
                reason=change.reason,
                near_duplicates=near_duplicates_of(change.contract, skills.values()) if change.has_folder else (),
            )
        )
    return tuple(found)


def _family_report(
    run: Run,
    group: ResultGroup | None,
    gates: tuple[GateVerdict, ...],
    versions: tuple[VersionReport, ...],
    state: str,
    dry_run: bool,
) -> FamilyReport:
    return FamilyReport(
        task_family=run.evidence.task_family,
        run=run.run,
        read=tuple(s.trace_id for s in run.evidence.sources),
        attempt_families=len({s.attempt_family for s in run.evidence.supports}),
        left_out=run.evidence.left_out,
        proposals=tuple(
            ProposalReport(
                id=p.id,
                operation=p.operation.value,
                skill=p.skill,
                outcome=p.outcome.value,
                reasons=p.reasons,
            )
            for p in run.proposals
        ),
        group=GroupReport(
            branch=candidate_branch(run.evidence.task_family) if state == "candidate" else None,
            state=state,
            versions=versions,
            gates=gates,
        ),
        note=_note(run, group, dry_run),
        contracts=tuple(c.contract for c in group.changes if c.has_folder) if group and dry_run else (),
        calls=run.calls or (),
        failure=run.failure,
        **upkeep_report(run.upkeep.told, run.upkeep),
    )


def _note(run: Run, group: ResultGroup | None, dry_run: bool) -> str:
    """Says in one line why a run made nothing, where its proposals do not say it."""
    if run.failure is not None:
        return "nothing was admitted and every source is kept"
    if group is not None or run.proposals:
        return "dry run: nothing was written" if dry_run else ""
    closed = sorted({past.outcome for past in run.evidence.history})
    if closed:
        return f"nothing proposed: the same change was {' and '.join(closed)}, and no source is new since then"
    return "nothing proposed: the evidence has no action that the attempts share"


def _waits(
    context: Context, evidence: Evidence, waiting: Candidate, told: tuple[StaleSkill, ...], options: CompileOptions
) -> FamilyReport:
    """Tells that the same candidate waits, or admits it: an evaluation or a person may have come meanwhile."""
    gates = None if options.dry_run else admit_if_ready(context, waiting)
    if gates is None:
        return _nothing(evidence, f"nothing new: {waiting.branch} waits for review", waiting, told)
    report = _nothing(evidence, "nothing holds its candidate any more", None, told)
    group = GroupReport(branch=None, state="admitted", versions=_waiting_versions(waiting), gates=gates)
    return report.model_copy(update={"run": waiting.run, "group": group})


def _waiting_versions(waiting: Candidate) -> tuple[VersionReport, ...]:
    return tuple(
        VersionReport(
            skill=v.skill,
            skill_id=v.skill_id,
            change=v.change,
            commit=v.commit,
            tree=v.tree,
            claims=sum(1 for _ in iter_claims(v.contract)) if v.contract else 0,
            attempt_families=len(v.contract.support.attempt_families) if v.contract else 0,
            single_source=v.contract.is_single_source if v.contract else False,
        )
        for v in waiting.versions
    )


def _nothing(
    evidence: Evidence, note: str, waiting: Candidate | None, told: tuple[StaleSkill, ...] = ()
) -> FamilyReport:
    return FamilyReport(
        task_family=evidence.task_family,
        run=None,
        read=(),
        attempt_families=len({s.attempt_family for s in evidence.supports}),
        left_out=evidence.left_out,
        proposals=(),
        group=GroupReport(
            branch=waiting.branch if waiting else None,
            state="candidate" if waiting else "none",
            versions=(),
            gates=(),
        ),
        note=note,
        **upkeep_report(told),
    )
