"""What the gates look at, gathered for a run, for a candidate that waits, and for the Skills of a pull request.

One place, so that compile, review, approve and check ask the same gates. Paper: 5.4, Admission gates.
Not here: the gates (core.admit.gates), who approved what is on base (lifecycle.admissions).
"""

from collections.abc import Mapping, Sequence

from skillc.core.admit.applicability import outside_evidence
from skillc.core.admit.evaluation import EvaluationVerdict
from skillc.core.admit.gates import GateInput, GateVerdict, check_gates
from skillc.core.compile.amendment import persons_digest, persons_lines
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.group import Change, LostLine, ResultGroup
from skillc.core.compile.select import Attempt
from skillc.core.scan.finding import Finding
from skillc.core.skill.contract import ChangeKind, Contract, cited_events
from skillc.lifecycle.approvals import approved_by, versions_of
from skillc.lifecycle.audit_records import signs_here
from skillc.lifecycle.candidates import Candidate
from skillc.lifecycle.context import Context
from skillc.lifecycle.evaluation import evaluations_of
from skillc.lifecycle.run_inputs import evidence_today
from skillc.lifecycle.run_signers import refusal_of, unmade_skills, unsigned_skills
from skillc.lifecycle.skills import StoredSkill, skill_trees, skills_at
from skillc.lifecycle.withdrawal import conflicts_of


def gates_of_run(
    context: Context,
    group: ResultGroup,
    evidence: Evidence,
    attempts: Mapping[str, Attempt],
    skills: Mapping[str, StoredSkill],
    findings: Sequence[Finding] = (),
) -> tuple[GateVerdict, ...]:
    """Asks the gates about what a run is about to write."""
    trees = {n: s.tree for n, s in skills.items()}
    given = _input(context, group, evidence, attempts, trees, findings)
    unsigned = () if signs_here(context.policy) else tuple(c.contract.name for c in given.written)
    return check_gates(given.model_copy(update={"unsigned": unsigned}))


def candidate_gates(
    context: Context, candidate: Candidate, known: Sequence[Attempt] | None = None
) -> tuple[GateVerdict, ...]:
    """Asks the gates about a candidate as everything stands today; `known` are all attempts, where they were read."""
    return check_gates(gate_input_of(context, candidate, known))


def gate_input_of(context: Context, candidate: Candidate, known: Sequence[Attempt] | None = None) -> GateInput:
    """Gathers what the gates look at for a candidate that waits."""
    group = group_of(context, candidate)
    given = input_of_group(
        context, group, evidence_today(context, candidate.task_family, known), _trees_of_base(context)
    )
    signed = approved_by(context, candidate.group, versions_of(candidate))
    versions = [(v.skill, v.tree, v.contract) for v in candidate.versions]
    return given.model_copy(
        update={
            "approved_by": signed,
            "unsigned": unsigned_skills(context, versions),
            "unmade": unmade_skills(context, versions, runs={candidate.run, *candidate.amends}),
            "refused": refusal_of(context, candidate.run),
        }
    )


def input_of_group(context: Context, group: ResultGroup, evidence: Evidence, trees: Mapping[str, str]) -> GateInput:
    """Gathers what the gates look at for a group, on the evidence that is given; `trees` are the folders of base."""
    return _input(context, group, evidence, _attempts_of(evidence), trees, ())


def group_of(context: Context, candidate: Candidate) -> ResultGroup:
    """Returns the result group of a candidate, from its commits: what each version is made against included."""
    before = skills_at(context, candidate.start)
    changes = []
    for version in candidate.versions:
        stored = before.get(version.skill)
        contract = version.contract or (stored.contract if stored else None)
        if contract is not None:
            changes.append(change_of(_kind_of(version.change), contract, stored.tree if stored else None))
    return ResultGroup(
        run=candidate.run, task_family=candidate.task_family, manifest=candidate.group, changes=tuple(changes)
    )


def _kind_of(told: str) -> ChangeKind:
    """Returns the kind of change that a trailer tells; a word that is none, which anybody can push, replaces."""
    return ChangeKind(told) if told in set(ChangeKind) else ChangeKind.REPLACE


def change_of(kind: ChangeKind, contract: Contract, base_tree: str | None) -> Change:
    """Returns a change as its contract tells it: what it replaces, and which lines it lost."""
    origin = contract.origin
    lost = tuple(
        LostLine(skill=contract.name, field=n.field, claim_id=n.claim_id, text="", reason=n.note)
        for n in origin.notes or ()
        if n.kind == "lost"
    )
    return Change(
        kind=kind,
        contract=contract,
        base_tree=base_tree,
        proposal_id="",
        removes=origin.replaces or (),
        lost=() if kind is ChangeKind.WITHDRAW else lost,
    )


def _input(
    context: Context,
    group: ResultGroup,
    evidence: Evidence,
    attempts: Mapping[str, Attempt],
    trees: Mapping[str, str],
    findings: Sequence[Finding],
) -> GateInput:
    from skillc.core.compile.contradictions import contradictions  # heavy, as the next: few commands ask the gates
    from skillc.lifecycle.scanning import scan_artifact

    written = [change.contract for change in group.changes if change.has_folder]
    found = [*findings, *(item for contract in written for item in scan_artifact(context, contract, attempts))]
    cited = sorted({t for contract in written for t in cited_events(contract)})
    supports = {s.trace_id for s in evidence.supports}
    share = context.policy.thresholds.mandatory_share
    opposed = ((c, x) for c in written for x in contradictions(c, evidence, share=share))
    verdicts = evaluations_of(context, group.manifest)
    traces = [s.trace for s in evidence.sources]
    of_people = [(c, f, x) for c in written for f, x in persons_lines(c)]
    there = _persons_lines_on_base(context, {c.name for c, _, _ in of_people})
    own = ((c, f, x) for c, f, x in of_people if persons_digest(f, x) not in there)
    return GateInput(
        group=group,
        policy=context.policy,
        standings={t: attempts[t].standing for t in cited if t in supports and t in attempts},
        findings=tuple(dict.fromkeys(found)),
        trees=dict(trees),
        failed_evaluations=tuple(e for e, r in verdicts.items() if r.verdict is EvaluationVerdict.FAILED),
        passed_evaluations=tuple(e for e, r in verdicts.items() if r.verdict is EvaluationVerdict.PASSED),
        open_conflicts=conflicts_of(context, {c.skill_id for c in written}),
        contradicted=tuple(f"{c.name} {x.field} {x.claim_id}" for c, x in opposed),
        by_people=tuple(f"{c.name} {field} {x.id}" for c, field, x in own),
        outside=tuple(line for c in written for line in outside_evidence(c, traces)),
        at=context.now,
        is_draft=context.is_draft,
    )


def _trees_of_base(context: Context) -> dict[str, str]:
    return skill_trees(context, context.base.commit)


def _persons_lines_on_base(context: Context, names: set[str]) -> frozenset[str]:
    """Returns the digests of the lines that a person wrote and that base has already."""
    stored = skills_at(context, context.base.commit, names) if names else {}
    return frozenset(persons_digest(*line) for s in stored.values() if s.contract for line in persons_lines(s.contract))


def _attempts_of(evidence: Evidence) -> dict[str, Attempt]:
    return {
        s.trace_id: Attempt(
            trace=s.trace, standing=s.standing, attempt_family=s.attempt_family, task_family=evidence.task_family
        )
        for s in evidence.sources
    }
