"""CODEOWNERS: the last pattern that matches counts, and a block that a person changed stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.lifecycle.code_owners import block, guarded, is_owner, owners_of, with_block

PATTERNS = guarded(".claude/skills", ".github/CODEOWNERS")
TEAM = "@acme/reviewers"


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        ("* @a", "x/y", ("@a",)),
        ("*.md @a\n/docs/ @b", "docs/x.md", ("@b",)),
        ("/docs/ @b\n*.md @a", "docs/x.md", ("@a",)),
        ("/docs/ @b\n/docs/x.md", "docs/x.md", ()),
        ("docs/ @b", "a/docs/x", ("@b",)),
        ("/docs/ @b", "a/docs/x", ()),
        ("docs/* @b", "docs/a/x", ()),
        ("docs/* @b", "docs/x", ("@b",)),
        ("/a/**/c @b", "a/x/y/c", ("@b",)),
        ("# * @a", "x", ()),
        ("* @a # told", "x", ("@a",)),
        ("!x @a", "x", ()),
        ("[ab] @a", "a", ()),
        ("/a @b", "a/b/c", ("@b",)),
        ("**/skillc.yaml @a ada@example.org", "skillc.yaml", ("@a", "ada@example.org")),
        ("* no-owner", "x", ()),
    ],
)
def test_whom_a_forge_asks(text: str, path: str, owners: tuple[str, ...]):
    assert owners_of(text, path) == owners


@pytest.mark.parametrize(
    ("name", "known"), [("@a", True), (TEAM, True), ("a@b.co", True), ("a", False), ("@a b", False)]
)
def test_what_an_owner_is(name: str, known: bool):
    assert is_owner(name) is known


def test_the_block_guards_what_decides_over_skills():
    text = with_block("* @everybody", PATTERNS, [TEAM])
    assert text is not None
    for path in (
        ".claude/skills/a/SKILL.md",
        "skillc.yaml",
        ".github/workflows/skillc-check.yml",
        ".github/CODEOWNERS",
    ):
        assert owners_of(text, path) == (TEAM,)
    assert owners_of(text, "src/main.py") == ("@everybody",)


def test_without_owners_the_block_is_a_comment_that_says_what_to_fill_in():
    text = with_block("", PATTERNS, [])
    assert text is not None
    assert all(line.startswith("#") for line in text.splitlines())
    assert "@ORG/TEAM" in text


def test_owners_stay_until_others_are_named_and_a_changed_block_is_a_persons():
    first = with_block("* @a\n", PATTERNS, [TEAM])
    assert first is not None
    assert with_block(first + "tail @b\n", PATTERNS, []) == first + "tail @b\n"
    other = with_block(first, PATTERNS, ["@b"])
    assert other == "* @a\n" + block(PATTERNS, ["@b"])
    assert with_block(first.replace("/skillc.yaml", "/other.yaml"), PATTERNS, ["@b"]) is None


@given(st.text(max_size=80), st.lists(st.sampled_from(["@a", TEAM]), max_size=2))
def test_what_stands_around_the_block_is_kept_and_a_second_time_changes_nothing(before: str, owners: list[str]):
    text = with_block(before, PATTERNS, owners)
    assert text is not None
    assert text.startswith(before)
    assert with_block(text, PATTERNS, owners) == text
