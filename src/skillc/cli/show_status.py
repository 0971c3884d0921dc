"""How the state of a namespace and the findings of doctor look on a terminal."""

from collections import Counter
from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled
from skillc.core.skill.render import plural

if TYPE_CHECKING:
    from skillc.lifecycle.doctor.finding import DoctorReport
    from skillc.lifecycle.host_state import HostStatus
    from skillc.lifecycle.init_forge import ForgeReport
    from skillc.lifecycle.plugin import PluginReport
    from skillc.lifecycle.status import StatusReport

_OBJECTIVE_CHARS = 48
_SHOWN = 10
_HOOKS = {"own": "yours", "shared": "shared", "both": "yours, shared", "none": "no"}
_STATES = {"ok": "green", "warn": "yellow", "fail": "red"}


def show_status(report: "StatusReport") -> None:
    """Prints the state from sessions to Skills; the next command comes last."""
    draft = " (draft: skillc.yaml is not on base)" if report.is_draft else ""
    say(f"namespace {report.namespace}, base {literal(report.base)}{draft}")
    say()
    rows = [_host_row(host, is_off=report.capture_off is not None) for host in report.hosts]
    view.table(rows, header=("host", "hook", "sessions", "not captured", "last captured", "host deletes after"))
    for host in report.hosts:
        if host.deleted_soon:
            say(styled(f"{host.host} deletes {host.deleted_soon} uncaptured transcripts within 7 days:", "yellow"))
            soon = [s for s in host.uncaptured if s.deleted_in_days is not None and s.deleted_in_days <= 7]
            for session in soon[:_SHOWN]:
                say(f"  in {session.deleted_in_days:g} days  {literal(session.path)}")
    _show_spool(report)
    say()
    _show_traces(report)
    _show_skills(report)
    if report.next is not None:
        view.hint(f"next: {literal(report.next.command)}\n  {literal(report.next.reason)}")
    else:
        say("nothing waits")


def _show_spool(report: "StatusReport") -> None:
    if report.capture_off is not None:
        where = "here: skillc capture --on" if report.capture_off == "repository" else "in this shell (SKILLC_OFF)"
        say(styled(f"capture by hook is off {where}", "yellow"))
    events = Counter("ended" if s.event == "SessionEnd" else "running" for s in report.spool)
    if events:
        say("in the spool: " + ", ".join(f"{n} {what}" for what, n in sorted(events.items())))
    for problem, n in sorted(Counter(s.problem for s in report.spool if s.problem is not None).items()):
        say(f"  {n} of them cannot be taken now: {problem}")
    if report.spool_unread:
        say(f"put aside, for they cannot be read: {report.spool_unread}: skillc capture --drain tells which")


def _host_row(host: "HostStatus", *, is_off: bool) -> tuple[str, ...]:
    waiting = [f"{host.new} new"] if host.new else []
    waiting += [f"{host.went_on} went on"] if host.went_on else []
    last = host.last_captured
    at = f"{last.at:%Y-%m-%d %H:%M}  " if last is not None and last.at is not None else ""
    kept = f"{host.retention_days:g} days" if host.retention_days is not None else "-"
    return (
        host.host,
        _HOOKS[host.hook] + (", off" if is_off and host.hook != "none" else ""),
        str(host.sessions),
        ", ".join(waiting) or "0",
        f"{at}{last.trace_id[:14]}" if last is not None else "-",
        kept,
    )


def _show_traces(report: "StatusReport") -> None:
    counts = report.traces
    strengths = ", ".join(f"{n} {name}" for name, n in counts.by_strength.items() if n)
    say(f"{counts.total} Traces" + (f" by strength: {strengths}" if strengths else ""))
    say(f"{counts.verified_successes} verified successes, {counts.verified_failures} verified failures")
    if counts.conflicted:
        say(styled(f"{counts.conflicted} Traces whose verifications disagree: skillc traces", "yellow"))
    if counts.unverified:
        say(f"{counts.unverified} possible successes are not verified:")
        for trace in report.unverified[:_SHOWN]:
            say(f"  {trace.trace_id[:14]}  {literal(trace.objective, width=_OBJECTIVE_CHARS)}")
            for command in trace.commands[:3]:
                say(styled(f"    {literal(command)}", "dim"))
        if counts.unverified > _SHOWN:
            say(f"  and {counts.unverified - _SHOWN} more: skillc status --json")


def _show_skills(report: "StatusReport") -> None:
    for family in report.families_ready:
        say(f"ready to compile: {family.task_family}, {family.fresh} verified successes that no run has read")
    for group in report.groups_ready:
        say(f"ready to accept as a family: {literal(group)}")
    for candidate in report.candidates:
        say(f"waits for you: {literal(candidate.branch)}, {literal(', '.join(candidate.skills))}")
    for folder in report.folders:
        say(f"waits for a merge: {literal(folder.branch)}, {literal(', '.join(folder.skills))}")
    for repair in report.repairs:
        say(f"to repair: {literal(repair.skill)}, whose evidence was deleted: skillc compile")
    for skill in report.skills:
        if skill.out_of_service is not None:
            say(f"out of service: {literal(skill.name)}, {skill.out_of_service}")
        if skill.weak:
            say(f"evidence weakened: {literal(skill.name)}, {', '.join(skill.weak[:3])}")
        if skill.stale:
            say(f"stale: {literal(skill.name)} names what is gone: {literal(', '.join(skill.stale[:3]))}")
    unproven = [literal(s.name) for s in report.skills if s.proof == "unproven"]
    if unproven:
        more = f" and {len(unproven) - _SHOWN} more" if len(unproven) > _SHOWN else ""
        say(f"unproven: no approval stands for {', '.join(unproven[:_SHOWN])}{more}: skillc policy explain NAME")
    for gone in report.gone:
        say(f"gone: {literal(gone.skill)}, {gone.reason} by {literal(gone.by)}: {literal(gone.detail)}")
    for conflict in report.conflicts:
        say(f"conflict {conflict.conflict}: {literal(conflict.skill)} waits for skillc resolve")
    by_hand = sum(not s.is_compiled for s in report.skills)
    for decided in report.decided:
        say(f"decided: the conflict of {literal(decided.skill)}; skillc compile makes its next version")
    for line in report.uncounted:
        say(styled(f"counts for nothing: {literal(line)}", "yellow"))
    out = sum(s.out_of_service is not None for s in report.skills)
    admitted = len(report.skills) - by_hand - out
    also = (f", {out} out of service" if out else "") + (f", {by_hand} written by hand" if by_hand else "")
    say(f"{admitted} {plural('Skill', admitted)} admitted{also}")


def show_doctor(report: "DoctorReport") -> None:
    """Prints one line a check; what is not well also says what it means and what to do."""
    width = max((len(f.check) for f in report.findings), default=0)
    for finding in report.findings:
        state = styled(finding.state.value.ljust(4), _STATES[finding.state.value])
        say(f"{state}  {finding.check.ljust(width)}  {literal(finding.found)}")
        if finding.state.value != "ok":
            say(f"      {literal(finding.meaning)}")
            if finding.next_step:
                say(styled(f"      next: {literal(finding.next_step)}", "cyan"))
    say(f"{len(report.findings)} checks, {report.failed} failed, {report.warned} warnings")


def show_forge(report: "ForgeReport", *, dry_run: bool) -> None:
    """Prints what became of the workflows and of CODEOWNERS, and what only a person can do."""
    for path in report.written:
        say(f"{'would write' if dry_run else 'wrote'}  {literal(path)}")
    for path in report.unchanged:
        say(f"unchanged  {literal(path)}")
    for path in report.kept:
        view.note(f"kept: {path} was changed by a person")
    view.hint("next:\n  " + "\n  ".join(report.next))


def show_plugin(report: "PluginReport", *, dry_run: bool) -> None:
    """Prints what became of a plugin folder, and what a person changed in it."""
    would = "would " if dry_run else ""
    for path in report.written:
        say(f"{would}{'write' if dry_run else 'wrote'}  {literal(path)}")
    for path in report.removed:
        say(f"{would}{'remove' if dry_run else 'removed'}  {literal(path)}")
    for path in report.kept:
        view.note(f"kept: {path} was changed by a person")
    for path in report.deleted:
        view.note(f"left away: {path} was deleted by a person")
    for name, reason in report.left_out.items():
        view.note(f"left out: {literal(name)}: {literal(reason)}")
    say(f"plugin {literal(report.name)} {report.version}: {len(report.skills)} Skills and the capture hook")
    if not report.written and not report.removed:
        say("nothing new")
    else:
        view.hint(f"next: claude plugin validate {literal(report.folder)}")
