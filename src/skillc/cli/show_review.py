"""How a review looks on a terminal: risks and changes first, each line with its evidence, then how to decide."""

from typing import TYPE_CHECKING

from skillc.cli.show_govern import say_gates
from skillc.cli.view import literal, printable, say, styled
from skillc.core.skill.render import basis_mark

if TYPE_CHECKING:
    from skillc.lifecycle.context import Context
    from skillc.lifecycle.explain import ClaimLine
    from skillc.lifecycle.folder_branches import FolderBranch
    from skillc.lifecycle.review import ReviewedCandidate, ReviewedVersion, ReviewReport


def show_review(report: "ReviewReport", context: "Context") -> None:
    """Prints each waiting candidate, line by line with its evidence, then how to decide."""
    for branch in report.folders:
        show_folder_branch(branch)
    if not report.candidates:
        if not report.folders:
            say("nothing waits for review")
        return
    from skillc.lifecycle.forge import can_open_pull_request
    from skillc.lifecycle.review import next_steps

    has_forge = can_open_pull_request(context)
    for candidate in report.candidates:
        show_candidate(candidate)
        steps = next_steps(context, candidate)
        family = steps.family
        say("approve by merging:")
        for line in steps.local:
            say(f"  {line}")
        say("or as a pull request:")
        for line in (f"skillc review {family} --create-pr",) if has_forge else steps.forge:
            say(f"  {line}")
        say(f"reject: skillc reject {family} [LINE] --reason TEXT")


def show_folder_branch(branch: "FolderBranch") -> None:
    """Prints a branch that takes a Skill away or brings one back, and how it gets to base."""
    say(styled(literal(branch.branch), "bold"))
    for change in branch.changes:
        say(f"  {literal(change.change)}  {literal(change.skill)}  {change.commit[:12]}")
    say("a person's command made it; take it by merging:")
    for line in branch.local:
        say(f"  {literal(line)}")
    say("or as a pull request:")
    for line in branch.forge:
        say(f"  {literal(line)}")
    say("")


def show_candidate(candidate: "ReviewedCandidate") -> None:
    """Prints one candidate."""
    say(f"{styled(literal(candidate.branch), 'bold')}  run {literal(candidate.run)}, read {candidate.read} Traces")
    if candidate.left_out:
        say(f"left out: {', '.join(literal(item) for item in candidate.left_out)}")
    for reason in (*candidate.risks, *candidate.warnings, *candidate.reasons):
        say(styled(literal(reason), "yellow"))
    for version in candidate.versions:
        _show_version(version)
    say("\ngates:")
    say_gates(candidate.gates)
    if candidate.approved_by:
        say(f"approved by {literal(candidate.approved_by)}")
    say("")


def _show_version(version: "ReviewedVersion") -> None:
    single = ", single-source" if version.single_source else ""
    families = f"from {version.attempt_families} attempt families{single}"
    say(f"\n{styled(literal(version.skill), 'bold')}: {literal(version.change)}, {families}")
    if version.effects:
        say(f"effects: {literal(', '.join(version.effects))}")
    if version.tools:
        say(f"tools: {literal(', '.join(version.tools))}")
    if version.change != "add" and version.diff:
        say(printable(version.diff))
    field = ""
    for claim in version.claims:
        if claim.field != field:
            field = claim.field
            say(styled(f"\n  {literal(field)}", "cyan"))
        _show_claim(claim)


def _show_claim(claim: "ClaimLine") -> None:
    say(f"    {literal(claim.text)}")
    mark = "" if claim.basis == "events" else f"  {literal(basis_mark(claim.basis, claim.person))}"
    say(styled(f"      line {literal(claim.id)}{mark}", "dim"))
    for citation in claim.citations:
        for event in citation.events:
            text = literal(event.excerpt or "(not readable here)", width=100)
            standing = f"{literal(citation.strength)}/{literal(citation.assurance)}"
            place = f"{literal(citation.trace_id[:14])}#{literal(event.id)}"
            say(styled(f"      {place} {standing}  {text}", "dim"))
