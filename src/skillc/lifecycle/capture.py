"""Capture: foreign files in, stored Traces out, and a word about everything that was left behind.

A source is imported whole or not at all. A Trace that is stored already is not stored again; one whose bytes
differ is kept as it is and reported. Paper: 5.1. Not here: formats (importers), redaction (core.scan.redact).
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from skillc.core.policy import SplitRule, Verifier
from skillc.core.trace.codec import iter_event_lines, parse_header
from skillc.core.trace.verification import Basis, BasisKind
from skillc.errors import DataError, NoEventsError, SkillcError, UsageError
from skillc.importers.base import (
    GitFacts,
    ImportContext,
    ImportedTrace,
    ImportReport,
    MessagesOptions,
    OutcomeMapping,
)
from skillc.lifecycle.capture_report import (
    CapturedSource,
    CapturedTrace,
    CaptureReport,
    CaptureTotals,
    FailedSource,
    SkippedCount,
    empty_source,
    report_of,
    unmapped_notes,
    without_claims,
)
from skillc.lifecycle.context import Context
from skillc.lifecycle.first_look import tell_orders
from skillc.lifecycle.folder_sessions import HEAD_BYTES
from skillc.lifecycle.sources import (
    STDIN,
    excluded_folders,
    expanded,
    is_left_out,
    open_source,
    sessions_of_project,
    unknown_source,
)
from skillc.lifecycle.undo import ledger_undo, traces_undo
from skillc.repo import layout
from skillc.repo.home import capture_secret
from skillc.repo.lock import write_lock
from skillc.repo.objects import open_reader
from skillc.repo.pins import pins_for
from skillc.repo.traces import NewTrace, StoredTrace

if TYPE_CHECKING:  # the ledger is read only where a mapping gives outcomes
    from skillc.importers.companions import Listings
    from skillc.lifecycle.continuation import Part
    from skillc.lifecycle.statements import Recorded, VerificationDraft

_BATCH_BYTES = 64 * 1024 * 1024
_BATCH_TRACES = 200


@dataclass(frozen=True)
class CaptureOptions:
    """What the command line said."""

    kind: str | None = None
    task_family: str | None = None
    messages: MessagesOptions = field(default_factory=MessagesOptions)
    verifier_id: str | None = None
    split: SplitRule | None = None  # None: as the policy says
    dry_run: bool = False
    skips_empty: bool = False  # a session without events is no error: nobody named it
    git_facts: Mapping[str, GitFacts] = field(default_factory=dict)  # by source path


@dataclass
class _Pending:
    imported: ImportedTrace
    path: str


def capture(context: Context, paths: Sequence[str], options: CaptureOptions) -> CaptureReport:
    """Imports the sources and stores what is new, in as few commits as the memory limit allows.

    A folder stands for the session files in it. One bad source among several is reported and the others are
    imported; a bad source alone raises its error.
    """
    verifier = _mapping_verifier(context, options.verifier_id)
    kind = options.kind or ("messages" if options.messages.names_format else None)
    found = expanded(paths, kind)
    commits: list[str] = []
    sources: list[CapturedSource] = []
    drafts: list[VerificationDraft] = []
    failed = list(found.failed)
    store = context.traces
    known = store.stored()
    pending: list[_Pending] = []
    import_context = _import_context(context, options, verifier, partial(_part, context, known, pending))
    listings: Listings = {}
    stored_meanwhile: set[str] = set()
    excluded = excluded_folders(context.policy.traces.exclude_paths, context.repository.root)

    def flush() -> None:
        if pending and not options.dry_run:
            with write_lock(context.repository):
                commit = _store(context, pending, stored_meanwhile)
            if commit:
                commits.append(commit)
        for item in pending:
            item.imported.body.close()
        pending.clear()

    for file in found.files:
        try:
            facts = options.git_facts.get(file.path, GitFacts())
            context_of_file = replace(import_context, git_facts=facts)
            report, traces = _read_source(file.path, context_of_file, kind or file.kind, listings)
        except SkillcError as error:
            if isinstance(error, NoEventsError) and (options.skips_empty or file.is_found):
                sources.append(empty_source(_label(file.path)))
                continue
            if len(found.files) == 1:
                raise
            failed.append(FailedSource(path=_label(file.path), message=error.message, hint=error.hint))
            continue
        taken = []
        if is_left_out(report, excluded):
            report.skipped["session below an excluded path"] += 1
            traces = _closed(traces)
        for imported in traces:
            taken += _take(imported, known, pending, context, import_context, report)
            if imported.verdict is not None and verifier is not None and not taken[-1].differs:
                drafts.append(_mapped_draft(taken[-1].imported, verifier))
        sources.append(_source_record(report, [t.record for t in taken], verifier))
        if sum(p.imported.size_bytes for p in pending) > _BATCH_BYTES or len(pending) >= _BATCH_TRACES:
            flush()
    flush()
    written = _recorded(context, [] if options.dry_run else drafts)
    undo = (*filter(None, [ledger_undo(written.commit) if written else None]), *traces_undo(context, commits))
    claimed = [without_claims(source, stored_meanwhile) for source in sources]
    return report_of(claimed, commits, written.count if written else 0, failed, undo=undo)


def _recorded(context: Context, drafts: "list[VerificationDraft]") -> "Recorded | None":
    if not drafts:
        return None
    from skillc.lifecycle.statements import record_verifications

    return record_verifications(context, drafts)


def _store(context: Context, pending: Sequence[_Pending], stored_meanwhile: set[str]) -> str | None:
    """Stores what nobody stored meanwhile: another capture may have run while this one read its sources.

    The ids of what another one stored are put into `stored_meanwhile`.
    """
    context.base = context.repository.base()
    store = context.traces
    stored = store.stored()
    new = [p for p in pending if p.imported.header.trace_id not in stored]
    stored_meanwhile |= {p.imported.header.trace_id for p in pending} & stored.keys()
    return store.add([_new_trace(p) for p in new], pins=pins_for(context.repository, _last_commits(new)))


def _last_commits(pending: Sequence[_Pending]) -> dict[str, str]:
    headers = [p.imported.header for p in pending]
    return {h.trace_id: h.environment.git.head_end for h in headers if h.environment.git and h.environment.git.head_end}


@dataclass(frozen=True)
class _Taken:
    record: CapturedTrace
    imported: ImportedTrace
    differs: bool


def _take(
    imported: ImportedTrace,
    known: dict[str, StoredTrace],
    pending: list[_Pending],
    context: Context,
    import_context: ImportContext,
    report: ImportReport,
) -> list[_Taken]:
    """Queues a new Trace, or compares it with the stored one; a session that went on gives a child Trace too."""
    taken: list[_Taken] = []
    while True:
        one, child = _take_one(imported, known, pending, context, import_context, report)
        taken.append(one)
        if child is None:
            return taken
        imported = child


def _take_one(
    imported: ImportedTrace,
    known: dict[str, StoredTrace],
    pending: list[_Pending],
    context: Context,
    import_context: ImportContext,
    report: ImportReport,
) -> tuple[_Taken, ImportedTrace | None]:
    header = imported.header
    started = header.started_at.isoformat() if header.started_at else None
    path = layout.trace_path(header.trace_id, started)
    blob = blob_id(imported.body, imported.size_bytes, context.repository.object_format)
    stored = known.get(header.trace_id)
    is_new = stored is None
    child = None
    differs = stored is not None and stored.object_id != blob
    if stored is None:
        known[header.trace_id] = StoredTrace(header.trace_id, path, blob)
        pending.append(_Pending(imported, path))
        tell_orders(imported, report)
    else:
        path = stored.path
        if differs:
            from skillc.lifecycle.continuation import continued, kept_words

            before = _stored_bytes(context, stored)
            after = continued(imported, before, import_context, report)
            child = after if isinstance(after, ImportedTrace) else None
            note = kept_words(header.trace_id, before) if after is None else _other_family(context, imported)
            report.notes += [note] if note else []
        imported.body.close()
    record = CapturedTrace(
        trace_id=header.trace_id,
        path=path,
        events=imported.events,
        outcome=(imported.verdict or imported.close).outcome.value,
        strength="external" if imported.verdict else "none",
        task_family=header.task_family,
        is_new=is_new,
    )
    return _Taken(record, imported, differs), child


def _part(context: Context, known: dict[str, StoredTrace], pending: list[_Pending], trace_id: str) -> "Part | None":
    """Returns what is known of a Trace that is stored, or that waits in this very run."""
    from skillc.lifecycle.continuation import Part

    waiting = next((p.imported for p in pending if p.imported.header.trace_id == trace_id), None)
    if waiting is not None:
        return Part(trace_id, waiting.events, waiting.header.started_at)
    data = _stored_bytes(context, known[trace_id]) if trace_id in known else b""
    if not data:
        return None
    header = parse_header(data.split(b"\n", 1)[0], path=known[trace_id].path)
    return Part(trace_id, sum(1 for _ in iter_event_lines(data)), header.started_at)


def _stored_bytes(context: Context, stored: StoredTrace) -> bytes:
    """Returns a stored Trace; empty while it waits in this very run."""
    with open_reader(context.repository) as reader:
        return reader.read(stored.object_id) or b""


def _other_family(context: Context, imported: ImportedTrace) -> str | None:
    """Says how a captured Trace gets the task family that this capture declares."""
    family = imported.header.task_family
    stored = context.traces.read(imported.header.trace_id) if family else None
    if stored is None or stored.header.task_family == family:
        return None
    trace_id = imported.header.trace_id
    return f"{trace_id} is captured already; its family: skillc families assign {trace_id} {family}"


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
    path: str, import_context: ImportContext, kind: str | None, listings: "Listings"
) -> tuple[ImportReport, list[ImportedTrace]]:
    """Reads one source whole. Raises DataError when it is no known format or holds no event."""
    # Fourteen formats are loaded only once there is something to read.
    from skillc.importers.companions import find_companions
    from skillc.importers.table import detect, importer_for

    with open_source(path) as stream:
        head = stream.read(HEAD_BYTES)
        stream.seek(0)
        if not head.strip():
            raise DataError(f"{path}: the source is empty", hint="name a session file that has content")
        importer = importer_for(kind) if kind else detect(head, Path(path).name)
        if importer is None:
            raise unknown_source(path, head)
        report = ImportReport(path=_label(path), kind=importer.kind)
        companions = () if path == STDIN else find_companions(Path(path), importer, listings)
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


def _import_context(
    context: Context, options: CaptureOptions, verifier: Verifier | None, look: "Callable[[str], Part | None]"
) -> ImportContext:
    def part(kind: str, session: str, at: str) -> str:
        from skillc.lifecycle.continuation import part_at

        return part_at(context.policy.namespace, kind, session, at, look)

    mapping = None
    if verifier is not None and verifier.mapping is not None:
        registered = verifier.mapping
        mapping = OutcomeMapping(verifier.id, registered.field, registered.success_at, registered.source_type)
    return ImportContext(
        namespace=context.policy.namespace,
        secret=capture_secret(is_dry=options.dry_run),
        max_result_bytes=context.policy.traces.max_result_bytes,
        restricted=context.policy.traces.restricted,
        task_family=options.task_family,
        messages=options.messages,
        mapping=mapping,
        redact_names=context.policy.traces.redact_names,
        splits_objectives=(options.split or context.policy.traces.split) is SplitRule.OBJECTIVE,
        part_at=part,
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
        basis=Basis(kind=BasisKind.MAPPING, ref=verifier.mapping.ref, detail=imported.verdict.detail),
    )


def _label(path: str) -> str:
    return "standard input" if path == STDIN else path


def _source_record(report: ImportReport, traces: list[CapturedTrace], verifier: Verifier | None) -> CapturedSource:
    return CapturedSource(
        path=report.path,
        kind=report.kind,
        traces=tuple(traces),
        skipped=tuple(SkippedCount(reason=r, count=n) for r, n in sorted(report.skipped.items())),
        redacted=dict(sorted(report.redacted.items())),
        notes=(*report.notes, *unmapped_notes(verifier, traces)),
        cut=report.cut,
        restricted=report.restricted,
        orders=report.orders,
    )


__all__ = [
    "CaptureOptions",
    "CaptureReport",
    "CaptureTotals",
    "CapturedSource",
    "MessagesOptions",
    "capture",
    "sessions_of_project",
]
