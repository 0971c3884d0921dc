"""One `skillc compile`: which families it covers, and what it says when there are none.

Not here: one family's run (lifecycle.compile).
"""

from collections.abc import Sequence
from dataclasses import replace

from skillc.core.compile.roles import Engine
from skillc.core.compile.select import Attempt
from skillc.core.record import digest_of
from skillc.core.skill.contract import cited_events
from skillc.errors import UsageError
from skillc.lifecycle.attempts import chosen_attempts, load_attempts
from skillc.lifecycle.compile import CompileOptions, compile_family
from skillc.lifecycle.compile_report import CompileReport, FamilyReport
from skillc.lifecycle.context import Context
from skillc.lifecycle.duplicates import propose_merges
from skillc.lifecycle.engines import engine_for
from skillc.lifecycle.families import assign_traces, require_slug, seen_groups
from skillc.lifecycle.overtaken import until_not_overtaken
from skillc.lifecycle.skills import current_skills


def compile_namespace(
    context: Context, *, families: Sequence[str], traces: Sequence[str], options: CompileOptions
) -> CompileReport:
    """Compiles the named families, or all; with `traces`, those alone under the one named family."""
    engine = engine_for(
        context, options.engine, max_cost=options.max_cost, is_batch=options.is_batch, tell=options.tell
    )
    if traces:
        return _compile_traces(context, families, traces, options, engine)
    attempts = load_attempts(context)
    by_family: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.task_family is not None:
            by_family.setdefault(attempt.task_family, []).append(attempt)
    unknown = sorted(set(families) - set(by_family))
    if unknown:
        known = ", ".join(sorted(by_family)) or "none yet"
        raise UsageError(f"no Trace belongs to the family {unknown[0]!r}", hint=f"families: {known}")
    reports = []
    for family in sorted(families or by_family):
        report = _compile_one(context, family, by_family[family], options, engine)
        reports.append(report)
        if any(v.commit for v in report.group.versions) and report.group.state == "admitted":
            context.base = context.repository.base()
        if report.failure is not None and report.failure.stops_run:
            break
    if not families:
        reports += until_not_overtaken(context, lambda: propose_merges(context, load_attempts(context), options))
    groups = () if families else tuple(seen_groups(attempts))
    runs = [r.run for r in reports if r.run]
    return CompileReport(families=tuple(reports), groups=groups, run=_run_of_runs(runs))


def _compile_traces(
    context: Context, families: Sequence[str], traces: Sequence[str], options: CompileOptions, engine: Engine
) -> CompileReport:
    if len(families) != 1:
        raise UsageError(
            "--trace needs the one family that the Skill is for",
            hint="skillc compile --trace ID --family NAME",
        )
    family = require_slug(families[0])
    chosen = chosen_attempts(context, traces)
    other = [a for a in chosen if a.task_family not in (None, family)]
    if other:
        raise UsageError(
            f"Trace {other[0].trace.trace_id} belongs to the family {other[0].task_family!r}",
            hint=f"use that family, or move it: skillc families assign {other[0].trace.trace_id} {family}",
        )
    new = [a for a in chosen if a.task_family is None]
    if new and not options.dry_run:
        assign_traces(context, new, family)
    # The named Traces alone, and what the family's Skill rests on already: nothing of it is lost.
    named = {a.trace.trace_id for a in chosen}

    def attempts() -> list[Attempt]:
        wanted = named | _cited_by_skill_of(context, family)
        return [
            a.model_copy(update={"task_family": family}) for a in load_attempts(context) if a.trace.trace_id in wanted
        ]

    report = until_not_overtaken(
        context, lambda: compile_family(context, family, attempts(), replace(options, single=True), engine)
    )
    return CompileReport(families=(report,), run=report.run)


def _compile_one(
    context: Context, family: str, attempts: Sequence[Attempt], options: CompileOptions, engine: Engine
) -> FamilyReport:
    """Compiles one family; with what is stored now, when another command wrote in the middle of it."""
    known = [attempts]

    def run() -> FamilyReport:
        chosen = known.pop() if known else [a for a in load_attempts(context) if a.task_family == family]
        return compile_family(context, family, chosen, options, engine)

    return until_not_overtaken(context, run)


def _cited_by_skill_of(context: Context, family: str) -> set[str]:
    contracts = (s.contract for s in current_skills(context).values() if s.contract is not None)
    return {t for contract in contracts if contract.task_family == family for t in cited_events(contract)}


def _run_of_runs(runs: Sequence[str]) -> str | None:
    if len(runs) < 2:
        return runs[0] if runs else None
    return "r-" + digest_of(sorted(runs))[7:27]
