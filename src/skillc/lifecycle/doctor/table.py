"""All checks of doctor in the order in which they are told, and one look that makes all of them.

A check that cannot be made is itself a finding: doctor ends with a report, whatever it meets. Only the checks of
the forge use a network, and only when they are asked for.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from skillc.errors import SkillcError
from skillc.lifecycle.context import open_context
from skillc.lifecycle.doctor import forge, hooks, machine, repository
from skillc.lifecycle.doctor.finding import DoctorFinding, DoctorReport, State, Surroundings, fail
from skillc.repo.repository import Repository

Check = Callable[[Surroundings], Iterator[DoctorFinding]]
CHECKS: tuple[Check, ...] = (
    machine.check_git,
    machine.check_python,
    machine.check_ssh_keygen,
    repository.check_repository,
    repository.check_base,
    repository.check_links,
    repository.check_policy,
    repository.check_work_tree_policy,
    repository.check_writable,
    repository.check_attributes,
    repository.check_ignored,
    repository.check_file_system,
    repository.check_locks,
    machine.check_configuration_place,
    machine.check_tool_key,
    machine.check_readable_keys,
    machine.check_signing_key,
    repository.check_people,
    repository.check_trust,
    hooks.check_registered,
    hooks.check_programs,
    hooks.check_switched_off,
    hooks.check_codex,
    hooks.check_off,
    hooks.check_log,
    hooks.check_spool,
    machine.check_gh,
    repository.check_secrets,
)


def examine(folder: Path, *, asks_forge: bool = False) -> DoctorReport:
    """Makes every check around a folder; those that ask the forge only when a person wants them."""
    at = _surroundings(folder)
    checks = (*CHECKS, forge.check_forge) if asks_forge else CHECKS
    findings = [finding for check in checks for finding in _made(check, at)]
    states = [finding.state for finding in findings]
    return DoctorReport(findings=tuple(findings), failed=states.count(State.FAIL), warned=states.count(State.WARN))


def _made(check: Check, at: Surroundings) -> list[DoctorFinding]:
    try:
        return list(check(at))
    except SkillcError as error:
        return [fail(_name_of(check), error.message, "this cannot be checked", error.hint)]
    except OSError as error:
        return [fail(_name_of(check), f"{error.strerror}: {error.filename}", "this cannot be checked")]


def _name_of(check: Check) -> str:
    return check.__name__.removeprefix("check_").replace("_", " ")


def _surroundings(folder: Path) -> Surroundings:
    try:
        opened = Repository.open(folder)
    except SkillcError as error:
        return Surroundings(folder, None, None, error.message, error.hint)
    try:
        return Surroundings(folder, opened, open_context(folder, for_reading=True))
    except SkillcError as error:
        return Surroundings(folder, opened, None, error.message, error.hint)
