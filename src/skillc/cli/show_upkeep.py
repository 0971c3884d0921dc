"""How conflicts, contradicted lines and Skills out of service look on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, say, styled

if TYPE_CHECKING:
    from skillc.core.compile.evidence import StaleSkill
    from skillc.lifecycle.compile_report import FamilyReport, VersionReport
    from skillc.lifecycle.resolve import ResolveReport
    from skillc.lifecycle.withdrawal import WithdrawalReport


_SHOWN = 3  # Traces of one Skill


def show_due(family: "FamilyReport") -> None:
    """Prints what a run found about the Skills in service: weak evidence, contradicted lines, conflicts."""
    for weak in family.weak:
        for trace in weak.traces[:_SHOWN]:
            say(f"  {styled('evidence-weakened', 'red')}  {trace.trace_id}: {literal(trace.reason)}")
        if len(weak.traces) > _SHOWN:
            say(f"      and {len(weak.traces) - _SHOWN} more cited Traces: skillc check")
    in_conflict = {(c.skill_id, c.field, c.claim_id) for c in family.conflicts}
    for skill in family.stale:
        show_stale(skill, {key[1:] for key in in_conflict if key[0] == skill.skill_id})
    for conflict in family.conflicts:
        say(f"  {styled('conflict', 'red')}  {conflict.field}: two verified rules are opposite")
        for name, side in zip("AB", conflict.sides, strict=True):
            traces = ", ".join(f"{c.trace_id}#{c.events[0]}" for c in side.citations[:3])
            say(f"      {name}  {literal(side.text)}  ({traces})")
    if family.conflicts:
        view.hint("look at both sides, then: skillc resolve SKILL --keep A|B --reason TEXT")


def show_near_duplicates(version: "VersionReport") -> None:
    """Prints which admitted Skills do what a new version does, and both ways on."""
    for name in version.near_duplicates:
        say(f"      changes the same things by nearly the same steps as {literal(name)}, of another task family")
        say("      once both are admitted, compile proposes their merge; or reject it and put its Traces there:")
        say("        skillc families assign TRACE FAMILY")


def show_gone(version: "VersionReport") -> None:
    """Prints that a Skill goes out of service, and what its candidate is still for."""
    if version.commit is None:
        say(f"  {styled('would go out of service', 'red')}  {version.skill}: {literal(version.reason)}")
        return
    say(f"  {styled('out of service', 'red')}  {version.skill}: {literal(version.reason)}")
    say("      that counts from now on; the merge of the candidate removes its folder, which hosts load until then")


def show_stale(skill: "StaleSkill", told: set[tuple[str, str | None]]) -> None:
    """Prints the contradicted lines of a Skill, but for those that are told as a conflict."""
    for line in skill.lines:
        if (line.field, line.claim_id) in told:
            continue
        counts = f"{line.opposing} against {line.agreeing} attempt families"
        say(f"  {styled('contradicted', 'yellow')}  {skill.skill} {line.field}: {literal(line.text)}")
        traces = ", ".join(c.trace_id for c in line.against[:3])
        say(f"      {literal(line.says)}; {counts} ({traces})")


def show_resolved(report: "ResolveReport", *, dry_run: bool = False) -> None:
    """Prints what a resolution did, and what comes next."""
    if dry_run:
        back = ", and the Skill would be in service again" if report.in_service else ""
        say(f"would resolve {report.conflict} of {report.skill}: {report.keep} would be kept{back}")
        return
    say(f"{styled('resolved', 'green')}  {report.conflict} of {report.skill}: {report.keep} is kept")
    if report.dropped_branch:
        say(f"dropped {report.dropped_branch}, which would have removed the folder")
    if report.restored is not None:
        say(f"restored {report.skill} on {report.restored.branch}  {(report.restored.commit or '')[:12]}")
    if report.left:
        view.hint(f"{report.left} conflicts of {report.skill} are still open")
    elif report.in_service:
        say(f"{report.skill} is in service again")
    else:
        view.hint("make the next version: skillc compile")


def show_withdrawn(report: "WithdrawalReport", undo: str | None) -> None:
    """Prints where a Skill went out of service, and the way back."""
    if report.commit is None:
        say(f"would withdraw {report.skill} on {report.branch}")
        return
    say(f"{styled('withdrawn', 'yellow')}  {report.skill}  on {report.branch}  {(report.commit or '')[:12]}")
    if undo:
        view.hint(f"take it back: {undo}")
