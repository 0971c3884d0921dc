"""Rule `skill-format`: hosts will not read it as written."""

import pytest

from skillc.core.scan.rules.skill_format import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "# No frontmatter\n",
    "---\nname: tidy\n---\n\nText\n",
    "---\nname: tidy\ndescription: Tidy: a list\n---\n",
    "---\nname: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\ndescription: x\n---\n",
    "---\nname: tidy\ndescription: long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long \n---\n",
]
CLEAN = [
    "---\nname: tidy\ndescription: Tidy a list. Use when a list is long.\n---\n",
    '---\nname: "tidy"\ndescription: "Tidy: a list"\n---\n',
    "---\nname: tidy\ndescription: >\n  Tidy a list.\n  Use when it is long.\n---\n",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text, path="tidy/SKILL.md")


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text, path="tidy/SKILL.md")


def test_only_a_skill_file_is_held_to_it():
    check_clean(RULE, "# No frontmatter\n", path="README.md")
