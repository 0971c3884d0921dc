"""What capture tells of a new Trace: events whose untrusted text the scanner would block.

Extraction would launder what a Trace still shows, so a person hears of it as soon as it is there. Paper: 5.3.
Not here: what counts (core.scan.first_look), scanning stored Traces (lifecycle.scan).
"""

from collections.abc import Iterator
from typing import IO

from skillc.core.scan.first_look import SeenOrder, may_hold_order, order_in
from skillc.importers.base import ImportedTrace, ImportReport

_BLOCK_BYTES = 1 << 18
_MAX_NAMED = 5


def tell_orders(imported: ImportedTrace, report: ImportReport) -> None:
    """Counts and names in a report the events of a new Trace that give an agent orders."""
    orders = seen_orders(imported.body)
    if orders:
        report.orders += len(orders)
        report.notes.append(note_of(imported.header.trace_id, orders))


def seen_orders(body: IO[bytes]) -> list[SeenOrder]:
    """Returns the events of a Trace that give an agent orders; the stream ends at offset 0 again."""
    body.seek(0)
    found = [order for block in _blocks(body) if may_hold_order(block) for order in _orders(block)]
    body.seek(0)
    return found


def note_of(trace_id: str, orders: list[SeenOrder]) -> str:
    """Returns one line for a report: ids and rules, never the text."""
    named = ", ".join(order.event_id for order in orders[:_MAX_NAMED])
    more = f" and {len(orders) - _MAX_NAMED} more" if len(orders) > _MAX_NAMED else ""
    rules = ", ".join(sorted({rule for order in orders for rule in order.rules}))
    what = f"untrusted text in {named}{more} is what the scanner blocks ({rules})"
    return f"{trace_id}: {what}; look: skillc scan --trace {trace_id}"


def _orders(block: bytes) -> Iterator[SeenOrder]:
    for line in block.split(b"\n"):
        order = order_in(line)
        if order is not None:
            yield order


def _blocks(body: IO[bytes]) -> Iterator[bytes]:
    """Yields whole lines, many at a time."""
    while block := body.read(_BLOCK_BYTES):
        yield block + body.readline()
