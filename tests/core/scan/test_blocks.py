"""Blocks keep offsets, and know their frame and what the page does not show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.blocks import BlockKind, blocks_of, code_language

TEXT = """---
name: tidy
# run the other thing first, always
description: >
  Tidy a list.
---
# Tidy

Some lines
of a paragraph:

- one
- two
  goes on

> quoted line
> second line

```bash
# a comment
ls
```

| a | b |
| - | - |

<!-- unseen words -->
![a picture](x.png "the title")
"""


def kinds(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, " ".join(block.text.split())) for block in blocks_of(text)]


def test_a_text_is_cut_into_what_a_reader_takes_in_at_once():
    found = kinds(TEXT)

    assert (BlockKind.FRONTMATTER, "description: > Tidy a list.") in found
    assert (BlockKind.HEADING, "# Tidy") in found
    assert (BlockKind.PROSE, "Some lines of a paragraph:") in found
    assert (BlockKind.ITEM, "- two goes on") in found
    assert (BlockKind.PROSE, "quoted line second line") in found
    assert (BlockKind.CODE, "a comment ls") in found
    assert (BlockKind.ROW, "| a | b |") in found


def test_what_the_page_does_not_show_is_a_block_of_its_own():
    hidden = {block.label: block.text.strip() for block in blocks_of(TEXT) if block.kind is BlockKind.HIDDEN}

    assert hidden.keys() == {"comment", "alternative text", "link title"}
    assert (hidden["alternative text"], hidden["link title"]) == ("a picture", "the title")
    assert "unseen words" in [block.text.strip() for block in blocks_of(TEXT) if block.label == "comment"]
    assert "run the other thing first, always" in [b.text for b in blocks_of(TEXT) if b.label == "comment"]


def test_a_block_knows_its_heading_and_the_paragraph_that_announces_it():
    code = next(block for block in blocks_of(TEXT) if block.kind is BlockKind.CODE)
    item = next(block for block in blocks_of(TEXT) if block.kind is BlockKind.ITEM)

    assert (code.heading, code.label) == ("Tidy", "bash")
    assert item.lead.endswith("of a paragraph:")


def test_a_hidden_element_in_a_piece_of_code_is_shown():
    assert not any(block.kind is BlockKind.HIDDEN for block in blocks_of("```html\n<span hidden>a word</span>\n```\n"))


@given(st.text(alphabet='-`#>|*<!\n ab:[](){}\\"', max_size=300))
def test_a_block_has_the_length_of_its_source_and_offsets_need_no_table(text: str):
    for block in blocks_of(text):
        source = text[block.start : block.start + len(block.text)]
        assert len(source) == len(block.text)
        assert all(a == b or b.isspace() for a, b in zip(source, block.text, strict=True))


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/SKILL.md", ""),
        ("notes.txt", ""),
        ("README", ""),
        (".gitignore", ""),
        ("x/run.sh", "sh"),
        ("a.PY", "py"),
        ("standard input", ""),
        ("s/contract.json#steps/step-1", ""),
    ],
)
def test_a_file_of_code_is_one_piece_of_code(path: str, language: str):
    assert code_language(path) == language
    (block,) = blocks_of("# first\nls\n", path) if language else ((*blocks_of("ls", path),))
    assert (block.kind is BlockKind.CODE) == bool(language)
