"""The members of an archive, read in memory and within limits; nothing is unpacked to disk.

A member that is no plain file, that is encrypted, that is an archive itself or that passes a limit is told and not
looked at. The limits are on count, size and ratio, so a small file cannot become a large one.
"""

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

from skillc.core.scan.file_kinds import is_archive_name

MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
MAX_MEMBERS = 5_000
MAX_MEMBER_BYTES = 8 * 1024 * 1024
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_RATIO = 200  # of a member's size to what it takes in the archive
_FREE_BYTES = 1024 * 1024  # small members may be as regular as they like
# What the readers of the standard library raise for bytes that are no archive: their own errors, those of the
# decompressors (of bz2: OSError, ValueError), and of fields that lie: lengths, names, numbers, unknown methods.
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, OSError, EOFError,
    ValueError, OverflowError, IndexError, RuntimeError,
)  # fmt: skip
_LINK_MODE = 0xA000


class Member(NamedTuple):
    """One member. With a `problem` it has no data; without a name the problem is the archive's."""

    name: str
    data: bytes
    problem: str | None = None


def members_of(name: str, data: bytes) -> Iterator[Member]:
    """Yields the members of an archive in its own order, and a problem for each that is not looked at."""
    try:
        if name.lower().endswith((".zip", ".skill")):
            yield from _zip_members(data)
        else:
            yield from _tar_members(name, data)
    except _BROKEN:
        yield Member("", b"", "is broken, or no archive of the form that its name says")


def _zip_members(data: bytes) -> Iterator[Member]:
    if data.count(b"PK\x01\x02") > 2 * MAX_MEMBERS:  # before a list of them is built
        yield Member("", b"", f"has more than {MAX_MEMBERS} members: none was looked at")
        return
    budget = MAX_TOTAL_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, info in enumerate(archive.infolist()):
            if number == MAX_MEMBERS:
                yield Member("", b"", f"has more than {MAX_MEMBERS} members: the rest was not looked at")
                return
            if info.is_dir():
                continue
            problem = _zip_problem(info, budget)
            if problem is None:
                member = _whole(archive, info, min(MAX_MEMBER_BYTES, budget))
                budget -= len(member.data)
                yield member
            else:
                yield Member(info.filename, b"", problem)


def _zip_problem(info: zipfile.ZipInfo, budget: int) -> str | None:
    if (info.external_attr >> 16) & 0xF000 == _LINK_MODE:
        return "is a link, which is not followed"
    if info.flag_bits & 0x1:
        return "is encrypted"
    if info.file_size > max(_FREE_BYTES, MAX_RATIO * max(info.compress_size, 1)):
        return f"becomes more than {MAX_RATIO} times as large when it is unpacked"
    return _problem(info.filename, info.file_size, budget)


def _whole(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> Member:
    """Reads a member whatever its header says of its size."""
    try:
        with archive.open(info) as file:
            return _limited(info.filename, file, limit)
    except _BROKEN:
        return Member(info.filename, b"", "is broken")


def _tar_members(name: str, data: bytes) -> Iterator[Member]:
    if data.startswith(b"\x1f\x8b") and name.lower().endswith((".gz", ".tgz")):
        limit = min(MAX_TOTAL_BYTES, max(_FREE_BYTES, MAX_RATIO * len(data)))
        data, is_whole = _unpacked(data, limit)
        if not is_whole:
            yield Member("", b"", f"is larger than {limit} bytes when it is unpacked: the rest was not looked at")
    budget = MAX_TOTAL_BYTES
    number = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        while (info := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # it keeps every header that it read
            number += 1
            if number > MAX_MEMBERS:
                yield Member("", b"", f"has more than {MAX_MEMBERS} members: the rest was not looked at")
                return
            if info.isdir():
                continue
            problem = None if info.isreg() else "is a link or a device, which is not followed"
            problem = problem or _problem(info.name, info.size, budget)
            file = archive.extractfile(info) if problem is None else None
            if file is None:
                yield Member(info.name, b"", problem or "is no plain file")
                continue
            member = _limited(info.name, file, min(MAX_MEMBER_BYTES, budget))
            budget -= len(member.data)
            yield member


def _unpacked(data: bytes, limit: int) -> tuple[bytes, bool]:
    """Returns what gzip data holds, up to a limit, and whether that is all. It may be several pieces in a row."""
    pieces: list[bytes] = []
    size = 0
    while data.startswith(b"\x1f\x8b"):
        unpacker = zlib.decompressobj(wbits=31)
        pieces.append(unpacker.decompress(data, max(limit - size, 1)))
        size += len(pieces[-1])
        if not unpacker.eof:
            return b"".join(pieces), False
        data = unpacker.unused_data
    return b"".join(pieces), True


def _problem(name: str, size: int, budget: int) -> str | None:
    if is_archive_name(name):
        return "is an archive inside an archive"
    if size > MAX_MEMBER_BYTES:
        return f"is larger than {MAX_MEMBER_BYTES} bytes"
    if size > budget:
        return f"comes after {MAX_TOTAL_BYTES} bytes of the archive"
    return None


def _limited(name: str, file: IO[bytes], limit: int) -> Member:
    data = file.read(limit + 1)
    return Member(name, data) if len(data) <= limit else Member(name, b"", f"is larger than {limit} bytes")
