"""`verify --from-events`: the run of a registered check that the session itself shows, put on the ledger.

The record names the events of the run; when it is read, they must still be the run that counts. Paper: 5.1;
ADR 0010. Not here: which run counts (core.trace.check_events).
"""

from collections.abc import Callable, Sequence

from skillc.core.policy import Verifier, VerifierKind
from skillc.core.trace.check_events import CheckRun, read_check
from skillc.core.trace.codec import Trace
from skillc.core.trace.verification import Basis, BasisKind, same_key
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.session_commits import commit_of, require_tests_unchanged, start_of
from skillc.lifecycle.statements import Recorded, VerificationDraft, record_verifications, state_of
from skillc.lifecycle.verify import VERIFIED_BEFORE, HeldError, VerifyReport, VerifyResult, report_of
from skillc.repo.keys import tool_key
from skillc.repo.objects import list_tree


def verify_by_events(context: Context, *, trace_ids: Sequence[str] = (), dry_run: bool = False) -> VerifyReport:
    """Reads the runs of all registered checks in the named Traces, or in all that are not strongly verified."""
    checks = own_checks(context)
    existing = _Existing(context)
    results: list[VerifyResult] = []
    drafts: list[VerificationDraft] = []
    for attempt in chosen_attempts(context, trace_ids):
        trace = attempt.trace
        if not trace_ids and attempt.standing.strength.is_strong:
            results.append(VerifyResult(trace_id=trace.trace_id, state="skipped", reason=VERIFIED_BEFORE))
            continue
        held: list[VerifyResult] = []
        found: list[VerifyResult] = []
        for check in checks:
            try:
                run = _read(context, trace, check, existing)
            except HeldError as reason:
                held.append(VerifyResult(trace_id=trace.trace_id, state="held", reason=str(reason), verifier=check.id))
                continue
            detail = f"`{' '.join(check.run)}` exit {run.code} in {run.call}, {run.result}"
            basis = Basis(kind=BasisKind.EVENTS, ref=run.ref, detail=detail)
            draft = VerificationDraft(trace.trace_id, trace.digest, run.outcome, check, basis)
            drafts.append(draft)
            state = state_of(context, draft)
            found.append(
                VerifyResult(
                    trace_id=trace.trace_id, state=state, outcome=run.outcome, reason=detail, verifier=check.id
                )
            )
        results += found or held
    done = Recorded() if dry_run else record_verifications(context, drafts)
    return report_of(", ".join(c.id for c in checks), results, done)


def own_checks(context: Context) -> list[Verifier]:
    """Returns the registered checks that this machine may sign for."""
    checks = [v for v in context.policy.verifiers if v.run and v.kind is VerifierKind.TOOL]
    if not checks:
        raise UsageError("there is no registered check", hint="run: skillc verifier add NAME --run 'COMMAND'")
    own = tool_key()
    mine = [c for c in checks if own is not None and same_key(c.key, own)]
    if not mine:
        raise PolicyError(
            f"the verifier {checks[0].id!r} is registered with a key that is not on this machine",
            hint=f"register this machine's tool key: skillc verifier add {checks[0].id} ... --force, and merge that",
        )
    return mine


def _read(context: Context, trace: Trace, check: Verifier, existing: "_Existing") -> CheckRun:
    reading = read_check(
        trace,
        check.run,
        protects=check.protects,
        fails_before=check.fails_before,
        existed=existing.before(trace),
    )
    if reading.run is None:
        raise HeldError(reading.reason)
    try:
        commit = commit_of(context, trace, None)
    except HeldError:
        return reading.run  # no commit to compare: the events alone were asked
    require_tests_unchanged(context, trace, check, commit)
    return reading.run


class _Existing:
    """Which paths there were before a session, from the tree of its first commit's parent."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._paths: dict[str, frozenset[str]] = {}

    def before(self, trace: Trace) -> Callable[[str], bool | None]:
        start = start_of(self._context, trace)
        if start is None:
            return lambda path: None
        if start not in self._paths:
            self._paths[start] = frozenset(e.path for e in list_tree(self._context.repository, start))
        paths = self._paths[start]
        return lambda path: path in paths
