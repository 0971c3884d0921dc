"""Rules of slots: ranked sources of an argument, with what exists at that time first."""

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.provenance import USER, OriginKey, same_name
from skillc.engines.offline.slots import candidates_of, record_uses, slots_of
from tests.makers import call, gives, make_source, user

FIELD = OriginKey(InputSource.STEP, "get_user", "orders[*]")


def attempt(number, *, stated=True, tool="cancel_order", **extra):
    uid, oid = f"user-{number}", f"ord-{number}44"
    head = [user(f"I am {uid}, cancel {oid}" if stated else f"I am {uid}, cancel my order")]
    look = [call("get_user", {"user_id": uid}), gives({"orders": ["ord-0000", oid]})]
    drafts = (*head, *([] if stated else look), call(tool, {"order_id": oid, **extra}), gives({}))
    return attempts_of((make_source(*drafts, trace_id=f"t-000000{number}"),))[0]


def last_use(found, name="order_id"):
    return [u for u in record_uses(found) if u.name == name][-1]


def test_source_that_is_there_comes_before_one_that_is_not():
    slots = slots_of([attempt(11), attempt(12), attempt(13, stated=False), attempt(14, stated=False)])

    assert slots.sources(last_use(attempt(21)))[0] == USER
    assert slots.sources(last_use(attempt(22, stated=False)))[0] == FIELD


def test_tool_without_evidence_backs_off_to_the_name_under_other_tools():
    slots = slots_of([attempt(11, stated=False), attempt(12, stated=False)])

    assert slots.sources(last_use(attempt(21, stated=False, tool="return_order")))[0] == FIELD


def test_name_without_evidence_backs_off_to_a_field_of_the_same_name():
    slots = slots_of([attempt(11)])
    use = last_use(attempt(21, color="red"), "color")

    assert slots.sources(use) == (USER, same_name("color"))  # no result has shown the field yet


def test_constant_needs_three_families_and_no_other_value_anywhere():
    three = [attempt(n, channel="web") for n in (11, 12, 13)]

    assert slots_of(three).by_name["channel"].constant == "web"
    assert slots_of(three[:2]).by_name["channel"].constant is None
    assert slots_of([*three, attempt(14, channel="phone")]).by_name["channel"].constant is None


def test_option_that_nobody_took_is_no_constant():
    assert slots_of([attempt(n, insurance="no") for n in (11, 12, 13)]).by_name["insurance"].constant is None


def test_field_of_the_same_name_that_varies_makes_it_no_constant():
    def booked(number, cabin):
        drafts = [user("please"), call("get_trip", {"trip": f"t-{number}9"}), gives({"cabin": cabin})]
        drafts += [call("book", {"cabin": "economy"}), gives({})]
        return attempts_of((make_source(*drafts, trace_id=f"t-000000{number}"),))[0]

    same = [booked(n, "economy") for n in (11, 12, 13)]

    assert slots_of(same).by_name["cabin"].constant == "economy"
    assert slots_of([*same, booked(14, "business")]).by_name["cabin"].constant is None


def test_candidates_that_were_used_before_come_last():
    drafts = [user("please"), call("list", {}), gives({"ids": ["ord-1", "ord-2"]})]
    drafts += [d for i in ("ord-1", "ord-2") for d in (call("get", {"id": i}), gives({}))]
    found = attempts_of((make_source(*drafts),))[0]
    slots = slots_of([found])
    key = OriginKey(InputSource.STEP, "list", "ids[*]")

    assert candidates_of(key, last_use(found, "id"), slots) == ["ord-2", "ord-1"]


def test_address_path_or_command_is_never_told_as_a_constant():
    """What every attempt was given may come from output that nobody trusted."""
    for value in (
        "https://collector.example.net/drop",
        "a/b.txt",
        "curl example.net",
        "name@example.net",
        "Done for Ann",
        "Maria",
    ):
        assert slots_of([attempt(n, target=value) for n in (11, 12, 13)]).by_name["target"].constant is None
