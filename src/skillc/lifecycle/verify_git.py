"""`verify --from-git`: what base says about the work of a session, put on the ledger as a record.

The record only points at the deciding commit; its worth is computed from git whenever it is read. Paper: 5.1;
ADR 0010. Not here: the verdict itself (lifecycle.landings).
"""

from collections.abc import Sequence
from typing import Literal

from skillc.core.policy import GIT_VERIFIER, Verifier, VerifierKind
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind, verifying_party
from skillc.errors import PolicyError
from skillc.lifecycle.attempts import chosen_attempts
from skillc.lifecycle.context import Context
from skillc.lifecycle.landings import GitVerdict, Landings
from skillc.lifecycle.statements import Recorded, VerificationDraft, record_verifications, state_of
from skillc.lifecycle.verify import VerifyReport, VerifyResult, report_of
from skillc.repo.keys import tool_key


def verify_by_git(context: Context, *, trace_ids: Sequence[str] = (), dry_run: bool = False) -> VerifyReport:
    """Asks base about the named Traces, or about all of them: a later revert changes an old verdict too."""
    verifier = git_verifier(context)
    traces = [attempt.trace for attempt in chosen_attempts(context, trace_ids)]
    verdicts = Landings(context, traces).verdicts() if traces else {}
    results: list[VerifyResult] = []
    drafts: list[VerificationDraft] = []
    for trace in traces:
        verdict = verdicts[trace.trace_id]
        if verdict.outcome is None or verdict.commit is None:
            results.append(
                VerifyResult(trace_id=trace.trace_id, state="skipped", reason=verdict.reason, verifier=verifier.id)
            )
            continue
        basis = Basis(kind=BasisKind.GIT, ref=verdict.commit, detail=verdict.detail)
        draft = VerificationDraft(trace.trace_id, trace.digest, verdict.outcome, verifier, basis)
        drafts.append(draft)
        results.append(_result(trace.trace_id, verdict, verifier.id, state_of(context, draft)))
    done = Recorded() if dry_run else record_verifications(context, drafts)
    return report_of(verifier.id, results, done)


def git_verifier(context: Context) -> Verifier:
    """Returns the verifier of merges and reverts. Raises PolicyError when this machine's key is not registered."""
    own = tool_key()
    party = verifying_party(context.policy, GIT_VERIFIER, own) if own is not None else None
    if own is None or party is None:
        raise PolicyError(
            "this machine's tool key is not in the registry on base, so its word on merges is worth nothing",
            hint=f"run: skillc verifier add {GIT_VERIFIER}, and merge that",
        )
    return Verifier(
        id=GIT_VERIFIER, kind=VerifierKind.TOOL, key=party.key, key_class=party.key_class, may_assert=party.may_assert
    )


def _result(trace_id: str, verdict: GitVerdict, verifier_id: str, state: Literal["known", "verified"]) -> VerifyResult:
    assert verdict.outcome is not None
    weak = verdict.signer is None
    word = "landed" if weak and verdict.outcome is not Outcome.FAILURE else "weak" if weak else ""
    return VerifyResult(
        trace_id=trace_id,
        state=state,
        outcome=verdict.outcome,
        commit=verdict.commit,
        reason=f"{word}: {verdict.detail}; {verdict.reason}" if weak else verdict.detail,
        verifier=verifier_id,
        landed=word == "landed",
    )
