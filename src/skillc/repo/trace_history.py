"""What happened to the files of Traces after they were stored: a closed Trace changes only by a deletion.

One pass of `git log` over the branch, or one comparison where Traces lie in the tree of base.
Paper: 5.1, 5.6. Not here: what is right of it (lifecycle.check_traces).
"""

from dataclasses import dataclass

from skillc.repo import layout
from skillc.repo.repository import Repository


@dataclass(frozen=True)
class ChangedTrace:
    """One change of a stored file. `new` is None where it was removed."""

    commit: str
    path: str
    old: str
    new: str | None


def changed_traces(repository: Repository, tip: str, *, since: str | None = None) -> tuple[ChangedTrace, ...]:
    """Returns every change of a stored Trace in the history of `tip`, from `since` on; additions are none."""
    span = f"{since}..{tip}" if since is not None else tip
    out = repository.git.run(
        "log", "-m", "--raw", "-r", "--no-renames", "--no-abbrev", "-z", "--diff-filter=MDT", "--format=%x01%H", span,
        "--", layout.TRACES_DIR,
    )  # fmt: skip
    found: list[ChangedTrace] = []
    commit, fields = "", [""]
    for item in out.decode("utf-8", "surrogateescape").split("\0"):
        text = item.lstrip("\n")
        if text.startswith("\x01"):
            commit = text[1:].strip()
        elif text.startswith(":"):
            fields = text[1:].split(" ")
        elif text and len(fields) == 5:
            gone = fields[4].startswith("D") or fields[1] != "100644"
            found.append(ChangedTrace(commit, text, fields[2], None if gone else fields[3]))
            fields = [""]
    return tuple(found)
