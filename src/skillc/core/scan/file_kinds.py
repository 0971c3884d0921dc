"""What a file is by its first bytes: a text to scan, an archive to look into, or something with no text in it.

A file that is named like a text is read as one whatever its bytes are: a host would load it. So a binary sign at the
start of a SKILL.md hides nothing. Not here: reading files and archives (lifecycle.scan).
"""

from typing import NamedTuple

from skillc.core.words import names

HEAD_BYTES = 8192
_CONTROL = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_MAX_CONTROL_SHARE = 0.02

# Endings of files that hosts, shells and interpreters read as text.
_TEXT_ENDINGS = names(
    "md markdown mdx mdc txt text rst adoc org html htm xml svg json jsonl json5 jsonc yaml yml toml ini cfg conf env "
    "properties csv tsv sh bash zsh fish ksh bat cmd ps1 psm1 psd1 py pyi ipynb js mjs cjs jsx ts mts cts tsx rb pl pm "
    "php lua r go rs java kt swift c h cc cpp hpp cs sql awk sed tf hcl dockerfile makefile mk gradle tcl applescript "
    "css scss tex log patch diff"
)
_TEXT_NAMES = names("dockerfile makefile rakefile gemfile procfile justfile license readme")
_ARCHIVE_ENDINGS = (".zip", ".skill", ".tar", ".tar.gz", ".tgz")
_SIGNS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"BM", "a bitmap image"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (4, b"ftyp", "a video"),
    (0, b"\x1aE\xdf\xa3", "a video"),
    (0, b"ID3", "an audio file"),
    (0, b"OggS", "an audio file"),
    (8, b"WAVE", "an audio file"),
    (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"),
    (0, b"OTTO", "a font"),
    (0, b"\x00\x01\x00\x00\x00", "a font"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"\xd0\xcf\x11\xe0", "an Office document of the old form"),
    (0, b"PK\x03\x04", "a zip archive or an Office document"),
    (0, b"\x1f\x8b", "gzip data"),
    (0, b"BZh", "bzip2 data"),
    (0, b"\xfd7zXZ\x00", "xz data"),
    (0, b"(\xb5/\xfd", "zstd data"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"MZ", "a program (Windows)"),
    (0, b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (0, b"\xca\xfe\xba\xbe", "a program (macOS or Java)"),
    (0, b"\x00asm", "a program (WebAssembly)"),
    (0, b"SQLite format 3\x00", "a SQLite database"),
    (0, b"\x80\x04\x95", "a Python pickle, which runs code when it is loaded"),
    (0, b"\x80\x05\x95", "a Python pickle, which runs code when it is loaded"),
)


class Text(NamedTuple):
    """A file read as text; `note` says what was not as it should be."""

    text: str
    note: str | None


def is_archive_name(name: str) -> bool:
    """Says whether a file is an archive that is looked into, by its name."""
    return name.lower().endswith(_ARCHIVE_ENDINGS)


def is_text_name(name: str) -> bool:
    """Says whether a host, a shell or an interpreter would read a file of this name as text."""
    last = name.rsplit("/", 1)[-1].lower()
    return last in _TEXT_NAMES or ("." in last and last.rsplit(".", 1)[1] in _TEXT_ENDINGS)


def no_text(name: str, data: bytes) -> str | None:
    """Says what a file is that has no text to scan, as `a PNG image`; None for a text."""
    if is_text_name(name) or not data:
        return None
    for offset, sign, what in _SIGNS:
        if data.startswith(sign, offset) and (len(sign) > 2 or _has_control(data)):
            return what
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    return "binary data" if _has_control(data) else None


def text_of(data: bytes) -> Text:
    """Returns the text of a file: UTF-8, or UTF-16 with its mark. What cannot be read is replaced, and told."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Text(data.decode("utf-16", "replace"), "is UTF-16, and most hosts read UTF-8 only")
    wide = _unmarked_utf16(data)
    if wide is not None:
        return Text(data.decode(wide, "replace"), "is UTF-16 without its mark, and most hosts read UTF-8 only")
    try:
        return Text(data.decode("utf-8"), "holds zero bytes" if b"\0" in data else None)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Text(data.decode("utf-8", "replace"), f"is not UTF-8 at line {line}: such bytes were replaced")


def _unmarked_utf16(data: bytes) -> str | None:
    """Returns the byte order of a text in which nearly every second byte is zero."""
    head = data[:HEAD_BYTES]
    for name, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(head) > 7 and zeros.count(0) > 0.8 * len(zeros) and head.count(0) < 0.6 * len(head):
            return name
    return None


def _has_control(data: bytes) -> bool:
    head = data[:HEAD_BYTES]
    return len(head) - len(head.translate(None, _CONTROL)) > _MAX_CONTROL_SHARE * len(head)
