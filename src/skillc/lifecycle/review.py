"""Review: what a candidate changes, line by line with its evidence, with the gates and the risks.

One record for the terminal, for `--json` and for the pull request. Paper: 5.4.
Not here: the pull request's text (lifecycle.pull_request), approval, which is the merge itself.
"""

import difflib
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from skillc.core.admit.gates import RISKY, GateVerdict, kept_for_a_person
from skillc.core.compile.conflict import ConflictRecord, open_conflicts
from skillc.core.compile.history import RunRecord
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.compile.rejected import line_digest
from skillc.core.record import Record
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.skill.render import plural, render_agent_view
from skillc.lifecycle.admission import candidate_gates
from skillc.lifecycle.approvals import approved_by, versions_of
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.candidates import Candidate, CandidateVersion, pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.explain import ClaimLine, EvidenceReader, claim_line
from skillc.lifecycle.folder_branches import FolderBranch, folder_branches, only_named
from skillc.lifecycle.run_signers import refusal_of
from skillc.lifecycle.skills import StoredSkill, current_skills, near_duplicates_of
from skillc.lifecycle.upkeep import withdrawals

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
    tools: tuple[str, ...] = ()


class ReviewedCandidate(Record):
    """One candidate branch. `risks` say what a person should look at before all: effects, tools, work of others."""

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
    risks: tuple[str, ...] = ()


class ReviewReport(Record):
    """The answer of `skillc review`. `folders` are branches of people's commands that wait for a merge too."""

    format: Literal["skillc.review/1"] = "skillc.review/1"
    candidates: tuple[ReviewedCandidate, ...]
    folders: tuple[FolderBranch, ...] = ()


@dataclass(frozen=True)
class NextSteps:
    """The exact commands that merge a candidate, with and without a forge, and its family as a shell takes it."""

    family: str
    local: tuple[str, ...]
    forge: tuple[str, ...]


def review(context: Context, name: str | None = None) -> ReviewReport:
    """Returns the waiting candidates, or the one of a family, Skill, branch or run."""
    pending = pending_candidates(context)
    chosen = [c for c in pending.values() if name is None or c.is_named(name)]
    folders = folder_branches(context)
    if name is not None:
        folders = only_named(folders, name) if not chosen else tuple(b for b in folders if b.is_named(name))
    known = load_attempts(context) if chosen else []  # the gates look at whole families
    reader = EvidenceReader({a.trace.trace_id: a for a in known})
    return ReviewReport(candidates=tuple(_reviewed(context, c, reader) for c in chosen), folders=folders)


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
                tools=tuple(sorted({s.action.tool for s in contract.steps if s.action})),
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
            *filter(None, [refusal_of(context, candidate.run)]),
            *_out_of_service(context, candidate),
            *_notes(candidate),
            *_alike(candidate, current),
            *_gone(context, candidate, run),
            *(f"{p.skill or p.id}: {r}" for p in (run.proposals if run else ()) for r in p.reasons),
        ),
        foreign=candidate.foreign,
        warnings=_warnings(context, candidate, reader),
        gates=candidate_gates(context, candidate, tuple(reader.attempts.values())),
        approved_by=approved_by(context, candidate.group, versions_of(candidate)),
        risks=tuple(_risks(context, candidate)),
    )


def _risks(context: Context, candidate: Candidate) -> Iterable[str]:
    """Says what of a candidate nobody can take back, what policy keeps for a person, and what a person added."""
    for contract in (v.contract for v in candidate.versions if v.contract is not None):
        effects = {e.effect for e in contract.effects}
        if risky := [e.value for e in RISKY if e in effects]:
            yield f"{contract.name}: its steps have effects that nobody can take back: {', '.join(risky)}"
        if kept := kept_for_a_person([contract], context.policy.approval.person_for):
            yield f"{contract.name}: policy keeps this for a person: {', '.join(kept)}"
        if contract.is_single_source:
            yield f"{contract.name}: a single attempt family supports it"
    for commit in candidate.foreign:
        edit = f"an edit of SKILL.md: skillc amend SKILL --from {candidate.branch}"
        yield f"a person committed {commit[:12]} to it, and no run made that; {edit}"


def _warnings(context: Context, candidate: Candidate, reader: EvidenceReader) -> tuple[str, ...]:
    """Says what the scanner holds a candidate for: rule, line of the contract, safe excerpt, and what is let stand."""
    from skillc.lifecycle.scanning import scan_artifact  # loads every scan rule

    found = []
    for contract in (v.contract for v in candidate.versions if v.contract is not None):
        for item in scan_artifact(context, contract, reader.attempts):
            where = item.path.rpartition("#")[2] if "#" in item.path else f"{item.path}:{item.line}"
            stands = f" (suppressed by {item.suppressed_by}: {item.reason})" if item.suppressed else ""
            found.append(f"{item.severity.value} {item.rule} in {where}: {item.title}: {item.excerpt}{stands}")
    return tuple(sorted(dict.fromkeys(found), key=lambda line: "tainted-origin" not in line))


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
    """Returns the commands that merge a candidate, ready for a shell: names of branches are data."""
    from skillc.lifecycle.pull_request import title_of

    base, branch = shlex.quote(context.base.branch), shlex.quote(candidate.branch)
    family = shlex.quote(candidate.task_family)
    local = (f"git switch {base}", f"git merge --no-ff {branch}")
    forge = (
        f"skillc review {family} --body pr.md",
        f"git push origin {branch}",
        f"gh pr create --base {base} --head {branch} --title {shlex.quote(title_of(candidate))} --body-file pr.md",
    )
    return NextSteps(family=family, local=local, forge=forge)
