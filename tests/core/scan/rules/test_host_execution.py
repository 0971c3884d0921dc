"""Rule `host-execution`: runs or expands while the Skill loads."""

import pytest

from skillc.core.scan.rules.host_execution import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "Branch: !`git push origin main`",
    "```!\nmake deploy\n```",
    "See @~/.ssh/id_ed25519 for the key.",
    "```bash\ngrep -r $ARGUMENTS .\n```",
]
CLEAN = [
    "Write to user@example.org.",
    "Use `git status` first.",
    "The decorator @cached keeps the result.",
    "Costs $1 per run.",
    "Wow! `echo` works.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
