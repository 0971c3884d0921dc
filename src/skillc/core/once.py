"""What is worked out about a record once, as long as the record is in memory.

A run asks for the same thing of a Trace several times: while it proposes, scans, and scans again before admission.
A record never changes, so the first answer stays true. Paper: 5.1.
Not here: what is worked out (core.scan.trace_words, core.compile.deeds).
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from skillc.core.record import Record

_R = TypeVar("_R", bound=Record)
_T = TypeVar("_T")


def once_per_record(work: Callable[[_R], _T]) -> Callable[[_R], _T]:
    """Makes a function remember what it gave for a record, until that record is gone."""
    known: dict[int, tuple[ref[_R], _T]] = {}  # by identity: to hash a Trace would be to read it all

    @wraps(work)
    def remembered(record: _R) -> _T:
        number = id(record)
        if number not in known:
            given = work(record)
            known[number] = ref(record, lambda _: known.pop(number, None)), given
        return known[number][1]

    return remembered
