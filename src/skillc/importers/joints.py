"""Credentials that begin at the end of one event and end at the start of a later one.

A host may give the output of one command in two results, or send one text in two writes. The ends of all events of a
block are tested as one text first, so that this costs next to nothing where nothing crosses one. Paper: 5.1.
Not here: values inside one event (core.scan.redact).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Raw
from pydantic_core import from_json, to_json

from skillc.core.scan.detectors import find_spans, gate_text, may_hold_credential
from skillc.core.scan.redact import Redactor
from skillc.importers.event_line import EventLine

REACH = 4  # calls and messages may stand between two results
_GATE_BYTES = 48  # enough for what a gate wants on each side
_WORD_BYTES = 4  # without a blank, next to the joint
_EDGE_CHARS = 512
_MIN_REST = 8
_MIN_REST_NEXT = 4
_MAX_ARGUMENTS = 6
_KEY_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/=:@~")
_CLOSING = b'"}] '


class Ends(NamedTuple):
    """The first and the last bytes of an event as it is encoded; empty where no value can cross them."""

    kind: str
    head: bytes
    tail: bytes


_NO_ENDS = Ends("", b"", b"")


def ends_of(kind: str, text: bytes | None, arguments: bytes | None) -> Ends:
    """Returns the ends of an event's text, or else of its arguments."""
    if text is not None:
        start, end, data = 1, len(text) - 1, text
    elif arguments is not None:
        start, end, data = arguments.find(b':"') + 2, len(arguments.rstrip(_CLOSING)), arguments
    else:
        return _NO_ENDS
    if end - start < _WORD_BYTES:
        return _NO_ENDS
    is_open = data[start] in _KEY_BYTES and b" " not in data[start : start + _WORD_BYTES]
    goes_on = data[end - 1] in _KEY_BYTES and b" " not in data[end - _WORD_BYTES : end]
    if not (is_open or goes_on):
        return _NO_ENDS
    head = data[start : min(end, start + _GATE_BYTES)] if is_open else b""
    return Ends(kind, head, _tail_of(data[max(start, end - _EDGE_CHARS) : end]) if goes_on else b"")


def _tail_of(data: bytes) -> bytes:
    """Returns the last bytes, more of them where they are one word: a token may be long."""
    tail = data[-_GATE_BYTES:]
    return tail if b" " in tail else data[-_EDGE_CHARS:].rsplit(b" ", 1)[-1]


def may_cross(ends: Sequence[Ends]) -> bool:
    """Says whether a credential may lie over two of these events; False is certain."""
    joints = [
        before.tail + after.head
        for index, after in enumerate(ends)
        if after.head
        for before in ends[max(0, index - REACH) : index]
        if before.tail and (before is ends[index - 1] or before.kind == after.kind)
    ]
    return bool(joints) and may_hold_credential(gate_text(b"\n".join(joints)))


def replace_joints(lines: Sequence[EventLine], redactor: Redactor) -> None:
    """Replaces both parts of a credential that begins in the first of these events and ends in a later one."""
    first, *later = lines
    for index, line in enumerate(later):
        if index == 0 or line.kind == first.kind:
            for head in _edges(line, is_head=True):
                tails = _edges(first, is_head=False)
                if any(_is_replaced(tail, head, redactor, is_next=index == 0) for tail in tails):
                    return


class _Edge(NamedTuple):
    """The characters at one end of a text, or of an argument, of one event."""

    line: EventLine
    argument: str | None
    text: str


def _edges(line: EventLine, *, is_head: bool) -> Iterator[_Edge]:
    if line.text is not None:
        yield _edge(line, None, from_json(bytes(line.text)), is_head)
    if line.arguments is not None:
        for key, value in list(from_json(bytes(line.arguments)).items())[:_MAX_ARGUMENTS]:
            if isinstance(value, str):
                yield _edge(line, key, value, is_head)


def _edge(line: EventLine, argument: str | None, text: str, is_head: bool) -> _Edge:
    shown = text[:_EDGE_CHARS].split("\n", 1)[0] if is_head else text[-_EDGE_CHARS:].rsplit("\n", 1)[-1]
    return _Edge(line, argument, shown)


def _is_replaced(tail: _Edge, head: _Edge, redactor: Redactor, *, is_next: bool) -> bool:
    size, text = len(tail.text), tail.text + head.text
    for span in find_spans(text, with_examples=True):
        first, rest = text[span.start : size], text[size : span.end]
        if not (first and rest):
            continue
        may_go_on = (span.has_prefix or is_next) and _goes_on(rest, _MIN_REST_NEXT if is_next else _MIN_REST)
        if _ends_at(head.text, len(rest)) or (_ends_at(tail.text, size) and not may_go_on):
            continue
        placeholder = redactor.placeholder(first + rest, span.kind)
        _put(tail, len(first), placeholder, is_head=False)
        _put(head, len(rest), placeholder, is_head=True)
        return True
    return False


def _ends_at(text: str, place: int) -> bool:
    """Says whether a value of the text alone ends there, so that it is whole."""
    return any(span.end == place for span in find_spans(text, with_examples=True))


def _goes_on(rest: str, least: int) -> bool:
    """Says whether what follows a value that could be whole looks like more of it, not like a word."""
    return len(rest) >= least and any(c.isdigit() for c in rest)


def _put(edge: _Edge, size: int, placeholder: str, *, is_head: bool) -> None:
    """Replaces `size` characters at the edge by the placeholder."""
    line = edge.line
    if edge.argument is not None and line.arguments is not None:
        arguments = from_json(bytes(line.arguments))
        arguments[edge.argument] = _replaced(arguments[edge.argument], size, placeholder, is_head=is_head)
        line.arguments = Raw(to_json(arguments))
    elif line.text is not None:
        line.text = Raw(to_json(_replaced(str(from_json(bytes(line.text))), size, placeholder, is_head=is_head)))


def _replaced(text: str, size: int, placeholder: str, *, is_head: bool) -> str:
    return placeholder + text[size:] if is_head else text[: len(text) - size] + placeholder
