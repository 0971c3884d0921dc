"""Statements: what a call of a query tool does, by the first words of its statement.

`SHOW TABLES` and `SELECT name FROM t` are two sorts of calls of one tool, as `git log` and `git push` are two of
a shell. Not here: shell commands (engines.offline.lines), where a table's name came from.
"""

import re
from collections.abc import Mapping
from typing import Any

_KEYS = ("query", "sql", "statement", "sql_query")
_OPENING = re.compile(r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*\(*\s*([A-Za-z]+)(?:\s+([A-Za-z_]+))?", re.DOTALL)
_ONE_WORD = frozenset(("SELECT", "INSERT", "UPDATE", "DELETE", "EXPLAIN", "DESCRIBE", "ANALYZE", "MERGE"))
_TWO_WORDS = frozenset(("SHOW", "CREATE", "ALTER", "DROP", "PRAGMA", "TRUNCATE"))
_OTHER_NAMES = {"DESC": "DESCRIBE", "WITH": "SELECT"}
_LOOKS = frozenset(("SHOW", "DESCRIBE", "EXPLAIN", "PRAGMA"))


def statement_in(arguments: Mapping[str, Any]) -> tuple[str, str] | None:
    """Returns the argument that holds a statement, and its kind: `SHOW TABLES`, `SELECT`; None without one."""
    for key in _KEYS:
        value = arguments.get(key)
        match = _OPENING.match(value[:2000]) if isinstance(value, str) else None
        if match is None:
            continue
        first = _OTHER_NAMES.get(match[1].upper(), match[1].upper())
        if first in _ONE_WORD:
            return key, first
        if first in _TWO_WORDS and match[2]:
            return key, f"{first} {match[2].upper()}"
    return None


def statement_of(arguments: Mapping[str, Any]) -> str | None:
    """Returns the kind of the statement that a call is given, if it is given one."""
    found = statement_in(arguments)
    return found[1] if found is not None else None


def asks_for_schema(statement: str) -> bool:
    """Says whether a statement only asks what there is."""
    return statement.split(" ")[0] in _LOOKS


def asks_about_one(statement: str) -> bool:
    """Says whether a statement asks what one table is like."""
    return statement.split(" ")[0] in ("DESCRIBE", "PRAGMA") or statement.endswith((" COLUMNS", " INDEX", " CREATE"))


def changes_data(statement: str) -> bool:
    """Says whether a statement may leave something changed."""
    return statement.split(" ")[0] not in _LOOKS | {"SELECT", "ANALYZE"}
