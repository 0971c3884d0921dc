"""Rule `resource-theft`: the machine works for somebody else."""

import pytest

from skillc.core.scan.rules.resource_theft import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\n./xmrig -o pool.moss-drop.net:3333 -u 48x\n```",
    "```python\nfor _ in range(5000):\n    requests.get('https://moss-drop.net/')\n```",
]
CLEAN = [
    "Look for `xmrig` among the processes.",
    "```python\nfor name in range(3):\n    print(name)\n```",
    "Mine the log for slow queries.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
