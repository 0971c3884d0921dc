"""What the text of a project's file offers: the tasks that it defines for a runner, or the options of a script.

Each answer is None where the text alone cannot tell; then nothing is said. A file is read and never run.
Not here: which names a Skill uses (core.skill.named), where the text comes from (lifecycle.stale).
"""

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from skillc.core.skill.task_runners import Interface

MAX_TEXT_BYTES = 1_000_000
MAX_INCLUDED = 20
Reader = Callable[[str], str | None]  # the text of another file of the same tree, by its path; None where it is not
_INCLUDE = re.compile(r"^\s*-?s?include\s+(.*)$")
_MADE = ("$(eval", "${eval", ".DEFAULT:")
_PARSER = re.compile(r"add_argument\(|\.option\(|\bOption\(|\bgetopts?\b|\bcase\b|process\.argv|parseArgs|sys\.argv")
_ELSEWHERE = re.compile(r"\bparents\s*=|parse_known_args|\bimport_module\b")
_SCRIPTS = (
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("tool", "poetry", "scripts"),
    ("tool", "pdm", "scripts"),
    ("tool", "rye", "scripts"),
)
# How a definition reads, and what says that tasks come from elsewhere. `{}` is the task's own name.
_FORMS: Mapping[Interface, tuple[str, str]] = {
    Interface.JUST_RECIPE: (r"^@?{}(?:[ \t][^:\n]*)?:(?!=)", r"^(?:import|mod)\b"),
    Interface.TASKFILE_TASK: (r"^[ \t]+[\"']?{}[\"']?[ \t]*:", r"^includes:"),
    Interface.RAKE_TASK: (r"\b(?:task|file|multitask)\b[ \t(]*[:\"']?{}\b", r"^\s*(?:import|load|require)\b|Task\.new"),
    Interface.TOX_ENVIRONMENT: (r"^\[testenv:{}\]|\b{}\b", r"\{[^}\n]*,[^}\n]*\}"),
    Interface.NOX_SESSION: (r"\bdef {}\(|name\s*=\s*[\"']{}[\"']", r"^from \S+ import \*|sessions?\.py"),
    Interface.INVOKE_TASK: (r"\bdef {}\(|@task\([^)]*name\s*=\s*[\"']{}[\"']", r"\bCollection\b|add_collection"),
}


def node_scripts(text: str) -> frozenset[str] | None:
    """Returns the names in `scripts` of a package.json or composer.json; None where the text is no such file."""
    return _names_in(text, "scripts")


def _names_in(text: str, key: str) -> frozenset[str] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    names = found.get(key, {}) if isinstance(found, dict) else None
    return frozenset(names) if isinstance(names, dict) else None


def make_targets(text: str, path: str = "Makefile", read: Reader | None = None) -> frozenset[str] | None:
    """Returns the targets of a Makefile and of the files that it includes by plain names.

    None where a pattern or an expression makes targets, or an included file is not there.
    """
    found: set[str] = set()
    todo, seen = [(path, text)], {path}
    while todo:
        _, own = todo.pop()
        for line in own.splitlines():
            if line.startswith("\t"):
                continue
            include = _INCLUDE.match(line)
            if include is not None:
                for word in include[1].split("#", 1)[0].split():
                    other = posixpath.normpath(posixpath.join(posixpath.dirname(path), word))
                    more = read(other) if read is not None and "$" not in word and len(seen) < MAX_INCLUDED else None
                    if more is None:
                        return None
                    todo += [(other, more)] if other not in seen else []
                    seen.add(other)
                continue
            told, colon, rest = line.split("#", 1)[0].partition(":")
            if any(m in line for m in _MADE):
                return None
            if not colon or "=" in told or rest.lstrip(":").startswith("="):
                continue
            if "%" in told or "$" in told:
                return None
            found.update(told.split())
    return frozenset(found)


def python_scripts(text: str) -> frozenset[str] | None:
    """Returns the programs that a pyproject.toml defines; None where it is none, or says that others come later."""
    try:
        found: Any = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    project = found.get("project", {})
    if isinstance(project, dict) and {"scripts", "gui-scripts"} & set(_strings(project.get("dynamic"))):
        return None
    names: set[str] = set()
    for place in _SCRIPTS:
        table = found
        for key in place:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        names.update(table if isinstance(table, dict) else ())
    return frozenset(names)


def _strings(value: Any) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def offers(interface: Interface, key: str, text: str, path: str = "", read: Reader | None = None) -> bool | None:
    """Says whether a file defines a task; None where its text cannot tell."""
    if interface is Interface.MAKE_TARGET:
        names = make_targets(text, path, read)
    elif interface in (Interface.NODE_SCRIPT, Interface.COMPOSER_SCRIPT):
        names = node_scripts(text)
    elif interface is Interface.DENO_TASK:
        names = _names_in(text, "tasks")
    elif interface is Interface.PYTHON_SCRIPT:
        names = python_scripts(text)
    else:
        return _reads_defined(interface, key, text)
    return None if names is None else key in names


def _reads_defined(interface: Interface, key: str, text: str) -> bool | None:
    """Looks for a definition as it is usually written; a text that only mentions the word cannot tell."""
    form, elsewhere = _FORMS.get(interface, ("", ""))
    own = key.rsplit(":", 1)[-1] if interface is Interface.RAKE_TASK else key
    is_function = interface in (Interface.INVOKE_TASK, Interface.NOX_SESSION)  # `a-b` is written `def a_b`
    word = "".join("[-_]" if is_function and c in "-_" else re.escape(c) for c in own)
    if not form:
        return None
    if re.search(form.replace("{}", word), text, re.MULTILINE):
        return True
    if re.search(elsewhere, text, re.MULTILINE) or re.search(rf"(?<![\w-]){word}(?![\w-])", text):
        return None
    return False


def is_lost(
    interface: Interface,
    key: str,
    before: str,
    after: str,
    *,
    path: str = "",
    read_before: Reader | None = None,
    read_after: Reader | None = None,
) -> bool:
    """Says whether a file offered a name before and surely does not now."""
    if interface is Interface.OPTION:
        return _is_lost_option(key, before, after)
    return (
        offers(interface, key, before, path, read_before) is True
        and offers(interface, key, after, path, read_after) is False
    )


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
