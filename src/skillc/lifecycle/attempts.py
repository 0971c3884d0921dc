"""Every stored Trace with what is known about it today: standing, attempt family, task family.

Reads the tips of Traces and ledger. Paper: 5.1. Not here: what follows from it (core.compile.select).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from skillc.core.compile.history import FamilyRecord
from skillc.core.compile.select import Attempt
from skillc.core.policy import Policy
from skillc.core.trace.attempts import attempt_families, objective_rivals
from skillc.core.trace.codec import Trace
from skillc.core.trace.family import changing_operations
from skillc.core.trace.verification import CheckedVerification, Standing, weigh
from skillc.errors import UsageError
from skillc.lifecycle.basis_facts import looked_up
from skillc.lifecycle.context import Context
from skillc.repo.ledger import unsound_verifications

if TYPE_CHECKING:  # families are inferred only where a Trace has none
    from skillc.core.trace.family_score import FamilyModel


def load_attempts(context: Context, traces: Iterable[Trace] | None = None) -> list[Attempt]:
    """Returns all attempts of the namespace, by Trace id."""
    loaded = list(context.traces.read_all() if traces is None else traces)
    verifications = looked_up(context, loaded)
    standings = {t.trace_id: _standing(context, t, verifications[t.trace_id]) for t in loaded}
    successes = frozenset(t for t, standing in standings.items() if standing.is_verified_success)
    families = attempt_families([trace.header for trace in loaded], successes)
    attempts = [
        Attempt(
            trace=trace,
            standing=standings[trace.trace_id],
            attempt_family=families[trace.trace_id],
            task_family=task_family_of(trace, context.ledger.families, context.policy),
        )
        for trace in loaded
    ]
    return _with_inferred(context, attempts)


def _with_inferred(context: Context, attempts: list[Attempt]) -> list[Attempt]:
    """Adds the task families that the calibrated score is sure enough of."""
    if all(a.task_family is not None for a in attempts):
        return attempts
    from skillc.core.trace.family_marks import marks_of

    model = family_model(context, attempts)
    if not model.is_usable:
        return attempts
    threshold = context.policy.thresholds.family_score
    found = []
    for attempt in attempts:
        if attempt.task_family is None:
            best = model.score(marks_of(attempt.trace))
            if best.task_family is not None and best.score >= threshold:
                attempt = attempt.model_copy(update={"task_family": best.task_family, "is_inferred": True})
        found.append(attempt)
    return found


def family_model(context: Context, attempts: Iterable[Attempt]) -> "FamilyModel":
    """Returns the model of the families that somebody stated: a header, or a person on the ledger."""
    from skillc.core.trace.family_marks import marks_of
    from skillc.core.trace.family_score import DeclaredTrace, FamilyModel

    stated = {trace_id: r.slug for r in context.ledger.families for trace_id in r.trace_ids}
    declared = []
    for attempt in attempts:
        family = stated.get(attempt.trace.trace_id) or attempt.trace.header.task_family
        if family is not None:
            marks = marks_of(attempt.trace)
            declared.append(DeclaredTrace(group=attempt.attempt_family, task_family=family, marks=marks))
    return FamilyModel(declared)


def attempt_families_of(context: Context, attempts: Mapping[str, Attempt]) -> dict[str, str]:
    """Returns trace_id -> attempt family of every stored Trace; right for those that are given.

    Reads the header of every Trace, and of others the events only where their success decides which belong together.
    """
    store = context.traces
    headers = list(store.headers())
    rivals = objective_rivals(headers, frozenset(attempts)) - set(attempts)
    stored = store.stored()
    read = list(store.read_some([stored[t] for t in sorted(rivals & set(context.ledger.envelopes)) if t in stored]))
    found = looked_up(context, read)
    successes = {t.trace_id for t in read if _standing(context, t, found[t.trace_id]).is_verified_success}
    successes |= {t for t, a in attempts.items() if a.standing.is_verified_success}
    return attempt_families(headers, frozenset(successes))


def _standing(context: Context, trace: Trace, verifications: Iterable[CheckedVerification]) -> Standing:
    """Returns what the verifications of a Trace amount to under the policy that counts."""
    wrong = unsound_verifications(context.ledger, trace.trace_id, context.signatures)
    standing = weigh(
        trace_digest=trace.digest,
        reported=trace.close.outcome,
        verifications=verifications,
        policy=context.policy,
        unsound=(f"the record {record_id[:12]} counts for nothing: {what}" for record_id, what in wrong),
    )
    return standing.as_draft() if context.is_draft else standing


def task_family_of(trace: Trace, records: Sequence[FamilyRecord], policy: Policy) -> str | None:
    """Returns the task family: assigned by a person, else declared, else by an accepted group's operations.

    An accepted group takes later Traces only when they change exactly the same things. Paper: 5.1.
    """
    for record in reversed(records):
        if trace.trace_id in record.trace_ids:
            return record.slug
    if trace.header.task_family is not None:
        return trace.header.task_family
    operations = changing_operations(trace)
    for record in reversed(records):
        if record.operations and tuple(record.operations) == operations:
            return record.slug
    for family in policy.families:
        if family.operations and tuple(sorted(family.operations)) == operations:
            return family.slug
    return None


def chosen_attempts(context: Context, trace_ids: Sequence[str]) -> list[Attempt]:
    """Returns the attempts with these ids, or prefixes of ids; all of them when none is named."""
    attempts = load_attempts(context)
    if not trace_ids:
        return attempts
    chosen = []
    for wanted in trace_ids:
        found = [a for a in attempts if a.trace.trace_id == wanted or a.trace.trace_id.startswith(wanted)]
        if len(found) != 1:
            many = "no Trace" if not found else f"{len(found)} Traces"
            raise UsageError(f"{many} with an id like {wanted!r}", hint="run: skillc traces")
        chosen.append(found[0])
    return chosen
