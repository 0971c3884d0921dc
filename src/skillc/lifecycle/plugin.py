"""A Claude Code plugin folder: the capture hook, and the compiled Skills of base byte for byte.

Writing again brings it up to date. What it wrote is listed with digests, so that a file that a person changed is
never overwritten or removed. Names that come from a repository are data: only plain Skill names become paths, and
no link is followed. Not here: installing the plugin, a marketplace.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from skillc.core.policy import MAX_NAME_CHARS
from skillc.core.record import Record
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE
from skillc.core.trace.records import FAMILY_PATTERN
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.context import Context
from skillc.lifecycle.hosts import hook_command
from skillc.lifecycle.skills import StoredSkill, current_skills
from skillc.repo.files import read_small, write_whole
from skillc.repo.objects import list_tree, open_reader

PLUGIN_FILE = ".claude-plugin/plugin.json"
HOOKS_FILE = "hooks/hooks.json"
LIST_FILE = ".claude-plugin/skillc-files.json"
_EVENTS = ("SessionStart", "Stop", "SessionEnd")
_TIMEOUT_S = 10
_MAX_FILE_BYTES = 16 * 1024 * 1024
_OUR_PATH = re.compile(
    rf"{re.escape(PLUGIN_FILE)}|{re.escape(HOOKS_FILE)}"
    rf"|skills/[a-z0-9]+(?:-[a-z0-9]+)*/(?:{re.escape(SKILL_FILE)}|{re.escape(CONTRACT_FILE)})"
)


class PluginReport(Record):
    """What `skillc init --plugin` did. `kept` are files that a person changed, `deleted` those that a person took
    away; both stay as they are. `left_out` says why, by Skill."""

    format: Literal["skillc.plugin/1"] = "skillc.plugin/1"
    folder: str
    name: str
    version: str
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    deleted: tuple[str, ...]
    skills: tuple[str, ...]
    left_out: dict[str, str]


@dataclass(frozen=True)
class _Plan:
    """What becomes of each file: told first, done afterwards."""

    written: dict[str, bytes]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    deleted: tuple[str, ...]


def write_plugin(context: Context, folder: Path, *, dry_run: bool = False) -> PluginReport:
    """Writes the plugin, or brings it up to date. Raises UsageError for a folder that is not for it."""
    top = Path(os.path.realpath(folder))
    _require_place(context, top)
    skills, left_out = _skills(context)
    name = _plugin_name(context.policy.namespace)
    files = {f"skills/{skill}/{file}": data for skill, file, data in skills}
    files[HOOKS_FILE] = _hooks()
    version = _version(files)
    files[PLUGIN_FILE] = _manifest(context.policy.namespace, name, version)
    known = _listed(top)
    plan = _plan(top, files, known)
    if not dry_run:
        _write(top, plan, files, known)
    return PluginReport(
        folder=str(top),
        name=name,
        version=version,
        written=tuple(plan.written),
        unchanged=plan.unchanged,
        removed=plan.removed,
        kept=plan.kept,
        deleted=plan.deleted,
        skills=tuple(sorted({skill for skill, _, _ in skills})),
        left_out=left_out,
    )


def _plan(top: Path, files: dict[str, bytes], known: dict[str, tuple[str, ...]]) -> _Plan:
    """A file is ours while its digest is one that we wrote; everything else is a person's."""
    states: dict[str, str] = {}
    for path in sorted({*files, *known}):
        there, data = _read(top, path), files.get(path)
        if there is None:
            states[path] = "written" if path not in known else "deleted" if data is not None else "gone"
        elif there == data:
            states[path] = "unchanged"
        elif _digest(there) not in known.get(path, ()):
            states[path] = "kept"
        else:
            states[path] = "removed" if data is None else "written"

    def having(state: str) -> tuple[str, ...]:
        return tuple(path for path, found in states.items() if found == state)

    written = {path: files[path] for path in having("written")}
    return _Plan(written, having("unchanged"), having("removed"), having("kept"), having("deleted"))


def _write(top: Path, plan: _Plan, files: dict[str, bytes], known: dict[str, tuple[str, ...]]) -> None:
    """The list names the old and the new bytes while files are written: a killed run leaves nothing unknown."""
    after: dict[str, tuple[str, ...]] = {path: (_digest(files[path]),) for path in (*plan.written, *plan.unchanged)}
    after |= {path: known[path] for path in (*plan.kept, *plan.deleted) if path in known}
    if plan.written or plan.removed:
        _put_list(top, {path: (*known.get(path, ()), *after.get(path, ())) for path in {*known, *after}})
    for path, data in plan.written.items():
        write_whole(_inside(top, path), data)
    for path in plan.removed:
        place = _inside(top, path)
        place.unlink()
        if not any(place.parent.iterdir()):
            place.parent.rmdir()
    _put_list(top, after)


def _put_list(top: Path, listed: dict[str, tuple[str, ...]]) -> None:
    data = _dumped({"files": {path: sorted(set(digests)) for path, digests in sorted(listed.items())}})
    if _read(top, LIST_FILE) != data:
        write_whole(_inside(top, LIST_FILE), data)


def _require_place(context: Context, top: Path) -> None:
    """Refuses the inside of a git folder and of the folder of Skills, by whatever name they are reached."""
    repository = context.repository
    skills_dir = repository.root / context.policy.skills_dir
    refused = [repository.common_dir, repository.git_dir, skills_dir]
    places = [top, *top.parents, top / "skills"]
    for place in places:
        if any(_is_same(place, other) for other in refused) or place.name.lower() == ".git":
            raise UsageError(
                f"{str(top)!r} is no place for a plugin: it lies in a git folder or in {context.policy.skills_dir}",
                hint="name a folder of its own: skillc init --plugin ../my-plugin",
            )
    if top.exists() and not top.is_dir():
        raise UsageError(f"{str(top)!r} is not a folder", hint="name a folder: skillc init --plugin FOLDER")


def _is_same(left: Path, right: Path) -> bool:
    try:
        return os.path.samefile(left, right)
    except OSError:
        return os.path.realpath(left) == os.path.realpath(right)


def _skills(context: Context) -> tuple[list[tuple[str, str, bytes]], dict[str, str]]:
    """Returns (Skill, file, bytes) of every compiled Skill on base, and why others are left out."""
    found: list[tuple[str, str, bytes]] = []
    left_out: dict[str, str] = {}
    for skill in current_skills(context).values():
        if skill.contract is None:
            left_out[skill.name] = "its contract.json cannot be read" if skill.problem else "written by hand"
        elif not re.fullmatch(FAMILY_PATTERN, skill.name) or len(skill.name) > MAX_NAME_CHARS:
            left_out[skill.name] = "its name is no name of a Skill"
        else:
            files = list(_files_of(context, skill))
            if [name for name, _ in files] != [SKILL_FILE, CONTRACT_FILE]:
                left_out[skill.name] = f"{SKILL_FILE} or {CONTRACT_FILE} is no plain file"
            else:
                found += [(skill.name, name, data) for name, data in files]
    return found, left_out


def _files_of(context: Context, skill: StoredSkill) -> Iterator[tuple[str, bytes]]:
    entries = {e.path: e for e in list_tree(context.repository, skill.tree, recursive=False)}
    with open_reader(context.repository) as reader:
        for name in (SKILL_FILE, CONTRACT_FILE):
            entry = entries.get(name)
            if entry is not None and entry.kind == "blob" and entry.mode != "120000":
                data = reader.read(entry.object_id, limit=_MAX_FILE_BYTES)
                if data is not None:
                    yield name, data


def _hooks() -> bytes:
    entry = {"type": "command", "command": hook_command("claude-code", shared=True), "timeout": _TIMEOUT_S}
    return _dumped({"hooks": {event: [{"hooks": [entry]}] for event in _EVENTS}})


def _manifest(namespace: str, name: str, version: str) -> bytes:
    return _dumped(
        {
            "name": name,
            "version": version,
            "description": f"Skills of {namespace}, compiled from verified sessions, and the hook that captures them",
            "author": {"name": namespace},
        }
    )


def _version(files: dict[str, bytes]) -> str:
    """Names the content: a host takes a plugin anew when its version is another one."""
    total = hashlib.sha256()
    for path, data in sorted(files.items()):
        total.update(f"{path}\0{_digest(data)}\n".encode())
    return f"0.0.0-g{total.hexdigest()[:12]}"


def _plugin_name(namespace: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", namespace).strip("-") or "skills"


def _dumped(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=2).encode() + b"\n"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _listed(top: Path) -> dict[str, tuple[str, ...]]:
    """Returns path -> digests of what was written; paths that we never write do not count."""
    data = _read(top, LIST_FILE)
    try:
        value = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        value = {}
    files = value.get("files") if isinstance(value, dict) else None
    return {
        path: tuple(str(digest) for digest in digests)
        for path, digests in (files.items() if isinstance(files, dict) else ())
        if isinstance(digests, list) and _OUR_PATH.fullmatch(path)
    }


def _read(top: Path, path: str) -> bytes | None:
    return read_small(_inside(top, path), limit=_MAX_FILE_BYTES)


def _inside(top: Path, path: str) -> Path:
    """Returns the place of a file. Raises RepoError where a folder on the way is a link."""
    place = top
    for part in path.split("/")[:-1]:
        place = place / part
        if place.is_symlink():
            raise RepoError(f"{str(place)!r} is a link, and a plugin is not written through links")
    return place / path.rsplit("/", 1)[1]
