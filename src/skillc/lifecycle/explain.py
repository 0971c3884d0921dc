"""Answers to "why": the evidence of every line, the versions of a Skill, and one Trace in full.

Excerpts are read live from the stored Traces, so what was deleted cannot be shown. Paper: 5.2, the full form.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from skillc.core.compile.select import Attempt
from skillc.core.record import Record
from skillc.core.skill.claim import Claim
from skillc.core.skill.contract import ChangeKind, Contract, all_citations, cited_events, contract_fields, iter_claims
from skillc.core.skill.render import claim_text, visible_line
from skillc.core.trace.records import Event
from skillc.errors import UsageError
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.context import Context
from skillc.lifecycle.hand_edits import hand_edit
from skillc.lifecycle.skills import SkillHistory, Version, current_skills, require_skill
from skillc.lifecycle.upkeep import withdrawals

MAX_EXCERPT_CHARS = 160


class EventExcerpt(Record):
    """One cited event; the excerpt is None when the Trace is not stored here or the event is restricted."""

    id: str
    kind: str | None
    excerpt: str | None


class CitationLine(Record):
    """The cited events of one Trace, and who verified its outcome."""

    trace_id: str
    events: tuple[EventExcerpt, ...]
    verifier: str | None
    strength: str
    assurance: str
    commit: str | None = None


class ClaimLine(Record):
    """One line of a Skill with its evidence. `person` is the registered id of who wrote it by hand, if one is."""

    id: str
    field: str
    text: str
    citations: tuple[CitationLine, ...]
    basis: str
    person: str | None = None


class WhyReport(Record):
    """The answer of `skillc why`. `version` is None for a candidate."""

    format: Literal["skillc.why/1"] = "skillc.why/1"
    skill: str
    version: int | None
    claims: tuple[ClaimLine, ...]


class VersionLine(Record):
    """One version of a Skill."""

    version: int
    commit: str
    tree: str | None
    change: str
    at: datetime
    run: str | None
    restores: int | None


class LogReport(Record):
    """The answer of `skillc log SKILL`."""

    format: Literal["skillc.log/1"] = "skillc.log/1"
    skill: str
    skill_id: str | None
    versions: tuple[VersionLine, ...]


@dataclass
class EvidenceReader:
    """The cited Traces of a few contracts, read once; `families` names the attempt family of every Trace, if asked."""

    attempts: dict[str, Attempt] = field(default_factory=dict)
    families: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(context: Context, contracts: Iterable[Contract]) -> "EvidenceReader":
        """Reads only the Traces that the contracts cite."""
        return EvidenceReader.of_traces(context, {t for c in contracts for t in cited_events(c)})

    @staticmethod
    def of_traces(context: Context, wanted: set[str]) -> "EvidenceReader":
        """Reads only these Traces; those that are not stored here are left out."""
        store = context.traces
        stored = store.stored()
        traces = store.read_some([stored[t] for t in sorted(wanted) if t in stored])
        return EvidenceReader({a.trace.trace_id: a for a in load_attempts(context, traces)})

    def event(self, trace_id: str, event_id: str) -> Event | None:
        attempt = self.attempts.get(trace_id)
        return attempt.trace.event(event_id) if attempt else None

    def excerpt(self, trace_id: str, event_id: str) -> str | None:
        """Returns one line of the event's content, or None."""
        event = self.event(trace_id, event_id)
        return excerpt_of(event) if event else None


def excerpt_of(event: Event) -> str | None:
    """Returns what an event says in one line of at most 160 characters; None when it is restricted."""
    if event.restricted is not None:
        return None
    text = event.text or ""
    if event.arguments is not None:
        text = f"{event.tool or ''} {_arguments_text(event.arguments)}"
    line = visible_line(text)
    return line if len(line) <= MAX_EXCERPT_CHARS else line[: MAX_EXCERPT_CHARS - 1] + "…"


def _arguments_text(arguments: dict[str, object]) -> str:
    if set(arguments) <= {"command", "description", "timeout"} and isinstance(arguments.get("command"), str):
        return str(arguments["command"])
    return json.dumps(arguments, ensure_ascii=False)


def why(context: Context, name: str, wanted: str | None = None) -> WhyReport:
    """Returns every line of a Skill, or those of one field or claim, with the events behind it."""
    contract, version = contract_named(context, name)
    reader = EvidenceReader.of(context, [contract])
    lines = tuple(
        claim_line(reader, field, claim)
        for field, claim in iter_claims(contract)
        if wanted is None or wanted in (field, claim.id) or wanted == field.replace("_", "-")
    )
    if not lines and wanted is not None:
        fields = ", ".join(contract_fields())
        raise UsageError(f"{name!r} has no field or claim {wanted!r}", hint=f"fields: {fields}")
    return WhyReport(skill=contract.name, version=version, claims=lines)


def contract_named(context: Context, name: str) -> tuple[Contract, int | None]:
    """Returns the contract on base, else the one that waits as a candidate."""
    skills = current_skills(context)
    if name not in skills and not any(s.contract and s.contract.skill_id == name for s in skills.values()):
        for candidate in pending_candidates(context).values():
            for version in candidate.versions:
                if version.contract is not None and name in (version.skill, version.skill_id):
                    context.notes.append(f"{name} is a candidate on {candidate.branch}; it is not admitted yet")
                    return version.contract, None
    skill = require_skill(context, name)
    assert skill.contract is not None
    withdrawal = withdrawals(context).get(skill.tree)
    if withdrawal is not None:
        context.notes.append(f"{skill.name} is out of service: {withdrawal.reason.value}")
    edit = hand_edit(context, skill)
    if edit is not None:
        context.notes.append(f"{edit.file} of {skill.name} {edit.message}; {edit.next}")
    number = None
    if not context.repository.is_shallow:
        number = len(SkillHistory(context).versions(skill.name)) or None
    return skill.contract, number


def claim_line(reader: EvidenceReader, field_name: str, claim: Claim) -> ClaimLine:
    """Returns one claim with its citations resolved."""
    citations = []
    for citation in all_citations(claim):
        attempt = reader.attempts.get(citation.trace_id)
        standing = attempt.standing if attempt else None
        events = []
        for event_id in citation.events:
            event = reader.event(citation.trace_id, event_id)
            events.append(
                EventExcerpt(
                    id=event_id,
                    kind=event.kind.value if event else None,
                    excerpt=excerpt_of(event) if event else None,
                )
            )
        basis = standing.basis if standing else None
        citations.append(
            CitationLine(
                trace_id=citation.trace_id,
                events=tuple(events),
                verifier=standing.verifier_id if standing else None,
                strength=standing.strength.value if standing else "unknown",
                assurance=standing.assurance.label if standing else "unknown",
                commit=basis.ref if basis is not None and basis.kind.value == "check_run" else None,
            )
        )
    return ClaimLine(
        id=claim.id,
        field=field_name,
        text=claim_text(claim),
        citations=tuple(citations),
        basis=claim.basis.value,
        person=claim.person,
    )


def log(context: Context, name: str) -> LogReport:
    """Returns the versions of a Skill, oldest first, and which earlier one each brings back."""
    history = SkillHistory(context)
    versions = history.versions(name)
    if not versions:
        raise UsageError(f"there is no Skill {name!r} in the history of {context.base.branch}", hint="run: skillc show")
    contracts = _contracts_of(context, {v.tree for v in versions if v.tree})
    made = {v.tree: v.change for run in context.ledger.runs for v in run.versions}
    lines = []
    gone = True
    for version in versions:
        contract = contracts.get(version.tree or "")
        change = _change_word(version, made, was_gone=gone)
        gone = version.tree is None
        lines.append(
            VersionLine(
                version=version.number,
                commit=version.commit,
                tree=version.tree,
                change=change,
                at=version.at,
                run=contract.origin.run if contract else None,
                restores=version.restores,
            )
        )
    ids = [c.skill_id for c in contracts.values()]
    return LogReport(skill=name, skill_id=ids[0] if ids else None, versions=tuple(lines))


def _change_word(version: Version, made: Mapping[str, str], *, was_gone: bool) -> str:
    """Names a version's change; `edit` is one that no recorded run made, where runs are recorded here at all.

    `amend` is a person's edit that was taken over.
    """
    if version.tree is None:
        return "remove"
    if version.restores is not None:
        return "restore"
    if made and version.tree not in made:
        return "edit"
    if made.get(version.tree) == ChangeKind.AMEND.value:
        return ChangeKind.AMEND.value
    return "add" if was_gone else "patch"


def _contracts_of(context: Context, trees: set[str]) -> dict[str, Contract]:
    from skillc.core.skill.contract import CONTRACT_FILE, parse_contract
    from skillc.errors import DataError
    from skillc.repo.objects import open_reader

    found = {}
    with open_reader(context.repository) as reader:
        for tree in sorted(trees):
            data = reader.read(f"{tree}:{CONTRACT_FILE}")
            if data is None:
                continue
            try:
                found[tree] = parse_contract(data, path=f"{tree[:12]}:{CONTRACT_FILE}")
            except DataError as error:
                context.notes.append(error.message)
    return found
