"""What a Trace says: its values by where they stand, the names of its tools and fields, and what it mentions."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.trace_words import words_of
from skillc.core.scan.value_shapes import compact, strong_shapes
from tests import makers

WORDS = st.sampled_from(
    [
        "8JX2WO",
        "mia@shop.test",
        "2024-05-11",
        "src/a_1.py",
        "#W2378156",
        "kiln-batch-07",
        "total",
        "→",
        "é٣",
        "12345678",
    ]
)
GAPS = st.sampled_from([" ", "\n", "\t", ", ", '"', "=", "(", "\u00a0", "\x1c", "→", "/", "#", "-"])


def test_arguments_results_and_what_users_say_give_values():
    words = words_of(
        makers.make_trace(
            makers.user("I am Mia Chen"),
            makers.call("get_order", {"order_id": "W2378156", "file": "src/cart_totals.py"}),
            makers.gives({"gift_card_7250692": {"amount": 43.25}, "first_name": "Ngozi"}),
            makers.bash("ls"),
            makers.gives("12345 of 55120917 lines"),
        )
    )

    assert words.kinds == {
        "miachen": "name",
        "w2378156": "id",
        "srccarttotalspy": "path",
        "giftcard7250692": "id",
        "ngozi": "name",
        "4325": "number",
        "55120917": "number",
    }
    assert words.strong == {"w2378156", "giftcard7250692", "4325", "55120917"}
    assert words.multi_word == {"miachen", "srccarttotalspy", "giftcard7250692", "4325"}


def test_names_of_tools_operations_and_fields_are_names_but_for_keys_that_are_ids():
    words = words_of(
        makers.make_trace(
            makers.call("get_order", {"order_id": "x"}), makers.gives({"lines": [{"line_total": 1}], "gift_7250692": 2})
        )
    )

    assert {"getorder", "orderid", "lines", "linetotal"} <= words.names
    assert "gift7250692" not in words.names


def test_what_the_agent_says_is_mentioned_and_gives_no_value():
    trace = makers.make_trace(makers.says("I look at “src/cart_totals.py”, then at Sofia_Kim-7287."))

    assert words_of(trace).kinds == {}
    assert {"srccarttotalspy", "sofiakim7287"} <= words_of(trace).mentions


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(WORDS, GAPS), max_size=12))
def test_cutting_a_text_into_pieces_loses_no_strong_value(parts: list[tuple[str, str]]):
    text = "".join(word + gap for word, gap in parts)
    expected = {
        compact(s.value) for s in strong_shapes(text) if s.kind != "number" or len(s.value) >= 7 if len(s.value) >= 4
    }

    assert words_of(makers.make_trace(makers.bash("x"), makers.gives(text or "y"))).kinds.keys() == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS | st.text(max_size=8), max_size=8))
def test_words_between_blanks_are_mentioned(words: list[str]):
    trace = makers.make_trace(makers.user("x"), makers.call("t", {"text": " ".join(words)}))
    cut = str.maketrans(dict.fromkeys("\"'`()<>,;:=[]{}|", " "))

    wanted = {compact(w) for word in words for w in word.encode("utf-8", "replace").decode().translate(cut).split()}
    assert wanted - {""} <= words_of(trace).mentions


def test_a_result_that_is_json_is_read_by_its_fields():
    trace = makers.make_trace(makers.bash("x"), makers.gives(json.dumps([{"zip": "12346", "note": "no. 12346"}])))
    assert words_of(trace).kinds == {"12346": "number"}
