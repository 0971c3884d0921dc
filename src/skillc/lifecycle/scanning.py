"""Scanning proposals, artifacts and paths, with the values of the cited Traces at hand.

The scanner itself is pure (core.scan); this reads what it needs. Paper: 5.3, Scanners.
"""

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from skillc.core.compile.select import Attempt
from skillc.core.record import Record
from skillc.core.scan.contract_scanner import scan_contract
from skillc.core.scan.finding import Finding, Severity
from skillc.core.scan.scanner import scan_text
from skillc.core.scan.tainted_origin import order_findings, origin_findings
from skillc.core.scan.values import TraceValues, trace_values
from skillc.core.scan.verifier_text import verifier_findings
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, cited_events, parse_contract
from skillc.core.skill.render import render_agent_view
from skillc.errors import DataError, UsageError
from skillc.lifecycle.context import Context, open_context
from skillc.lifecycle.origins import is_named_by_base, verifier_strings
from skillc.repo.repository import Repository

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_FILES = 50_000
_SKIPPED_FOLDERS = frozenset({".git", "node_modules", "__pycache__", ".venv"})
STDIN = "-"


class Unread(Record):
    """A file that could not be looked at, and why."""

    path: str
    reason: str


class Scanned(Record):
    """How much was looked at."""

    files: int
    bytes: int


class ScanReport(Record):
    """The answer of `skillc scan`."""

    format: Literal["skillc.scan/1"] = "skillc.scan/1"
    findings: tuple[Finding, ...]
    unread: tuple[Unread, ...]
    scanned: Scanned

    @property
    def is_blocked(self) -> bool:
        return any(f.severity is Severity.BLOCK and not f.suppressed for f in self.findings)


def scan_proposal(context: Context | None, contract: Contract, attempts: Mapping[str, Attempt]) -> tuple[Finding, ...]:
    """Scans a contract before the Curator reads it, against the values of the Traces it cites."""
    path = f"{contract.name}/{CONTRACT_FILE}"
    found = scan_contract(contract, path=path, values=_values(contract, attempts))
    return (*found, *_source_findings(context, contract, attempts, path))


def scan_artifact(context: Context, contract: Contract, attempts: Mapping[str, Attempt]) -> tuple[Finding, ...]:
    """Scans the rendered files of a version, before admission and again in `check`."""
    folder = f"{context.policy.skills_dir}/{contract.name}"
    values = _values(contract, attempts)
    text = scan_text(render_agent_view(contract), path=f"{folder}/{SKILL_FILE}", values=values)
    path = f"{folder}/{CONTRACT_FILE}"
    found = scan_contract(contract, path=path, values=values)
    return (*text, *found, *_source_findings(context, contract, attempts, path))


def _source_findings(
    context: Context | None, contract: Contract, attempts: Mapping[str, Attempt], path: str
) -> tuple[Finding, ...]:
    """What a contract says that came from text nobody trusted, or that only a verifier knows.

    Without a context there is no base: it names nothing, and no check is registered.
    """
    cited = [attempts[t] for t in cited_events(contract) if t in attempts]
    traces = [a.trace for a in cited]
    strings = verifier_strings(context, cited) if context is not None else ()
    return (
        *origin_findings(
            contract, traces, path=path, is_named_by_base=lambda o: context is not None and is_named_by_base(context, o)
        ),
        *order_findings(contract, traces, path=path),
        *verifier_findings(contract, strings, traces, path=path),
    )


def _values(contract: Contract, attempts: Mapping[str, Attempt]) -> TraceValues:
    cited = [attempts[t] for t in cited_events(contract) if t in attempts]
    families = {a.trace.trace_id: a.attempt_family for a in cited}
    return trace_values([a.trace for a in cited], attempt_family_of=lambda t: families[t.trace_id])


def scan_paths(paths: Iterable[str], folder: Path | None = None) -> ScanReport:
    """Scans files and folders by hand; without paths, the Skills of this repository's work tree.

    A compiled Skill is also scanned against the Traces it cites, when they are here.
    """
    context = _context_or_none(folder)
    wanted = list(paths)
    if not wanted:
        if context is None:
            raise UsageError("name what to scan", hint="skillc scan PATH")
        place = context.repository.root / context.policy.skills_dir
        if not place.is_dir():
            raise UsageError(f"there is no folder {context.policy.skills_dir!r} here", hint="skillc scan PATH")
        wanted = [str(place)]
    findings: list[Finding] = []
    unread: list[Unread] = []
    files = size = 0
    for path in wanted:
        for name, data in _read(path, unread):
            files += 1
            size += len(data)
            findings += _scan_file(name, data, context)
    ordered = tuple(sorted(dict.fromkeys(findings), key=lambda f: (f.path, f.line, f.column, f.rule)))
    return ScanReport(findings=ordered, unread=tuple(unread), scanned=Scanned(files=files, bytes=size))


def _scan_file(name: str, data: bytes, context: Context | None) -> tuple[Finding, ...]:
    text = data.decode("utf-8", "replace")
    values = None
    if context is not None and Path(name).name in (SKILL_FILE, CONTRACT_FILE):
        contract = _contract_beside(name)
        if contract is not None:
            values = _cited_values(context, contract)
    return scan_text(text, path=name, values=values)


def _contract_beside(name: str) -> Contract | None:
    path = Path(name).parent / CONTRACT_FILE
    try:
        return parse_contract(path.read_bytes(), path=str(path))
    except (OSError, DataError):
        return None


def _cited_values(context: Context, contract: Contract) -> TraceValues:
    from skillc.lifecycle.explain import EvidenceReader

    return _values(contract, EvidenceReader.of(context, [contract]).attempts)


def _read(path: str, unread: list[Unread]) -> Iterator[tuple[str, bytes]]:
    """Yields (name, bytes) of every regular file below a path; what is not read is reported, never clean."""
    if path == STDIN:
        yield "standard input", sys.stdin.buffer.read()
        return
    place = Path(path)
    if not os.path.lexists(place):
        raise UsageError(
            f"there is no file or folder {path!r}", hint="name a file or folder that is here: skillc scan PATH"
        )
    for count, name in enumerate(_files(place, unread), 1):
        if count > MAX_FILES:
            unread.append(Unread(path=path, reason=f"more than {MAX_FILES} files"))
            return
        try:
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                info = os.fstat(file.fileno())
                if not stat.S_ISREG(info.st_mode):
                    unread.append(Unread(path=name, reason="is not a regular file"))
                elif info.st_size > MAX_FILE_BYTES:
                    unread.append(Unread(path=name, reason=f"is larger than {MAX_FILE_BYTES} bytes"))
                else:
                    yield name, file.read()
        except OSError as error:
            unread.append(Unread(path=name, reason=error.strerror or "cannot be read"))


def _files(place: Path, unread: list[Unread]) -> Iterator[str]:
    if not place.is_dir() or place.is_symlink():
        yield str(place)
        return

    def failed(error: OSError) -> None:
        unread.append(Unread(path=str(error.filename), reason=error.strerror or "cannot be read"))

    for root, folders, names in os.walk(place, onerror=failed):
        links = [os.path.join(root, f) for f in folders if os.path.islink(os.path.join(root, f))]
        unread += [Unread(path=link, reason="is a link, which is not followed") for link in links]
        folders[:] = sorted(
            f for f in folders if f not in _SKIPPED_FOLDERS and not os.path.islink(os.path.join(root, f))
        )
        yield from (os.path.join(root, name) for name in sorted(names))


def _context_or_none(folder: Path | None) -> Context | None:
    """Opens the namespace when there is one; scanning works anywhere."""
    from skillc.errors import SkillcError

    try:
        Repository.open(folder or Path.cwd())
        return open_context(folder, for_reading=True)
    except SkillcError:
        return None
