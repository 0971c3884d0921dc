"""What of a file is scanned: a text as a whole, a Trace event by event, a contract claim by claim.

A compiled Skill is also compared with the Traces that it cites, when they are here.
Not here: reading (lifecycle.scan.inputs), what is let stand (lifecycle.scan.own_files).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skillc.core.policy import POLICY_FILE
from skillc.core.scan.contract_scanner import scan_contract
from skillc.core.scan.file_kinds import no_text, text_of
from skillc.core.scan.finding import Finding
from skillc.core.scan.regions import at_line, with_ends
from skillc.core.scan.rule_catalogue import rule_ids
from skillc.core.scan.scanner import scan_text
from skillc.core.scan.suppression import Comment, comments_of, without_orders, without_rule_names
from skillc.core.scan.values import TraceValues
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, parse_contract
from skillc.core.trace.codec import split_lines
from skillc.core.trace.records import TRACE_FORMAT
from skillc.core.words import names
from skillc.errors import DataError
from skillc.lifecycle.context import Context
from skillc.lifecycle.scan.inputs import Input

_EVENT_ID = re.compile(r"e\d{1,9}\Z")
_CLAIM_ID = re.compile(r'"id":\s*"([^"\\]{1,200})"')
# What skillc itself writes into a Trace: no text of anybody.
_OWN_FIELDS = names("record format id trace_id parent_trace_id seq at started_at salt digest truncated")


@dataclass(frozen=True)
class Looked:
    """What was found in one file. `unread` says why nothing could be; `note` what is odd about it."""

    findings: tuple[Finding, ...] = ()
    comments: tuple[Comment, ...] = ()
    note: str | None = None
    unread: str | None = None


def look_at(item: Input, context: Context | None) -> Looked:
    """Scans one file. Its findings carry the path that a person gave, and fingerprints of the stable one."""
    what = no_text(item.path, item.data)
    if what is not None:
        return Looked(unread=f"is {what}, which is not looked into")
    read = text_of(item.data)
    if _is_trace(item.path, item.data):
        return Looked(findings=_named(_trace_findings(item), item), note=read.note)
    contract = _own_contract(item)
    if contract is not None:
        found = _contract_findings(item, contract, read.text, _cited_values(context, contract))
        return Looked(findings=_named(found, item), note=read.note)
    values = _values_beside(item, context)
    comments = comments_of(read.text, rule_ids())
    text = without_orders(read.text, comments)
    if item.path.rsplit("/", 1)[-1] == POLICY_FILE:
        text = without_rule_names(text, rule_ids())
    findings = scan_text(text, path=item.path, values=values)
    return Looked(findings=_named(with_ends(findings, read.text), item), comments=comments, note=read.note)


def contract_beside(real: Path | None) -> Contract | None:
    """Returns the contract in the folder of a file, or None."""
    if real is None:
        return None
    path = real.parent / CONTRACT_FILE
    try:
        return None if path.is_symlink() else parse_contract(path.read_bytes(), path=str(path))
    except (OSError, DataError):
        return None


def _named(findings: Iterator[Finding] | tuple[Finding, ...], item: Input) -> tuple[Finding, ...]:
    if item.shown == item.path:
        return tuple(findings)
    return tuple(
        f.model_copy(update={"path": item.shown if f.place is None else f"{item.shown}#{f.place}"}) for f in findings
    )


def _is_trace(path: str, data: bytes) -> bool:
    """Says whether a file is a Trace: a text of another name that begins like one is scanned as a whole."""
    if "." in path.rsplit("/", 1)[-1] and not path.endswith(".jsonl"):
        return False
    first = data[:4096].split(b"\n", 1)[0].replace(b" ", b"")
    return first.startswith(b"{") and f'"format":"{TRACE_FORMAT}"'.encode() in first


def _trace_findings(item: Input) -> Iterator[Finding]:
    """Yields the findings of every event, each at the line of the file where the event stands."""
    for number, line in enumerate(split_lines(item.data), 1):
        text = line.decode("utf-8", "replace")
        place, texts = f"line-{number}", [text]
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            place, texts = _texts_of(record, place)
        for finding in scan_text("\n".join(texts), path=f"{item.path}#{place}"):
            yield at_line(finding, number, place)


def _texts_of(record: dict[str, Any], place: str) -> tuple[str, list[str]]:
    kind, event_id = record.get("record"), record.get("id")
    texts = [text for name, value in record.items() if name not in _OWN_FIELDS for text in _strings(value)]
    if kind == "event" and isinstance(event_id, str) and _EVENT_ID.match(event_id):
        return event_id, texts
    return ("header" if kind == "trace" else place), texts


def _strings(value: Any) -> Iterator[str]:
    """Yields every string of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _own_contract(item: Input) -> Contract | None:
    if item.path.rsplit("/", 1)[-1] != CONTRACT_FILE:
        return None
    try:
        return parse_contract(item.data, path=item.path)
    except DataError:
        return None


def _contract_findings(item: Input, contract: Contract, text: str, values: TraceValues | None) -> Iterator[Finding]:
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for match in _CLAIM_ID.finditer(line):
            lines.setdefault(match[1], number)
    found = list(scan_contract(contract, path=item.path, values=values))
    notes = "\n".join(note.note for note in contract.origin.notes or ())
    found += scan_text(notes, path=f"{item.path}#origin", values=values) if notes else ()
    for finding in found:
        place = finding.path.removeprefix(f"{item.path}#")
        yield at_line(finding, lines.get(place.rsplit("/", 1)[-1], 1), place)


def _values_beside(item: Input, context: Context | None) -> TraceValues | None:
    if context is None or item.path.rsplit("/", 1)[-1] != SKILL_FILE:
        return None
    contract = contract_beside(item.real)
    return _cited_values(context, contract) if contract is not None else None


def _cited_values(context: Context | None, contract: Contract) -> TraceValues | None:
    if context is None:
        return None
    from skillc.lifecycle.explain import EvidenceReader
    from skillc.lifecycle.scanning import values_of

    return values_of(contract, EvidenceReader.of(context, [contract]).attempts)
