"""What is worked out about a Trace once, as long as the Trace is in memory.

A run asks for the same thing of a Trace several times: while it proposes, scans, and scans again before admission.
A Trace never changes after its close, so the first answer stays true. Paper: 5.1.
Not here: what is worked out (core.scan.trace_words).
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from skillc.core.trace.codec import Trace

_T = TypeVar("_T")


def once_per_trace(work: Callable[[Trace], _T]) -> Callable[[Trace], _T]:
    """Makes a function remember what it gave for a Trace, until that Trace is gone."""
    known: dict[int, tuple[ref[Trace], _T]] = {}  # by identity: to hash a Trace would be to read it all

    @wraps(work)
    def remembered(trace: Trace) -> _T:
        number = id(trace)
        if number not in known:
            given = work(trace)
            known[number] = ref(trace, lambda _: known.pop(number, None)), given
        return known[number][1]

    return remembered
