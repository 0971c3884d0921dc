"""The rooms and their arrows, read from the imports of every module. docs/ARCHITECTURE.md says why."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.modules import MODULES, SRC, for_each, name_of, room_of, tree_of

# Room -> the rooms that it may import. A room that is missing here must not exist.
ARROWS = {
    "version": set(),
    "errors": set(),
    "core": {"core", "errors"},
    "repo": {"repo", "core", "errors", "hook"},  # to read what the hook wrote
    "engines": {"engines", "core", "errors"},
    "importers": {"importers", "core", "errors"},
    "lifecycle": {"lifecycle", "repo", "engines", "importers", "core", "errors", "version"},
    "cli": {"cli", "lifecycle", "core", "errors", "version"},
    "mcp": {"mcp", "lifecycle", "core", "errors", "version"},
    "hook": set(),
    "entry": {"cli", "hook", "version", "errors"},
    "__main__": {"entry"},
    "__init__": {"version", "core", "errors"},
}

# The ladder inside core: a rung imports itself and the rungs before it.
LADDER = (
    ("record", "once", "words", "yaml_text"),
    ("admission_policy", "policy", "policy_faults", "trace"),
    ("skill",),
    ("scan",),
    ("compile",),
    ("admit",),
    ("trust",),
    ("search",),
    ("remove", "audit"),
    ("rules",),
    ("library",),
    ("compare",),
)

NOT_IN_CORE = {
    "os", "sys", "io", "pathlib", "tempfile", "shutil", "glob", "subprocess", "socket", "sqlite3", "fcntl",
    "time", "random", "secrets", "uuid", "locale", "getpass", "platform", "logging", "threading", "asyncio",
    "git", "anthropic", "typer", "rich", "click",
}  # fmt: skip
OWNERS = {
    "subprocess": {"repo"},
    "sqlite3": {"repo"},
    "fcntl": {"repo"},
    "typer": {"cli"},
    "rich": {"cli"},
    "anthropic": {"engines"},
    "mcp": {"mcp"},
    "msgspec": {"importers"},
    "yaml": {"core"},
    "jsonschema": set(),
    "git": set(),
    "click": set(),
    "requests": set(),
    "pickle": set(),
    "marshal": set(),
    "shelve": set(),
    "dill": set(),
}
HEAVY = ("pydantic", "yaml", "typer", "rich", "jsonschema", "anthropic", "git", "sqlite3", "asyncio", "msgspec")
HEAVY_FOR_CLI = ("rich", "jsonschema", "anthropic", "git", "yaml", "sqlite3", "asyncio", "msgspec")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yields (line, dotted module) of every import, wherever it stands; relative imports are not allowed."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            for item in node.names:
                yield node.lineno, item.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: relative import"
            assert node.module is not None
            if node.module in ("skillc", "skillc.core"):
                for item in node.names:
                    yield node.lineno, f"{node.module}.{item.name}"
            else:
                yield node.lineno, node.module


@for_each(MODULES)
def test_arrows_point_down_only(path: Path) -> list[str]:
    room = room_of(path)
    if room not in ARROWS:
        return [f"the room {room!r} is not in the plan"]
    return [
        f"line {line}: {module}"
        for line, module in imports_of(path)
        if module.startswith("skillc.") and module.split(".")[1] not in ARROWS[room]
    ]


@for_each([p for p in MODULES if room_of(p) == "core"])
def test_a_rung_of_core_imports_the_rungs_above_it_only(path: Path) -> list[str]:
    rung = rung_of(path.relative_to(SRC).with_suffix("").parts[1:])
    return [
        f"line {line}: {module}"
        for line, module in imports_of(path)
        if module.startswith("skillc.core.") and rung_of(tuple(module.split(".")[2:])) > rung
    ]


def rung_of(parts: tuple[str, ...]) -> int:
    if not parts or parts[0] == "__init__":
        return len(LADDER)
    found = [number for number, names in enumerate(LADDER) if parts[0] in names]
    assert found, f"core.{parts[0]} is not on the ladder"
    return found[0]


@for_each([p for p in MODULES if room_of(p) == "core"])
def test_core_reads_no_file_clock_or_environment(path: Path) -> list[str]:
    wrong = [f"line {line}: {m}" for line, m in imports_of(path) if m.split(".")[0] in NOT_IN_CORE]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute) and node.attr in ("now", "utcnow", "today", "fromtimestamp"):
            wrong.append(f"line {node.lineno}: .{node.attr}")
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("open", "input", "print")
        ):
            wrong.append(f"line {node.lineno}: {node.func.id}()")
    return wrong


@for_each(MODULES)
def test_each_outside_library_has_one_owner(path: Path) -> list[str]:
    return [
        f"line {line}: {module}"
        for line, module in imports_of(path)
        if module.split(".")[0] in OWNERS and room_of(path) not in OWNERS[module.split(".")[0]]
    ]


@for_each(MODULES)
def test_nothing_evaluates_text_or_starts_a_shell(path: Path) -> list[str]:
    wrong = []
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        keywords = {k.arg: k.value for k in node.keywords}
        if name in ("eval", "exec", "compile", "__import__", "os.system", "os.popen", "importlib.reload"):
            wrong.append(f"line {node.lineno}: {name}")
        if name.startswith(("os.exec", "os.spawn", "os.posix_spawn")):
            wrong.append(f"line {node.lineno}: {name}")
        if "shell" in keywords and ast.unparse(keywords["shell"]) != "False":
            wrong.append(f"line {node.lineno}: shell=")
        if name.startswith("yaml.") and name.split(".")[1] in (
            "unsafe_load",
            "full_load",
            "load_all",
            "safe_load",
        ):
            wrong.append(f"line {node.lineno}: {name}, use core.yaml_text")
        if name == "yaml.load" and ast.unparse(keywords.get("Loader", ast.Constant(None))) != "_strict_loader()":
            wrong.append(f"line {node.lineno}: yaml.load without the strict loader")
    return wrong


def test_importing_skillc_loads_nothing_heavy():
    assert loaded_after("import skillc", HEAVY) == []


def test_importing_the_command_line_loads_no_library_before_it_is_needed():
    if not (SRC / "cli" / "app.py").exists():
        pytest.skip("there is no command line yet (issue 2)")
    assert loaded_after("import skillc.cli.app", HEAVY_FOR_CLI) == []


def loaded_after(statement: str, heavy: tuple[str, ...]) -> list[str]:
    code = f"{statement}\nimport sys\nprint(' '.join(m for m in {heavy!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()
