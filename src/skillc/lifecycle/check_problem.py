"""What `skillc check` says of one thing that is not right, and at which line of its file, where it has one.

Not here: what is looked at (lifecycle.check, lifecycle.check_commits).
"""

from skillc.core.record import Record, pretty_json
from skillc.core.skill.contract import Contract


class Problem(Record):
    """One thing that is not right. `hold` problems wait for something that is not here."""

    code: str
    path: str
    skill: str | None
    message: str
    next: str
    hold: bool = False
    line: int | None = None


def problem_of(
    code: str,
    path: str,
    skill: str | None,
    message: str,
    following: str,
    *,
    hold: bool = False,
    line: int | None = None,
) -> Problem:
    """Returns a problem; `following` is what to do about it."""
    return Problem(code=code, path=path, skill=skill, message=message, next=following, hold=hold, line=line)


def line_of_claim(contract: Contract, claim_id: str) -> int | None:
    """Returns the line of contract.json, as skillc writes it, that names a claim."""
    wanted = f'"id": "{claim_id}"'
    lines = pretty_json(contract).decode("utf-8").split("\n")
    return next((number for number, line in enumerate(lines, 1) if wanted in line), None)


def first_difference(found: bytes, wanted: bytes) -> int:
    """Returns the first line in which two texts differ."""
    pairs = zip(found.split(b"\n"), wanted.split(b"\n"), strict=False)
    return next((n for n, (a, b) in enumerate(pairs, 1) if a != b), min(found.count(b"\n"), wanted.count(b"\n")) + 1)
