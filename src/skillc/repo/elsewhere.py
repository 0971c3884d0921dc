"""Another repository, taken into a throw-away clone: its base, ledger and candidates, and nothing of its Traces.

No file is checked out and no hook runs; what is pushed back moves all of its refs or none, from where they were seen.
Not here: what is written there (lifecycle.publish).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skillc.errors import RepoError, UsageError
from skillc.repo import layout
from skillc.repo.commits import RefUpdate
from skillc.repo.git import failure
from skillc.repo.repository import REMOTE, Repository
from skillc.repo.temporary import temporary_folder

_OWN = (layout.LEDGER_REF, layout.CANDIDATE_REFS)


def address_of(repository: Repository, place: str) -> str:
    """Returns what a person names as an address: a remote of this repository, a folder, or a URL."""
    if place.startswith("-") or "\n" in place or "::" in place.split("/", 1)[0]:
        raise UsageError(f"{place!r} is no repository", hint="name a folder, a remote of this repository, or a URL")
    answer = repository.git.ask("remote", "get-url", place)
    if answer.code == 0:
        return answer.stdout.decode("utf-8", "surrogateescape").strip()
    path = Path(place).expanduser()
    return os.path.abspath(path) if path.exists() else place


@contextmanager
def clone_of(repository: Repository, address: str) -> Iterator[Path]:
    """Gives the clone's folder; it is gone afterwards."""
    with temporary_folder("publish") as folder:
        place = folder / "there"
        options = ["--quiet", "--no-checkout", "--no-tags", "--single-branch", "--template="]
        base = Repository.open(Path(address)).base() if Path(address).is_dir() and not _is_bare(address) else None
        options += [f"--branch={base.branch}"] if base is not None else []
        answer = repository.git.ask("clone", *options, "--", address, str(place))
        if answer.code != 0:
            raise failure("clone", answer)
        there = Repository.open(place)
        if base is not None:
            there.git.run("config", "skillc.base", base.branch)
        wanted = (f"+{prefix}*:{prefix}*" for prefix in _OWN)
        fetched = there.git.ask("fetch", "--quiet", "--no-tags", REMOTE, *wanted)
        if fetched.code != 0:
            raise failure("fetch", fetched)
        yield place


def _is_bare(address: str) -> bool:
    return not (Path(address) / ".git").exists()


def push_all(repository: Repository, updates: list[RefUpdate]) -> None:
    """Moves all these refs of the other repository, each from its old value, or none of them."""
    leases = [f"--force-with-lease={u.ref}:{u.old or ''}" for u in updates]
    moves = [f"{u.new}:{u.ref}" for u in updates]
    answer = repository.git.ask("push", "--quiet", "--no-verify", "--atomic", *leases, REMOTE, *moves)
    if answer.code == 0:
        return
    if "stale info" in answer.stderr or "rejected" in answer.stderr:
        raise RepoError("the other repository moved meanwhile, or refuses the push", hint="run the command again")
    raise failure("push", answer)
