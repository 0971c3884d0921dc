"""The plugin folder is one that the real Claude Code accepts, also strictly, and whose Skill it lists."""

import os
import subprocess
from pathlib import Path

import pytest

from skillc.lifecycle.plugin import write_plugin
from tests.real_client.claude_code import TIMEOUT_S, require_claude
from tests.world import FIX, World

pytestmark = pytest.mark.real_client


@pytest.mark.parametrize("options", [(), ("--strict",)])
@pytest.mark.parametrize("has_skill", [False, True])
def test_claude_plugin_validate_accepts_the_folder(
    world: World, tmp_path: Path, options: tuple[str, ...], has_skill: bool
):
    claude = require_claude()
    if has_skill:
        world.compile(FIX)
        world.merge(FIX)
    place = tmp_path / "plugin"
    write_plugin(world.context(), place)
    done = subprocess.run(
        [claude, "plugin", "validate", *options, str(place)],
        env={**os.environ, "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation passed" in done.stdout
    assert "warning" not in done.stdout
