"""Paths that name the machine out, paths of the project in: `/home/ann/shop/src/a.py` becomes `src/a.py`.

The working folder of a session becomes `.`, any home folder becomes `~`. Works on texts and, for speed, on
whole encoded lines: a path holds no quote, so replacing it inside a JSON string keeps the line well-formed.
Not here: other private names (core.scan).
"""

import re
from functools import cache

from pydantic_core import to_json

from skillc.core.scan.detectors import gate, gate_text

_HOME_GATE = r"/home/[^/\s\"]|/Users/[^/\s\"]|:\\{1,4}Users\\{1,4}[^\s\"]"
_UNIX_HOMES = ("/home/", "/Users/")
_USER = r"[A-Za-z0-9._%s-]{1,64}"
_WINDOWS_HOME = r"[A-Za-z]:\\{1,4}Users\\{1,4}" + _USER
_UNICODE, _UTF8 = r"\u0080-\U0010ffff", r"\x80-\xff"
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_NAMES = frozenset(c.encode() for c in _NAME)


class PathShortener:
    """The working folders of one session, in the order in which they were seen."""

    def __init__(self) -> None:
        self._roots: list[tuple[str, str]] = []
        self._root_bytes: list[tuple[bytes, bytes]] = []
        self._may_name_home = gate(_HOME_GATE)
        self.label: str | None = None

    def add_root(self, folder: str) -> None:
        """Makes a working folder `.` from here on. A folder inside a known one, `/` and a bare name are no roots."""
        separator = "\\" if "\\" in folder and "/" not in folder else "/"
        folder = folder.rstrip(separator)
        if folder.count(separator) < 1 or len(folder) < 4:
            return
        if any(folder == root or folder.startswith(root + sep) for root, sep in self._roots):
            return
        if _without_homes(folder) == "~":
            self.label = self.label or "~"
            return
        self.label = self.label or folder.rsplit(separator, 1)[-1]
        self._roots.append((folder, separator))
        self._root_bytes.append((to_json(folder)[1:-1], to_json(separator)[1:-1]))

    def text(self, text: str) -> str:
        """Returns the text with working folders made relative and home folders made `~`."""
        for root, separator in self._roots:
            if root in text:
                text = _without_root(text, root, separator)
        return _without_homes(text) if self._may_name_home(text) else text

    def lines(self, lines: bytes) -> tuple[bytes, str]:
        """Does the same for encoded JSON lines; returns them with their text for gates."""
        for root, separator in self._root_bytes:
            if root in lines:
                lines = _bytes_without_root(lines, root, separator)
        text = gate_text(lines)
        if self._may_name_home(text):
            lines = _line_without_homes(lines)
            text = gate_text(lines)
        return lines, text


def _without_homes(text: str) -> str:
    """Replaces the home folder of any user, on Linux, macOS and Windows, by `~`."""
    for prefix in _UNIX_HOMES:
        if prefix in text:
            first, *rest = text.split(prefix)
            parts = [first]
            before = first[-2:]
            for part in rest:
                user = _user_pattern().match(part)
                parts.append(prefix + part if user is None or _is_inside_name(before) else "~" + part[user.end() :])
                before = part[-2:]
            text = "".join(parts)
    return _windows_pattern().sub("~", text) if "Users\\" in text else text


def _line_without_homes(line: bytes) -> bytes:
    """The same for an encoded line. Latin-1 keeps every byte as one character, so lengths agree."""
    for prefix in _UNIX_HOMES:
        found = prefix.encode()
        if found in line:
            first, *rest = line.split(found)
            parts = [first]
            before = first[-2:]
            for part in rest:
                user = _user_bytes_pattern().match(part)
                is_kept = user is None or _is_inside_name(before.decode("latin-1"))
                parts.append(found + part if is_kept or user is None else b"~" + part[user.end() :])
                before = part[-2:]
            line = b"".join(parts)
    return _windows_bytes_pattern().sub(b"~", line) if b"Users\\" in line else line


@cache
def _user_pattern() -> re.Pattern[str]:
    return re.compile(_USER % _UNICODE)


@cache
def _user_bytes_pattern() -> re.Pattern[bytes]:
    return re.compile((_USER % _UTF8).encode())


@cache
def _windows_pattern() -> re.Pattern[str]:
    return re.compile(_WINDOWS_HOME % _UNICODE)


@cache
def _windows_bytes_pattern() -> re.Pattern[bytes]:
    return re.compile((_WINDOWS_HOME % _UTF8).encode())


def _without_root(text: str, root: str, separator: str) -> str:
    """Replaces `root` where it is a whole folder: not inside a name, and before a separator or a name's end."""
    first, *rest = text.split(root)
    parts = [first]
    before = first[-2:]
    size = len(separator)
    for part in rest:
        inside = part[size:] if part.startswith(separator) else None
        follows = part if inside is None else inside
        goes_on = follows[:1] in _NAME or (follows[:1] == "." and follows[1:2] in _NAME)
        if _is_inside_name(before) or (goes_on and inside is None):
            parts.append(root + part)
        elif goes_on and inside is not None:
            parts.append(inside)
        else:
            parts.append("." + part)
        before = part[-2:]
    return "".join(parts)


def _bytes_without_root(line: bytes, root: bytes, separator: bytes) -> bytes:
    """The same for a line. Every part but the last is followed by `root`, the last by a quote: none is empty."""
    first, *rest = line.split(root)
    parts = [first]
    before = first[-2:].decode("latin-1")
    size = len(separator)
    for part in rest:
        is_inside = part.startswith(separator)
        at = size if is_inside else 0
        goes_on = part[at : at + 1] in _NAMES or (part[at : at + 1] == b"." and part[at + 1 : at + 2] in _NAMES)
        if _is_inside_name(before) or (goes_on and not is_inside):
            parts.append(root + part)
        elif goes_on:
            parts.append(part[size:])
        else:
            parts.append(b"." + part)
        before = part[-2:].decode("latin-1")
    return b"".join(parts)


def _is_inside_name(before: str) -> bool:
    """Says whether a folder that follows these two characters is the tail of a longer name."""
    if before[-1:] not in _NAME:
        return False
    return not (before in ("\\n", "\\r", "\\t", "\\b", "\\f") or (before[-1] == "m" and before[0].isdigit()))
