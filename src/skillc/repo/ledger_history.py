"""The history of the ledger's branch: when each record came, and whether anything but additions ever happened.

One pass of `git log`. A record that was there and changed or went, in any commit of any clone, is a break.
Paper: 5.6, Audit. Not here: the records at the tip (repo.ledger).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from skillc.repo import layout
from skillc.repo.files import read_small, write_whole
from skillc.repo.repository import REMOTE, Repository

PIN_FILE = "ledger.pin"


@dataclass(frozen=True)
class Break:
    """A commit that took a record away or changed it."""

    commit: str
    path: str
    what: str


@dataclass(frozen=True)
class Dated:
    """When a record came: not before `at`, and not after `until`; None where nothing later tells."""

    at: datetime
    until: datetime | None


@dataclass(frozen=True)
class LedgerHistory:
    """`order` gives for each path the place of the commit that brought it first, ancestors before descendants.

    `dates` gives the bounds of its time: a commit comes after its parents and before its children, whatever it says.
    """

    order: dict[str, int] = field(default_factory=dict)
    breaks: tuple[Break, ...] = ()
    dates: Mapping[str, Dated] = field(default_factory=dict)


@dataclass
class _Commit:
    """One commit of the ledger. `is_clocked`: its date is that of a clock, and not that of the newest source."""

    date: datetime
    parents: tuple[str, ...]
    is_clocked: bool = True
    at: datetime | None = None
    until: datetime | None = None


_WORDS = {"M": "changed", "D": "removed", "T": "replaced by something else", "R": "renamed"}


def read_ledger_history(repository: Repository, tip: str) -> LedgerHistory:
    """Reads the whole history of the ledger, merges against each of their parents."""
    out = repository.git.run(
        "log", "--reverse", "--topo-order", "-m", "--raw", "-r", "--no-renames", "-z", "--format=%x01%H %ct %P", tip
    )
    commits: dict[str, _Commit] = {}
    first: dict[str, str] = {}
    order: dict[str, int] = {}
    breaks: list[Break] = []
    place, commit, status = -1, "", ""
    for item in out.decode("utf-8", "surrogateescape").split("\0"):
        text = item.lstrip("\n")
        if text.startswith("\x01"):
            found, seconds, *parents = text[1:].split()
            if found != commit:
                place, commit = place + 1, found
                is_clocked = len(parents) < 2  # a merge has the date of the newer side, the same in every clone
                commits[commit] = _Commit(datetime.fromtimestamp(int(seconds), UTC), tuple(parents), is_clocked)
        elif text.startswith(":"):
            status = text.rsplit(" ", 1)[-1][:1]
        elif text and status:
            if status == "A":
                order.setdefault(text, place)
                first.setdefault(text, commit)
                # A run is dated by the newest Trace that it read, so that it is the same on every machine.
                commits[commit].is_clocked &= not text.startswith("runs/")
            else:
                breaks.append(Break(commit, text, _WORDS.get(status, "changed")))
            status = ""
    _bound(commits)
    return LedgerHistory(order, tuple(breaks), {path: _dated(commits[c]) for path, c in first.items()})


def _dated(commit: _Commit) -> Dated:
    at = commit.at or commit.date
    return Dated(at, None if commit.until is None else max(at, commit.until))  # clocks differ


def _bound(commits: dict[str, _Commit]) -> None:
    """Sets the bounds of every commit; they come in the order of ancestors first."""
    for commit in commits.values():
        before = (commits[p].at for p in commit.parents if p in commits)
        commit.at = max((commit.date, *(at for at in before if at is not None)))
    for commit in reversed(commits.values()):
        if commit.is_clocked:
            commit.until = min(commit.until or commit.date, commit.date)
        for parent in (commits[p] for p in commit.parents if p in commits):
            if commit.until is not None:
                parent.until = min(parent.until or commit.until, commit.until)


def pinned_ledgers(repository: Repository) -> dict[str, str]:
    """Returns where a pin is kept -> the ledger commit that it names: what this clone and its remote once saw."""
    found = {}
    remote = f"refs/remotes/{REMOTE}/{layout.LEDGER_BRANCH}"
    seen = repository.refs(remote).get(remote)
    if seen is not None:
        found[f"{REMOTE}/{layout.LEDGER_BRANCH}"] = seen
    data = read_small(repository.private / PIN_FILE, limit=200)
    if data is not None and data.strip():
        found["the pin of this clone"] = data.decode("ascii", "replace").strip()
    return found


def pin_ledger(repository: Repository, commit: str) -> None:
    """Keeps the ledger's tip, so that a later audit finds a ledger that was cut."""
    repository.private.mkdir(parents=True, exist_ok=True)
    write_whole(repository.private / PIN_FILE, commit.encode("ascii") + b"\n")
