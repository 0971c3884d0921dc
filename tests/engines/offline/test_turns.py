"""Rules of turns: what stands before an action, in a structural vocabulary."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.slots import slots_of
from skillc.engines.offline.symbols import alphabet_of
from skillc.engines.offline.turns import AGREED, ANSWERED, END, FAILED, PENDING, START, agrees, turns_of
from tests.makers import call, fails, gives, make_source, says, user


def turns(*drafts):
    attempts = attempts_of((make_source(*drafts),))
    return turns_of(attempts[0], alphabet_of(attempts, Thresholds()), slots_of(attempts))


def test_turns_follow_the_actions_and_end():
    found = turns(user("go"), call("a", {}), gives({}), call("b", {}), gives({}))

    assert [(t.last, t.action) for t in found] == [(START, "tool a"), ("tool a", "tool b"), ("tool b", END)]


def test_facts_say_whether_the_last_action_failed_and_what_the_user_said_since():
    found = turns(user("go"), call("a", {}), fails("no"), says("again?"), user("yes, please"), call("a", {}), gives({}))

    assert {FAILED, ANSWERED, AGREED} <= found[1].facts
    assert not found[2].facts & {FAILED, ANSWERED}


def test_list_has_entries_left_until_each_was_used():
    looks = [d for i in ("x-11", "x-22") for d in (call("get", {"id": i}), gives({}))]
    found = turns(user("go"), call("list", {}), gives({"ids": ["x-11", "x-22"]}), *looks)

    assert [PENDING in t.facts for t in found] == [False, False, True, False]


def test_given_value_is_seen_by_its_shape_from_the_message_on():
    drafts = [user("please"), call("find", {"word": "abc"}), gives({}), user("it is ord-1144")]
    found = turns(*drafts, call("get", {"order_id": "ord-1144"}), gives({}))

    assert ["given order_id" in t.facts for t in found] == [False, True, True]


def test_agreement_is_read_from_the_start_of_a_message():
    assert agrees("Yes, go ahead.")
    assert not agrees("No, that is not correct, wait")
    assert not agrees("I would like to know more")
