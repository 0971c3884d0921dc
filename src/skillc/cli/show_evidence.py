"""How captures, verdicts, Traces and families look on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled

if TYPE_CHECKING:
    from skillc.lifecycle.capture import CaptureReport
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.drain import DrainReport
    from skillc.lifecycle.families import FamiliesReport
    from skillc.lifecycle.hosts import HostReport
    from skillc.lifecycle.traces_list import TraceLine, TracesReport
    from skillc.lifecycle.verify import VerifyReport
    from skillc.lifecycle.verify_walk import WalkItem

_OBJECTIVE_CHARS = 48


def show_capture(report: "CaptureReport", *, dry_run: bool, check: str | None = None) -> None:
    """Prints what each source gave and what was left behind; `check` is the registered check to go on with."""
    for source in report.sources:
        new = [t for t in source.traces if t.is_new]
        if len(source.traces) == 1:
            trace = source.traces[0]
            mark = "new  " if trace.is_new else "known"
            say(f"{mark}  {trace.trace_id}  {trace.events} events  {literal(source.path)}")
        else:
            say(f"{len(new)} new of {len(source.traces)} Traces  {literal(source.path)}")
        if source.redacted:
            say("       redacted " + ", ".join(f"{n} {kind}" for kind, n in source.redacted.items()))
        if source.cut:
            say(f"       cut {source.cut} long events in the middle")
        if source.restricted:
            say(f"       left out the content of {source.restricted} restricted events")
        if source.orders:
            many = "1 event holds" if source.orders == 1 else f"{source.orders} events hold"
            say(styled(f"       {many} orders that nobody trusted gave", "yellow"))
        if source.skipped:
            say(
                styled(
                    "       skipped " + ", ".join(f"{s.count} {literal(s.reason)}" for s in source.skipped),
                    "dim",
                )
            )
        for line in source.notes:
            view.note(f"note: {line}")
    for failed in report.failed:
        view.note(f"error: {failed.message}")
    totals = report.totals
    say(f"{totals.traces} Traces, {totals.new} new, {totals.events} new events")
    if report.verifications:
        say(f"{report.verifications} outcomes recorded by mapping")
    for commit in report.commits:
        say(f"stored in {commit[:12]}")
    if dry_run:
        say("dry run: nothing was written")
    elif report.undo:
        undo = "".join(f"\n      undo: {line}" for line in report.undo)
        view.hint(f"next: skillc verify --run {check or 'CHECK'}, or skillc traces{undo}")
    elif totals.traces and not report.verifications:
        say("nothing new")


def show_drain(report: "DrainReport", *, dry_run: bool = False) -> None:
    """Prints what a drain of the hook's spool took, and what waits; a dry run gives every session as data."""
    if dry_run:
        for session in report.waiting:
            say(f"{session.agent} {literal(session.session)}: {literal(session.reason)}")
        say("dry run: nothing was written" if report.waiting else "the spool is empty")
        return
    if report.captured is not None:
        show_capture(report.captured, dry_run=False)
    for session in report.waiting:
        view.note(f"left: {session.agent} {literal(session.session)}: {literal(session.reason)}")
    if report.captured is None and not report.waiting:
        say("the spool is empty")


def show_host(report: "HostReport", *, dry_run: bool) -> None:
    """Prints what became of a host's settings, and what only the person can do."""
    verb = "delete" if report.deleted else "change"
    what = (f"would {verb}" if dry_run else f"{verb}d") if report.changed else "kept"
    say(f"{what}  {literal(report.path)}")
    if not report.is_registered:
        _show_removed(report, dry_run=dry_run)
    else:
        _show_registered(report)
    for words in report.by_hand:
        view.hint(f"next: {words}")


def _show_registered(report: "HostReport") -> None:
    say(f"{report.host}: every session in this repository becomes a Trace when it ends")
    if report.denied:
        say(f"deny rules: {literal(', '.join(report.denied))}")
    elif report.offered:
        say("deny rules for the agent are not set: skillc init --host " + report.host + " --deny-rules")


def _show_removed(report: "HostReport", *, dry_run: bool) -> None:
    for path in report.remaining:
        say(f"{report.host}: the hook is still in {literal(path)}, so sessions are captured all the same")
    if not report.remaining:
        verb = "would no longer be" if dry_run else "are no longer"
        say(f"{report.host}: sessions {verb} captured by a hook")


def show_verify(report: "VerifyReport", *, dry_run: bool) -> None:
    """Prints the verdict of every Trace, how many of them came to what, and the line that takes it back."""
    from skillc.lifecycle.verify import count_traces

    for result in report.results:
        if result.state == "skipped":
            continue
        word = result.outcome.value if result.outcome else result.state
        colour = {"success": "green", "failure": "red"}.get(word, "yellow")
        where = f"  at {result.commit[:12]}" if result.commit else ""
        who = f"  by {result.verifier}" if result.verifier else ""
        say(f"{styled(word.ljust(9), colour)}  {result.trace_id}{where}{who}  {literal(result.reason)}")
    count = count_traces(report.results)
    others = [
        (count.known, "recorded before"),
        (count.held, "held"),
        (count.verified_before, "verified before"),
        (count.silent, "without a verdict"),
    ]
    tail = "".join(f", {number} {what}" for number, what in others if number)
    say(f"{count.traces} Traces: {count.recorded} {'would be recorded' if dry_run else 'recorded'}{tail}")
    if dry_run:
        say("dry run: nothing was written")
    if report.commit:
        say(f"on the ledger in {report.commit[:12]}")
        view.hint("next: skillc compile" + (f"\n      undo: {report.undo}" if report.undo else ""))


def show_traces(report: "TracesReport") -> None:
    """Prints one line per Trace."""
    rows = []
    for trace in report.traces:
        weak = "landed" if trace.landed else f"{trace.strength}/{trace.assurance}"
        standing = "conflicted" if trace.conflicted else weak
        rows.append(
            (
                trace.trace_id[:14],
                trace.outcome,
                standing,
                trace.task_family or "-",
                "yes" if trace.can_support else "no",
                literal(_why(trace)),
                literal(trace.objective, width=_OBJECTIVE_CHARS),
            )
        )
    if rows:
        view.table(rows, header=("trace", "outcome", "strength", "family", "supports", "why", "objective"))
    families = len({t.attempt_family for t in report.traces})
    say(f"{len(report.traces)} Traces in {families} attempt families")
    if not report.traces:
        view.hint("next: skillc capture --all")


def _why(trace: "TraceLine") -> str:
    """Returns why a Trace supports nothing: what is the matter with its records, where it has any."""
    first, *others = trace.reasons
    return others[0] if others and first == "not verified" else first


def show_families(report: "FamiliesReport", minimum: int) -> None:
    """Prints the known families, then the groups that could become some."""
    if report.families:
        rows = [(f.slug, str(f.traces), str(f.attempt_families), str(f.verified_families)) for f in report.families]
        view.table(rows, header=("family", "traces", "attempt families", "with a verified success"))
    if report.groups:
        say("" if report.families else "no task family yet")
        group_rows = [
            (
                g.slug,
                str(g.traces),
                str(g.attempt_families),
                str(g.verified_families),
                literal(", ".join(g.operations) or "-"),
            )
            for g in report.groups
        ]
        view.table(group_rows, header=("group", "traces", "attempt families", "with a verified success", "changes"))
        view.hint(f"accept all groups of {minimum} attempt families or more: skillc families accept")
    if not report.families and not report.groups:
        say("no Traces yet")
    elif report.families:
        _show_calibration(report)


def _show_calibration(report: "FamiliesReport") -> None:
    found = report.calibration
    if not found.is_usable:
        say(
            f"no family is inferred: {found.declared_attempt_families} attempt families are declared or assigned,"
            f" and {found.needed_attempt_families} are needed to measure how well that works"
        )
        return
    say(f"{found.inferred} Traces got their family by a score of at least {found.threshold:g}; measured, held out:")
    rows = [(f"{b.low:.1f} to {b.high:.1f}", str(b.count), str(b.right)) for b in found.reliability]
    view.table(rows, header=("score", "answers", "right"))


def show_verifiers(context: "Context", *, as_json: bool) -> None:
    """Prints the registry that counts."""
    if as_json:
        view.show_json(context.policy)
        return
    from skillc.lifecycle.trust import is_trusted

    rows = []
    for verifier in context.policy.verifiers:
        what = " ".join(verifier.run) or (f"field {verifier.mapping.ref}" if verifier.mapping else "-")
        trusted = "-" if not verifier.run else "yes" if is_trusted(context, verifier) else "no"
        rows.append((verifier.id, verifier.kind.value, verifier.key_class.value, trusted, literal(what)))
    rows += [(p.id, "human", p.key_class.value, "-", ", ".join(p.roles)) for p in context.policy.people]
    view.table(rows, header=("id", "kind", "key class", "trusted here", "what"))


def show_walk_item(item: "WalkItem", *, number: int, total: int) -> None:
    """Prints one attempt that waits for a person: its objective, its last events, what else could verify it."""
    say("")
    say(styled(f"{number} of {total}  {item.trace.trace_id}", "bold"))
    say(literal(item.trace.header.objective, width=400))
    for name, words in item.events:
        say(f"  {styled(name, 'dim')}  {literal(words, width=300)}")
    for reason in item.reasons:
        say(f"  so far: {literal(reason)}")
    for way in item.ways:
        say(f"  or: {literal(way)}")
