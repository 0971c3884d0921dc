"""What `skillc check` says of one thing that is not right.

Not here: what is looked at (lifecycle.check, lifecycle.check_commits).
"""

from skillc.core.record import Record


class Problem(Record):
    """One thing that is not right. `hold` problems wait for something that is not here."""

    code: str
    path: str
    skill: str | None
    message: str
    next: str
    hold: bool = False


def problem_of(code: str, path: str, skill: str | None, message: str, following: str, *, hold: bool = False) -> Problem:
    """Returns a problem; `following` is what to do about it."""
    return Problem(code=code, path=path, skill=skill, message=message, next=following, hold=hold)
