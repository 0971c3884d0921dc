"""Review: what a candidate changes, line by line with its evidence, on the terminal and as a pull request.

Everything from a Trace is quoted, cut to one line and neutralised, so that it can neither act on the terminal
nor mention, close or embed anything on a forge. Paper: 5.4. Not here: approval, which is the merge itself.
"""

import difflib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skillc.core.admit.gates import GateVerdict
from skillc.core.compile.conflict import ConflictRecord, open_conflicts
from skillc.core.compile.history import RunRecord
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.compile.rejected import line_digest
from skillc.core.record import Record
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.skill.render import basis_mark, plural, render_agent_view
from skillc.errors import UsageError
from skillc.lifecycle.admission import candidate_gates
from skillc.lifecycle.approvals import approved_by, versions_of
from skillc.lifecycle.candidates import Candidate, CandidateVersion, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.explain import ClaimLine, EvidenceReader, claim_line
from skillc.lifecycle.skills import StoredSkill, current_skills, near_duplicates_of
from skillc.lifecycle.upkeep import withdrawals
from skillc.repo.files import write_whole

# A pull request's body may hold 65,536 characters; the rest is one command away.
MAX_BODY_CHARS = 60_000
MAX_FALLEN = 12


class ReviewedVersion(Record):
    """One Skill version of a candidate with the evidence of every line."""

    skill: str
    skill_id: str
    change: str
    commit: str
    tree: str
    diff: str
    claims: tuple[ClaimLine, ...]
    attempt_families: int
    single_source: bool
    effects: tuple[str, ...]


class ReviewedCandidate(Record):
    """One candidate branch."""

    branch: str
    task_family: str
    run: str
    group: str
    versions: tuple[ReviewedVersion, ...]
    read: int
    left_out: tuple[str, ...]
    reasons: tuple[str, ...]
    foreign: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    gates: tuple[GateVerdict, ...] = ()
    approved_by: str | None = None


class ReviewReport(Record):
    """The answer of `skillc review`."""

    format: Literal["skillc.review/1"] = "skillc.review/1"
    candidates: tuple[ReviewedCandidate, ...]


@dataclass(frozen=True)
class NextSteps:
    """The exact commands that merge a candidate, with and without a forge."""

    local: tuple[str, ...]
    forge: tuple[str, ...]


def review(context: Context, name: str | None = None) -> ReviewReport:
    """Returns the waiting candidates, or the one of a family, Skill, branch or run."""
    pending = pending_candidates(context)
    chosen = [c for c in pending.values() if name is None or _is_named(c, name)]
    if name is not None and not chosen:
        raise UsageError(f"no candidate {name!r} waits for review", hint="run: skillc review, or skillc compile")
    contracts = [v.contract for c in chosen for v in c.versions if v.contract]
    reader = EvidenceReader.of(context, contracts)
    return ReviewReport(candidates=tuple(_reviewed(context, c, reader) for c in chosen))


def _is_named(candidate: Candidate, name: str) -> bool:
    skills = {n for v in candidate.versions for n in (v.skill, v.skill_id)}
    return name in {candidate.task_family, candidate.branch, candidate.run, *skills}


def _reviewed(context: Context, candidate: Candidate, reader: EvidenceReader) -> ReviewedCandidate:
    run = next((r for r in context.ledger.runs if r.run == candidate.run), None)
    current = current_skills(context)
    versions = []
    for version in candidate.versions:
        contract = version.contract
        stored = current.get(version.skill)
        if contract is None:
            if version.change == "withdraw":
                versions.append(_withdrawn(version, stored))
            continue
        versions.append(
            ReviewedVersion(
                skill=version.skill,
                skill_id=version.skill_id,
                change=version.change,
                commit=version.commit,
                tree=version.tree,
                diff=_diff(stored.contract if stored else None, contract),
                claims=tuple(claim_line(reader, f, c) for f, c in iter_claims(contract)),
                attempt_families=len(contract.support.attempt_families),
                single_source=contract.is_single_source,
                effects=tuple(sorted({e.effect.value for e in contract.effects})),
            )
        )
    return ReviewedCandidate(
        branch=candidate.branch,
        task_family=candidate.task_family,
        run=candidate.run,
        group=candidate.group,
        versions=tuple(versions),
        read=len(run.read) if run else 0,
        left_out=_left_out(run),
        reasons=(
            *_rejections(context, candidate),
            *_out_of_service(context, candidate),
            *_notes(candidate),
            *_alike(candidate, current),
            *_gone(context, candidate, run),
            *(f"{p.skill or p.id}: {r}" for p in (run.proposals if run else ()) for r in p.reasons),
        ),
        foreign=candidate.foreign,
        warnings=_warnings(context, candidate, reader),
        gates=candidate_gates(context, candidate),
        approved_by=approved_by(context, candidate.group, versions_of(candidate)),
    )


def _warnings(context: Context, candidate: Candidate, reader: EvidenceReader) -> tuple[str, ...]:
    """Says what the scanner holds a candidate for: rule, line of the contract, safe excerpt, and what is let stand."""
    from skillc.lifecycle.scanning import scan_artifact  # loads every scan rule

    found = []
    for contract in (v.contract for v in candidate.versions if v.contract is not None):
        for item in scan_artifact(context, contract, reader.attempts):
            where = item.path.rpartition("#")[2] if "#" in item.path else f"{item.path}:{item.line}"
            stands = f" (suppressed by {item.suppressed_by}: {item.reason})" if item.suppressed else ""
            found.append(f"{item.severity.value} {item.rule} in {where}: {item.title}: {item.excerpt}{stands}")
    return tuple(dict.fromkeys(found))


def _out_of_service(context: Context, candidate: Candidate) -> list[str]:
    """Says why a candidate takes a Skill out of service; of a conflict, both sides with what their events show."""
    gone = {v.skill_id for v in candidate.versions if v.change == "withdraw"}
    records = (w for w in withdrawals(context).values() if w.skill_id in gone)
    told = [f"{w.skill}: out of service, {w.reason.value}: {w.detail}" for w in records]
    for conflict in open_conflicts(context.ledger.conflicts, context.ledger.resolutions):
        if conflict.skill_id not in gone:
            continue
        told += conflict_lines(context, conflict)
        told.append(f"  decide: skillc resolve {conflict.skill} --keep A|B --reason TEXT")
    return told


def conflict_lines(context: Context, conflict: ConflictRecord) -> list[str]:
    """Returns both sides of a conflict with what their events show."""
    reader = EvidenceReader.of_traces(context, {c.trace_id for side in conflict.sides for c in side})
    told = [f"conflict {conflict.conflict} in {conflict.field}, {conflict.kind}:"]
    for name, side in zip("AB", conflict.sides, strict=True):
        for citation in side:
            shown = reader.excerpt(citation.trace_id, citation.events[0]) or "(not readable here)"
            told.append(f"  {name}  {citation.trace_id}#{citation.events[0]}  {shown}")
    return told


def _notes(candidate: Candidate) -> list[str]:
    """Says which lines of versions before are gone and why, and what the new ones take the place of."""
    told = []
    for version in candidate.versions:
        origin = version.contract.origin if version.contract else None
        for note in (origin.notes or ()) if origin else ():
            if note.kind == "lost":
                why = note.note or "no reason is recorded: look at it"
                told.append(f"{version.skill}: loses {note.field} {note.claim_id}: {why}")
        told += [f"{version.skill}: takes the place of {r.skill}" for r in ((origin.replaces or ()) if origin else ())]
    return told


def _gone(context: Context, candidate: Candidate, run: RunRecord | None) -> list[str]:
    """Says what a person rejected of it before, and which lines fell in the run, each with its reason."""
    here = {line_digest(f, c) for v in candidate.versions if v.contract for f, c in iter_claims(v.contract)}
    own = {v.skill_id for v in candidate.versions}
    said = [
        f"without {len(o.claims)} {plural('line', len(o.claims))} that {o.by} rejected: {o.reason}"
        for o in context.ledger.outcomes
        if o.task_family == candidate.task_family
        and o.outcome is ProposalOutcome.HUMAN_REJECTED
        and o.claims
        and here.isdisjoint(o.claims)
    ]
    fallen = [
        f"{p.skill}: without {line.field} {line.claim_id}: {line.reason}"
        for p in (run.proposals if run else ())
        if p.skill_id in own
        for line in p.dropped or ()
    ]
    return [*dict.fromkeys(said), *fallen[:MAX_FALLEN], *_more(len(fallen) - MAX_FALLEN)]


def _more(count: int) -> list[str]:
    return [f"and {count} more {plural('line', count)} that fell: skillc review --json"] if count > 0 else []


def _alike(candidate: Candidate, current: dict[str, StoredSkill]) -> list[str]:
    """Says which admitted Skills of other families do the same: a person may want one Skill and not two."""
    return [
        f"{version.skill}: changes the same things by nearly the same steps as {name}; "
        "once both are admitted, their merge is proposed"
        for version in candidate.versions
        if version.contract is not None
        for name in near_duplicates_of(version.contract, current.values())
    ]


def _withdrawn(version: CandidateVersion, stored: StoredSkill | None) -> ReviewedVersion:
    """A version that only takes the folder away: what goes is what base has."""
    contract = stored.contract if stored else None
    return ReviewedVersion(
        skill=version.skill,
        skill_id=version.skill_id,
        change=version.change,
        commit=version.commit,
        tree=version.tree,
        diff=_diff(contract, None) if contract else "",
        claims=(),
        attempt_families=len(contract.support.attempt_families) if contract else 0,
        single_source=contract.is_single_source if contract else False,
        effects=(),
    )


def _rejections(context: Context, candidate: Candidate) -> list[str]:
    """Says who rejected this very run, when its branch came back all the same."""
    return [
        f"rejected by {o.by}: {o.reason}"
        for o in context.ledger.outcomes
        if o.run == candidate.run and o.outcome is ProposalOutcome.HUMAN_REJECTED and not o.claims
    ]


def _left_out(run: RunRecord | None) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for item in run.left_out if run else ():
        counts[item.reason] = counts.get(item.reason, 0) + 1
    return tuple(f"{count} {reason}" for reason, count in sorted(counts.items()))


def _diff(old: Contract | None, new: Contract | None) -> str:
    before = render_agent_view(old).splitlines() if old else []
    after = render_agent_view(new).splitlines() if new else []
    return "\n".join(difflib.unified_diff(before, after, "SKILL.md now", "SKILL.md proposed", lineterm=""))


def next_steps(context: Context, candidate: ReviewedCandidate) -> NextSteps:
    """Returns the commands that merge a candidate."""
    base, branch = context.base.branch, candidate.branch
    local = (f"git switch {base}", f"git merge --no-ff {branch}")
    forge = (
        f"skillc review {candidate.task_family} --body pr.md",
        f"git push origin {branch}",
        f"gh pr create --base {base} --head {branch} --title {_title(candidate)!r} --body-file pr.md",
    )
    return NextSteps(local=local, forge=forge)


def _title(candidate: ReviewedCandidate) -> str:
    what = ", ".join(f"{v.change} {v.skill}" for v in candidate.versions)
    return f"skillc: {what}"


def pull_request(context: Context, candidate: ReviewedCandidate) -> tuple[str, str]:
    """Returns title and body of the pull request: what changes, evidence per line, what was left out, undo."""
    lines = [f"Compiled by skillc from verified attempts at `{candidate.task_family}`.", ""]
    for version in candidate.versions:
        lines += _version_section(version)
    if candidate.warnings:
        lines += ["## Look at this first", "", *(f"- {neutral(item)}" for item in candidate.warnings), ""]
    if candidate.left_out:
        lines += ["## Left out", "", *(f"- {neutral(item)}" for item in candidate.left_out), ""]
    lines += [
        "## Try it, undo it",
        "",
        fenced(
            f"git fetch origin && git switch {candidate.branch}\nskillc why {candidate.versions[0].skill}",
            "console",
        ),
        "",
        "After the merge, this takes it back:",
        "",
        fenced("git revert -m 1 <the merge commit>", "console"),
        "",
        f"Skillc-Run: {candidate.run}",
        f"Skillc-Group: {candidate.group}",
    ]
    body = "\n".join(lines) + "\n"
    if len(body) > MAX_BODY_CHARS:
        cut = body[: MAX_BODY_CHARS - 200].rsplit("\n", 1)[0]
        open_fence = re.findall(r"^(`{3,})", cut, re.MULTILINE)
        closing = f"\n{open_fence[-1]}" if len(open_fence) % 2 else ""
        body = f"{cut}{closing}\n\nThe rest is too long for a pull request: `skillc review {candidate.task_family}`\n"
    return _title(candidate), body


def _version_section(version: ReviewedVersion) -> list[str]:
    families = f"{version.attempt_families} attempt {plural('family', version.attempt_families)}"
    mark = ", single-source" if version.single_source else ""
    effects = ", ".join(version.effects) or "none seen"
    lines = [
        f"## {version.skill}: {version.change}",
        "",
        f"From {families}{mark}. Effects on the world: {effects}.",
        "",
        "What changes for the agent:",
        "",
        fenced(version.diff, "diff"),
        "",
        "### Evidence of every line",
        "",
    ]
    for claim in version.claims:
        lines.append(f"**{claim.field}**: {neutral(claim.text)}")
        evidence = [] if claim.basis == "events" else [f"{basis_mark(claim.basis, claim.person)} no event is behind it"]
        for citation in claim.citations:
            who = f"{citation.verifier or 'nobody'}, {citation.strength}, {citation.assurance}"
            evidence.append(f"{citation.trace_id} ({who})")
            evidence += [
                f"  {e.id} {e.kind or 'not here'}: {e.excerpt or '(not readable here)'}" for e in citation.events
            ]
        lines += ["", fenced("\n".join(evidence), "text"), ""]
    return lines


def fenced(text: str, language: str) -> str:
    """Returns a code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def neutral(text: str) -> str:
    """Returns text that a forge shows and does not act on: no mention, keyword, link, image or HTML."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\[\]!|*_~])", r"\\\1", text)
    # An empty comment breaks what a forge looks for; it comes last, so that nothing above changes it.
    text = re.sub(r"@(?=\w)", "@<!-- -->", text)
    text = re.sub(r"#(?=\d)", "#<!-- -->", text)
    text = re.sub(r"(?i)\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=:?\s+\S*[#/])", r"\1<!-- -->", text)
    return re.sub(r"(https?)://", r"\1:<!-- -->//", text)


def write_body(context: Context, candidate: ReviewedCandidate, path: Path) -> None:
    """Writes the pull request's body to a file."""
    write_whole(path, pull_request(context, candidate)[1].encode("utf-8"))
