"""The lines of one Trace until it is whole: in memory while they are few, in a file without a name from then on.

Takes only what is fit for the disk. Not here: making lines (importers.writer).
"""

import shutil
from collections.abc import Iterator
from io import SEEK_END, BytesIO
from tempfile import TemporaryFile
from typing import IO, BinaryIO, cast

MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024
_CHUNK_BYTES = 256 * 1024


class Spool:
    """Blocks of whole lines, in order. They are joined once, which costs less than growing a buffer."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._size = 0
        self._file: IO[bytes] | None = None

    def write(self, block: bytes) -> None:
        self._blocks.append(block)
        self._size += len(block)
        if self._size > MAX_BYTES_IN_MEMORY:
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115 - close closes it
            self._file.writelines(self._blocks)
            self._blocks = []
            self._size = 0

    def blocks(self) -> Iterator[bytes]:
        """Yields everything so far in order, in blocks of whole lines."""
        if self._file is not None:
            self._file.seek(0)
            while lines := self._file.readlines(_CHUNK_BYTES):
                yield b"".join(lines)
            self._file.seek(0, SEEK_END)
        yield from self._blocks

    def whole(self, first: bytes, last: bytes) -> BinaryIO:
        """Returns everything between a first and a last line, as a stream at its start that the caller closes."""
        if self._file is None:
            return BytesIO(b"".join((first, b"\n", *self._blocks, last, b"\n")))
        body: IO[bytes] = TemporaryFile()  # noqa: SIM115 - the caller closes it
        body.writelines((first, b"\n"))
        self._file.seek(0)
        shutil.copyfileobj(self._file, body, _CHUNK_BYTES)
        body.writelines((*self._blocks, last, b"\n"))
        body.seek(0)
        return cast(BinaryIO, body)

    def close(self) -> None:
        """Forgets everything."""
        self._blocks = []
        if self._file is not None:
            self._file.close()
