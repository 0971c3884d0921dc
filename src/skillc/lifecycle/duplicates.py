"""Merges of near-duplicates: proposed after a run over all families, with the evidence of both Skills.

Every line is one of an admitted Skill, so no engine is asked; the trusted code checks the successor like any other.
Paper: 5.3, Curator. Not here: which Skills are near-duplicates (core.compile.duplicates).
"""

from collections.abc import Sequence

from skillc.core.compile.duplicates import merge_proposal, near_duplicates
from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.proposal import ClaimVerdict, CuratorDecision, Proposal, Verdict
from skillc.core.compile.select import Attempt, Selection, select_evidence
from skillc.core.record import digest_of
from skillc.core.skill.contract import cited_events, iter_claims
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.compile import CompileOptions, finish_run
from skillc.lifecycle.compile_report import FamilyReport
from skillc.lifecycle.context import Context
from skillc.lifecycle.judging import Run, judge, passes_checks
from skillc.lifecycle.run_inputs import evidence_of, newest_of, policy_key
from skillc.lifecycle.skills import StoredSkill, current_skills, edited_by_hand
from skillc.lifecycle.upkeep import weakened, withdrawals

ENGINE = ("trusted", "1")


def propose_merges(context: Context, attempts: Sequence[Attempt], options: CompileOptions) -> list[FamilyReport]:
    """Proposes one merge for each pair of near-duplicates that nothing else waits for."""
    skills = current_skills(context)
    out = withdrawals(context)
    busy = set(pending_candidates(context))
    free = [
        s
        for s in skills.values()
        if s.contract is not None
        and s.tree not in out
        and s.contract.task_family not in busy
        and not weakened(s.contract, attempts)
    ]
    pairs = near_duplicates(CurrentSkill(contract=s.contract, tree=s.tree) for s in free if s.contract is not None)
    reports = []
    for one, other in pairs:
        own = [skills[one.contract.name], skills[other.contract.name]]
        if not any(edited_by_hand(context, s) for s in own):
            report = _propose(context, own, (one, other), attempts, options, skills)
            reports += [report] if report is not None else []
    return reports


def _propose(
    context: Context,
    own: list[StoredSkill],
    pair: tuple[CurrentSkill, CurrentSkill],
    attempts: Sequence[Attempt],
    options: CompileOptions,
    skills: dict[str, StoredSkill],
) -> FamilyReport | None:
    cited = frozenset(t for s in pair for t in cited_events(s.contract))
    chosen = [a for a in attempts if a.trace.trace_id in cited]
    selection = select_evidence(chosen, cited=cited, consumed=frozenset())
    if {s.trace_id for s in selection.sources} != cited:
        return None  # some of the evidence is not here, or may not stand any more
    evidence = evidence_of(context, pair[0].contract.task_family, selection, own, skills)
    run_id = _run_id(context, evidence, selection)
    if any(r.run == run_id for r in context.ledger.runs):
        return None  # it was proposed before, from the same versions and the same evidence
    proposal = merge_proposal(*pair, evidence, run=run_id)
    run = Run(run_id, evidence, selection, newest_of(selection), {a.trace.trace_id: a for a in chosen})
    left = passes_checks(context, run, proposal)
    if left is not None:
        judge(run, (left,), (_verdict(left),))
    return finish_run(context, run, skills, None, options, ENGINE)


def _verdict(proposal: Proposal) -> Verdict:
    """Every line was admitted with its evidence, and stands there with the same evidence."""
    assert proposal.contract is not None
    claims = (ClaimVerdict(field=f, claim_id=c.id, supported=True) for f, c in iter_claims(proposal.contract))
    return Verdict(proposal_id=proposal.id, decision=CuratorDecision.MERGE, claims=tuple(claims))


def _run_id(context: Context, evidence: Evidence, selection: Selection) -> str:
    sources = sorted([s.trace.digest, s.standing.outcome, s.standing.strength] for s in selection.sources)
    trees = sorted(c.tree for c in evidence.current)
    return "r-" + digest_of([context.policy.namespace, "merge", trees, sources, policy_key(context)])[7:27]
