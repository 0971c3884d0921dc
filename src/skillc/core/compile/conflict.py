"""Conflicts: two opposite rules, each from a verified attempt, that no run may decide by itself.

A recorded conflict cites both sides and takes the Skill out of service until a person resolves it. What a person
set aside stays out of later runs, so that the same conflict is not raised again from the same attempts.
Paper: 5.3, Curator; 5.5. Not here: finding them (core.compile.contradictions), storing them (repo.ledger).
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from skillc.core.compile.evidence import Evidence, SourceRole, StaleLine, StaleSkill
from skillc.core.compile.proposal import ConflictSide, SkillConflict
from skillc.core.record import Moment, Record, digest_of
from skillc.core.skill.claim import Citation

if TYPE_CHECKING:
    from skillc.core.compile.contradictions import Contradiction

CONFLICT_FORMAT = "skillc.conflict/1"
RESOLUTION_FORMAT = "skillc.resolution/1"


class ConflictRecord(Record):
    """A conflict on the ledger: ids and digests only, no words of either side.

    `sides` are the citations of each: first of what the Skill says, then of what speaks against it.
    """

    format: Literal["skillc.conflict/1"] = "skillc.conflict/1"
    conflict: str
    namespace: str
    task_family: str
    skill: str
    skill_id: str
    tree: str
    field: str
    claim_id: str | None = None
    kind: str
    sides: tuple[tuple[Citation, ...], tuple[Citation, ...]]
    families: tuple[tuple[str, ...], tuple[str, ...]]
    run: str
    at: Moment
    previous: tuple[str, ...] = ()


class ResolutionRecord(Record):
    """A person's decision on a conflict: which side holds, or that both do."""

    format: Literal["skillc.resolution/1"] = "skillc.resolution/1"
    conflict: str
    namespace: str
    skill_id: str
    keep: Literal["A", "B", "split"]
    reason: str
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


def conflict_id(skill_id: str, conflict: SkillConflict) -> str:
    """Returns the identity of a conflict: the Skill, the line and the Traces of both sides."""
    sides = [sorted(c.trace_id for c in side.citations) for side in conflict.sides]
    return "c-" + digest_of([skill_id, conflict.field, conflict.claim_id, conflict.kind, sides])[7:19]


def why_no_conflict(conflict: SkillConflict, evidence: Evidence) -> str:
    """Returns why two sides are no conflict that may be recorded; empty when they are one.

    Each side must cite stored events of a verified success, and the two must not be one attempt family.
    """
    if all(c.contract.skill_id != conflict.skill_id for c in evidence.current):
        return "it is about no current Skill"
    families: list[set[str]] = []
    for side in conflict.sides:
        if not side.citations:
            return "a side cites nothing"
        own = set()
        for citation in side.citations:
            source = evidence.source(citation.trace_id)
            if source is None or source.role is not SourceRole.SUPPORT:
                return f"Trace {citation.trace_id!r} is no verified success of this run"
            events = [source.trace.event(e) for e in citation.events]
            if any(e is None or e.restricted is not None for e in events):
                return f"an event of Trace {citation.trace_id!r} is not stored or restricted"
            own.add(source.attempt_family)
        families.append(own)
    return "both sides are of one attempt family" if families[0] & families[1] else ""


def conflict_of(skill_id: str, found: "Contradiction") -> SkillConflict:
    """Returns the conflict that a contradiction amounts to."""
    return SkillConflict(
        skill_id=skill_id,
        field=found.field,
        claim_id=found.claim_id,
        kind=found.kind,
        sides=(
            ConflictSide(text=found.text, citations=found.for_it, families=found.agreeing),
            ConflictSide(text=found.says, citations=found.against, families=found.opposing),
        ),
    )


def stale_skill(skill_id: str, name: str, tree: str, found: "Iterable[Contradiction]") -> StaleSkill | None:
    """Returns a current Skill as a stale one, with the lines that are contradicted; None without any."""
    lines = tuple(
        StaleLine(
            field=c.field,
            claim_id=c.claim_id,
            kind=c.kind,
            text=c.text,
            says=c.says,
            against=c.against,
            agreeing=len(c.agreeing),
            opposing=len(c.opposing),
            condition=c.condition,
        )
        for c in found
    )
    return StaleSkill(skill_id=skill_id, skill=name, tree=tree, lines=lines) if lines else None


def set_aside(conflicts: Iterable[ConflictRecord], resolutions: Iterable[ResolutionRecord]) -> Mapping[str, str]:
    """Returns attempt family or Trace id -> why a person's decision keeps it out of later runs."""
    by_id = {c.conflict: c for c in conflicts}
    found: dict[str, str] = {}
    for resolution in sorted(resolutions, key=lambda r: (r.at, r.conflict)):
        conflict = by_id.get(resolution.conflict)
        if conflict is None or resolution.keep == "split":
            continue
        out, kept = (0, 1) if resolution.keep == "B" else (1, 0)
        sides = [{c.trace_id for c in conflict.sides[n]} | set(conflict.families[n]) for n in (out, kept)]
        for name in sides[0] - sides[1]:
            found[name] = f"a person kept the other side of conflict {conflict.conflict}"
    return dict(sorted(found.items()))


def is_decided(
    found: "Contradiction", tree: str, conflicts: Iterable[ConflictRecord], resolutions: Iterable[ResolutionRecord]
) -> bool:
    """Says whether a person decided on this very contradiction of a version, and no attempt is new since then."""
    done = {r.conflict for r in resolutions}
    line = tree, found.field, found.claim_id, found.kind
    families = {*found.agreeing, *found.opposing}
    return any(
        c.conflict in done
        and (c.tree, c.field, c.claim_id, c.kind) == line
        and families <= {f for s in c.families for f in s}
        for c in conflicts
    )


def open_conflicts(
    conflicts: Iterable[ConflictRecord], resolutions: Iterable[ResolutionRecord]
) -> tuple[ConflictRecord, ...]:
    """Returns the conflicts that nobody resolved, oldest first, each once."""
    done = {r.conflict for r in resolutions}
    ordered = sorted(conflicts, key=lambda c: (c.at, c.conflict))
    found: dict[str, ConflictRecord] = {}
    for conflict in ordered:
        if conflict.conflict not in done:
            found.setdefault(conflict.conflict, conflict)
    return tuple(found.values())
