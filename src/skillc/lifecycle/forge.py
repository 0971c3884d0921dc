"""The pull request of a candidate on a forge: opened with gh, or brought up to date when one is open.

gh must be installed and the remote on GitHub; else the exact commands are the hint. What others pushed to the branch
is never written over. Not here: what the pull request says (lifecycle.pull_request), the forge's settings
(lifecycle.doctor.forge).
"""

import json
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from skillc.core.record import Record
from skillc.errors import RepoError
from skillc.lifecycle.context import Context
from skillc.lifecycle.pull_request import pull_request
from skillc.lifecycle.review import ReviewedCandidate, next_steps
from skillc.repo import layout
from skillc.repo.program import ProgramResult, run_program
from skillc.repo.repository import REMOTE

_NEEDS_LOGIN = 4  # gh's exit code


class PullRequest(Record):
    """What happened to the pull request of one candidate. `reason` and `next` are of one that failed."""

    branch: str
    state: Literal["opened", "updated", "failed"]
    title: str = ""
    address: str = ""
    reason: str = ""
    next: str = ""


class PullRequestReport(Record):
    """The answer of `skillc review --create-pr`."""

    format: Literal["skillc.pull-requests/1"] = "skillc.pull-requests/1"
    pull_requests: tuple[PullRequest, ...]


def can_open_pull_request(context: Context) -> bool:
    """Says whether gh is here and origin is a GitHub repository."""
    url = context.repository.settings.get("remote.origin.url", "")
    return shutil.which("gh") is not None and re.search(r"(^|[@/.])github\.[a-z.]+[:/]", url) is not None


def put_pull_requests(context: Context, candidates: Iterable[ReviewedCandidate]) -> PullRequestReport:
    """Does it for each candidate; one that fails stops no other."""
    done = []
    for candidate in candidates:
        try:
            done.append(put_pull_request(context, candidate))
        except RepoError as error:
            failed = PullRequest(branch=candidate.branch, state="failed", reason=error.message, next=error.hint or "")
            done.append(failed)
    return PullRequestReport(pull_requests=tuple(done))


def put_pull_request(context: Context, candidate: ReviewedCandidate) -> PullRequest:
    """Pushes the candidate branch, and opens its pull request or writes title and body of the open one again."""
    if not can_open_pull_request(context):
        steps = "\n  ".join(next_steps(context, candidate).forge)
        raise RepoError("gh or a GitHub remote is not here", hint=f"run:\n  {steps}")
    title, body = pull_request(candidate)
    _push(context, candidate.branch)
    open_one = _open_pull_request(context, candidate.branch)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "body.md"
        file.write_bytes(body.encode("utf-8"))
        said = ["--title", title, "--body-file", str(file)]
        if open_one is not None:
            _gh(context, "edit", str(open_one[0]), *said)
            return PullRequest(state="updated", branch=candidate.branch, title=title, address=open_one[1])
        done = _gh(context, "create", "--base", context.base.branch, "--head", candidate.branch, *said)
    return PullRequest(state="opened", branch=candidate.branch, title=title, address=done.text)


def _push(context: Context, branch: str) -> None:
    """Pushes over an older run of ours, and over nothing that a person committed or that came meanwhile."""
    git, ref, tracking = context.repository.git, f"refs/heads/{branch}", f"refs/remotes/{REMOTE}/{branch}"
    refs = context.repository.refs(ref, tracking)
    local, theirs = refs.get(ref), refs.get(tracking)
    if local is not None and local == theirs:
        return
    again = f"git fetch {REMOTE}, then look: git log {REMOTE}/{branch}"
    is_moved = theirs is not None and local is not None and not context.repository.is_ancestor(theirs, local)
    if is_moved and git.line("log", "-1", "--format=%ae", theirs or "") != layout.IDENTITY_EMAIL:
        raise RepoError(f"a person committed to {branch} on {REMOTE}; a push would lose that", hint=again)
    lease = f"--force-with-lease={ref}:{theirs or ''}"
    answer = git.ask("push", "--quiet", "--no-verify", lease, REMOTE, f"{ref}:{ref}")
    if answer.code != 0:
        reason = "moved there since the last fetch" if "stale info" in answer.stderr else "was not taken"
        raise RepoError(f"{branch} {reason}, so nothing was pushed", hint=again)


def _open_pull_request(context: Context, branch: str) -> tuple[int, str] | None:
    """Returns number and address of the open pull request of our own branch; one of a fork is another's."""
    fields = "number,url,isCrossRepository"
    done = _gh(context, "list", "--head", branch, "--state", "open", "--json", fields)
    try:
        found = [p for p in json.loads(done.text) if not p["isCrossRepository"]]
        return (int(found[0]["number"]), str(found[0]["url"])) if found else None
    except (ValueError, TypeError, KeyError) as error:
        raise RepoError("gh pr list gave no list of pull requests", hint="update gh, or run: gh pr list") from error


def _gh(context: Context, *arguments: str) -> ProgramResult:
    done = run_program(["gh", "pr", *arguments], folder=context.repository.root)
    if done.code != 0:
        said = done.text.splitlines()[0] if done.text else str(done.code)
        following = "run: gh auth login" if done.code == _NEEDS_LOGIN else "run: gh pr list"
        if "not permitted to create" in done.text:
            following = "let Actions create pull requests in the repository's settings; see: skillc doctor --forge"
        raise RepoError(f"gh pr {arguments[0]} failed: {said}", hint=following)
    return done
