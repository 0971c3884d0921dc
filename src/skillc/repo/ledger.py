"""The ledger: an append-only orphan branch of small records, each named by the sha256 of its content.

Two clones merge by union, because a name fixes its content and nothing is ever changed. No event text is ever
written here. Not here: what a record means (core.trace.verification, core.compile.history).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError

from skillc.core.admit.evaluation import EvaluationRequest
from skillc.core.compile.amendment import AmendmentRecord
from skillc.core.compile.conflict import ConflictRecord, ResolutionRecord
from skillc.core.compile.history import FamilyRecord, OutcomeRecord, RunRecord
from skillc.core.compile.withdrawal import LiftRecord, WithdrawalRecord
from skillc.core.record import Record, canonical_json, first_problem, sha256_hex
from skillc.core.trace.ssh_signature import read_signature
from skillc.core.trace.verification import (
    VERIFICATION_NAMESPACE,
    CheckedVerification,
    Envelope,
    Verification,
)
from skillc.errors import DataError
from skillc.repo import layout
from skillc.repo.commits import NewCommit, Put, RefMovedError, RefUpdate, update_refs, write_commits
from skillc.repo.keys import SignatureCache
from skillc.repo.lock import write_lock
from skillc.repo.objects import list_tree, open_reader
from skillc.repo.repository import REMOTE, Repository

# The records that need no signature, by folder. They may add review or take out of service, never admit; which
# decisions of people count without one says lifecycle.decisions.
_RECORDS: Mapping[str, type[Record]] = {
    "runs": RunRecord,
    "outcomes": OutcomeRecord,
    "families": FamilyRecord,
    "conflicts": ConflictRecord,
    "resolutions": ResolutionRecord,
    "withdrawals": WithdrawalRecord,
    "lifts": LiftRecord,
    "requests": EvaluationRequest,
    "amendments": AmendmentRecord,
}
_DECISIONS = ("resolutions", "lifts", "amendments")
_SIGNED = ("verifications", "approvals", "evaluations", "tombstones")  # each file an envelope, below what it is about
_ROOT_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_ATTEMPTS = 5
_ENVELOPE_START = b'{"key":'  # of the canonical form, in which every envelope is written
_MAX_RECORD_BYTES = 4 * 1024 * 1024
_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True)
class Ledger:
    """The ledger at one commit, parsed. `problems` are files that are no record; they count for nothing."""

    commit: str | None = None
    envelopes: Mapping[str, tuple[tuple[str, Envelope], ...]] = field(default_factory=dict)
    runs: tuple[RunRecord, ...] = ()
    signed_runs: tuple[tuple[RunRecord, Envelope], ...] = ()  # those of `runs` that somebody signed, not checked here
    outcomes: tuple[OutcomeRecord, ...] = ()
    families: tuple[FamilyRecord, ...] = ()
    conflicts: tuple[ConflictRecord, ...] = ()
    resolutions: tuple[ResolutionRecord, ...] = ()
    withdrawals: tuple[WithdrawalRecord, ...] = ()
    lifts: tuple[LiftRecord, ...] = ()
    requests: tuple[EvaluationRequest, ...] = ()
    approvals: Mapping[str, tuple[tuple[str, Envelope], ...]] = field(default_factory=dict)  # by commit or group
    evaluations: Mapping[str, tuple[tuple[str, Envelope], ...]] = field(default_factory=dict)  # by group
    tombstones: Mapping[str, tuple[tuple[str, Envelope], ...]] = field(default_factory=dict)  # by Trace
    audit: tuple[tuple[str, bytes], ...] = ()  # path -> content, signed or not; lifecycle.audit reads it
    amendments: tuple[AmendmentRecord, ...] = ()
    paths: frozenset[str] = frozenset()
    problems: tuple[tuple[str, str], ...] = ()
    signed_decisions: tuple[tuple[str, Envelope], ...] = ()  # path -> a person's decision, not checked here
    uncounted: tuple[tuple[str, str], ...] = ()  # decisions that count for nothing, and why

    def heads(self, folder: str) -> tuple[str, ...]:
        """Returns the record ids of a folder, sorted: what the next record there names as `previous`."""
        prefix = folder + "/"
        return tuple(sorted(p.rsplit("/", 1)[1].removesuffix(".json") for p in self.paths if p.startswith(prefix)))[-8:]


def ledger_commit(repository: Repository) -> str | None:
    """Returns the tip of the ledger: the local branch, else origin's."""
    refs = repository.refs(layout.LEDGER_REF, f"refs/remotes/{REMOTE}/{layout.LEDGER_BRANCH}")
    return refs.get(layout.LEDGER_REF) or refs.get(f"refs/remotes/{REMOTE}/{layout.LEDGER_BRANCH}")


def read_ledger(repository: Repository) -> Ledger:
    """Reads the whole ledger. A file that is no record, or not named by its digest, becomes a problem."""
    commit = ledger_commit(repository)
    if commit is None:
        return Ledger()
    entries = [e for e in list_tree(repository, commit) if e.kind == "blob"]
    problems: list[tuple[str, str]] = []
    signed: dict[str, dict[str, list[tuple[str, Envelope]]]] = {f: {} for f in _SIGNED}
    audit: list[tuple[str, bytes]] = []
    decisions: list[tuple[str, Envelope]] = []
    signed_runs: list[tuple[RunRecord, Envelope]] = []
    found: dict[str, list[Record]] = {}
    with open_reader(repository) as reader:
        contents = reader.read_many([e.object_id for e in entries], limit=_MAX_RECORD_BYTES)
        for entry, content in zip(entries, contents, strict=True):
            data = content or b""
            if reader.is_skipped:
                problems.append((entry.path, "is too large for a record"))
                continue
            folder, name = entry.path.split("/", 1)[0], entry.path.rsplit("/", 1)[-1].removesuffix(".json")
            if sha256_hex(data) != name:
                problems.append((entry.path, "is not named by its digest"))
            elif folder == "audit":
                audit.append((entry.path, data))
            elif folder in signed:
                envelope = _parse(Envelope, data, entry.path, problems)
                if envelope is not None:
                    signed[folder].setdefault(entry.path.split("/")[1], []).append((name, envelope))
            elif folder in _DECISIONS and (decision := _envelope(data)) is not None:
                decisions.append((entry.path, decision))
            elif folder == "runs" and data.startswith(_ENVELOPE_START):
                run = _signed_run(data, entry.path, problems)
                if run is not None:
                    signed_runs.append(run)
                    found.setdefault(folder, []).append(run[0])
            elif (model := _RECORDS.get(folder)) is not None:
                record = _parse(model, data, entry.path, problems)
                if record is not None:
                    found.setdefault(folder, []).append(record)
    return Ledger(
        commit=commit,
        envelopes={k: tuple(v) for k, v in signed["verifications"].items()},
        approvals={k: tuple(v) for k, v in signed["approvals"].items()},
        evaluations={k: tuple(v) for k, v in signed["evaluations"].items()},
        tombstones={k: tuple(v) for k, v in signed["tombstones"].items()},
        audit=tuple(audit),
        signed_runs=tuple(signed_runs),
        requests=_sorted(EvaluationRequest, found, "requests", lambda r: (r.at, r.group, r.evaluator)),
        runs=_sorted(RunRecord, found, "runs", lambda r: (r.at, r.run)),
        outcomes=_sorted(OutcomeRecord, found, "outcomes", lambda o: (o.at, o.run)),
        families=_sorted(FamilyRecord, found, "families", lambda f: (f.at, f.slug)),
        conflicts=_sorted(ConflictRecord, found, "conflicts", lambda c: (c.at, c.conflict)),
        resolutions=_sorted(ResolutionRecord, found, "resolutions", lambda r: (r.at, r.conflict)),
        withdrawals=_sorted(WithdrawalRecord, found, "withdrawals", lambda w: (w.at, w.skill_id, w.reason, w.refs)),
        lifts=_sorted(LiftRecord, found, "lifts", lambda x: (x.at, x.skill_id, x.reason, x.refs)),
        amendments=_sorted(AmendmentRecord, found, "amendments", lambda a: (a.at, a.skill_id, a.run)),
        paths=frozenset(e.path for e in entries),
        problems=tuple(problems),
        signed_decisions=tuple(decisions),
    )


def checked_verifications(ledger: Ledger, trace_id: str, cache: SignatureCache) -> tuple[CheckedVerification, ...]:
    """Returns the verifications of one Trace whose signature holds; the payload is parsed only after that."""
    found = (_checked(record_id, e, trace_id, cache) for record_id, e in ledger.envelopes.get(trace_id, ()))
    return tuple(checked for checked in found if isinstance(checked, CheckedVerification))


def unsound_verifications(ledger: Ledger, trace_id: str, cache: SignatureCache) -> tuple[tuple[str, str], ...]:
    """Returns (record id, what is wrong) of the records of one Trace that are no verification of anybody."""
    found = (
        (record_id, _checked(record_id, e, trace_id, cache)) for record_id, e in ledger.envelopes.get(trace_id, ())
    )
    return tuple((record_id, what) for record_id, what in found if isinstance(what, str))


def _checked(record_id: str, envelope: Envelope, trace_id: str, cache: SignatureCache) -> CheckedVerification | str:
    """Returns a record's verification, or what is wrong with it."""
    if not cache.is_signed(envelope, namespace=VERIFICATION_NAMESPACE):
        return "its signature does not hold"
    try:
        verification = Verification.model_validate_json(envelope.payload)
    except ValidationError as error:
        return f"what it signs is no verification: {first_problem(error)}"
    if verification.trace_id != trace_id:
        return "it is for another Trace"
    facts = read_signature(envelope.signature) if envelope.key.startswith("sk-") else None
    present = facts is not None and facts.user_present if envelope.key.startswith("sk-") else None
    return CheckedVerification(verification=verification, key=envelope.key, record_id=record_id, user_present=present)


@dataclass(frozen=True)
class LedgerFile:
    """One record to append: `folder` below the ledger's root, named by its digest."""

    folder: str
    data: bytes

    @property
    def path(self) -> str:
        return f"{self.folder}/{sha256_hex(self.data)}.json"


def ledger_file(folder: str, record: Record) -> LedgerFile:
    """Returns the file of a record."""
    return LedgerFile(folder, canonical_json(record))


@dataclass(frozen=True)
class PreparedRecords:
    """Records written off-ref: visible once `update` is made, and `tmp_ref` is dropped with it."""

    update: RefUpdate
    tmp_ref: str

    @property
    def commit(self) -> str:
        """The commit that the ledger will be at."""
        assert self.update.new is not None
        return self.update.new


def prepare_records(
    repository: Repository, files: Iterable[LedgerFile], *, message: str, at: datetime
) -> PreparedRecords | None:
    """Writes the records that are new as one commit that nobody sees yet; None when all of them are there."""
    wanted = {file.path: file.data for file in files}
    local = repository.refs(layout.LEDGER_REF).get(layout.LEDGER_REF)
    parent = local or ledger_commit(repository)
    known = {e.path for e in list_tree(repository, parent)} if parent else set()
    missing = sorted(set(wanted) - known)
    if not missing:
        return None
    commits = [] if parent else [NewCommit("skillc ledger\n", (), _ROOT_TIME)]
    commits.append(NewCommit(message, [Put(path, wanted[path]) for path in missing], at))
    written = write_commits(repository, commits, parent=parent, label="ledger")
    return PreparedRecords(RefUpdate(layout.LEDGER_REF, local, written.ids[-1]), written.tmp_ref)


def append_to_ledger(repository: Repository, files: Iterable[LedgerFile], *, message: str, at: datetime) -> str | None:
    """Appends records in one commit and returns it; None when all of them are there already.

    Waits for another skillc that writes, and tries again when a git moved the branch; appending is a union, so
    nothing can be lost.
    """
    with write_lock(repository):
        return _append(repository, tuple(files), message, at)


def _append(repository: Repository, wanted: tuple[LedgerFile, ...], message: str, at: datetime) -> str | None:
    for attempt in range(_ATTEMPTS):
        prepared = prepare_records(repository, wanted, message=message, at=at)
        if prepared is None:
            return None
        try:
            update_refs(repository, [prepared.update], drop=[prepared.tmp_ref])
            return prepared.commit
        except RefMovedError:
            if attempt == _ATTEMPTS - 1:
                raise
    return None


def _sorted(
    model: type[_R], found: Mapping[str, list[Record]], folder: str, order: Callable[[_R], Any]
) -> tuple[_R, ...]:
    return tuple(sorted((r for r in found.get(folder, ()) if isinstance(r, model)), key=order))


def _parse(model: type[_R], data: bytes, path: str, problems: list[tuple[str, str]]) -> _R | None:
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        problems.append((path, f"is no {model.__name__}: {first_problem(error)}"))
        return None


def _signed_run(data: bytes, path: str, problems: list[tuple[str, str]]) -> tuple[RunRecord, Envelope] | None:
    envelope = _parse(Envelope, data, path, problems)
    run = _parse(RunRecord, envelope.payload.encode("utf-8", "replace"), path, problems) if envelope else None
    return (run, envelope) if run is not None and envelope is not None else None


def _envelope(data: bytes) -> Envelope | None:
    """Returns a signed record; None for one that is no envelope."""
    try:
        return Envelope.model_validate_json(data)
    except ValidationError:
        return None


def require_sound(ledger: Ledger, on_problem: Callable[[str, str], None] | None = None) -> None:
    """Raises DataError when a file of the ledger is no valid record, unless a handler takes each problem."""
    for path, what in ledger.problems:
        if on_problem is None:
            raise DataError(f"{layout.LEDGER_BRANCH}:{path}:1: {what}", hint="run: skillc check")
        on_problem(path, what)
