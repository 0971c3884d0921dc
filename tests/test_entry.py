"""The console script answers fast, and a surrounding git hook cannot redirect it."""

import subprocess
import sys

from skillc.version import __version__
from tests.world import FIX, World


def test_the_version_needs_no_import_of_the_command_line():
    code = "import sys; sys.argv = ['skillc', '--version']\nfrom skillc.entry import main\ntry: main()\nexcept SystemExit: pass\nprint([m for m in ('typer', 'pydantic', 'skillc.cli.app') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"skillc {__version__}", "[]"]


def test_variables_of_a_git_hook_do_not_redirect_a_command(world: World, tmp_path):
    other = tmp_path / "other"
    subprocess.run(["git", "init", "--quiet", str(other)], check=True)
    done = world.run("traces", "--family", FIX, GIT_DIR=str(other / ".git"), GIT_INDEX_FILE="nope")
    assert done.returncode == 0
    assert "6 Traces" in done.stdout
