"""`verify --ci`: a CI states how the tests of a commit ended, for the Traces that ended with that commit.

Runs in the signing job: it needs the branches of ledger and Traces and a key, never the code, so nothing of a
contributor runs beside the key. What it signs is weighed on base like every record. Paper: 5.1; ADR 0010.
Not here: running the tests (templates/github).
"""

import re
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from skillc.core.policy import POLICY_FILE, TracesLocation, parse_policy
from skillc.core.record import canonical_json
from skillc.core.trace.codec import Trace
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import (
    APPROVAL_NAMESPACE,
    VERIFICATION_NAMESPACE,
    Basis,
    BasisKind,
    MergeRecord,
    Verification,
    same_key,
)
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import PolicyError, RepoError, UsageError
from skillc.lifecycle.sync import fetch_branches, sync_union
from skillc.lifecycle.undo import ledger_undo
from skillc.lifecycle.verify import VerifyReport, VerifyResult
from skillc.repo import layout
from skillc.repo.keys import key_from_text, public_half, sign
from skillc.repo.ledger import Ledger, LedgerFile, append_to_ledger, ledger_file, read_ledger
from skillc.repo.objects import read_blob
from skillc.repo.repository import REMOTE, Base, Repository
from skillc.repo.traces import TraceStore

KEY_VARIABLE = "SKILLC_CI_KEY"
MIN_SHOWN_DIGITS = 7
_ATTEMPTS = 5


@dataclass(frozen=True)
class CiStatement:
    """What the CI says: how the tests of a commit ended, and, where the forge told, who merged it."""

    commit: str
    outcome: Outcome
    verifier_id: str
    merged_by: str | None = None
    pull_request: int | None = None
    namespace: str | None = None


def _require_registered_key(repository: Repository, verifier_id: str, key_path: Path) -> None:
    """Raises PolicyError when base is here and names another key: such records would be worth nothing."""
    commit = repository.base().policy_commit
    data = read_blob(repository, commit, POLICY_FILE, limit=MAX_POLICY_BYTES) if commit else None
    if data is None:
        return  # a signing job may have fetched the ledger and the Traces alone
    verifier = parse_policy(data).verifier(verifier_id)
    if verifier is None or not same_key(verifier.key, public_half(key_path)):
        what = "is not registered on base" if verifier is None else "is registered on base with another key"
        raise PolicyError(f"the verifier {verifier_id!r} {what}", hint="skillc verifier list shows the registry")


def outcome_of_job(result: str) -> Outcome | None:
    """Returns the outcome for the result of a job; None for one that says nothing: cancelled, skipped."""
    known = {"success": Outcome.SUCCESS, "failure": Outcome.FAILURE, "cancelled": None, "skipped": None}
    if result not in known:
        raise UsageError(f"a job has no result {result!r}", hint="results: success, failure, cancelled, skipped")
    return known[result]


def verify_by_ci(
    folder: Path,
    statement: CiStatement,
    *,
    key: Path | str,
    remote: str | None = REMOTE,
    now: datetime | None = None,
    dry_run: bool = False,
) -> VerifyReport:
    """Signs for every stored Trace that ended with the commit, and pushes the ledger to the remote.

    Args:
        key: the private key of the CI, as a file or as its text.
        remote: where the branches come from and go to; None keeps everything here, and so does a dry run.
    """
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", statement.commit):
        raise UsageError(f"{statement.commit!r} is no whole commit id", hint="give all of its digits: --commit SHA")
    repository = Repository.open(folder).dry() if dry_run else Repository.open(folder)
    if remote is not None and not dry_run:
        fetch_branches(repository, remote)
        sync_union(repository, remote, layout.LEDGER_BRANCH, push=False, message="Merge ledgers\n")
    moment = now or datetime.now(UTC).replace(microsecond=0)
    traces = list(_traces_at(repository, statement.commit))
    ledger = read_ledger(repository)
    files: list[LedgerFile] = []
    known: set[str] = set()
    with _key_file(key) as key_path:
        _require_registered_key(repository, statement.verifier_id, key_path)
        for trace in traces:
            verification = _verification(trace, statement, ledger, moment)
            if _is_known(ledger, verification):
                known.add(trace.trace_id)
            else:
                files.append(
                    ledger_file(
                        f"verifications/{trace.trace_id}",
                        sign(canonical_json(verification), namespace=VERIFICATION_NAMESPACE, key_path=key_path),
                    )
                )
        merge = _merge_record(statement, traces, ledger, moment)
        if merge is not None:
            envelope = sign(canonical_json(merge), namespace=APPROVAL_NAMESPACE, key_path=key_path)
            files.append(ledger_file(f"approvals/{statement.commit}", envelope))
    pushed = False
    commit = None
    if files and not dry_run:
        commit = append_to_ledger(repository, files, message=f"ci: {len(files)} records\n", at=moment)
    if not dry_run and remote is not None:
        pushed = push_ledger(repository, remote)
    return VerifyReport(
        verifier=statement.verifier_id,
        results=_results(traces, statement, known),
        recorded=0 if dry_run else len(files),
        pushed=pushed,
        commit=commit,
        undo=None if pushed else ledger_undo(commit),
    )


def _results(traces: Sequence[Trace], statement: CiStatement, known: Set[str]) -> tuple[VerifyResult, ...]:
    detail = f"tests of {statement.commit[:12]} ended with {statement.outcome.value}"
    return tuple(
        VerifyResult(
            trace_id=t.trace_id,
            state="known" if t.trace_id in known else "verified",
            outcome=statement.outcome,
            commit=statement.commit,
            reason=detail,
            verifier=statement.verifier_id,
        )
        for t in traces
    )


def push_ledger(repository: Repository, remote: str) -> bool:
    """Pushes the ledger; where somebody else was faster, joins both and tries again. False without a ledger."""
    for attempt in range(_ATTEMPTS):
        try:
            done = sync_union(repository, remote, layout.LEDGER_BRANCH, push=True, message="Merge ledgers\n")
            return done is not None
        except RepoError:
            if attempt == _ATTEMPTS - 1:
                raise
            fetch_branches(repository, remote)
    return False


def _traces_at(repository: Repository, commit: str) -> Iterator[Trace]:
    """Yields the stored Traces whose session ended with a commit, as far as the transcript shows its digits."""
    for store in _stores(repository):
        wanted = []
        for header in store.headers():
            end = header.environment.git.head_end if header.environment.git else None
            if end is not None and len(end) >= MIN_SHOWN_DIGITS and commit.startswith(end):
                wanted.append(header.trace_id)
        stored = store.stored()
        yield from store.read_some([stored[trace_id] for trace_id in wanted])


def _stores(repository: Repository) -> list[TraceStore]:
    """The branch of Traces, and base where Traces lie in its tree and base is here."""
    nothing = Base("main", None, None, False)
    stores = [TraceStore.open(repository, TracesLocation.BRANCH, nothing)]
    try:
        base = repository.base()
    except RepoError:
        return stores
    if base.commit is not None:
        stores.append(TraceStore(repository, TracesLocation.TREE, base, base.commit))
    return stores


def _verification(trace: Trace, statement: CiStatement, ledger: Ledger, at: datetime) -> Verification:
    return Verification(
        namespace=trace.header.namespace,
        trace_id=trace.trace_id,
        trace_digest=trace.digest,
        outcome=statement.outcome,
        verifier_id=statement.verifier_id,
        basis=Basis(kind=BasisKind.CI, ref=statement.commit, detail=f"tests: {statement.outcome.value}"),
        at=at,
        previous=ledger.heads(f"verifications/{trace.trace_id}"),
    )


def _is_known(ledger: Ledger, wanted: Verification) -> bool:
    for _, envelope in ledger.envelopes.get(wanted.trace_id, ()):
        try:
            known = Verification.model_validate_json(envelope.payload)
        except ValidationError:
            continue
        if known.model_copy(update={"at": wanted.at, "previous": wanted.previous}) == wanted:
            return True
    return False


def _merge_record(statement: CiStatement, traces: Sequence[Trace], ledger: Ledger, at: datetime) -> MergeRecord | None:
    """Returns what the forge told about the merge. The namespace is given, or that of the Traces."""
    namespace = statement.namespace or next((t.header.namespace for t in traces), None)
    if statement.merged_by is None or ledger.approvals.get(statement.commit):
        return None
    if namespace is None:
        raise UsageError("which namespace is this merge for?", hint="add --namespace NAME, as skillc.yaml has it")
    return MergeRecord(
        namespace=namespace,
        commit=statement.commit,
        verifier_id=statement.verifier_id,
        merged_by=statement.merged_by,
        pull_request=statement.pull_request,
        at=at,
        previous=ledger.heads(f"approvals/{statement.commit}"),
    )


@contextmanager
def _key_file(key: Path | str) -> Iterator[Path]:
    if isinstance(key, str):
        with key_from_text(key) as path:
            yield path
        return
    try:
        text = key.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the key file {str(key)!r} cannot be read", hint="name the private key") from error
    with key_from_text(text) as path:
        yield path
