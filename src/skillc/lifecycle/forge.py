"""Opening a pull request with gh, when it is installed and the remote is on GitHub; else the exact commands."""

import re
import shutil
import tempfile
from pathlib import Path

from skillc.errors import RepoError
from skillc.lifecycle.context import Context
from skillc.lifecycle.review import ReviewedCandidate, next_steps, pull_request
from skillc.repo.program import run_program
from skillc.repo.repository import REMOTE


def can_open_pull_request(context: Context) -> bool:
    """Says whether gh is here and origin is a GitHub repository."""
    url = context.repository.settings.get("remote.origin.url", "")
    return shutil.which("gh") is not None and re.search(r"(^|[@/.])github\.[a-z.]+[:/]", url) is not None


def create_pull_request(context: Context, candidate: ReviewedCandidate) -> str:
    """Pushes the candidate branch and opens its pull request; returns what gh printed, the address."""
    if not can_open_pull_request(context):
        steps = "\n  ".join(next_steps(context, candidate).forge)
        raise RepoError("gh or a GitHub remote is not here", hint=f"run:\n  {steps}")
    title, body = pull_request(context, candidate)
    branch = candidate.branch
    lease = f"--force-with-lease=refs/heads/{branch}"
    context.repository.git.run("push", "--quiet", "--no-verify", lease, REMOTE, f"{branch}:refs/heads/{branch}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "body.md"
        file.write_text(body, "utf-8")
        argv = ["gh", "pr", "create", "--base", context.base.branch, "--head", branch]
        done = run_program([*argv, "--title", title, "--body-file", str(file)], folder=context.repository.root)
    if done.code != 0:
        raise RepoError(
            f"gh pr create failed: {done.text.splitlines()[0] if done.text else done.code}",
            hint="run: gh auth login" if done.code == 4 else "run: gh pr list",
        )
    return done.text
