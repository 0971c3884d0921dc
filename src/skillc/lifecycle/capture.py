"""Capture: foreign files in, stored Traces out, and a word about everything that was left behind.

A source is imported whole or not at all. A Trace that is stored already is not stored again; one whose bytes
differ is kept as it is and reported. Paper: 5.1. Not here: formats (importers), redaction (core.scan.redact).
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from skillc.core.policy import Verifier
from skillc.core.record import Record
from skillc.core.trace.verification import Basis, BasisKind
from skillc.errors import DataError, SkillcError, UsageError
from skillc.importers.base import (
    ImportContext,
    ImportedTrace,
    ImportReport,
    MessagesOptions,
    OutcomeMapping,
)
from skillc.importers.companions import find_companions
from skillc.importers.table import detect, importer_for
from skillc.lifecycle.context import Context
from skillc.lifecycle.sources import (
    HEAD_BYTES,
    STDIN,
    expanded,
    is_left_out,
    open_source,
    sessions_of_project,
    unknown_source,
)
from skillc.repo import layout
from skillc.repo.home import capture_secret
from skillc.repo.lock import write_lock
from skillc.repo.traces import NewTrace, StoredTrace

if TYPE_CHECKING:  # the ledger is read only where a mapping gives outcomes
    from skillc.lifecycle.statements import VerificationDraft

_BATCH_BYTES = 64 * 1024 * 1024
_BATCH_TRACES = 200


class CapturedTrace(Record):
    """One Trace of a source, new or known."""

    trace_id: str
    path: str
    events: int
    outcome: str
    strength: str
    task_family: str | None
    is_new: bool


class SkippedCount(Record):
    """Something that was not taken, and how often."""

    reason: str
    count: int


class CapturedSource(Record):
    """What one source gave."""

    path: str
    kind: str
    traces: tuple[CapturedTrace, ...]
    skipped: tuple[SkippedCount, ...]
    redacted: dict[str, int]
    notes: tuple[str, ...]


class CaptureTotals(Record):
    """Sums over all sources; `new` and `events` count new Traces only."""

    traces: int
    new: int
    events: int


class FailedSource(Record):
    """A source that gave nothing, and why; the others are not touched by it."""

    path: str
    message: str
    hint: str | None


class CaptureReport(Record):
    """The answer of `skillc capture`."""

    format: Literal["skillc.capture/1"] = "skillc.capture/1"
    sources: tuple[CapturedSource, ...]
    totals: CaptureTotals
    commits: tuple[str, ...] = ()
    verifications: int = 0
    failed: tuple[FailedSource, ...] = ()


@dataclass(frozen=True)
class CaptureOptions:
    """What the command line said."""

    kind: str | None = None
    task_family: str | None = None
    messages: MessagesOptions = field(default_factory=MessagesOptions)
    verifier_id: str | None = None
    dry_run: bool = False


@dataclass
class _Pending:
    imported: ImportedTrace
    path: str


def capture(context: Context, paths: Sequence[str], options: CaptureOptions) -> CaptureReport:
    """Imports the sources and stores what is new, in as few commits as the memory limit allows.

    A folder stands for the session files in it. One bad source among several is reported and the others are
    imported; a bad source alone raises its error.
    """
    paths = expanded(paths)
    verifier = _mapping_verifier(context, options.verifier_id)
    import_context = _import_context(context, options, verifier)
    commits: list[str] = []
    sources: list[CapturedSource] = []
    drafts: list[VerificationDraft] = []
    failed: list[FailedSource] = []
    store = context.traces
    known = store.stored()
    pending: list[_Pending] = []

    def flush() -> None:
        if pending and not options.dry_run:
            with write_lock(context.repository):
                commit = _store(context, pending)
            if commit:
                commits.append(commit)
        for item in pending:
            item.imported.body.close()
        pending.clear()

    for path in paths:
        try:
            report, traces = _read_source(path, import_context, options.kind)
        except SkillcError as error:
            if len(paths) == 1:
                raise
            failed.append(FailedSource(path=_label(path), message=error.message, hint=error.hint))
            continue
        taken = []
        if is_left_out(report, context.policy.traces.exclude_paths, context.repository.root):
            report.skipped["session below an excluded path"] += 1
            traces = _closed(traces)
        for imported in traces:
            taken.append(_take(imported, known, pending, context, report))
            if imported.verdict is not None and verifier is not None and not taken[-1].differs:
                drafts.append(_mapped_draft(imported, verifier))
        sources.append(_source_record(report, [t.record for t in taken]))
        if sum(p.imported.size_bytes for p in pending) > _BATCH_BYTES or len(pending) >= _BATCH_TRACES:
            flush()
    flush()
    written = 0
    if verifier is not None and drafts and not options.dry_run:
        from skillc.lifecycle.statements import record_verifications

        written = record_verifications(context, drafts)
    return _report(sources, commits, written, failed)


def _store(context: Context, pending: Sequence[_Pending]) -> str | None:
    """Stores what nobody stored meanwhile: another capture may have run while this one read its sources."""
    context.base = context.repository.base()
    store = context.traces
    stored = store.stored()
    return store.add([_new_trace(p) for p in pending if p.imported.header.trace_id not in stored])


@dataclass(frozen=True)
class _Taken:
    record: CapturedTrace
    differs: bool


def _take(
    imported: ImportedTrace,
    known: dict[str, StoredTrace],
    pending: list[_Pending],
    context: Context,
    report: ImportReport,
) -> _Taken:
    """Queues a new Trace, or compares it with the stored one."""
    header = imported.header
    started = header.started_at.isoformat() if header.started_at else None
    path = layout.trace_path(header.trace_id, started)
    blob = blob_id(imported.body, imported.size_bytes, context.repository.object_format)
    stored = known.get(header.trace_id)
    is_new = stored is None
    differs = stored is not None and stored.object_id != blob
    if stored is None:
        known[header.trace_id] = StoredTrace(header.trace_id, path, blob)
        pending.append(_Pending(imported, path))
    else:
        path = stored.path
        if differs:
            report.notes.append(_why_kept(context, imported))
        imported.body.close()
    record = CapturedTrace(
        trace_id=header.trace_id,
        path=path,
        events=imported.events,
        outcome=imported.close.outcome.value,
        strength="external" if imported.verdict else "none",
        task_family=header.task_family,
        is_new=is_new,
    )
    return _Taken(record, differs)


def _why_kept(context: Context, imported: ImportedTrace) -> str:
    """Says why a Trace that is stored already was not taken again, as far as the two can be compared."""
    header = imported.header
    trace = context.traces.read(header.trace_id) if header.task_family else None
    known = trace.header if trace is not None else None
    if known is not None and known.source.sha256 == header.source.sha256 and known.task_family != header.task_family:
        family = header.task_family
        return f"{header.trace_id} is captured already; its family: skillc families assign {family} {header.trace_id}"
    return (
        f"{header.trace_id} is stored with other bytes and was kept: the session went on, "
        "or another machine captured it"
    )


def blob_id(body: IO[bytes], size_bytes: int, object_format: str) -> str:
    """Returns git's id for the content of a stream, without asking git; the stream ends at offset 0 again."""
    digest = hashlib.sha256() if object_format == "sha256" else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % size_bytes)
    body.seek(0)
    while chunk := body.read(1 << 20):
        digest.update(chunk)
    body.seek(0)
    return digest.hexdigest()


def _new_trace(item: _Pending) -> NewTrace:
    header = item.imported.header
    return NewTrace(header.trace_id, item.path, item.imported.body, item.imported.size_bytes, header.started_at)


def _read_source(
    path: str, import_context: ImportContext, kind: str | None
) -> tuple[ImportReport, list[ImportedTrace]]:
    """Reads one source whole. Raises DataError when it is no known format or holds no event."""
    with open_source(path) as stream:
        head = stream.read(HEAD_BYTES)
        stream.seek(0)
        if not head.strip():
            raise DataError(f"{path}: the source is empty", hint="name a session file that has content")
        importer = importer_for(kind) if kind else detect(head, Path(path).name)
        if importer is None:
            raise unknown_source(path, head)
        report = ImportReport(path=_label(path), kind=importer.kind)
        companions = () if path == STDIN else find_companions(Path(path), importer)
        return report, list(importer.read(stream, import_context, report, companions))


def _closed(traces: list[ImportedTrace]) -> list[ImportedTrace]:
    for imported in traces:
        imported.body.close()
    return []


def _mapping_verifier(context: Context, verifier_id: str | None) -> Verifier | None:
    if verifier_id is None:
        return None
    verifier = context.policy.verifier(verifier_id)
    if verifier is None or verifier.mapping is None:
        raise UsageError(
            f"no mapping is registered for {verifier_id!r}",
            hint=f"run: skillc verifier add {verifier_id} --kind external --field reward --success-at 1",
        )
    return verifier


def _import_context(context: Context, options: CaptureOptions, verifier: Verifier | None) -> ImportContext:
    mapping = None
    if verifier is not None and verifier.mapping is not None:
        mapping = OutcomeMapping(verifier.id, verifier.mapping.field, verifier.mapping.success_at)
    return ImportContext(
        namespace=context.policy.namespace,
        secret=capture_secret(),
        max_result_bytes=context.policy.traces.max_result_bytes,
        restricted_tools=tuple(pattern.tool for pattern in context.policy.traces.restricted),
        task_family=options.task_family,
        messages=options.messages,
        mapping=mapping,
    )


def _mapped_draft(imported: ImportedTrace, verifier: Verifier) -> "VerificationDraft":
    from skillc.lifecycle.statements import VerificationDraft

    assert imported.verdict is not None
    assert verifier.mapping is not None
    return VerificationDraft(
        trace_id=imported.header.trace_id,
        trace_digest=imported.close.digest,
        outcome=imported.verdict.outcome,
        verifier=verifier,
        basis=Basis(kind=BasisKind.MAPPING, ref=verifier.mapping.field, detail=imported.verdict.detail),
    )


def _label(path: str) -> str:
    return "standard input" if path == STDIN else path


def _source_record(report: ImportReport, traces: list[CapturedTrace]) -> CapturedSource:
    return CapturedSource(
        path=report.path,
        kind=report.kind,
        traces=tuple(traces),
        skipped=tuple(SkippedCount(reason=r, count=n) for r, n in sorted(report.skipped.items())),
        redacted=dict(sorted(report.redacted.items())),
        notes=tuple(report.notes),
    )


def _report(
    sources: Iterable[CapturedSource], commits: list[str], verifications: int, failed: list[FailedSource]
) -> CaptureReport:
    found = tuple(sources)
    traces = [t for s in found for t in s.traces]
    new = [t for t in traces if t.is_new]
    totals = CaptureTotals(traces=len(traces), new=len(new), events=sum(t.events for t in new))
    return CaptureReport(
        sources=found, totals=totals, commits=tuple(commits), verifications=verifications, failed=tuple(failed)
    )


def iter_new(report: CaptureReport) -> Iterator[CapturedTrace]:
    """Yields the Traces that this capture stored for the first time."""
    for source in report.sources:
        for trace in source.traces:
            if trace.is_new:
                yield trace


__all__ = ["CaptureOptions", "CaptureReport", "MessagesOptions", "capture", "iter_new", "sessions_of_project"]
