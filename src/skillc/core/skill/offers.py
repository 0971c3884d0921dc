"""What the text of a project's file offers: scripts of a package.json, targets of a Makefile, options of a script.

Each answer is None where the text alone cannot tell; then nothing is said. A file is read and never run.
Not here: which names a Skill uses (core.skill.named), where the text comes from (lifecycle.stale).
"""

import json
import re

from skillc.core.skill.named import Interface

MAX_TEXT_BYTES = 1_000_000
_INCLUDES = ("include ", "-include ", "sinclude ")
_MADE = ("$(eval", "${eval", ".DEFAULT:")
_PARSER = re.compile(r"add_argument\(|\.option\(|\bOption\(|\bgetopts?\b|\bcase\b|process\.argv|parseArgs|sys\.argv")
_ELSEWHERE = re.compile(r"\bparents\s*=|parse_known_args|\bimport_module\b")


def node_scripts(text: str) -> frozenset[str] | None:
    """Returns the names in `scripts` of a package.json; None where the text is no such file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    scripts = found.get("scripts", {}) if isinstance(found, dict) else None
    return frozenset(scripts) if isinstance(scripts, dict) else None


def make_targets(text: str) -> frozenset[str] | None:
    """Returns the targets that a Makefile names; None where it includes others or makes them from patterns."""
    found: set[str] = set()
    for line in text.splitlines():
        if line.startswith("\t"):
            continue
        told, colon, rest = line.split("#", 1)[0].partition(":")
        if line.lstrip().startswith(_INCLUDES) or any(m in line for m in _MADE):
            return None
        if not colon or "=" in told or rest.lstrip(":").startswith("="):
            continue
        if "%" in told or "$" in told:
            return None
        found.update(told.split())
    return frozenset(found)


def is_lost(interface: Interface, key: str, before: str, after: str) -> bool:
    """Says whether a file offered a name before and surely does not now."""
    if interface is Interface.OPTION:
        return _is_lost_option(key, before, after)
    offered = {Interface.NODE_SCRIPT: node_scripts, Interface.MAKE_TARGET: make_targets}.get(interface)
    if offered is None:
        return False
    old, new = offered(before), offered(after)
    return old is not None and new is not None and key in old and key not in new


def _is_lost_option(flag: str, before: str, after: str) -> bool:
    """An option counts where the text spelled it out; what reads like its variable may still define it."""
    spelled = re.compile(rf"(?<![\w-]){re.escape(flag)}(?![\w-])")
    if not spelled.search(before) or spelled.search(after):
        return False
    if not _PARSER.search(before) or not _PARSER.search(after) or _ELSEWHERE.search(after):
        return False
    if not flag.startswith("--"):
        return True
    return re.search(rf"\b{re.escape(flag[2:].replace('-', '_'))}\b", after) is None
