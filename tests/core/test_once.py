"""What was worked out about a record is kept while the record is there, and no longer."""

import gc

from skillc.core.once import once_per_record
from skillc.core.trace.codec import Trace
from tests import makers


def test_a_trace_is_asked_once_and_every_trace_for_itself():
    asked: list[str] = []

    @once_per_record
    def tools(trace: Trace) -> list[str | None]:
        asked.append(trace.trace_id)
        return [event.tool for event in trace.events]

    one = makers.make_trace(makers.bash("make"), trace_id="t-00000001")
    same_id = makers.make_trace(makers.call("Read", {}), trace_id="t-00000001")

    assert tools(one) is tools(one)
    assert tools(one) != tools(same_id)
    assert asked == ["t-00000001"] * 2


def test_a_changed_copy_is_another_trace():
    number_of_events = once_per_record(lambda trace: len(trace.events))
    whole = makers.make_trace(makers.user("a"), makers.says("b"))

    assert number_of_events(whole) == 2
    assert number_of_events(whole.model_copy(update={"events": whole.events[:1]})) == 1


def test_nothing_is_kept_of_a_trace_that_is_gone():
    number_of_events = once_per_record(lambda trace: len(trace.events))
    known = number_of_events.__closure__[0].cell_contents

    assert isinstance(known, dict)
    assert number_of_events(makers.make_trace(makers.user("a"))) == 1
    gc.collect()
    assert known == {}
