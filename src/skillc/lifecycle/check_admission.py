"""The gates of admission, asked about the Skills that a revision changes against base.

A pull request is judged on what it would put on base: each result group with all gates. What only waits for a person
is no problem here, for the merge is the person's word; an evaluation that is missing is one. Paper: 5.4.
Not here: the gates (core.admit.gates), records and bytes of a Skill (lifecycle.check).
"""

from collections.abc import Iterator, Mapping, Sequence

from skillc.core.admit.gates import GateResult, GateVerdict, check_gates
from skillc.core.compile.evidence import Evidence, Source
from skillc.core.compile.group import Change, ResultGroup
from skillc.core.compile.history import RunVersion
from skillc.core.compile.select import role_of
from skillc.core.record import Record
from skillc.core.skill.contract import ChangeKind, cited_events
from skillc.lifecycle.admission import change_of, input_of_group
from skillc.lifecycle.approvals import approved_by
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.explain import EvidenceReader
from skillc.lifecycle.run_signers import refusal_of, unsigned_skills
from skillc.lifecycle.skills import StoredSkill, skill_trees

# The gates whose verdict no other part of `check` tells, and the code of the problem.
_CODES = {
    "verification": "no-longer-valid",
    "applicability": "outside-evidence",
    "conflicts": "open-conflict",
    "stale base": "stale-base",
    "evaluations": "evaluation",
    "limits": "too-large",
    "signed run": "unsigned-run",
    "decisions": "rejected",
}
# What a merge does not settle: an evaluation that nobody recorded, a run that nobody stands for, a person's no.
_NOT_BY_MERGE = ("evaluations", "signed run", "decisions")


class GroupGates(Record):
    """The gates of one result group that a revision brings."""

    group: str
    task_family: str
    skills: tuple[str, ...]
    gates: tuple[GateVerdict, ...]


def group_gates(
    context: Context,
    changed: Sequence[StoredSkill],
    before: Mapping[str, str],
    reader: EvidenceReader,
) -> tuple[GroupGates, ...]:
    """Asks the gates about every group that a revision brings. `before` are the folders where it left base."""
    groups: dict[str, list[StoredSkill]] = {}
    for skill in changed:
        if skill.contract is not None:
            groups.setdefault(skill.contract.origin.group, []).append(skill)
    current = skill_trees(context, context.base.commit) if groups else {}
    return tuple(_gates_of(context, digest, skills, before, current, reader) for digest, skills in groups.items())


def admission_problems(context: Context, found: Sequence[GroupGates]) -> Iterator[Problem]:
    """Yields what the gates reject, the evaluations that nobody recorded yet, and runs that nobody signed."""
    for group in found:
        for verdict in group.gates:
            code = _CODES.get(verdict.gate)
            is_missing = verdict.gate in _NOT_BY_MERGE and verdict.result is GateResult.HOLD
            if code is None or not (verdict.result is GateResult.REJECT or is_missing):
                continue
            path, skill = context.policy.skills_dir, group.skills[0]
            yield problem_of(code, path, skill, verdict.reason, verdict.next, hold=is_missing)


def _gates_of(
    context: Context,
    digest: str,
    skills: Sequence[StoredSkill],
    before: Mapping[str, str],
    current: Mapping[str, str],
    reader: EvidenceReader,
) -> GroupGates:
    run = next((r for r in context.ledger.runs if r.group == digest), None)
    kinds = {v.tree: v.change for v in run.versions} if run else {}
    changes: list[Change] = []
    for skill in skills:
        assert skill.contract is not None
        old = before.get(skill.name)
        kind = ChangeKind(kinds.get(skill.tree, ChangeKind.PATCH if old else ChangeKind.ADD))
        changes.append(change_of(kind, skill.contract, old))
    family = changes[0].contract.task_family
    group = ResultGroup(run=changes[0].contract.origin.run, task_family=family, manifest=digest, changes=tuple(changes))
    given = input_of_group(context, group, _evidence(context, group, reader), current)
    versions = [
        RunVersion(skill=s.name, skill_id=c.contract.skill_id, change=c.kind.value, tree=s.tree)
        for s, c in zip(skills, changes, strict=True)
    ]
    gone = [v for v in (run.versions if run else ()) if v.change == ChangeKind.WITHDRAW.value]
    signed = approved_by(context, digest, [*versions, *gone])
    unsigned = unsigned_skills(context, ((s.name, s.tree, s.contract) for s in skills))
    changed = {"approved_by": signed, "unsigned": unsigned, "refused": refusal_of(context, group.run)}
    if any(t not in reader.attempts for c in changes for t in cited_events(c.contract)):
        changed["outside"] = ()  # what the missing Traces show nobody can tell; that they are missing is told
    given = given.model_copy(update=changed)
    return GroupGates(group=digest, task_family=family, skills=tuple(s.name for s in skills), gates=check_gates(given))


def _evidence(context: Context, group: ResultGroup, reader: EvidenceReader) -> Evidence:
    """Returns the cited Traces that are here, as sources."""
    sources = []
    for trace_id in sorted({t for c in group.changes for t in cited_events(c.contract)}):
        attempt = reader.attempts.get(trace_id)
        role = role_of(attempt)[0] if attempt is not None else None
        if attempt is not None and role is not None:
            family = reader.families.get(trace_id, trace_id)
            sources.append(Source(trace=attempt.trace, standing=attempt.standing, attempt_family=family, role=role))
    return Evidence(namespace=context.policy.namespace, task_family=group.task_family, sources=tuple(sources))
