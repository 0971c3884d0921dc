"""Every module of src/skillc, parsed once, and a decorator that makes one test of a rule over all of them."""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

SRC = Path(__file__).parents[2] / "src" / "skillc"
MODULES = sorted(SRC.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts)


def room_of(path: Path) -> str:
    return path.relative_to(SRC).with_suffix("").parts[0]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def for_each(paths: Iterable[Path]) -> Callable[[Callable[[Path], list[str]]], Callable[[], None]]:
    """Makes one test of a rule that returns what is wrong with a module; all modules are told at once."""

    def wrap(rule: Callable[[Path], list[str]]) -> Callable[[], None]:
        def test() -> None:
            found = {name_of(path): wrong for path in paths if (wrong := rule(path))}
            assert not found, "\n" + "\n".join(f"{name}: {', '.join(wrong)}" for name, wrong in found.items())

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return wrap
