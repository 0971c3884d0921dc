"""The history of the ledger's branch: when each record came, and whether anything but additions ever happened.

One pass of `git log`. A record that was there and changed or went, in any commit of any clone, is a break.
Paper: 5.6, Audit. Not here: the records at the tip (repo.ledger).
"""

from dataclasses import dataclass, field

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
class LedgerHistory:
    """`order` gives for each path the place of the commit that brought it first, ancestors before descendants."""

    order: dict[str, int] = field(default_factory=dict)
    breaks: tuple[Break, ...] = ()


_WORDS = {"M": "changed", "D": "removed", "T": "replaced by something else", "R": "renamed"}


def read_ledger_history(repository: Repository, tip: str) -> LedgerHistory:
    """Reads the whole history of the ledger, merges against each of their parents."""
    out = repository.git.run(
        "log", "--reverse", "--topo-order", "-m", "--raw", "-r", "--no-renames", "-z", "--format=%x01%H", tip
    )
    order: dict[str, int] = {}
    breaks: list[Break] = []
    place, commit, status = -1, "", ""
    for item in out.decode("utf-8", "surrogateescape").split("\0"):
        text = item.lstrip("\n")
        if text.startswith("\x01"):
            if text[1:].strip() != commit:
                place, commit = place + 1, text[1:].strip()
        elif text.startswith(":"):
            status = text.rsplit(" ", 1)[-1][:1]
        elif text and status:
            if status == "A":
                order.setdefault(text, place)
            else:
                breaks.append(Break(commit, text, _WORDS.get(status, "changed")))
            status = ""
    return LedgerHistory(order, tuple(breaks))


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
