"""Rules of the sentences."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.wording import (
    claim_id,
    code,
    content_words,
    family_title,
    joined,
    plain_line,
    sentence,
    spoken,
)


def test_lists_read_like_prose():
    assert joined(["a"]) == "a"
    assert joined(["a", "b"]) == "a and b"
    assert joined(["a", "b", "c"], "or") == "a, b or c"


def test_text_of_a_trace_loses_its_markup():
    assert plain_line("<tool_error>no `x`\n</tool_error> <b") == "no 'x' (b"


def test_names_are_spoken():
    assert spoken("mcp__shop__cancelOrder") == "cancel order"
    assert spoken("get_user_details") == "get user details"


def test_common_words_tell_nothing():
    assert content_words("Hi! Could you please cancel my order?") == ["cancel", "order"]


@given(st.text(max_size=600))
def test_sentence_is_one_bounded_line(text):
    found = sentence(text)

    assert "\n" not in found
    assert len(found) <= 401


@given(st.text(max_size=80))
def test_claim_id_is_valid_and_the_same_every_time(text):
    import re

    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", claim_id("failure_modes", text))
    assert claim_id("steps", text) == claim_id("steps", text)


@given(st.text(max_size=80))
def test_code_has_no_backtick_inside(text):
    assert "`" not in code(text)[1:-1]


def test_digest_of_a_long_family_name_is_no_word_of_it():
    long = "update-reservation-baggages-and-update-reservation-flig-afc68832"
    assert family_title(long) == "update reservation baggages and update reservation flig"
    assert family_title("cancel-order-2024") == "cancel order 2024"
    assert family_title("fix-deadbee1") == "fix deadbee1"
