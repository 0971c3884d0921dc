"""How lines with their evidence, Skills, Traces and versions look on a terminal."""

from typing import TYPE_CHECKING

from skillc.cli import view
from skillc.cli.view import literal, printable, say, styled
from skillc.core.skill.render import basis_mark

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.explain import LogReport, WhyReport
    from skillc.lifecycle.restore import RestoreReport
    from skillc.lifecycle.summaries import ShownTrace


# What stands behind a line that cites no event.
_WORDS = {
    "person": "on the word of a person",
    "user": "on the word of a user",
    "published": "arrived without its evidence, which is where it was published from",
}


def show_why(report: "WhyReport") -> None:
    """Prints each line and, below it, the events that it came from."""
    version = f"version {report.version}" if report.version else "a candidate"
    say(f"{styled(report.skill, 'bold')}, {version}")
    field = ""
    for claim in report.claims:
        if claim.field != field:
            field = claim.field
            say(styled(f"\n{field}", "cyan"))
        say(f"  {literal(claim.text)}  {styled(f'[{claim.id}]', 'dim')}")
        if claim.basis != "events":
            word = _WORDS.get(claim.basis, "no event stands behind it")
            say(f"    {literal(basis_mark(claim.basis, claim.person))} {word}")
        for citation in claim.citations:
            where = f" at {citation.commit[:12]}" if citation.commit else ""
            who = (
                f"{citation.verifier}, {citation.strength}, {citation.assurance}{where}"
                if citation.verifier
                else "not verified"
            )
            say(f"    {citation.trace_id}  {styled(f'({who})', 'dim')}")
            for event in citation.events:
                text = literal(event.excerpt) if event.excerpt else "(not readable here)"
                say(f"      {event.id} {event.kind or '-'}: {text}")


def show_log(report: "LogReport") -> None:
    """Prints one line per version, newest first."""
    say(f"{styled(report.skill, 'bold')}  {report.skill_id or ''}")
    for line in reversed(report.versions):
        back = f"  brings back version {line.restores}" if line.restores else ""
        tree = line.tree[:12] if line.tree else "removed"
        say(f"  {line.version}  {line.change.ljust(8)}  {line.commit[:12]}  {tree.ljust(12)}  {line.at:%Y-%m-%d}{back}")


def show_restore(report: "RestoreReport", *, as_json: bool, dry_run: bool) -> None:
    """Prints what became of the Skill, and the line that takes it back."""
    if as_json:
        view.show_json(report)
        return
    what = f"version {report.to_version}" if report.tree else "no Skill, as before it was added"
    if dry_run:
        say(f"would restore {report.skill} to {what}")
        return
    if report.commit is None:
        say(f"restored  {report.skill}  its folder on {report.branch} is in service again")
        return
    say(f"restored  {report.skill}  to {what}  {report.commit[:12]} on {report.branch}")
    view.hint(f"undo: git revert {(report.commit or '')[:12]}")


def show_skills(context: "Context", *, as_json: bool) -> None:
    """Lists the Skills of base."""
    import json

    from skillc.lifecycle.skills import current_skills

    skills = current_skills(context)
    if as_json:
        rows = [
            {
                "skill": s.name,
                "skill_id": s.contract.skill_id if s.contract else None,
                "tree": s.tree,
                "compiled": bool(s.contract),
            }
            for s in skills.values()
        ]
        say(json.dumps({"format": "skillc.skills/1", "skills": rows}, indent=2))
        return
    for skill in skills.values():
        if skill.contract is None:
            say(f"{literal(skill.name)}  {literal(skill.problem or 'written by hand')}")
            continue
        support = skill.contract.support
        single = ", single-source" if support.single_source else ""
        say(f"{styled(skill.name, 'bold')}  {len(support.attempt_families)} attempt families{single}")
        say(f"  {literal(skill.contract.description.text)}")
    if not skills:
        say(f"no Skill on {literal(context.base.branch)} yet")


def show_skill(context: "Context", name: str, *, full: bool, as_json: bool) -> None:
    """Prints a Skill as an agent reads it, or its full form."""
    from skillc.core.skill.render import render_agent_view, render_full_form
    from skillc.lifecycle.explain import EvidenceReader, contract_named
    from skillc.lifecycle.skills import current_skills, skill_text

    contract, version = contract_named(context, name)
    stored = current_skills(context).get(contract.name) if version is not None else None
    for line in context.notes:
        view.note(line)
    if as_json:
        view.show_json(contract)
    elif full:
        reader = EvidenceReader.of(context, [contract])
        say(printable(render_full_form(contract, reader.excerpt)).rstrip("\n"))
    else:
        text = skill_text(context, stored) if stored is not None else None
        say(printable(text or render_agent_view(contract)).rstrip("\n"))


def show_trace(attempt: "ShownTrace", *, as_json: bool) -> None:
    """Prints a Trace: its head, its standing, its summary and every event on one line."""
    from skillc.core.trace.summary import SUMMARY_FIELDS
    from skillc.lifecycle.explain import excerpt_of

    if as_json:
        view.show_json(attempt)
        return
    header, standing = attempt.trace.header, attempt.standing
    say(f"{styled(header.trace_id, 'bold')}  {literal(header.objective)}")
    say(f"family {attempt.task_family or '-'}, attempt family {attempt.attempt_family}")
    say(f"outcome {standing.outcome.value}, strength {standing.strength.value}, assurance {standing.assurance.label}")
    for reason in standing.reasons:
        say(f"  {literal(reason)}")
    for field in SUMMARY_FIELDS:
        for claim in getattr(attempt.summary, field):
            where = " ".join(claim.events[:4]) + (" ..." if len(claim.events) > 4 else "")
            say(f"  {field.ljust(11)} {literal(claim.text, width=150)}  {styled(where, 'dim')}")
    say()
    for event in attempt.trace.events:
        mark = "!" if event.is_error else " "
        who = literal(event.tool or event.actor, width=40)
        text = literal(excerpt_of(event) or "(restricted)", width=120)
        say(f"  {event.id.rjust(5)} {mark} {event.kind.value.ljust(13)} {who.ljust(8)} {text}")
