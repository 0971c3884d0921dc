"""`skillc scan`: reads what a person named, looks at each file, and answers with one report.

Works anywhere; inside a namespace its policy and its Traces count too. Nothing is executed, and no network is used.
Paper: 5.3, Scanners. Not here: reading (inputs), looking (texts), suppression (own_files), output (cli.show_scan).
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from skillc.core.scan.baseline import MAX_BYTES, baseline_of, parse_baseline, with_baseline
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.report import (
    FileNote,
    LeftOut,
    Scanned,
    ScannedSkill,
    ScanReport,
    Unread,
    is_at_least,
    verdict_of,
)
from skillc.errors import SkillcError, UsageError
from skillc.lifecycle.context import Context, open_context
from skillc.lifecycle.scan.changes import Changes, changes_against
from skillc.lifecycle.scan.inputs import Input, Reading
from skillc.lifecycle.scan.own_files import OwnFiles
from skillc.lifecycle.scan.stored_traces import stored_traces
from skillc.lifecycle.scan.texts import look_at
from skillc.repo.files import read_small, write_whole
from skillc.repo.repository import Repository


@dataclass(frozen=True)
class ScanOptions:
    """What the command line said. `changed`: None is off, an empty text is the base branch."""

    severity: Severity | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    changed: str | None = None
    exclude: tuple[str, ...] = ()
    name: str | None = None
    ignores_suppression: bool = False
    traces: tuple[str, ...] = ()  # stored ones, by id; `all` is every one
    tell: Callable[[int], None] = lambda files: None


@dataclass
class _Work:
    """What the scan has seen so far; `places` are the shown paths of all files, looked at or not."""

    findings: list[Finding] = field(default_factory=list)
    file_notes: list[FileNote] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    files: int = 0
    bytes: int = 0
    unchanged: int = 0


def scan_paths(paths: Sequence[str], folder: Path | None = None, options: ScanOptions | None = None) -> ScanReport:
    """Scans files and folders; without paths, the Skills of this repository's work tree.

    Raises UsageError for a path that is not there, DataError for a baseline that cannot be read.
    """
    options = options or ScanOptions()
    here = folder or Path.cwd()
    context, notes = _context_or_none(here)
    changes = None if options.changed is None else changes_against(here, options.changed)
    known = None
    if options.baseline is not None and options.baseline != options.write_baseline:
        known = parse_baseline(_baseline_bytes(options.baseline), path=str(options.baseline))
    wanted = list(paths) or ([] if options.traces else [_default_place(context, changes)])
    own = OwnFiles(context, is_off=options.ignores_suppression)
    reading = Reading(exclude=options.exclude, name=options.name, keeps=changes.keeps if changes else None)
    work = _Work()
    for item in chain(reading.inputs(wanted), stored_traces(context, options.traces, reading.unread)):
        _look(item, work, own, context, changes)
        options.tell(work.files)
    work.unread += [own.settled_unread(u, own.relative(Path(u.path).absolute()) or u.path) for u in reading.unread]
    work.unread.sort(key=lambda u: (u.path, u.reason))
    if changes is not None:
        notes.append(f"compared with {changes.compared_with}; findings on lines that are the same there are left out")
    notes += [f"left out {count} folders {name}" for name, count in sorted(reading.skipped.items())]
    found = tuple(sorted(dict.fromkeys(work.findings), key=lambda f: (f.path, f.line, f.column, f.rule)))
    if known is not None:
        applied = with_baseline(found, known)
        found = applied.findings
        if applied.gone and not changes:
            notes.append(f"{applied.gone} findings of the baseline are gone: skillc scan --write-baseline FILE")
    if options.write_baseline is not None:
        found = _written(options.write_baseline, found, options.severity)
        notes.append(f"wrote {options.write_baseline}")
    left = LeftOut(
        unchanged=work.unchanged, excluded_files=reading.excluded, unchanged_files=reading.unchanged,
        below_severity=sum(1 for f in found if not _is_wanted(f, options.severity)),
    )  # fmt: skip
    return ScanReport(
        findings=tuple(f for f in found if _is_wanted(f, options.severity)),
        unread=tuple(work.unread),
        scanned=Scanned(files=work.files, bytes=work.bytes),
        skills=_skills(work, found),
        ignores=own.notes(),
        file_notes=tuple(work.file_notes),
        notes=tuple(notes),
        left_out=left,
        severity=options.severity,
    )


def _look(item: Input, work: _Work, own: OwnFiles, context: Context | None, changes: Changes | None) -> None:
    looked = look_at(item, context)
    work.files += 1
    work.bytes += len(item.data)
    work.places.append(item.shown)
    if looked.unread is not None:
        path = own.relative(item.real) or item.shown
        work.unread.append(own.settled_unread(Unread(path=item.shown, reason=looked.unread), path))
        return
    if looked.note is not None:
        work.file_notes.append(FileNote(path=item.shown, note=looked.note))
    found = own.settled(item, looked.findings, looked.comments)
    kept = changes.kept(found, item.real) if changes is not None else found
    work.unchanged += len(found) - len(kept)
    work.findings += kept


def _is_wanted(finding: Finding, level: Severity | None) -> bool:
    return level is None or is_at_least(finding.severity, level)


def _skills(work: _Work, findings: Sequence[Finding]) -> tuple[ScannedSkill, ...]:
    """Returns a verdict for each folder that holds a SKILL.md; a file belongs to the nearest one above it."""
    folders = {p.rpartition("/")[0] for p in work.places if p.rpartition("/")[2].lower() == "skill.md"}
    if not folders:
        return ()
    of: dict[str, tuple[list[Finding], list[Unread], list[str]]] = {f: ([], [], []) for f in folders}
    for place in work.places:
        if (folder := _folder_of(place, folders)) is not None:
            of[folder][2].append(place)
    for finding in findings:
        if (folder := _folder_of(finding.file, folders)) is not None:
            of[folder][0].append(finding)
    for unread in work.unread:
        if (folder := _folder_of(unread.path, folders)) is not None:
            of[folder][1].append(unread)
    return tuple(_skill(folder, *of[folder]) for folder in sorted(folders))


def _skill(folder: str, findings: list[Finding], unread: list[Unread], places: list[str]) -> ScannedSkill:
    levels = [f.severity for f in findings if not f.suppressed]
    return ScannedSkill(
        name=folder.rpartition("/")[2] or folder or ".",
        path=folder or ".",
        verdict=verdict_of(findings, unread),
        block=levels.count(Severity.BLOCK),
        warn=levels.count(Severity.WARN),
        info=levels.count(Severity.INFO),
        suppressed=sum(f.suppressed for f in findings),
        files=len(places),
        unread=tuple(u.path for u in unread),
    )


def _folder_of(place: str, folders: set[str]) -> str | None:
    folder = place
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in folders:
            return folder
    return None


def _default_place(context: Context | None, changes: Changes | None) -> str:
    if context is not None:
        place = context.repository.root / context.policy.skills_dir
        if place.is_dir():
            return os.path.relpath(place)
    if changes is not None:
        return os.path.relpath(changes.root)
    if context is None:
        raise UsageError("name what to scan", hint="skillc scan PATH")
    raise UsageError(f"there is no folder {context.policy.skills_dir!r} here", hint="skillc scan PATH")


def _baseline_bytes(path: Path) -> bytes:
    data = read_small(path, limit=MAX_BYTES)
    if data is None:
        raise UsageError(f"there is no baseline {str(path)!r}", hint=f"skillc scan --write-baseline {path}")
    return data


def _written(path: Path, found: tuple[Finding, ...], level: Severity | None) -> tuple[Finding, ...]:
    data = baseline_of(f for f in found if _is_wanted(f, level))
    write_whole(path.absolute(), data)
    return with_baseline(found, parse_baseline(data, path=str(path))).findings


def _context_or_none(folder: Path) -> tuple[Context | None, list[str]]:
    """Opens the namespace when there is one; scanning works anywhere, and says why a policy does not count."""
    try:
        repository = Repository.open(folder)
    except SkillcError:
        return None, []
    try:
        context = open_context(folder, for_reading=True)
    except SkillcError as error:
        has_policy = (repository.root / "skillc.yaml").exists()
        return None, [f"the policy of this repository does not count: {error.message}"] if has_policy else []
    return context, [*context.notes]
