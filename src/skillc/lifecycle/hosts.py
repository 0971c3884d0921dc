"""Registering the capture hook with an agent host, and taking it away again; nothing else in its settings changes.

The settings are the person's: they are merged, never overwritten, and a file that is not plain JSON is refused
with the lines to add or take out by hand. Not here: what the hook does (skillc.hook).
"""

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Literal

from skillc.core.record import Record
from skillc.errors import DataError, RepoError, UsageError
from skillc.repo.files import read_small, write_whole
from skillc.repo.home import config_home, read_state, write_state
from skillc.repo.host_folders import HOSTS, settings_file
from skillc.repo.repository import Repository

MAX_SETTINGS_BYTES = 4 * 1024 * 1024
HookEvent = Literal["SessionStart", "Stop", "SessionEnd"]
# Seconds where the host counts seconds. Codex caps the end of a session at 3, Claude Code raises its 1.5 to this.
_EVENTS: dict[str, tuple[tuple[str, int], ...]] = {
    "claude-code": (("SessionStart", 10), ("Stop", 10), ("SessionEnd", 10)),
    "codex": (("SessionStart", 10), ("Stop", 10), ("SessionEnd", 3)),
    "gemini": (("SessionStart", 10_000), ("AfterAgent", 10_000), ("SessionEnd", 10_000)),  # milliseconds
}
_OURS = re.compile(r"(?:^|[/\\\s'\"])skillc(?:\.exe)?['\"]? capture --hook\b")
_MADE = "made-settings.json"  # which settings files were not there before us
_NOT_FOR_AGENTS = ("approve", "trust", "verify --as")
# Claude Code matches `*` with any text: another path to skillc, a program before it, an option that comes late.
_NOT_ANYWHERE_IN_A_LINE = ("skillc approve", "skillc trust", "skillc verify *--as")


class HostReport(Record):
    """What `init --host` or `--remove-host` did. `by_hand` is what only the person can do.

    `remaining` are other settings that still hold the hook after a removal.
    """

    format: Literal["skillc.host/1"] = "skillc.host/1"
    host: str
    path: str
    changed: bool
    is_registered: bool
    denied: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    deleted: bool = False


def register_host(
    repository: Repository, host: str, *, shared: bool = False, deny: bool = False, dry_run: bool = False
) -> HostReport:
    """Adds the hook to a host's settings. Running it again changes nothing.

    Raises DataError when the settings are not a JSON object; they are then left as they are.
    """
    path = _settings(repository, host, shared)
    settings, text = _read(path, host, _entry_words(host, shared))
    before = json.dumps(settings)
    _without_ours(settings)
    hooks = settings.setdefault("hooks", {})
    for event, timeout in _EVENTS[host]:
        entry = {"type": "command", "command": hook_command(host, shared=shared), "timeout": timeout}
        hooks.setdefault(event, []).append({"hooks": [entry]})
    rules = deny_rules(host)
    if deny:
        _deny(settings, host, rules)
    changed = json.dumps(settings) != before
    if changed and not dry_run:
        is_new = not path.exists()
        write_whole(path, _dumped(settings, text), mode=0o600 if not shared and text is None else _mode_of(path))
        if is_new:
            _remember_made(path, is_made=True)
    return HostReport(
        host=host,
        path=str(path),
        changed=changed,
        is_registered=True,
        denied=rules if deny else (),
        offered=() if deny else rules,
        by_hand=("open Codex and trust the new hooks: /hooks",) if host == "codex" and changed else (),
    )


def remove_host(repository: Repository, host: str, *, shared: bool = False, dry_run: bool = False) -> HostReport:
    """Takes the hook and the deny rules of `register_host` away; everything else stays.

    A file that `register_host` made goes when nothing else came into it.
    """
    path = _settings(repository, host, shared)
    settings, text = _read(path, host, _removal_words(host))
    before = json.dumps(settings)
    _without_ours(settings)
    _allow(settings, deny_rules(host))
    changed = json.dumps(settings) != before
    is_left_empty = changed and not settings and str(path) in read_state(_MADE)
    if is_left_empty and not dry_run:
        path.unlink(missing_ok=True)
        _remember_made(path, is_made=False)
    elif changed and not dry_run:
        write_whole(path, _dumped(settings, text), mode=_mode_of(path))
    other = settings_file(host, None if shared else repository.root)
    is_left = os.path.realpath(other) != os.path.realpath(path) and bool(hook_commands(other))
    return HostReport(
        host=host,
        path=str(path),
        changed=changed,
        is_registered=False,
        by_hand=(f"skillc init --remove-host {host}{'' if shared else ' --shared'}",) if is_left else (),
        remaining=(str(other),) if is_left else (),
        deleted=is_left_empty,
    )


def _remember_made(path: Path, *, is_made: bool) -> None:
    others = {name: True for name in read_state(_MADE) if name != str(path)}
    write_state(_MADE, others | ({str(path): True} if is_made else {}))


def hook_commands(path: Path) -> tuple[str, ...]:
    """Returns our own commands in a host's settings file, each once. A file that cannot be read has none."""
    try:
        data = read_small(Path(os.path.realpath(path)), limit=MAX_SETTINGS_BYTES)
        settings = json.loads(data) if data else {}
    except (RepoError, OSError, ValueError, RecursionError):
        return ()
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    groups = [g for g in hooks.values() if isinstance(g, list)] if isinstance(hooks, dict) else []
    found = [handler["command"] for group in groups for handler in _handlers(group) if _is_ours(handler)]
    return tuple(dict.fromkeys(found))


def hook_command(host: str, *, shared: bool) -> str:
    """Returns the command that a host runs: `skillc` for everybody in a shared file, else by its full path.

    A host's environment may lack the folder that skillc is in. A shared file reaches people who have no skillc: there
    the command ends quietly.
    """
    if shared:
        return f"command -v skillc >/dev/null 2>&1 || exit 0; exec skillc capture --hook --agent {host}"
    return f"{_own_program()} capture --hook --agent {host}"


def _own_program() -> str:
    started = os.path.abspath(sys.argv[0])
    if os.path.basename(started).startswith("skillc") and os.access(started, os.X_OK):
        return shlex.quote(started)
    found = shutil.which("skillc") or os.path.join(os.path.dirname(sys.executable), "skillc")
    return shlex.quote(os.path.abspath(found))


def deny_rules(host: str) -> tuple[str, ...]:
    """Returns the rules by which a host keeps its agent from a person's commands and from the keys.

    Gemini CLI compares the beginning of a command, and its settings have no rule about files. Codex has none.
    """
    keys = _home_relative(config_home())
    if host == "claude-code":
        runs = tuple(f"Bash(skillc {words}:*)" for words in _NOT_FOR_AGENTS)
        named = (*_NOT_ANYWHERE_IN_A_LINE, keys.removeprefix("~/").removeprefix("/"))
        return (*runs, *(f"Bash(*{words}*)" for words in named), f"Read({keys}/**)", f"Edit({keys}/**)")
    if host == "gemini":
        return tuple(f"run_shell_command(skillc {words})" for words in _NOT_FOR_AGENTS)
    return ()


def _home_relative(path: Path) -> str:
    try:
        return "~/" + path.relative_to(Path.home()).as_posix()
    except ValueError:
        return "/" + path.as_posix()  # Claude Code writes an absolute path with two slashes


def _settings(repository: Repository, host: str, shared: bool) -> Path:
    if host not in HOSTS:
        raise UsageError(f"no host is called {host!r}", hint=f"--host takes one of: {', '.join(HOSTS)}")
    path = settings_file(host, repository.root if shared else None)
    return Path(os.path.realpath(path)) if not shared else path  # people keep their settings behind links


def _entry_words(host: str, shared: bool) -> str:
    entry = [{"hooks": [{"type": "command", "command": hook_command(host, shared=shared)}]}]
    return f"add by hand, under hooks, for {', '.join(e for e, _ in _EVENTS[host])}: {json.dumps(entry)}"


def _removal_words(host: str) -> str:
    rules = ", and the deny rules about skillc" if deny_rules(host) else ""
    return f"take out by hand, under hooks: every entry whose command is `skillc capture --hook ...`{rules}"


def _read(path: Path, host: str, by_hand: str) -> tuple[dict[str, Any], str | None]:
    data = read_small(path, limit=MAX_SETTINGS_BYTES)
    if data is None or not data.strip():
        return {}, None
    try:
        text = data.decode()
        settings = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise DataError(f"{path}:{line}: is not plain JSON, so it was left alone", hint=by_hand) from error
    hooks = settings.get("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise DataError(f"{path}:1: is not what {host} reads: `hooks` must map events to lists")
    return settings, text


def _without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """Removes our handlers, and what is empty without them."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return settings
    for event in list(hooks):
        if not isinstance(hooks[event], list) or not any(map(_is_ours, _handlers(hooks[event]))):
            continue
        groups = []
        for group in hooks[event]:
            if isinstance(group, dict) and isinstance(group.get("hooks"), list):
                left = [handler for handler in group["hooks"] if not _is_ours(handler)]
                if not left and group["hooks"]:
                    continue
                group = {**group, "hooks": left}
            groups.append(group)
        if groups:
            hooks[event] = groups
        else:
            del hooks[event]
    if not hooks:
        del settings["hooks"]
    return settings


def _handlers(groups: list[Any]) -> list[Any]:
    found = [g["hooks"] for g in groups if isinstance(g, dict) and isinstance(g.get("hooks"), list)]
    return [handler for handlers in found for handler in handlers]


def _is_ours(handler: Any) -> bool:
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and _OURS.search(command) is not None


def _deny(settings: dict[str, Any], host: str, rules: tuple[str, ...]) -> None:
    outer, inner = ("permissions", "deny") if host == "claude-code" else ("tools", "exclude")
    if not rules:
        return
    listed = settings.setdefault(outer, {}).setdefault(inner, [])
    listed += [rule for rule in rules if rule not in listed]


def _allow(settings: dict[str, Any], rules: tuple[str, ...]) -> None:
    for outer, inner in (("permissions", "deny"), ("tools", "exclude")):
        listed = settings.get(outer, {}).get(inner) if isinstance(settings.get(outer), dict) else None
        if isinstance(listed, list) and any(rule in listed for rule in rules):
            settings[outer][inner] = [rule for rule in listed if rule not in rules]
            if not settings[outer][inner]:
                del settings[outer][inner]
            if not settings[outer]:
                del settings[outer]


def _dumped(settings: dict[str, Any], before: str | None) -> bytes:
    """Writes settings as the file was indented before."""
    found = re.search(r"^([ \t]+)\S", before or "", re.MULTILINE)
    indent = found[1] if found else "  "
    return (json.dumps(settings, indent=indent, ensure_ascii=False) + "\n").encode()


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return 0o644
