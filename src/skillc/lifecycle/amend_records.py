"""What an amendment leaves on the ledger: the run that names its versions, the person's word, and what stays out.

Digests and ids only. Paper: 5.3, Outcome history; 5.6 Audit. ADR 0025.
Not here: who may sign (lifecycle.decisions), making the amendment (lifecycle.amend).
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from skillc.core.compile.amendment import AmendedLine, AmendmentRecord, identities_of, persons_digest
from skillc.core.compile.group import ResultGroup
from skillc.core.compile.history import PERSON, OutcomeRecord, RunProposal, RunRecord, RunVersion
from skillc.core.compile.proposal import ProposalOperation, ProposalOutcome, claim_digest, content_key
from skillc.core.compile.rejected import line_digest
from skillc.core.compile.select import Attempt
from skillc.core.skill.claim import Claim
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.skill.parse import LineState, ReadLine
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import SkillHistory
from skillc.repo.ledger import LedgerFile, ledger_file

ENGINE_VERSION = "1"
_LATER = timedelta(seconds=1)  # what a person took away counts after what they wrote, also within one second


def amendment_record(
    context: Context, contract: Contract, lines: Sequence[ReadLine], attempts: Iterable[Attempt], *, run: str, by: str
) -> AmendmentRecord:
    """Returns the record of an edit: what the person wrote and took away, and what was known then."""
    known = {line.digest: line for a in context.ledger.amendments for line in a.lines}
    written = [x for x in lines if x.state in (LineState.CHANGED, LineState.NEW)]
    gone = [persons_digest(x.field, c) for x in lines if (c := _went(x)) is not None and c.is_persons]
    return AmendmentRecord(
        namespace=context.policy.namespace,
        skill=contract.name,
        skill_id=contract.skill_id,
        contract=contract.content_digest(),
        run=run,
        lines=tuple(
            AmendedLine(
                field=x.field,
                claim_id=x.claim.id,
                digest=persons_digest(x.field, x.claim),
                instead_of=_instead_of(x, known) or None,
            )
            for x in written
        ),
        gone=tuple(gone) or None,
        sources=_keys(attempts),
        by=by,
        at=max([context.now, *(a.at + _LATER for a in context.ledger.amendments if a.skill_id == contract.skill_id)]),
        previous=context.ledger.heads("amendments"),
    )


def amendments_for(context: Context, tree: str) -> tuple[AmendmentRecord, ...]:
    """Returns the amendments as they speak about one folder.

    What an edit took away counts once the edit is on base, and never against a version that was on base itself: a
    revert brings it back whole.
    """
    if not any(record.gone for record in context.ledger.amendments):
        return context.ledger.amendments
    admitted = SkillHistory(context).admitted_trees()
    on_base = {r.run for r in context.ledger.runs if any(v.tree in admitted for v in r.versions)}
    found = (r if tree not in admitted and r.run in on_base else _none_gone(r) for r in context.ledger.amendments)
    return tuple(found)


def _none_gone(record: AmendmentRecord) -> AmendmentRecord:
    return record.model_copy(update={"gone": None})


def closing_file(
    context: Context, made: Contract, lines: Sequence[ReadLine], attempts: Iterable[Attempt], *, run: str, by: str
) -> LedgerFile | None:
    """Returns the outcome of the cited lines that the person took away or changed: they stay out."""
    went = [(x.field, c) for x in lines if (c := _went(x)) is not None and x.field != "description"]
    closed = [line_digest(field, claim) for field, claim in went if not claim.is_persons]
    known = {line.digest: line for a in context.ledger.amendments for line in a.lines}
    for line in lines:
        if line.state is LineState.REMOVED and line.claim.is_persons:
            closed += _instead_of(line, known)
    if not closed:
        return None
    record = OutcomeRecord(
        namespace=context.policy.namespace,
        run=run,
        proposal=_proposal(made).id,
        task_family=made.task_family,
        outcome=ProposalOutcome.HUMAN_REJECTED,
        reason="a person's edit took it away",
        claims=tuple(dict.fromkeys(closed)),
        sources=_keys(attempts),
        by=by,
        at=context.now,
        previous=context.ledger.heads("outcomes"),
    )
    return ledger_file("outcomes", record)


def amend_run(context: Context, group: ResultGroup, amended: str, trees: dict[str, str], before: str) -> RunRecord:
    """Returns the record that names the versions of an amendment; it read what the run `before` read.

    `amended` is the Skill that the person edited; other members of its group are only named anew.
    """
    old = next((r for r in reversed(context.ledger.runs) if r.run == before and r.failure is None), None)
    return RunRecord(
        run=group.run,
        namespace=context.policy.namespace,
        task_family=group.task_family,
        engine=PERSON,
        engine_version=ENGINE_VERSION,
        base_commit=context.base.commit,
        ledger_commit=context.ledger.commit,
        at=context.now,
        read=old.read if old else (),
        left_out=(),
        proposals=tuple(_proposal(c.contract) for c in group.changes if c.contract.name == amended),
        group=group.manifest,
        versions=tuple(
            RunVersion(
                skill=c.contract.name,
                skill_id=c.contract.skill_id,
                change=c.kind.value,
                tree=trees[c.contract.name],
            )
            for c in group.changes
        ),
        previous=context.ledger.heads("runs"),
    )


def _proposal(contract: Contract) -> RunProposal:
    key = content_key(contract)
    return RunProposal(
        id=f"p-{key[7:19]}",
        operation=ProposalOperation.PATCH,
        skill=contract.name,
        skill_id=contract.skill_id,
        content=key,
        claims=tuple(claim_digest(f, c.text) for f, c in iter_claims(contract)),
        outcome=ProposalOutcome.PENDING,
        reasons=("a person's edit",),
    )


def _went(line: ReadLine) -> Claim | None:
    """Returns the claim that is not there any more after the edit."""
    return line.claim if line.state is LineState.REMOVED else line.before


def _instead_of(line: ReadLine, known: dict[str, AmendedLine]) -> tuple[str, ...]:
    """Returns what a line stands for: the cited line that it changed, or what the person's line before it stood for."""
    claim = _went(line)
    if claim is None or line.field == "description":
        return ()
    if not claim.is_persons:
        return identities_of(line.field, claim)
    earlier = known.get(persons_digest(line.field, claim))
    return (earlier.instead_of or ()) if earlier else ()


def _keys(attempts: Iterable[Attempt]) -> tuple[str, ...]:
    return tuple(sorted({a.key for a in attempts}))
