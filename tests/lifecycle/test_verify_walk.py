"""What a person is shown of each attempt that nobody verified."""

from skillc.core.trace.records import Outcome
from skillc.lifecycle.verify_walk import SHOWN_EVENTS, walk_items
from tests.approvers import session
from tests.makers import bash, gives, says, user
from tests.world import CHECK, World


def test_only_what_nobody_verified_and_nobody_called_a_failure_waits(world: World):
    session(world, user("one"), outcome=Outcome.SUCCESS, trace_id="t-00000001")
    session(world, user("two"), outcome=Outcome.FAILURE, trace_id="t-00000002")
    session(world, user("three"), trace_id="t-00000003")
    assert [i.trace.trace_id for i in walk_items(world.context())] == ["t-00000001", "t-00000003"]
    assert [i.trace.trace_id for i in walk_items(world.context(), ["t-00000002"])] == ["t-00000002"]


def test_an_item_shows_the_last_events_and_what_else_could_verify_it(fresh: World):
    session(fresh, user("one"), *[says(f"{n}") for n in range(9)], bash("ls"), gives("x" * 5000))
    item = walk_items(fresh.context())[0]
    assert len(item.events) == SHOWN_EVENTS
    assert item.events[-2] == ("e10 tool_call", "Bash {'command': 'ls'}")
    assert len(item.events[-1][1]) == 2000
    assert item.ways[0] == f"skillc verify --run {CHECK} t-00000001 --at COMMIT"
    assert any("--from-git" in way for way in item.ways)


def test_a_restricted_event_is_shown_without_content(fresh: World):
    session(fresh, user("one"), {**says("x"), "text": None, "restricted": {"ref": "r"}})
    assert walk_items(fresh.context())[0].events[-1][1] == "(restricted)"
