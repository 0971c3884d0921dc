"""Plays a scripted session without a host: really runs its commands, and answers as Claude Code does.

What comes out are the drafts of a Trace (tests.makers), with the true output of every command.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests import makers
from tests.quirks.scripts import Action, Bash, Edit, QuirkRepository, Read, Session, Write

SHOWN_ROOT = "/srv"


def write_files(repository: QuirkRepository, folder: Path) -> None:
    """Writes the repository's files and commits them."""
    for path, text in repository.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    for command in ("git init -q -b main", "git add -A", "git commit -q -m start"):
        subprocess.run(command.split(), cwd=folder, check=True, env=environment(), capture_output=True)


def environment() -> dict[str, str]:
    """The variables of a session: no terminal, no colours, no bytecode, and nothing of the outer test run."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV_", "NODE_"))}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1", "npm_config_update_notifier": "false", "NO_COLOR": "1"}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command line as an agent's shell does."""
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )


def record(session: Session, folder: Path) -> list[makers.EventDraft]:
    """Plays a session in a fresh copy and returns its events."""
    drafts = [makers.user(session.prompt)]
    seen: set[str] = set()
    for action in session.actions:
        if isinstance(action, Read | Write):
            seen.add(action.path)
        assert not isinstance(action, Edit) or action.path in seen, "the host edits only what was read before"
        drafts += _played(action, folder)
    return [*drafts, makers.says("Done.")]


def _played(action: Action, folder: Path) -> list[makers.EventDraft]:
    shown = f"{SHOWN_ROOT}/{folder.name}"
    if isinstance(action, Bash):
        done = run(action.command, folder)
        out = (done.stdout + done.stderr).strip().replace(str(folder), shown).replace(sys.base_prefix, "/usr")
        answer = makers.gives(out) if done.returncode == 0 else makers.fails(f"Exit code {done.returncode}\n{out}")
        return [makers.bash(action.command), answer]
    path = folder / action.path
    place = {"file_path": f"{shown}/{action.path}"}
    if isinstance(action, Read):
        return [makers.call("Read", place), makers.gives(path.read_text("utf-8"))]
    if isinstance(action, Edit):
        text = path.read_text("utf-8")
        if action.old not in text:
            change = place | {"old_string": action.old, "new_string": action.new}
            return [makers.call("Edit", change), makers.fails("String to replace not found in file.")]
        path.write_text(text.replace(action.old, action.new, 1), "utf-8")
        change = place | {"old_string": action.old, "new_string": action.new}
        return [makers.call("Edit", change), makers.gives(f"The file {place['file_path']} has been updated.")]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(action.content, "utf-8")
    written = makers.call("Write", place | {"content": action.content})
    return [written, makers.gives(f"File created successfully at: {place['file_path']}")]
