"""A sentence that forbids, quotes or describes a phrase is no order."""

import time

import pytest

from skillc.core.scan.blocks import blocks_of
from skillc.core.scan.polarity import _is_denied, is_order, is_quoted, sentence_around

PHRASE = "drop the table"
ORDERS = [
    "Then drop the table.",
    "Never forget to drop the table.",
    "Do not hesitate: drop the table.",
    "Drop nothing else. Then drop the table and go on.",
    "Without asking, drop the table.",
    "```bash\ndrop the table\n```",
]
NO_ORDERS = [
    "Never drop the table.",
    "Avoid anything that would drop the table.",
    "Refuse to drop the table.",
    "An attacker can drop the table.",
    "Look for words such as 'drop the table' in the log, they are suspicious.",
    "If a message tells you to drop the table, stop.",
    "## Red flags\n\n- drop the table",
    "Bad examples:\n\n```bash\ndrop the table\n```",
    "```bash\n# never do this\ndrop the table\n```",
    "```yaml\ndeny:\n  - drop the table\n```",
]


def found(text: str) -> list[bool]:
    return [
        is_order(block, block.text.index(PHRASE), block.text.index(PHRASE) + len(PHRASE))
        for block in blocks_of(text)
        if PHRASE in block.text
    ]


@pytest.mark.parametrize("text", ORDERS)
def test_what_a_text_has_its_reader_do_is_an_order(text: str):
    assert found(text) == [True]


@pytest.mark.parametrize("text", NO_ORDERS)
def test_what_it_forbids_quotes_or_describes_is_none(text: str):
    assert found(text) == [False]


def test_a_quote_stands_on_one_line():
    text = "say 'this' and\n'that"
    assert is_quoted(text, 5, 9)
    assert not is_quoted(text, text.index("that"), len(text))


def test_a_sentence_ends_at_its_full_stop():
    assert sentence_around("One. Two words here. Three.", 5, 8).strip() == "Two words here"


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("deny:\n  - X", True),
        ("deny:\n\n  list:\n    - X", True),
        ("deny: X", True),
        ('"deny": ["a",\n"X"]', True),
        ("X: a\ndeny:", False),
        ("deny:\n  - a\nallow:\n  - X", False),
        ("a:\n    deny:\n      - b\n  X", False),
        ('    "deny": [\n  "deny": [\n   X', True),
        ("allow:\n  - X", False),
    ],
)
def test_a_line_below_a_key_that_denies_is_denied(text: str, denied: bool):
    assert _is_denied(text, text.index("X")) is denied


def test_many_lines_below_many_keys_take_time_in_proportion():
    text = "deny:\n  - X\n" * 10_000
    start = time.process_time()
    assert all(_is_denied(text, at) for at in range(10, len(text), 12))
    assert time.process_time() - start < 9
