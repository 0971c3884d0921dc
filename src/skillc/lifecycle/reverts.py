"""Reverts: admitted versions that base no longer holds, recognised by the identity of their folder.

A plain `git revert` of a version, of a merge, or of a revert needs no help from skillc: the folder's tree says
it. A reverted proposal is not made again without a new source. Paper: 5.3, Outcome history.
"""

from skillc.core.compile.evidence import PastProposal
from skillc.core.compile.proposal import ProposalOutcome
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
    withdrawn = {w.tree for w in context.ledger.withdrawals}  # gone by withdrawal: nobody took them back
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
