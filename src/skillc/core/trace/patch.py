"""Patches in the form that Codex applies: `*** Begin Patch` with whole files, hunks, moves and deletions.

A reader, not an applier: linear in the text, and it never raises; lines that it cannot read are passed over.
Not here: which calls carry a patch (core.trace.edits).
"""

from typing import NamedTuple

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _UPDATE, _DELETE = "*** Add File: ", "*** Update File: ", "*** Delete File: "
_MOVE, _END_OF_FILE = "*** Move to: ", "*** End of File"
MAX_PATCH_CHARS = 4 * 1024 * 1024


class PatchPart(NamedTuple):
    """What a patch does to one file, or one hunk of it.

    `text` is the whole file when `whole`, else the lines of the hunk as they stand after it; `removed` as they
    stood before. `deleted` says that the file is gone.
    """

    path: str
    text: str
    removed: str = ""
    whole: bool = False
    deleted: bool = False


def has_patch(text: str) -> bool:
    """Says whether a text holds a patch."""
    return _BEGIN in text


def patch_parts(text: str) -> tuple[PatchPart, ...]:
    """Returns the parts of the first patch in a text, in its order; empty when there is none."""
    begin = text.find(_BEGIN)
    if begin < 0 or len(text) > MAX_PATCH_CHARS:
        return ()
    reader = _Reader()
    for line in text[begin:].split("\n")[1:]:
        line = line.removesuffix("\r")
        if line.strip() == _END:
            break
        reader.take(line)
    reader.end_file()
    return tuple(reader.parts)


class _Reader:
    """The lines of one patch while they go by."""

    def __init__(self) -> None:
        self.parts: list[PatchPart] = []
        self._kind = ""
        self._path = ""
        self._before: list[str] = []
        self._after: list[str] = []
        self._is_changed = False

    def take(self, line: str) -> None:
        for head in (_ADD, _UPDATE, _DELETE):
            if line.startswith(head):
                self.end_file()
                self._kind, self._path = head, line.removeprefix(head).strip()
                return
        if line.startswith(_MOVE) and self._kind == _UPDATE:
            self.parts.append(PatchPart(self._path, "", deleted=True))
            self._path = line.removeprefix(_MOVE).strip()
        elif self._kind == _ADD:
            self._after += [line[1:]] if line.startswith("+") else []
        elif self._kind == _UPDATE:
            self._hunk_line(line)

    def end_file(self) -> None:
        """Adds what the file that ends here still holds back."""
        if self._kind == _ADD and self._path:
            self.parts.append(PatchPart(self._path, "".join(f"{line}\n" for line in self._after), whole=True))
        elif self._kind == _DELETE and self._path:
            self.parts.append(PatchPart(self._path, "", deleted=True))
        elif self._kind == _UPDATE:
            self._end_hunk()
        self._kind, self._before, self._after = "", [], []

    def _hunk_line(self, line: str) -> None:
        if line.startswith("@@"):
            self._end_hunk()
        elif line.startswith("+"):
            self._after.append(line[1:])
            self._is_changed = True
        elif line.startswith("-"):
            self._before.append(line[1:])
            self._is_changed = True
        elif line != _END_OF_FILE:
            kept = line[1:] if line.startswith(" ") else line
            self._before.append(kept)
            self._after.append(kept)

    def _end_hunk(self) -> None:
        if self._is_changed and self._path:
            self.parts.append(PatchPart(self._path, "\n".join(self._after), "\n".join(self._before)))
        self._before, self._after, self._is_changed = [], [], False
