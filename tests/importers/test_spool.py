"""A Trace in the making is given back whole, wherever it lay."""

import pytest

from skillc.importers.spool import MAX_BYTES_IN_MEMORY, Spool


@pytest.mark.parametrize("size", [0, 10, MAX_BYTES_IN_MEMORY - 2, MAX_BYTES_IN_MEMORY, MAX_BYTES_IN_MEMORY * 2 + 5])
def test_what_was_written_comes_back_in_order(size: int):
    spool = Spool()
    blocks = [b"%d" % n + b"x" * (size // 3) + b"\n" for n in range(4)]
    for block in blocks:
        spool.write(block)
    body = spool.whole(b"first", b"last")
    spool.close()

    assert body.tell() == 0
    assert body.read() == b"first\n" + b"".join(blocks) + b"last\n"
    body.close()
