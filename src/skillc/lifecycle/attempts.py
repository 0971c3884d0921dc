"""Every stored Trace with what is known about it today: standing, attempt family, task family.

Reads the tips of Traces and ledger. Paper: 5.1. Not here: what follows from it (core.compile.select).
"""

from collections.abc import Iterable, Sequence

from skillc.core.compile.history import FamilyRecord
from skillc.core.compile.select import Attempt
from skillc.core.policy import Policy
from skillc.core.trace.attempts import attempt_families
from skillc.core.trace.codec import Trace
from skillc.core.trace.family import changing_operations
from skillc.core.trace.verification import CheckedVerification, Standing, weigh
from skillc.errors import UsageError
from skillc.lifecycle.basis_facts import looked_up
from skillc.lifecycle.context import Context


def load_attempts(context: Context, traces: Iterable[Trace] | None = None) -> list[Attempt]:
    """Returns all attempts of the namespace, by Trace id."""
    loaded = list(context.traces.read_all() if traces is None else traces)
    families = attempt_families([trace.header for trace in loaded])
    verifications = looked_up(context, loaded)
    return [
        Attempt(
            trace=trace,
            standing=_standing(context, trace, verifications[trace.trace_id]),
            attempt_family=families[trace.trace_id],
            task_family=task_family_of(trace, context.ledger.families, context.policy),
        )
        for trace in loaded
    ]


def _standing(context: Context, trace: Trace, verifications: Iterable[CheckedVerification]) -> Standing:
    """Returns what the verifications of a Trace amount to under the policy that counts."""
    standing = weigh(
        trace_digest=trace.digest,
        reported=trace.close.outcome,
        verifications=verifications,
        policy=context.policy,
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
