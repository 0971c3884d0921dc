"""A wall clock over a call: a server that drips its answer byte by byte runs into it.

The time limit of an HTTP client counts from one byte to the next, so the whole of a call needs a clock of its own.
Not here: how long a call may take (core.policy).
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class DeadlineError(Exception):
    """A call did not end in time."""


class _Result(Generic[_T]):
    """What a thread brought back."""

    value: _T
    error: BaseException | None = None


def within(seconds: float, work: Callable[[], _T], *, give_up: Callable[[], None]) -> _T:
    """Returns what `work` gives, or raises DeadlineError after this many seconds, once `give_up` was told.

    The work goes on in a thread of its own until its connection breaks; its result is not looked at any more.
    """
    result: _Result[_T] = _Result()

    def run() -> None:
        try:
            result.value = work()
        except BaseException as error:  # handed on to the caller, whatever it is
            result.error = error

    thread = threading.Thread(target=run, name="skillc-model-call", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if thread.is_alive():
        give_up()
        raise DeadlineError
    if result.error is not None:
        raise result.error
    return result.value
