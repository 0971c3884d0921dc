"""The form of every module: a head, docstrings, files and functions of a size that a reader can hold."""

import ast
from functools import cache
from pathlib import Path

from tests.architecture.modules import MODULES as ALL
from tests.architecture.modules import for_each, tree_of

MODULES = [path for path in ALL if path.name != "__init__.py"]
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_HEAD_LINES = 12
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "base_utils", "stuff"}


@for_each(MODULES)
def test_a_module_opens_with_what_it_owns(path: Path) -> list[str]:
    head = ast.get_docstring(tree_of(path))
    if not head:
        return ["has no docstring"]
    return [f"its head has {len(head.splitlines())} lines"] if len(head.splitlines()) > MAX_HEAD_LINES else []


@for_each(MODULES)
def test_a_module_is_named_after_what_it_owns(path: Path) -> list[str]:
    return [path.stem] if path.stem in EMPTY_NAMES else []


@for_each(MODULES)
def test_a_file_and_its_functions_fit_a_readers_head(path: Path) -> list[str]:
    lines = path.read_text("utf-8").count("\n")
    long = [f"has {lines} lines"] if lines > MAX_FILE_LINES else []
    long += [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    return long


@for_each(MODULES)
def test_every_public_function_and_record_says_what_it_gives(path: Path) -> list[str]:
    tree = tree_of(path)
    bare = [node.name for node in tree.body if _is_public(node) and not ast.get_docstring(node)]
    for record in tree.body:
        if isinstance(record, ast.ClassDef) and _is_public(record):
            bare += [
                f"{record.name}.{node.name}"
                for node in record.body
                if isinstance(node, ast.FunctionDef) and _needs_words(node) and not ast.get_docstring(node)
            ]
    return bare


def _is_public(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")


def _needs_words(node: ast.FunctionDef) -> bool:
    """A public method needs words unless a protocol has them, or its name and a few short statements say it all."""
    return not node.name.startswith("_") and len(node.body) > 4 and node.name not in promised()


@cache
def promised() -> frozenset[str]:
    """The methods that protocols declare and document."""
    return frozenset(
        method.name
        for path in MODULES
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and "Protocol" in [ast.unparse(base) for base in node.bases]
        for method in node.body
        if isinstance(method, ast.FunctionDef) and ast.get_docstring(method)
    )


@for_each(MODULES)
def test_importing_a_module_only_defines_things(path: Path) -> list[str]:
    allowed = (
        ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
    )  # fmt: skip
    wrong = []
    for node in tree_of(path).body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_guard = isinstance(node, ast.If) and ast.unparse(node.test) in (
            "TYPE_CHECKING",
            "__name__ == '__main__'",
        )
        is_registration = isinstance(node, ast.Expr) and ast.unparse(node).endswith(".register(app)")
        if not (isinstance(node, allowed) or is_text or is_guard or is_registration):
            wrong.append(f"line {node.lineno}: {type(node).__name__}")
    return wrong
