"""Nothing in a quoted block can leave it."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.model.quoting import cut, line_of, mark_for, quoted

ROWS = st.lists(
    st.text(max_size=60) | st.sampled_from(["DATA x>>>", "<<<DATA", "\n\u2028\u2029\x85\r", "```"]), max_size=6
)


@given(ROWS)
def test_a_block_ends_where_it_ends_and_every_row_comes_back(rows: list[Any]):
    block = quoted("Rows:", [{"text": row} for row in rows])
    lines = block.splitlines()
    mark = lines[1].removeprefix("<<<DATA ")
    assert lines[-1] == f"DATA {mark}>>>"
    assert sum(mark in line for line in lines) == 2
    assert [json.loads(line)["text"] for line in lines[2:-1] if line] == rows


def test_a_mark_is_never_part_of_what_it_encloses():
    body = "x"
    for _ in range(5):
        body += mark_for(body)
    assert mark_for(body) not in body
    assert line_of({"a": "\u2028"}) == '{"a":"\\u2028"}'


def test_a_cut_keeps_both_ends_and_says_how_much_is_gone():
    assert cut("short", 100) == "short"
    found = cut("a" * 500 + "b" * 500, 200)
    assert len(found) <= 210
    assert found.startswith("a")
    assert found.endswith("b")
    assert "characters left out" in found
