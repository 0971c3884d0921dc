"""Rule `destructive-command`: a command destroys data."""

import pytest

from skillc.core.scan.rules.destructive_command import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\nrm -rf /\n```",
    "```bash\nsudo rm -rf ~\n```",
    "```sql\nTRUNCATE customers;\n```",
    "```bash\ngit push --force origin main\n```",
    "```bash\ndd if=/dev/zero of=/dev/sda bs=1M\n```",
    "```bash\nkubectl delete namespace production\n```",
]
CLEAN = [
    "```bash\nrm -rf node_modules build/\n```",
    "```bash\ngit push --force-with-lease origin my-branch\n```",
    "```bash\ndd if=/dev/zero of=./swap.img bs=1M count=64\n```",
    "Never run `rm -rf /`.",
    "```yaml\ndeny:\n  - Bash(rm -rf /*)\n```",
    "```sql\nDELETE FROM carts WHERE id = :id;\n```",
    '```js\nawait db.query("DROP TABLE users");\n```',
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
