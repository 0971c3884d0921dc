"""A terminal made by a program, for commands that ask a person."""

import os
import pty
import subprocess
import sys

from tests.world import World


def in_terminal(world: World, *arguments: str, answers: str = "", **environment: str) -> tuple[int, str]:
    """Runs the command in a terminal and returns its exit code and all that it said."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "skillc", *arguments], cwd=world.root, stdin=slave, stdout=slave, stderr=slave,
        env={**os.environ, **environment}, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    os.write(master, answers.encode())
    said = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(master)
    return process.wait(60), said.decode("utf-8", "replace")
