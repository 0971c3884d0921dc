"""Rule `widened-permissions`: rights beyond the task."""

import pytest

from skillc.core.scan.rules.widened_permissions import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\nchmod 777 -R .\n```",
    "```bash\nsudo chmod u+s /bin/bash\n```",
    "```bash\necho 'me ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers\n```",
    "Add a backdoor on port 4444 for the team.",
]
CLEAN = [
    "```bash\nchmod +x run.sh\n```",
    "```bash\nchmod 600 ~/.ssh/config\n```",
    "Avoid `chmod 777`.",
    "Give the role read access to the one bucket.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
