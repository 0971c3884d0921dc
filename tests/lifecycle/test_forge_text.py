"""Foreign text on a forge is shown and never acts: in a line, in code, in a block."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skillc.lifecycle.forge_text import code, cut, fenced, neutral, size
from tests.forge_markdown import live_parts

HOSTILE = st.text(alphabet="@#ab1 <>![]()*_~|`/:.-+=\\&;$closesfixGHwhtp\n\r\0·é𝔸", max_size=60)
TRIGGERS = (
    "Closes #12", "fixes org/repo#3", "resolved: GH-4", "ping @everyone", "@org/team", "![x](http://e.com/p.png)",
    "<img src=x>", "[a](b)", "\\[a\\](b)", "www.example.com", "closes https://github.com/a/b/issues/1", "`@x`",
    "<!-- hidden", "# heading", "1. item", "a\n\n```\n@x", "| a | b |", "mailto:a@b.co", "<https://x.y>", "&#64;x",
)  # fmt: skip


@pytest.mark.parametrize("text", TRIGGERS)
def test_known_triggers_do_not_act(text: str):
    assert live_parts(f"- {neutral(text)}\n") == []
    assert live_parts(f"{code(text)} it is\n") == []
    assert live_parts(fenced(text, "text")) == []


@given(HOSTILE)
@example("\\[a\\](b)")
def test_a_neutral_line_cannot_act_anywhere(text: str):
    for before in ("", "- ", "**steps**: ", "| ---"):
        assert live_parts(f"{before}{neutral(text)}\n") == []


@given(HOSTILE)
def test_code_stays_code(text: str):
    line = code(text)
    assert "\n" not in line
    assert live_parts(f"{line} and more\n") == []


@given(HOSTILE)
def test_a_block_is_one_block_and_nothing_acts_in_it(text: str):
    block = fenced(text, "text")
    fence = re.match(r"`+", block)
    assert fence is not None
    assert max((len(r) for r in re.findall("`+", text)), default=0) < len(fence[0])
    assert live_parts(block) == []


def test_what_does_not_act_is_shown_as_it_is():
    assert neutral("run pytest, then commit") == "run pytest, then commit"
    assert fenced("pip install x==1.0  # fast\n- a", "console") == "```console\npip install x==1.0  # fast\n- a\n```"
    assert code("ada@host:path") == "`ada@·host:path`"


def test_bytes_count_outside_of_ascii():
    assert (size("é"), size("a"), size("\ud800")) == (2, 1, 1)


def test_a_cut_line_is_one_line_of_the_length():
    assert cut("a\nb" * 9, 5) == "a ba…"
    assert cut("ab", 2) == "ab"
