"""A finding has a state, what was found, what it means, and the next step."""

from skillc.lifecycle.doctor.finding import State, fail, ok, warn


def test_each_maker_gives_its_state():
    assert ok("a", "b").state is State.OK
    assert warn("a", "b", "c", "d").state is State.WARN
    made = fail("a", "b", "c", "d")
    assert (made.state, made.check, made.found, made.meaning, made.next_step) == (State.FAIL, "a", "b", "c", "d")
