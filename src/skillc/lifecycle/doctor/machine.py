"""Checks of this machine: programs, this account's keys, and where its configuration lies."""

import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from skillc.core.trace.verification import same_key
from skillc.errors import RepoError
from skillc.lifecycle.doctor.finding import DoctorFinding, Surroundings, fail, ok, warn
from skillc.repo.home import config_home, tool_key_path
from skillc.repo.keys import public_half, tool_key
from skillc.repo.program import run_program
from skillc.repo.session_spool import repository_around

NEEDED_PYTHON = (3, 11)
NEEDED_GIT = (2, 38)
NEEDED_SSH = (8, 2)
_TIMEOUT_S = 10
_NOWHERE = Path("/")  # no file of the repository decides how a program starts


def check_git(_: Surroundings) -> Iterator[DoctorFinding]:
    """git is new enough: an older one cannot merge in memory, which `verify --from-git` needs."""
    version = _version_of(["git", "--version"])
    if version is None:
        yield fail("git", "git does not start", "git is the store of everything", "install git 2.38 or newer")
    elif version < NEEDED_GIT:
        yield warn(
            "git",
            f"git {_dotted(version)}",
            "skillc is tested with 2.38 and newer; verify --from-git needs merges in memory",
            "install git 2.38 or newer",
        )
    else:
        yield ok("git", f"git {_dotted(version)}")


def check_python(_: Surroundings) -> Iterator[DoctorFinding]:
    """Python is new enough."""
    found = sys.version_info[:3]
    words = f"Python {_dotted(found)}"
    if found < NEEDED_PYTHON:
        yield fail("python", words, "skillc needs 3.11 or newer", "install Python 3.11 and skillc with it")
    else:
        yield ok("python", words)


def check_ssh_keygen(_: Surroundings) -> Iterator[DoctorFinding]:
    """ssh-keygen is here: it signs and checks every verification. Its version is that of ssh beside it."""
    if shutil.which("ssh-keygen") is None:
        yield fail(
            "ssh-keygen", "is not installed", "no outcome can be signed or checked", "install the OpenSSH client"
        )
        return
    version = _version_of(["ssh", "-V"])
    if version is None:
        yield warn("ssh-keygen", "is here; its version is not known", "signatures need OpenSSH 8.2 or newer")
    elif version < NEEDED_SSH:
        yield fail("ssh-keygen", f"OpenSSH {_dotted(version)}", "it cannot sign files", "install OpenSSH 8.2 or newer")
    else:
        yield ok("ssh-keygen", f"OpenSSH {_dotted(version)}")


def check_tool_key(at: Surroundings) -> Iterator[DoctorFinding]:
    """The tool key signs what checks of this machine say; it counts when base registers it."""
    key = tool_key()
    path = tool_key_path()
    if key is None or not path.exists():
        yield warn("tool key", "this machine has none", "checks that run here cannot be signed", "skillc init")
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        yield fail(
            "tool key",
            f"{path} has mode {mode:04o}",
            "others can read it, and sign as this machine",
            f"chmod 600 {shlex.quote(str(path))}",
        )
    if at.context is None:
        yield ok("tool key", "is here")
        return
    owners = [v.id for v in at.context.policy.verifiers if same_key(v.key, key)]
    where = "the work tree's skillc.yaml, not yet on base" if at.context.is_draft else at.context.base.branch
    if owners:
        yield ok("tool key", f"is registered for {', '.join(owners)} on {where}")
    else:
        yield warn(
            "tool key",
            f"is not registered on {at.context.base.branch}",
            "what this machine verifies is worth nothing, and check holds what it compiles",
            "skillc verifier add NAME --run 'COMMAND', and merge that",
        )


def check_configuration_place(at: Surroundings) -> Iterator[DoctorFinding]:
    """Keys and trust lie outside every repository: inside one they could be committed, or come from a stranger."""
    place = config_home()
    inside = repository_around(place)
    if inside is not None:
        own = at.repository is not None and os.path.realpath(at.repository.root) == os.path.realpath(inside)
        found = f"{place} lies inside the repository {inside}"
        meaning = "keys could be committed, and who writes to the repository decides what is trusted"
        next_step = "set XDG_CONFIG_HOME to a folder outside of it"
        yield (fail if own else warn)("configuration", found, meaning, next_step)
    else:
        yield ok("configuration", str(place))


def check_readable_keys(at: Surroundings) -> Iterator[DoctorFinding]:
    """Nobody else can read the private files of this account."""
    files = [path for path in config_home().rglob("*") if path.is_file() and path.suffix != ".pub"]
    files = [path for path in files if path != tool_key_path()]  # check_tool_key tells of it
    signing = Path(at.repository.settings.get("user.signingkey", "")).expanduser() if at.repository else Path()
    if signing.name and signing.suffix != ".pub" and signing.is_absolute() and signing.is_file():
        files.append(signing)
    open_to_others = [path for path in files if path.stat().st_mode & 0o077]
    for path in open_to_others:
        yield warn(
            "private files",
            f"{path} has mode {stat.S_IMODE(path.stat().st_mode):04o}",
            "other accounts of this machine can read it",
            f"chmod 600 {shlex.quote(str(path))}",
        )
    if not open_to_others:
        yield ok("private files", f"{len(files)} files that only you can read")


def check_gh(at: Surroundings) -> Iterator[DoctorFinding]:
    """gh opens pull requests; without it the commands are printed. Asks for no network."""
    if shutil.which("gh") is None:
        yield ok("gh", "is not installed", "review prints the commands for a pull request instead")
        return
    version = _version_of(["gh", "--version"])
    name = f"gh {_dotted(version)}" if version else "gh"
    try:
        has_token = run_program(["gh", "auth", "token"], folder=_NOWHERE, timeout_s=_TIMEOUT_S).code == 0
    except RepoError:
        has_token = False
    if has_token:
        yield ok("gh", f"{name}, logged in")
    else:
        yield warn("gh", f"{name}, not logged in", "it cannot open pull requests", "gh auth login")


def check_signing_key(at: Surroundings) -> Iterator[DoctorFinding]:
    """The key that git signs with is the one that a registered person judges with, where there is one."""
    if at.context is None or not at.context.policy.people:
        return
    named = at.context.repository.settings.get("user.signingkey", "")
    if not named:
        yield ok("your key", "git names no signing key", "verify --as takes the registered key from your ssh-agent")
        return
    try:
        own = (
            named.removeprefix("key::")
            if named.startswith(("key::", "ssh-"))
            else public_half(Path(named).expanduser())
        )
    except (RepoError, ValueError):
        yield warn(
            "your key",
            f"{named} has no public half here",
            "verify --as and signed merges need it",
            "set user.signingkey in your git configuration",
        )
        return
    people = [p.id for p in at.context.policy.people if same_key(p.key, own)]
    if people:
        yield ok("your key", f"is registered for {', '.join(people)}")
    else:
        yield ok("your key", "belongs to no registered person", "you cannot judge Traces or approve here")


def _version_of(argv: list[str]) -> tuple[int, ...] | None:
    """Returns the first version number that a program tells, None when it does not start."""
    try:
        done = run_program(argv, folder=_NOWHERE, timeout_s=_TIMEOUT_S)
    except RepoError:
        return None
    found = re.search(r"(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?", done.text)
    return tuple(int(part) for part in found.groups() if part is not None) if found else None


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
