"""Reverts and closed candidates: what people took back or did not want, told from git alone.

A plain `git revert` of a version, of a merge, or of a revert needs no help from skillc: the folder's tree says
it. A candidate whose branch is gone and that was never merged was closed, here or on the remote. Neither is made again
without a new source. Paper: 5.3, Outcome history.
"""

from skillc.core.compile.evidence import PastProposal
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.skill.contract import ChangeKind
from skillc.lifecycle.candidates import candidates, withdrawn_names
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory


def reverted_proposals(context: Context, task_family: str) -> tuple[PastProposal, ...]:
    """Returns the proposals of a family whose version was admitted and then taken back.

    A version was taken back when the folder now holds what it held before that version, or nothing.
    """
    runs = [r for r in context.ledger.runs if r.task_family == task_family and r.versions]
    if not runs or context.base.commit is None or context.repository.is_shallow:
        return ()
    history = SkillHistory(context)
    # Gone by withdrawal: nobody took them back. Where the note is gone too, somebody did so after a restore.
    noted = withdrawn_names(context, context.base.commit)
    withdrawn = {w.tree for w in context.ledger.withdrawals if w.skill in noted}
    found = []
    for run in runs:
        for version in run.versions:
            changes = history.changes.get(version.skill, [])
            at = next((i for i, c in enumerate(changes) if c.tree == version.tree), None)
            if at is None or changes[-1].tree == version.tree or version.tree in withdrawn:
                continue
            earlier = {c.tree for c in changes[:at]} | {None}
            if changes[-1].tree in earlier:
                proposal = next((p for p in run.proposals if p.skill_id == version.skill_id), None)
                found.append(
                    PastProposal(
                        run=run.run,
                        proposal=proposal.id if proposal else "",
                        outcome=ProposalOutcome.REVERTED.value,
                        content=(proposal.content or "") if proposal else "",
                        sources=tuple(sorted(s.key for s in run.read)),
                    )
                )
    return tuple(found)


def closed_proposals(context: Context, task_family: str) -> tuple[PastProposal, ...]:
    """Returns the proposals of a family whose candidate is gone without a merge, a rejection or a successor."""
    runs = [r for r in context.ledger.runs if r.task_family == task_family and r.versions]
    if not runs or context.repository.is_shallow:
        return ()
    waiting = {c.run for c in candidates(context).values()}
    ended = {(o.run, o.proposal) for o in context.ledger.outcomes if not o.claims}
    admitted = SkillHistory(context).admitted_trees() if context.base.commit is not None else set()
    found = []
    for run in runs:
        made = {v.tree for v in run.versions if v.change != ChangeKind.WITHDRAW.value}
        if run.run in waiting or not made or made & admitted:
            continue
        found += [
            PastProposal(
                run=run.run,
                proposal=p.id,
                outcome=ProposalOutcome.CLOSED.value,
                content=p.content or "",
                sources=tuple(sorted(s.key for s in run.read)),
            )
            for p in run.proposals
            if p.outcome is ProposalOutcome.PENDING and (run.run, p.id) not in ended
        ]
    return tuple(found)
