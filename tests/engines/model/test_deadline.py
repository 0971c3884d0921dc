"""A wall clock over a call, whatever the call waits for."""

import threading

import pytest

from skillc.engines.model.deadline import DeadlineError, within


def test_a_value_and_an_error_come_through():
    assert within(5, lambda: 7, give_up=lambda: None) == 7
    with pytest.raises(ZeroDivisionError):
        within(5, lambda: 1 // 0, give_up=lambda: None)


def test_a_call_that_takes_too_long_is_given_up():
    told = threading.Event()
    with pytest.raises(DeadlineError):
        within(0.05, lambda: told.wait(10), give_up=told.set)
    assert told.is_set()
