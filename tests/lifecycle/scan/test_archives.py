"""An archive is looked into in memory and within limits; every member is read or named."""

import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.lifecycle.scan import archives
from skillc.lifecycle.scan.archives import MAX_MEMBER_BYTES, members_of


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def tar_of(members: dict[str, bytes], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def told(name: str, data: bytes) -> list[tuple[str, bytes | str]]:
    return [(m.name, m.data if m.problem is None else m.problem) for m in members_of(name, data)]


FILES = {"s/SKILL.md": b"hello", "s/scripts/a.sh": b"echo"}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", zip_of(FILES)),
        ("a.SKILL", zip_of(FILES, zipfile.ZIP_STORED)),
        ("a.tar", tar_of(FILES)),
        ("a.tar.gz", tar_of(FILES, "w:gz")),
        ("a.tgz", tar_of(FILES, "w:gz")),
    ],
)
def test_every_plain_member_is_read(name: str, data: bytes):
    assert told(name, data) == list(FILES.items())


def test_a_member_that_is_no_plain_file_is_told():
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.mkdir("folder")
    assert told("a.zip", out.getvalue()) == [("link", "is a link, which is not followed")]
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo(f"x{kind.decode()}")
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    assert {what for _, what in told("a.tar", out.getvalue())} == {"is a link or a device, which is not followed"}


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive at all", b"\x1f\x8b\x08", bytes(600)])
def test_what_is_no_archive_is_told_or_empty(name: str, data: bytes):
    found = told(name, data)
    assert all(isinstance(what, str) for _, what in found)
    if data.startswith(b"no"):
        assert found == [("", "is broken, or no archive of the form that its name says")]


def test_nested_archives_large_and_encrypted_members_are_told():
    data = zip_of({"in.zip": b"x", "big.txt": b"", "ok.txt": b"fine"})
    assert told("a.zip", data)[0] == ("in.zip", "is an archive inside an archive")
    big = tar_of({"big.txt": b"x" * (MAX_MEMBER_BYTES + 1), "ok": b"y"})
    assert told("a.tar", big) == [("big.txt", f"is larger than {MAX_MEMBER_BYTES} bytes"), ("ok", b"y")]
    locked = bytearray(zip_of({"a.txt": b"secret"}))
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    assert told("a.zip", bytes(locked)) == [("a.txt", "is encrypted")]


def test_a_small_file_cannot_become_a_large_one(monkeypatch):
    zeros = zip_of({"a.txt": bytes(4 * 1024 * 1024), "b.txt": b"x"})
    assert told("a.zip", zeros) == [
        ("a.txt", "becomes more than 200 times as large when it is unpacked"),
        ("b.txt", b"x"),
    ]
    found = told("a.tar.gz", gzip.compress(tar_of({"a.txt": bytes(6 * 1024 * 1024)})))
    assert found[0][0] == ""
    assert "larger than" in str(found[0][1])
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 10)
    assert told("a.tar", tar_of({"a": b"12345678", "b": b"12345678"}))[1] == (
        "b",
        "comes after 10 bytes of the archive",
    )
    assert told("a.zip", zip_of({"a": b"12345678", "b": b"12345678"}))[1] == (
        "b",
        "comes after 10 bytes of the archive",
    )


def test_a_member_that_lies_about_its_size_is_cut_off():
    data = bytearray(zip_of({"a.txt": b"x" * 3000}, zipfile.ZIP_STORED))
    at = data.rindex(b"PK\x01\x02") + 24
    data[at : at + 4] = (5).to_bytes(4, "little")
    (found,) = told("a.zip", bytes(data))
    assert found == ("a.txt", "is broken") or len(found[1]) <= 5


def test_too_many_members_are_told(monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    many = {f"f{n}": b"x" for n in range(5)}
    assert told("a.zip", zip_of(many))[-1] == ("", "has more than 3 members: the rest was not looked at")
    assert told("a.tar", tar_of(many))[-1] == ("", "has more than 3 members: the rest was not looked at")
    assert len(told("a.zip", zip_of(many))) == 4
    assert told("a.zip", zip_of({f"f{n}": b"x" for n in range(9)})) == [
        ("", "has more than 3 members: none was looked at")
    ]


def test_gzip_in_several_pieces_is_read_whole():
    data = tar_of(FILES)
    assert told("a.tar.gz", gzip.compress(data[:700]) + gzip.compress(data[700:])) == list(FILES.items())


LONG = {name: data * 200 for name, data in FILES.items()}
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
WHOLE = [*(zip_of(LONG, method) for method in METHODS), tar_of(FILES), tar_of(FILES, "w:gz")]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(WHOLE), st.data())
def test_no_broken_archive_stops_a_scan_and_what_is_not_read_is_told(data: bytes, draw: st.DataObject):
    broken = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 6))):
        broken[draw.draw(st.integers(0, len(broken) - 1))] = draw.draw(st.integers(0, 255))
    cut = draw.draw(st.integers(0, len(broken)))
    for name in ("a.zip", "a.tar", "a.tar.gz"):
        for member in members_of(name, bytes(broken[: cut or len(broken)])):
            assert member.problem is None or (member.problem and not member.data)


@pytest.mark.parametrize("method", METHODS)
def test_every_damaged_byte_of_a_member_is_borne(method: int):
    """Each decompressor has its own error for bytes that it cannot read."""
    data = zip_of({"s/SKILL.md": b"hello world " * 40}, method)
    found = set()
    for place in range(30, data.index(b"PK\x01\x02")):
        broken = bytearray(data)
        broken[place] ^= 0xFF
        found |= {member.problem for member in members_of("a.zip", bytes(broken))}
    assert "is broken" in found
