"""The commits that a transcript itself shows: the only ones that a session can be tied to without its host.

Reads the shell commands of a session and what they printed, in order. Trusts an output only for the command
that prints such a thing, so a file that merely contains `[main abc1234]` shows no commit.
Not here: what git says today (lifecycle.session_commits).
"""

import re

from skillc.core.trace.records import GitContext
from skillc.importers.base import GitFacts

MAX_COMMITS = 200
_MAKES_COMMIT = re.compile(r"\bgit\b[^|;&\n]{0,200}?\b(?:commit|cherry-pick|revert|merge|rebase|am)\b")
_COMMIT_LINE = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,64})\] ", re.MULTILINE)
_SHOWS_HEAD = re.compile(
    r"\bgit rev-parse(?: --short(?:=\d+)?)?(?: --verify)? HEAD\b|\bgit log(?: -{1,2}[\w=%:\"' .-]+)*\s*(?:$|[|;&\n)])"
)
_HEAD_LINE = re.compile(r"^(?:commit )?([0-9a-f]{7,64})(?=\s|$)", re.MULTILINE)


class ShownCommits:
    """Collects the commits of one session. Give it each git command with its output."""

    def __init__(self, start: str | None = None) -> None:
        self._start = start
        self._commits: list[str] = []
        self._unseen = False

    def observe(self, command: str, output: str) -> None:
        """Reads one finished command. Outputs are read up to their first 20,000 characters."""
        output = output[:20_000]
        if _MAKES_COMMIT.search(command):
            shown = _COMMIT_LINE.findall(output)
            for sha in shown:
                self._add(sha)
            self._unseen = not shown and "commit" in command
        if _SHOWS_HEAD.search(command):
            last = output.rfind("] ") if self._commits else -1
            match = _HEAD_LINE.search(output, max(0, last))
            if match:
                self._head(match[1])

    def context(self, branch: str | None) -> GitContext | None:
        """Returns the git context: where HEAD was, what was committed, where it ended; None when nothing showed."""
        if not (branch or self._start or self._commits):
            return None
        end = self._commits[-1] if self._commits else self._start
        return GitContext(branch=branch, head_start=self._start, head_end=end, commits=tuple(self._commits))

    def _head(self, sha: str) -> None:
        if self._commits and _same(self._commits[-1], sha):
            self._commits[-1] = max(self._commits[-1], sha, key=len)
        elif self._unseen:
            self._add(sha)
        elif not self._commits and self._start is None:
            self._start = sha
        self._unseen = False

    def _add(self, sha: str) -> None:
        if len(self._commits) < MAX_COMMITS and not (self._commits and _same(self._commits[-1], sha)):
            self._commits.append(sha)


def with_facts(shown: GitContext | None, facts: GitFacts) -> GitContext | None:
    """Adds what the hook saw to what the transcript shows; the hook's ids are whole.

    HEAD at the end counts as the session's commit only when it moved, or when the transcript shows it: a session
    that committed nothing has no commit that holds its work, and so no `head_end`.
    """
    if facts.head_start is None and facts.head_end is None:
        return shown
    git = shown or GitContext()
    begin, end = facts.head_start or git.head_start, facts.head_end
    commits, last = git.commits, git.commits[-1] if git.commits else None
    if end is not None and last is not None and _same(last, end):
        commits, last = (*commits[:-1], end), end
    elif end is not None and begin is not None and not _same(begin, end):
        commits, last = (*commits, end), end
    return git.model_copy(update={"head_start": begin, "head_end": last, "commits": commits})


def _same(left: str, right: str) -> bool:
    return left.startswith(right) or right.startswith(left)
