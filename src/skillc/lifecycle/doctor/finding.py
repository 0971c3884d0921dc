"""What a check of doctor says, and what the checks look at.

A check is a function from `Surroundings` to findings. It changes nothing, and uses no network but in `forge`.
Not here: the checks (the other modules of this folder), their order (table).
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from skillc.core.record import Record
from skillc.lifecycle.context import Context
from skillc.repo.repository import Repository


class State(StrEnum):
    """`ok`; `warn` for what is not well and works; `fail` for what does not work."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class DoctorFinding(Record):
    """One check: what was found, what that means, and the next step where there is one."""

    check: str
    state: State
    found: str
    meaning: str
    next_step: str | None = None


class DoctorReport(Record):
    """The answer of `skillc doctor`."""

    format: Literal["skillc.doctor/1"] = "skillc.doctor/1"
    findings: tuple[DoctorFinding, ...]
    failed: int
    warned: int


@dataclass(frozen=True)
class Surroundings:
    """Where doctor looks. Without a repository or a namespace the reason stands beside it."""

    folder: Path
    repository: Repository | None
    context: Context | None
    problem: str = ""
    hint: str | None = None


def ok(check: str, found: str, meaning: str = "") -> DoctorFinding:
    """Returns a finding that nothing is to be done about."""
    return DoctorFinding(check=check, state=State.OK, found=found, meaning=meaning)


def warn(check: str, found: str, meaning: str, next_step: str | None = None) -> DoctorFinding:
    """Returns a finding about what is not well."""
    return DoctorFinding(check=check, state=State.WARN, found=found, meaning=meaning, next_step=next_step)


def fail(check: str, found: str, meaning: str, next_step: str | None = None) -> DoctorFinding:
    """Returns a finding about what does not work."""
    return DoctorFinding(check=check, state=State.FAIL, found=found, meaning=meaning, next_step=next_step)
