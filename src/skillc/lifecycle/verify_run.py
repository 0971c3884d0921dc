"""`verify --run CHECK`: a registered and trusted check runs at the commit that the session ended with.

Refuses when the session changed protected files; `fails_before` wants the failure at the start. Paper: 5.1.
Not here: which commit that is (lifecycle.session_commits), trust (lifecycle.trust).
"""

from collections.abc import Sequence

from skillc.core.policy import Verifier
from skillc.core.trace.check_events import ran_no_test
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind
from skillc.errors import UsageError
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.session_commits import commit_of, require_tests_unchanged, start_of
from skillc.lifecycle.statements import Recorded, VerificationDraft, record_verifications, require_own_key, state_of
from skillc.lifecycle.trust import registered_check, require_trusted
from skillc.lifecycle.verify import VERIFIED_BEFORE, HeldError, VerifyReport, VerifyResult, report_of
from skillc.repo.sandbox import RunResult, run_in, temporary_checkout


def verify_by_check(
    context: Context,
    check_id: str,
    *,
    trace_ids: Sequence[str] = (),
    at: str | None = None,
    dry_run: bool = False,
) -> VerifyReport:
    """Runs a registered check for the named Traces, or for all that no verifier has verified yet."""
    check = registered_check(context, check_id)
    require_own_key(check)
    attempts = chosen_attempts(context, trace_ids)
    if at is not None and len(attempts) != 1:
        raise UsageError(
            "--at names the commit of one Trace",
            hint="name the Trace: skillc verify --run CHECK TRACE --at COMMIT",
        )
    results: list[VerifyResult] = []
    drafts: list[VerificationDraft] = []
    runs: dict[str, RunResult] = {}
    for attempt in attempts:
        trace = attempt.trace
        if not trace_ids and attempt.standing.strength.is_strong:
            results.append(VerifyResult(trace_id=trace.trace_id, state="skipped", reason=VERIFIED_BEFORE))
            continue
        try:
            commit = commit_of(context, trace, at)
            require_tests_unchanged(context, trace, check, commit)
            outcome, detail = _run_check(context, check, trace, commit, runs)
        except HeldError as held:
            results.append(VerifyResult(trace_id=trace.trace_id, state="held", reason=str(held)))
            continue
        basis = Basis(kind=BasisKind.CHECK_RUN, ref=commit, detail=detail)
        draft = VerificationDraft(trace.trace_id, trace.digest, outcome, check, basis)
        drafts.append(draft)
        state = state_of(context, draft)
        results.append(
            VerifyResult(trace_id=trace.trace_id, state=state, outcome=outcome, commit=commit, reason=detail)
        )
    done = Recorded() if dry_run else record_verifications(context, drafts)
    return report_of(check.id, results, done)


def _run_check(
    context: Context, check: Verifier, trace: Trace, commit: str, runs: dict[str, RunResult]
) -> tuple[Outcome, str]:
    command = " ".join(check.run)
    result = _run_at(context, check, commit, runs)
    if result.code is None:
        raise HeldError(f"`{command}` did not end within {check.timeout_s} s")
    if check.fails_before:
        start = start_of(context, trace, commit)
        if start is None:
            raise HeldError("the commit before the session is not known, and the check must fail there")
        if _run_at(context, check, start, runs).code == 0:
            raise HeldError(f"`{command}` passes already before the session, so it proves nothing")
    if result.code == 0 and ran_no_test(result.tail):
        raise HeldError(f"`{command}` ended well and ran no test, so it proves nothing")
    outcome = Outcome.SUCCESS if result.code == 0 else Outcome.FAILURE
    return outcome, f"`{command}` exit {result.code}"


def _run_at(context: Context, check: Verifier, commit: str, runs: dict[str, RunResult]) -> RunResult:
    """Runs set-up and check at a commit, once per command."""
    if commit in runs:
        return runs[commit]
    require_trusted(context, check, commit=commit)
    with temporary_checkout(context.repository, commit) as folder:
        if check.setup:
            done = run_in(folder, check.setup, timeout_s=check.timeout_s)
            if done.code != 0:
                raise HeldError(f"the set-up `{' '.join(check.setup)}` failed, so the check did not run")
        runs[commit] = run_in(folder, check.run, timeout_s=check.timeout_s)
    return runs[commit]
