"""The newest part of the history of base, read once: which commit came in with which first-parent commit.

One bounded walk from the tip backwards serves every Trace. Not here: merges and reverts (repo.landings), the
history of Skill folders (repo.history).
"""

from dataclasses import dataclass
from functools import cached_property

from skillc.repo.repository import Repository

MAX_COMMITS = 20_000


@dataclass(frozen=True)
class BaseCommit:
    """A commit of base's history. `at` is the committer's time in seconds."""

    id: str
    tree: str
    parents: tuple[str, ...]
    at: int
    message: str


class BaseHistory:
    """`chain` are the first parents of base, oldest first; `landed_at` is the place in it at which a commit came in."""

    def __init__(self, repository: Repository, base: str, *, known: list[str]) -> None:
        """Reads base's history down to the best common ancestor of base and the `known` commits."""
        self._repository = repository
        self._limits = self._below(base, known)
        options = ("--topo-order", "-z", f"--max-count={MAX_COMMITS}", "--format=%H%x01%T%x01%P%x01%ct%x01%B")
        out = repository.git.run("log", *options, base, *self._limits).decode("utf-8", "replace")
        self.commits: dict[str, BaseCommit] = {}
        for item in out.split("\0"):
            fields = item.split("\x01", 4)
            if len(fields) == 5:
                commit, tree, parents, at, message = fields
                self.commits[commit] = BaseCommit(commit, tree, tuple(parents.split()), int(at), message)
        self.is_cut = len(self.commits) >= MAX_COMMITS
        self.chain: list[str] = []
        at_commit: str | None = base
        while at_commit is not None and at_commit in self.commits:
            self.chain.append(at_commit)
            parents_of = self.commits[at_commit].parents
            at_commit = parents_of[0] if parents_of else None
        self.chain.reverse()
        self.landed_at: dict[str, int] = {}
        for place, commit in enumerate(self.chain):
            self._land(commit, place)
        # A stable sort of a topological order: within one place, ancestors stay first.
        self.oldest_first = list(self.commits)
        self.oldest_first.reverse()
        self.oldest_first.sort(key=lambda c: self.landed_at.get(c, -1))

    def _below(self, base: str, known: list[str]) -> list[str]:
        if not known:
            return []
        answer = self._repository.git.ask("merge-base", "--octopus", base, *sorted(set(known)))
        found = answer.stdout.decode().split()
        return [f"^{parent}" for parent in self._parents_of(found[0])] if answer.code == 0 and found else []

    def _parents_of(self, commit: str) -> list[str]:
        return self._repository.git.line("rev-list", "--parents", "--max-count=1", commit).split()[1:]

    def _land(self, commit: str, place: int) -> None:
        waiting = [commit]
        while waiting:
            one = waiting.pop()
            if one in self.landed_at or one not in self.commits:
                continue
            self.landed_at[one] = place
            waiting.extend(self.commits[one].parents)

    def landed_with(self, place: int) -> list[str]:
        """Returns the commits that came in at this place of the chain, ancestors first."""
        return self._by_place.get(place, [])

    @cached_property
    def _by_place(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for commit in self.oldest_first:
            found.setdefault(self.landed_at.get(commit, -1), []).append(commit)
        return found

    @cached_property
    def chain_paths(self) -> dict[str, frozenset[str]]:
        """The paths that each commit of the chain changed against its first parent."""
        if not self.chain:
            return {}
        out = self._repository.git.run(
            "log", "--first-parent", "--diff-merges=first-parent", "--name-only", "-r", "-z", "--no-renames",
            f"--max-count={len(self.chain)}", "--format=%x01%H", self.chain[-1],
        )  # fmt: skip
        found: dict[str, set[str]] = {}
        paths: set[str] = set()
        for field in out.decode("utf-8", "surrogateescape").split("\0"):
            text = field.lstrip("\n")
            if text.startswith("\x01"):
                paths = found.setdefault(text[1:].strip(), set())
            elif text:
                paths.add(text)
        return {commit: frozenset(names) for commit, names in found.items()}
