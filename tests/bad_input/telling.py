"""What every refusal has in common: one clear message, the next step, the right exit code, and nothing half done."""

import subprocess

USAGE, DATA, GIT = 2, 3, 4
Done = subprocess.CompletedProcess[str]


def require_told(done: Done, code: int, message: str, hint: str = "") -> None:
    """The command ended with this exit code and says what happened and what to do; it never shows a traceback."""
    said = done.stderr
    assert done.returncode == code, (done.returncode, done.stdout, said)
    assert "Traceback" not in said
    assert "has a bug" not in said
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, said
    assert message in said, said
    assert "\nhint: " in said, said
    assert hint in said.split("\nhint: ", 1)[1], said


def require_fine(done: Done) -> None:
    """The command did its work."""
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
