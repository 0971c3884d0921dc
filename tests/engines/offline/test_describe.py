"""Rules of the descriptor."""

from skillc.core.policy import TARGET_DESCRIPTION_CHARS, Thresholds
from skillc.core.skill.claim import Effect
from skillc.engines.offline import describe
from skillc.engines.offline.describe import effects_of, tools_of
from skillc.engines.offline.induction import induce
from skillc.engines.offline.request import request_words
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user

RED_GREEN = [
    user("fix the failing test"), bash("pytest -q"), fails("1 failed"), call("Edit", {"file_path": "src/a.py"}), gives("updated"),
    bash("pytest -q"), gives("1 passed"),
]  # fmt: skip


def description_of(found):
    return describe.description_of(found, request_words(found))


def use_when_of(found):
    return describe.use_when_of(found, request_words(found))


def induction(*lists, family="fix-failing-test"):
    sources = [make_source(*d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)]
    return induce(make_evidence(*sources, task_family=family), Thresholds())


def test_description_says_what_and_when():
    text = description_of(induction(RED_GREEN, RED_GREEN)).text

    assert text == "Fix failing test: run pytest -q and change src/a.py. Use when asked to fix failing test."


def test_family_whose_name_is_no_order_is_told_by_the_words_of_its_users():
    text = description_of(induction(RED_GREEN, RED_GREEN, family="failing-tests")).text

    assert text.endswith("Use when a request speaks of failing, test and fix.")


def test_words_of_users_that_the_name_does_not_have_stand_beside_it():
    drafts = [user("please refund the broken lamp"), call("refund_order", {"id": "ord-11"}), gives({})]

    found = induction(*([drafts] * 3), family="refund-order")

    assert description_of(found).text.endswith(
        "Use when asked to refund order, or when a request speaks of broken and lamp."
    )
    assert use_when_of(found)[0].text == "The request is to refund order; it may speak of broken and lamp."


def test_description_is_short_and_without_angle_brackets():
    many = [call(f"set_{'x' * 40}_{c}", {"id": "1"}) for c in "abcdefghijk"]
    drafts = [user("x <script>"), *(d for m in many for d in (m, gives({})))]

    text = description_of(induction(drafts)).text

    assert len(text) <= TARGET_DESCRIPTION_CHARS
    assert "<" not in text
    assert ">" not in text


def test_description_cites_every_supporting_family():
    found = induction(*([RED_GREEN] * 7))

    assert len(description_of(found).citations) == 7


def test_failing_check_at_the_start_is_a_sign_of_use():
    assert [c.text for c in use_when_of(induction(RED_GREEN, RED_GREEN))] == [
        "The request is to fix failing test.",
        "`pytest -q` fails before any change.",
    ]


def test_trace_without_a_user_still_says_when():
    assert next(c.text for c in use_when_of(induction(RED_GREEN[1:]))) == "The task is to fix failing test."


def test_tools_say_what_they_run():
    assert [c.text for c in tools_of(induction(RED_GREEN))] == ["`Bash`, for `pytest -q`"]


def test_effects_come_from_the_calls():
    found = induction(
        [call("get_order", {"order_id": "1"}), gives({}), call("update_order", {"payment_id": "p"}), gives({})]
    )

    assert [c.effect for c in effects_of(found)] == [Effect.READ, Effect.MONEY]
