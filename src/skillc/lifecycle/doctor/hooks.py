"""Checks of capture by hook: registered, runnable, not switched off, and nothing stuck on its way."""

import os
import shlex
import shutil
import time
from collections.abc import Iterator

from skillc.lifecycle.doctor.finding import DoctorFinding, Surroundings, fail, ok, warn
from skillc.lifecycle.host_settings import (
    codex_hooks_off,
    hook_place,
    hooks_switched_off,
    is_readable,
    registered_commands,
)
from skillc.repo import layout
from skillc.repo.host_folders import HOSTS, host_home, settings_file
from skillc.repo.session_spool import hook_log, logged, read_spool, spool_folders

_DAY_S = 86400
_RECENT_S = 7 * _DAY_S


def check_registered(at: Surroundings) -> Iterator[DoctorFinding]:
    """The hook is in the settings of every host that is used here."""
    root = at.repository.root if at.repository else at.folder
    for host in HOSTS:
        place = hook_place(host, root)
        own = settings_file(host, None)
        if not is_readable(own):
            yield warn(
                f"hook of {host}", f"{own} is not plain JSON", "the host may ignore it, and skillc leaves it alone"
            )
        elif place != "none":
            yield ok(f"hook of {host}", f"registered ({place})")
        elif host_home(host).is_dir():
            yield warn(
                f"hook of {host}",
                "not registered, and the host is used on this machine",
                "its sessions are captured only by a command",
                f"skillc init --host {host}",
            )
        else:
            yield ok(f"hook of {host}", "not registered; the host is not used on this machine")


def check_programs(at: Surroundings) -> Iterator[DoctorFinding]:
    """The program that a registered hook names is there."""
    root = at.repository.root if at.repository else at.folder
    for host in HOSTS:
        for path, command in registered_commands(host, root):
            program = _program_of(command)
            if _is_executable(program):
                yield ok(f"hook program of {host}", program)
            else:
                yield fail(
                    f"hook program of {host}",
                    f"{path} names {program!r}, which is no program here",
                    "the host cannot start the hook, so nothing is captured",
                    f"skillc init --host {host}",
                )


def _program_of(command: str) -> str:
    """Returns the program of a hook's command; a shared one first asks whether there is one."""
    try:
        return shlex.split(command.rpartition("; exec ")[2])[0]
    except (ValueError, IndexError):
        return command.split(" ", 1)[0]


def _is_executable(program: str) -> bool:
    if "/" in program:
        return os.path.isfile(program) and os.access(program, os.X_OK)
    return shutil.which(program) is not None


def check_switched_off(at: Surroundings) -> Iterator[DoctorFinding]:
    """No setting of Claude Code keeps its hooks from running."""
    root = at.repository.root if at.repository else at.folder
    found = hooks_switched_off(root)
    for off in found:
        who = "your organisation" if off.is_managed else "you"
        yield (fail if hook_place("claude-code", root) != "none" else warn)(
            "hooks of claude-code",
            f"{off.setting} is set in {off.path}",
            f"the hook never runs; only {who} can change that",
            "run now and then: skillc capture --all" if off.is_managed else f"remove {off.setting} from {off.path}",
        )
    if not found:
        yield ok("hooks of claude-code", "no setting switches them off")


def check_codex(at: Surroundings) -> Iterator[DoctorFinding]:
    """Codex runs hooks only when they are on, and trusted by the person."""
    root = at.repository.root if at.repository else at.folder
    if hook_place("codex", root) == "none":
        return
    off = codex_hooks_off()
    if off is not None:
        yield fail("hooks of codex", f"{off} switches them off", "the hook never runs", f"set hooks = true in {off}")
    else:
        yield ok("hooks of codex", "on; a hook runs once you trusted it in Codex: /hooks")


def check_off(at: Surroundings) -> Iterator[DoctorFinding]:
    """Capture by hook is not switched off here."""
    if os.environ.get("SKILLC_OFF", "") not in ("", "0"):
        yield warn("capture", "SKILLC_OFF is set in this shell", "hosts started from it capture nothing", "unset it")
    if at.repository is not None and os.path.lexists(at.repository.private / layout.OFF_FILE):
        yield warn("capture", "off in this repository", "no session is captured by the hook", "skillc capture --on")
    elif os.environ.get("SKILLC_OFF", "") in ("", "0"):
        yield ok("capture", "on")


def check_log(_: Surroundings) -> Iterator[DoctorFinding]:
    """The hook had no trouble lately."""
    path = hook_log()
    recent = [words for at, words in logged(path) if time.time() - at < _RECENT_S]
    if recent:
        yield warn(
            "hook log",
            f"{len(recent)} errors in the last 7 days, the last: {recent[-1]}",
            "a session may not be in the spool",
            f"read {path}; then run: skillc capture --all",
        )
    else:
        yield ok("hook log", "no error in the last 7 days")


def check_spool(at: Surroundings) -> Iterator[DoctorFinding]:
    """What the hook wrote is taken within a day."""
    if at.repository is None:
        return
    sessions = read_spool(at.repository, drops_bad=False)
    stuck = [s for s in sessions if s.turn_ended and time.time() - s.at > _DAY_S]
    if stuck:
        yield warn(
            "spool",
            f"{len(stuck)} sessions wait for more than a day",
            "their transcripts may be deleted before they are captured",
            "skillc capture --drain",
        )
    else:
        yield ok("spool", f"{len(sessions)} sessions wait")
    own = spool_folders(at.repository)[0]
    if own.is_dir() and not os.access(own, os.W_OK):
        yield warn("spool", f"{own} takes no files", "the hook writes to your own folder instead")
