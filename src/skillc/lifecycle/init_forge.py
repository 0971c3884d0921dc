"""Setting up a forge: workflows from the templates, and a marked block in CODEOWNERS; nothing is committed.

A file that skillc wrote says so in its first line, with the digest of the rest: one that a person changed is kept.
Not here: skillc.yaml (lifecycle.init), whether the forge enforces any of it (lifecycle.doctor.forge).
"""

import json
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from skillc.core.policy import Policy
from skillc.core.record import Record, sha256_hex
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.code_owners import MAX_BYTES, PLACES, guarded, is_owner, with_block
from skillc.lifecycle.context import Context
from skillc.lifecycle.resources import template
from skillc.repo.files import read_small, write_whole
from skillc.version import __version__

FORGES = ("github",)
WORKFLOWS = ("skillc-check.yml", "skillc-compile.yml", "skillc-evaluate.yml", "skillc-verify.yml")
_FOLDER = ".github/workflows"
_HEAD = re.compile(rb"# Written by skillc [^\n]*; what a person changes here is kept \(([0-9a-f]{16})\)\n")
_MAX_WORKFLOW_BYTES = 1 << 20


class ForgeReport(Record):
    """What `skillc init --forge` did. `kept` are files that a person changed; `next` says what only a person can do."""

    format: Literal["skillc.init-forge/1"] = "skillc.init-forge/1"
    forge: str
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    kept: tuple[str, ...]
    owners: tuple[str, ...]
    next: tuple[str, ...]


def init_forge(context: Context, forge: str, *, owners: Sequence[str] = (), dry_run: bool = False) -> ForgeReport:
    """Writes what is missing, and brings up to date what nobody changed. Raises UsageError before it writes any."""
    if forge not in FORGES:
        raise UsageError(f"there is no forge {forge!r}", hint=f"forges: {', '.join(FORGES)}")
    wrong = [name for name in owners if not is_owner(name)]
    if wrong:
        raise UsageError(f"{wrong[0]!r} is no owner that a forge knows", hint="--owners @org/team")
    root = context.repository.root
    wanted = {f"{_FOLDER}/{name}": _workflow(context, name) for name in WORKFLOWS}
    found = {path: _read(root, path, _MAX_WORKFLOW_BYTES) for path in wanted}
    kept = [path for path, data in found.items() if data is not None and not _is_ours(data)]
    place, lines = _code_owners(root, context.policy, owners)
    if lines is None:
        kept.append(place)
    else:
        wanted[place], found[place] = lines, _read(root, place, MAX_BYTES)
    new = {path: data for path, data in wanted.items() if path not in kept and found[path] != data}
    if not dry_run:
        for path, data in new.items():
            write_whole(root / path, data)
    return ForgeReport(
        forge=forge,
        written=tuple(new),
        unchanged=tuple(path for path in wanted if path not in kept and path not in new),
        kept=tuple(kept),
        owners=tuple(owners),
        next=tuple(_next(context, new, owners)),
    )


def _workflow(context: Context, name: str) -> bytes:
    """Returns a workflow for this namespace: its base branch, its name, and the check that it registered."""
    text = template(f"github/{name}").read_text("utf-8")
    text = text.replace("branches: [main]", f"branches: [{_quoted(context.base.branch)}]")
    text = text.replace("git config skillc.base main\n", f"git config skillc.base {shlex.quote(context.base.branch)}\n")
    text = text.replace("${{ github.event.repository.name }} # as in skillc.yaml", _quoted(context.policy.namespace))
    run = next((v.run for v in context.policy.verifiers if v.run), ())
    if run:
        text = text.replace("- run: python -m unittest -q\n", f"- run: {_quoted(shlex.join(run))}\n")
    body = text.encode("utf-8")
    mark = sha256_hex(body)[:16]
    head = f"# Written by skillc {__version__} init --forge github; what a person changes here is kept ({mark})\n"
    return head.encode("utf-8") + body


def _quoted(text: str) -> str:
    """Returns a text as a YAML string in which a runner evaluates nothing."""
    if "${{" in text:
        raise UsageError(f"{text!r} cannot stand in a workflow", hint="rename it, or copy the templates by hand")
    return json.dumps(text)


def _is_ours(data: bytes) -> bool:
    found = _HEAD.match(data)
    return found is not None and sha256_hex(data[found.end() :])[:16] == found[1].decode()


def _code_owners(root: Path, policy: Policy, owners: Sequence[str]) -> tuple[str, bytes | None]:
    """Returns the place that the forge reads and its new bytes; None where a person changed the block."""
    there = [(place, data) for place in PLACES if (data := _read(root, place, MAX_BYTES)) is not None]
    place, data = there[0] if there else (PLACES[0], b"")
    text = data.decode("utf-8", "surrogateescape")
    lines = with_block(text, guarded(policy.skills_dir, place), owners)
    return place, None if lines is None else lines.encode("utf-8", "surrogateescape")


def _read(root: Path, path: str, limit: int) -> bytes | None:
    """Reads a file of the work tree; a folder on the way that is a link is refused, as a file that is one."""
    for parent in Path(path).parents:
        if os.path.islink(root / parent):
            raise RepoError(f"{str(parent)!r} is a link", hint="make it a folder of this repository")
    return read_small(root / path, limit=limit)


def _next(context: Context, new: dict[str, bytes], owners: Sequence[str]) -> list[str]:
    lines = [f"git add {shlex.join(new)} && git commit -m 'skillc: workflows'"] if new else []
    if any(path in PLACES for path in new) and not owners:
        lines.append("name who approves: skillc init --forge github --owners @ORG/TEAM")
    if context.policy.compile.on.value != "schedule":
        lines.append("to compile on a schedule, set in skillc.yaml: compile: {on: schedule}")
    return [*lines, "skillc doctor --forge says what the forge's settings lack"]
