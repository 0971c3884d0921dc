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
        self.has_unseen = False  # a command may have committed, and what it printed shows no id

    def observe(self, command: str, output: str) -> None:
        """Reads one finished command. Outputs are read up to their first 20,000 characters."""
        output = output[:20_000]
        if _MAKES_COMMIT.search(command):
            shown = _COMMIT_LINE.findall(output)
            for sha in shown:
                self._add(sha)
            self._unseen = not shown and "commit" in command
            self.has_unseen = self.has_unseen or not shown
        if _SHOWS_HEAD.search(command):
            last = output.rfind("] ") if self._commits else -1
            match = _HEAD_LINE.search(output, max(0, last))
            if match:
                self._head(match[1])

    def context(self, branch: str | None) -> GitContext | None:
        """Returns the git context: where HEAD was, what was committed, the last of it; None when nothing showed."""
        if not (branch or self._start or self._commits):
            return None
        end = self._commits[-1] if self._commits else None
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


def with_facts(shown: GitContext | None, facts: GitFacts, *, has_unseen: bool) -> GitContext | None:
    """Adds what the hook saw to what the transcript shows; the hook's ids are whole.

    A commit is the session's own when its transcript shows it. Where a command may have committed without showing an
    id, what git's log of HEAD says was committed meanwhile is its own too; where that log does not tell, HEAD is, if
    it moved. A session that committed nothing has no `head_end`, whatever branch it left checked out.
    """
    if facts.head_start is None and facts.head_end is None:
        return shown
    git = shown or GitContext()
    begin = facts.head_start or git.head_start
    ids = (*(facts.commits or ()), *([facts.head_end] if facts.head_end else []))
    known = tuple(_whole(sha, ids) for sha in git.commits)
    if has_unseen and facts.is_whole:
        if facts.commits is not None:
            known = (*(sha for sha in known if sha not in facts.commits), *facts.commits)
        elif facts.head_end and not (begin and _same(begin, facts.head_end)) and facts.head_end not in known:
            known = (*known, facts.head_end)
    commits = known[:MAX_COMMITS]
    return git.model_copy(
        update={"head_start": begin, "head_end": commits[-1] if commits else None, "commits": commits}
    )


def _whole(sha: str, ids: tuple[str, ...]) -> str:
    return next((found for found in ids if found.startswith(sha)), sha)


def _same(left: str, right: str) -> bool:
    return left.startswith(right) or right.startswith(left)
