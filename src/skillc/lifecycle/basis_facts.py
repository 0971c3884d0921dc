"""Looks the basis of each verification up again, before it is weighed: the events of a Trace, the history of base.

A record that cites what is not there, or is not so any more, counts for nothing. Paper: 5.1; ADR 0010.
Not here: what follows from it (core.trace.verification).
"""

from collections.abc import Sequence

from skillc.core.policy import Policy
from skillc.core.trace.codec import Trace
from skillc.core.trace.verification import Assurance, BasisFact, BasisKind, CheckedVerification, Strength, Verification
from skillc.lifecycle.context import Context
from skillc.repo.ledger import checked_verifications


def looked_up(context: Context, traces: Sequence[Trace]) -> dict[str, tuple[CheckedVerification, ...]]:
    """Returns Trace id -> its verifications with checked signatures and looked-up bases.

    Raises RepoError where a basis cannot be looked up: what cannot be checked is an error, never weaker.
    """
    found = {
        trace.trace_id: checked_verifications(context.ledger, trace.trace_id, context.signatures) for trace in traces
    }
    citing = [t for t in traces if any(_kind(c) is BasisKind.GIT for c in found[t.trace_id])]
    verdicts = {}
    if citing:
        from skillc.lifecycle.landings import Landings

        verdicts = Landings(context, citing).verdicts()
    for trace in traces:
        facts = []
        for checked in found[trace.trace_id]:
            claim = checked.verification
            if _kind(checked) is BasisKind.GIT:
                fact = verdicts[trace.trace_id].as_fact(claim.outcome, claim.basis.ref)
                checked = checked.model_copy(update={"fact": fact})
            elif _kind(checked) is BasisKind.EVENTS:
                checked = checked.model_copy(update={"fact": events_fact(trace, claim, context.policy)})
            facts.append(checked)
        found[trace.trace_id] = tuple(facts)
    return found


def events_fact(trace: Trace, claim: Verification, policy: Policy) -> BasisFact:
    """Says whether the cited events are still the run that counts of the check as it is registered today."""
    from skillc.core.trace.check_events import read_check

    verifier = policy.verifier(claim.verifier_id)
    if verifier is None or not verifier.run:
        return BasisFact(holds=False, reason="not a registered check")
    reading = read_check(trace, verifier.run, fails_before=verifier.fails_before)
    if reading.run is None:
        return BasisFact(holds=False, reason=reading.reason)
    if (reading.run.ref, reading.run.outcome) != (claim.basis.ref, claim.outcome):
        return BasisFact(holds=False, reason=f"the events show {reading.run.outcome.value} in {reading.run.ref}")
    # Whoever could sign it: the events are only as good as the transcript, which this account wrote.
    return BasisFact(holds=True, strength=Strength.TOOL, assurance=Assurance.LOCAL)


def _kind(checked: CheckedVerification) -> BasisKind:
    return checked.verification.basis.kind
