"""Signed statements about Traces: made once, with the key that the registry names, and put on the ledger.

Not here: how a verdict is reached (lifecycle.verify and its ways), what it is worth (core.trace.verification).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from skillc.core.policy import Verifier
from skillc.core.record import canonical_json
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import (
    VERIFICATION_NAMESPACE,
    Basis,
    Envelope,
    Verification,
    same_key,
)
from skillc.errors import PolicyError
from skillc.lifecycle.context import Context
from skillc.repo.home import tool_key_path
from skillc.repo.keys import sign, sign_many, tool_key
from skillc.repo.ledger import LedgerFile, append_to_ledger, checked_verifications, ledger_file


@dataclass(frozen=True)
class VerificationDraft:
    """A verdict that is not signed yet."""

    trace_id: str
    trace_digest: str
    outcome: Outcome
    verifier: Verifier
    basis: Basis


@dataclass(frozen=True)
class Recorded:
    """How many statements were appended to the ledger, and the commit that holds them."""

    count: int = 0
    commit: str | None = None


def record_verifications(context: Context, drafts: Sequence[VerificationDraft]) -> Recorded:
    """Signs the verdicts with this machine's tool key and appends those that are new.

    Raises PolicyError when the registry names another key for the verifier.
    """
    files = []
    for draft in drafts:
        require_own_key(draft.verifier)
        if state_of(context, draft) == "verified":
            files.append(_signed(context, draft, draft.verifier.id, tool_key_path()))
    return append_statements(context, files)


def record_persons_verdicts(context: Context, verifications: Sequence[Verification], key_path: Path) -> Recorded:
    """Signs a person's verdicts with the person's own key, all at once, and appends them."""
    payloads = [canonical_json(verification) for verification in verifications]
    envelopes = sign_many(payloads, namespace=VERIFICATION_NAMESPACE, key_path=key_path)
    return append_statements(
        context, [_file(v.trace_id, envelope) for v, envelope in zip(verifications, envelopes, strict=True)]
    )


def append_statements(context: Context, files: Sequence[LedgerFile]) -> Recorded:
    """Appends signed statements to the ledger in one commit."""
    if not files:
        return Recorded()
    message = f"verifications: {len(files)}\n"
    commit = append_to_ledger(context.repository, files, message=message, at=context.now)
    context.forget_ledger()
    return Recorded(len(files), commit)


def require_own_key(verifier: Verifier) -> None:
    """Raises PolicyError unless the registry on base names this machine's tool key for the verifier."""
    own = tool_key()
    if own is None or not same_key(verifier.key, own):
        raise PolicyError(
            f"the verifier {verifier.id!r} is registered with a key that is not on this machine",
            hint=f"register this machine's tool key: skillc verifier add {verifier.id} ... --force, and merge that",
        )


def state_of(context: Context, draft: VerificationDraft) -> Literal["known", "verified"]:
    """Returns `known` where the ledger holds exactly this verdict already, signed with the verifier's key."""
    known = checked_verifications(context.ledger, draft.trace_id, context.signatures)
    is_known = any(
        c.verification.trace_digest == draft.trace_digest
        and c.verification.outcome is draft.outcome
        and c.verification.verifier_id == draft.verifier.id
        and c.verification.basis == draft.basis
        and same_key(c.key, draft.verifier.key)
        for c in known
    )
    return "known" if is_known else "verified"


def _signed(context: Context, draft: VerificationDraft, verifier_id: str, key_path: Path) -> LedgerFile:
    verification = Verification(
        namespace=context.policy.namespace,
        trace_id=draft.trace_id,
        trace_digest=draft.trace_digest,
        outcome=draft.outcome,
        verifier_id=verifier_id,
        basis=draft.basis,
        at=context.now,
        previous=context.ledger.heads(f"verifications/{draft.trace_id}"),
    )
    return _file(
        draft.trace_id,
        sign(canonical_json(verification), namespace=VERIFICATION_NAMESPACE, key_path=key_path),
    )


def _file(trace_id: str, envelope: Envelope) -> LedgerFile:
    return ledger_file(f"verifications/{trace_id}", envelope)
