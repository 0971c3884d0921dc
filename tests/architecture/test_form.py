"""The form of every module: a head, docstrings, files and functions of a size that a reader can hold."""

import ast
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "skillc"
MODULES = [path for path in sorted(SRC.rglob("*.py")) if path.name != "__init__.py"]
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_HEAD_LINES = 12
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "base_utils", "stuff"}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), filename=str(path))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_opens_with_what_it_owns(path: Path):
    head = ast.get_docstring(tree_of(path))
    assert head, "the module has no docstring"
    assert len(head.splitlines()) <= MAX_HEAD_LINES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_named_after_what_it_owns(path: Path):
    assert path.stem not in EMPTY_NAMES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_and_its_functions_fit_a_readers_head(path: Path):
    lines = path.read_text("utf-8").count("\n")
    assert lines <= MAX_FILE_LINES
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_public_function_and_record_says_what_it_gives(path: Path):
    tree = tree_of(path)
    bare = [node.name for node in tree.body if _is_public(node) and not ast.get_docstring(node)]
    for record in tree.body:
        if isinstance(record, ast.ClassDef) and _is_public(record):
            bare += [
                f"{record.name}.{node.name}"
                for node in record.body
                if isinstance(node, ast.FunctionDef) and _needs_words(node) and not ast.get_docstring(node)
            ]
    assert not bare


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


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_importing_a_module_only_defines_things(path: Path):
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
    assert not wrong
