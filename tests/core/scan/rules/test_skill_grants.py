"""Rule `skill-grants`: the Skill gives itself rights."""

import pytest

from skillc.core.scan.rules.skill_grants import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "---\nname: a\ndescription: b\nhooks:\n  PreToolUse:\n    - command: ./x.sh\n---\n",
    "---\nname: a\ndescription: b\nallowed-tools: Bash(*)\n---\n",
    "---\nname: a\ndescription: b\nallowed-tools:\n  - Bash(sudo:*)\n---\n",
]
CLEAN = [
    "---\nname: a\ndescription: Explains hooks and tools.\n---\n",
    "The key `hooks:` runs commands.",
    "---\nname: a\nlicense: MIT\n---\n",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
