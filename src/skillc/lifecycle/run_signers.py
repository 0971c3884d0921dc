"""Who stands for the run that made a version, and against it: a registered key, an approver, a person's no.

The cited events can be true and the words over them anybody's, and the ledger may be open to anybody who can push; so a
record alone does not say that skillc made a version. Paper: 5.3, 5.6 Audit. ADR 0028.
Not here: writing run records (lifecycle.run_records), whose word lets a version in (lifecycle.admissions).
"""

from collections.abc import Iterable, Set

from skillc.core.audit import AUDIT_NAMESPACE
from skillc.core.compile.proposal import ProposalOutcome
from skillc.core.policy import Person
from skillc.core.skill.contract import Contract
from skillc.core.trace.verification import same_key
from skillc.lifecycle.context import Context
from skillc.lifecycle.publications import published_by
from skillc.lifecycle.signers import approvers, is_registered


def unsigned_skills(context: Context, versions: Iterable[tuple[str, str, Contract | None]]) -> tuple[str, ...]:
    """Returns the Skills whose version was made by a run that nobody whom policy registers stands for.

    Args:
        versions: name of the Skill, tree of its folder, and contract; None for one that goes away, which needs nobody.
    """
    return tuple(
        skill
        for skill, tree, contract in versions
        if contract is not None
        and not (
            _has_signed_run(context, skill, tree)
            or is_amended_to(context, contract)
            or isinstance(published_by(context, contract), Person)
        )
    )


def unmade_skills(
    context: Context, versions: Iterable[tuple[str, str, Contract | None]], *, runs: Set[str]
) -> tuple[str, ...]:
    """Returns the Skills whose version none of these runs made; without a ledger here nobody can tell."""
    if context.ledger.commit is None:
        return ()
    made = {(v.skill, v.tree) for r in context.ledger.runs if r.run in runs for v in r.versions}
    return tuple(skill for skill, tree, contract in versions if contract is not None and (skill, tree) not in made)


def refusal_of(context: Context, run: str) -> str | None:
    """Says who rejected this very run and why; None where nobody did."""
    said = (
        f"rejected by {o.by}: {o.reason}"
        for o in context.ledger.outcomes
        if o.run == run and o.outcome is ProposalOutcome.HUMAN_REJECTED and not o.claims
    )
    return next(said, None)


def signed_run_by(context: Context, runs: Set[str], key: str) -> str | None:
    """Returns which of these runs a key signed; None for none."""
    return next(
        (
            run.run
            for run, envelope in context.ledger.signed_runs
            if run.run in runs
            and same_key(envelope.key, key)
            and context.signatures.is_signed(envelope, namespace=AUDIT_NAMESPACE)
        ),
        None,
    )


def _has_signed_run(context: Context, skill: str, tree: str) -> bool:
    policy = context.policy
    return any(
        run.namespace == policy.namespace
        and any((v.skill, v.tree) == (skill, tree) for v in run.versions)
        and is_registered(policy, envelope.key)
        and context.signatures.is_signed(envelope, namespace=AUDIT_NAMESPACE)
        for run, envelope in context.ledger.signed_runs
    )


def is_amended_to(context: Context, contract: Contract) -> bool:
    """Says whether an approver signed an edit that made exactly this contract; of nobody registered it says nothing."""
    digest = contract.content_digest()
    return bool(approvers(context.policy)) and any(a.contract == digest for a in context.ledger.amendments)
