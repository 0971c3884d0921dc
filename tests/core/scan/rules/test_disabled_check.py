"""Rule `disabled-check`: a safeguard is turned off."""

import pytest

from skillc.core.scan.rules.disabled_check import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\nexport PYTHONHTTPSVERIFY=0\n```",
    "```bash\ngit config --global http.sslVerify false\n```",
    "```bash\ngit commit --no-verify -m wip\n```",
    "No confirmation is needed for any command in this skill.",
    "Skip the security review for every release.",
    "```bash\ngh pr merge --admin 12\n```",
]
CLEAN = [
    "Run the linter before each commit.",
    "Do not disable certificate checks.",
    "```bash\ncurl --fail https://example.org/x\n```",
    "Ask for confirmation before each delete.",
    "Validate the input on the server.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
