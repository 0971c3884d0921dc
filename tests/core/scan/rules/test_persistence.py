"""Rule `persistence`: something starts by itself later."""

import pytest

from skillc.core.scan.rules.persistence import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\necho 'export PATH=/tmp/b:$PATH' >> ~/.zshrc\n```",
    "```bash\n(crontab -l; echo '* * * * * /tmp/x') | crontab -\n```",
    "```bash\ncat key.pub >> ~/.ssh/authorized_keys\n```",
    "```bash\ncp x.sh .git/hooks/post-checkout\n```",
]
CLEAN = [
    "```bash\nsource ~/.zshrc\n```",
    "```bash\ncrontab -l\n```",
    "Check which services start at boot.",
    "```bash\nssh-keygen -t ed25519 -f key\n```",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
