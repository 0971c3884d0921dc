"""One git repository as skillc sees it: where it is, what kind it is, and which commit is base.

Opening answers the questions that every command asks first, in one git call. Not here: objects
(repo.objects), moving refs (repo.commits), the ledger (repo.ledger).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from skillc.errors import RepoError
from skillc.repo import layout
from skillc.repo.git import Git, failure

REMOTE = "origin"


@dataclass(frozen=True)
class Base:
    """The base branch: its short name, the commit of admitted state, and the one whose policy counts.

    Both commits are None while the branch is unborn. `policy_commit` is the remote-tracking one where a
    remote is known, so that a local commit cannot change the registry.
    """

    branch: str
    commit: str | None
    policy_commit: str | None
    has_remote: bool

    @property
    def ref(self) -> str:
        return layout.LOCAL_REFS + self.branch


# Files of a git folder that stand for work that is not finished.
OPERATION_MARKS = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


@dataclass(frozen=True)
class Worktree:
    """One entry of git's list of work trees; `branch` is None while detached. The list itself may lie."""

    root: Path
    branch: str | None
    is_bare: bool


@dataclass(frozen=True)
class Repository:
    """An opened repository. `root` is the work tree, `private` the folder for everything derived.

    `is_dry` marks a dry run: nothing is written, caches included, and moving a ref is a bug.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    is_shallow: bool
    object_format: str
    git: Git
    is_dry: bool = False

    @staticmethod
    def open(folder: Path) -> "Repository":
        """Opens the repository around a folder. Raises RepoError with the next step when there is none."""
        git = Git(folder)
        answer = git.ask(
            "rev-parse",
            "--path-format=absolute",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--git-dir",
            "--git-common-dir",
            "--show-toplevel",
        )
        lines = answer.stdout.decode("utf-8", "surrogateescape").split("\n")
        if lines and lines[0] == "true":
            raise RepoError("this is a bare repository", hint="run skillc in a checkout of it: git clone <this folder>")
        if answer.code != 0:
            raise failure("rev-parse", answer)
        if len(lines) != 7:
            raise RepoError("the path of this repository holds a line break", hint="rename the folder")
        root, git_dir = Path(lines[5]), Path(lines[3])
        if not (root / ".git").exists():
            raise RepoError(
                f"the repository's configuration moves its work tree to {str(root)!r}",
                hint="if you did not set this: git config --unset core.worktree",
            )
        return Repository(
            root=root,
            git_dir=git_dir,
            common_dir=Path(lines[4]),
            is_shallow=lines[1] == "true",
            object_format=lines[2],
            git=Git(root),
        )

    def dry(self) -> "Repository":
        """Returns the same repository for a dry run."""
        return replace(self, is_dry=True)

    @property
    def private(self) -> Path:
        return self.common_dir / layout.PRIVATE_DIR

    @property
    def zero(self) -> str:
        """The id that means "no object" in this repository's object format."""
        return "0" * (64 if self.object_format == "sha256" else 40)

    @cached_property
    def settings(self) -> dict[str, str]:
        """The few git settings that skillc reads, by lower-case name; the last value of each."""
        names = (
            r"skillc\..*", r"init\.defaultbranch", r"user\.(name|email|signingkey)", r"commit\.gpgsign",
            r"remote\.origin\.url", r"core\.autocrlf",
        )  # fmt: skip
        wanted = f"^({'|'.join(names)})$"
        local, users = self.git.settings(wanted)
        return {key.lower(): value for key, value in (users | local).items()}

    def resolve(self, name: str) -> str | None:
        """Returns the full commit id of a revision, or None."""
        if name.startswith("-") or not name:
            return None
        answer = self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}")
        return answer.stdout.decode().strip() if answer.code == 0 else None

    def is_ancestor(self, old: str, new: str) -> bool:
        """Says whether `old` is `new` or one of its ancestors."""
        return self.git.ask("merge-base", "--is-ancestor", old, new).code == 0

    def merge_base(self, left: str, right: str) -> str | None:
        """Returns the commit at which two histories parted, None when they have nothing in common."""
        answer = self.git.ask("merge-base", left, right)
        return answer.stdout.decode().strip() or None if answer.code == 0 else None

    def head_branch(self) -> str | None:
        """Returns the branch that is checked out, also while unborn; None when HEAD is detached."""
        answer = self.git.ask("symbolic-ref", "--quiet", "HEAD")
        ref = answer.stdout.decode("utf-8", "surrogateescape").strip()
        return ref.removeprefix(layout.LOCAL_REFS) if answer.code == 0 and ref.startswith(layout.LOCAL_REFS) else None

    def base(self) -> Base:
        """Returns the base branch: `skillc.base` in git config, else origin's HEAD, else main or master."""
        refs = self.refs("refs/heads", f"refs/remotes/{REMOTE}")
        branch = self._base_name(refs)
        local = refs.get(layout.LOCAL_REFS + branch)
        remote = refs.get(f"refs/remotes/{REMOTE}/{branch}")
        if remote is None or local is None:
            commit = remote or local
        else:
            commit = local if local == remote or self.is_ancestor(remote, local) else remote
        return Base(branch, commit, remote or local, remote is not None)

    def _base_name(self, refs: dict[str, str]) -> str:
        named = self.settings.get("skillc.base")
        if named:
            if self.git.ask("check-ref-format", layout.LOCAL_REFS + named).code != 0:
                raise RepoError(
                    f"skillc.base in git config is no branch name: {named!r}",
                    hint="run: git config skillc.base main",
                )
            is_there = layout.LOCAL_REFS + named in refs or f"refs/remotes/{REMOTE}/{named}" in refs
            if not is_there and self.head_branch() != named:  # checked out, it has no commit yet
                raise RepoError(
                    f"skillc.base in git config names {named!r}, and there is no such branch",
                    hint="run: git config skillc.base NAME, or git config --unset skillc.base",
                )
            return named
        answer = self.git.ask("symbolic-ref", "--quiet", f"refs/remotes/{REMOTE}/HEAD")
        prefix = f"refs/remotes/{REMOTE}/"
        if answer.code == 0 and answer.stdout.decode("utf-8", "surrogateescape").startswith(prefix):
            return answer.stdout.decode("utf-8", "surrogateescape").strip().removeprefix(prefix)
        for name in ("main", "master"):
            if layout.LOCAL_REFS + name in refs or prefix + name in refs:
                return name
        return self._only_branch(refs) or self._configured_branch(refs) or self._unborn_branch(refs)

    def _only_branch(self, refs: dict[str, str]) -> str | None:
        """Returns the one local branch that is not ours, when there is just one."""
        names = _branches_of_people(refs)
        return names[0] if len(names) == 1 else None

    def _configured_branch(self, refs: dict[str, str]) -> str | None:
        name = self.settings.get("init.defaultbranch")
        return name if name and layout.LOCAL_REFS + name in refs else None

    def _unborn_branch(self, refs: dict[str, str]) -> str:
        """The branch that stands checked out is base only while there is no other: policy must not move with HEAD."""
        if _branches_of_people(refs):
            raise RepoError(
                "there is no branch main or master, so it is not clear which one is base",
                hint="run: git config skillc.base NAME",
            )
        return self.head_branch() or "main"

    def refs(self, *prefixes: str) -> dict[str, str]:
        """Returns full ref name -> commit id below the prefixes; symbolic refs are left out."""
        out = self.git.run("for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", *prefixes)
        found = {}
        for line in out.decode("utf-8", "surrogateescape").split("\n"):  # a ref may hold other line breaks
            name, _, rest = line.partition("\0")
            commit, _, symbolic = rest.partition("\0")
            if commit and not symbolic:
                found[name] = commit
        return found

    def worktrees(self) -> list[Worktree]:
        """Returns the work trees that git lists, the main one first."""
        out = self.git.run("worktree", "list", "--porcelain", "-z").decode("utf-8", "surrogateescape")
        found = []
        for block in out.split("\0\0"):
            fields = dict(item.partition(" ")[::2] for item in block.split("\0") if item)
            if "worktree" in fields:
                ref = fields.get("branch", "")
                branch = ref.removeprefix(layout.LOCAL_REFS) if ref.startswith(layout.LOCAL_REFS) else None
                found.append(Worktree(Path(fields["worktree"]), branch, "bare" in fields))
        return found

    def require_full_history(self) -> None:
        """Raises RepoError with the fetch line in a shallow clone, where versions cannot be seen."""
        if self.is_shallow:
            raise RepoError(
                "this clone is shallow, so the history of Skills cannot be read",
                hint="run: git fetch --unshallow",
            )

    def operation_under_way(self) -> str | None:
        """Returns the name of a merge, rebase or the like that is not finished in this work tree."""
        return next((name for mark, name in OPERATION_MARKS.items() if (self.git_dir / mark).exists()), None)


def _branches_of_people(refs: dict[str, str]) -> list[str]:
    names = [r.removeprefix(layout.LOCAL_REFS) for r in refs if r.startswith(layout.LOCAL_REFS)]
    return [name for name in names if not name.startswith("skillc/")]
