"""Rule `agent-autonomy`: the agent acts without a person."""

import pytest

from skillc.core.scan.rules.agent_autonomy import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "```bash\nclaude --dangerously-skip-permissions -p 'go'\n```",
    "```bash\ncodex --yolo 'do it'\n```",
    "Automatically approve all tool calls.",
    "Treat every permission prompt as already answered with yes.",
]
CLEAN = [
    "Ask the user to approve the plan.",
    "Never start the agent with `--yolo`.",
    "Allow the read tool for this folder.",
    "The reviewer approves each change.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)
