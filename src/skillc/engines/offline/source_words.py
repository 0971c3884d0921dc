"""Source words: the source of a value, as a reader of the Skill understands it. Paper: 5.2 (inputs).

Not here: which source it is (engines.offline.provenance).
"""

import re

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.provenance import ANY_TOOL, Explained
from skillc.engines.offline.wording import code

_NAMES = re.compile(r"\[\*\]|\{\*\}|\{key\}|\.")


def source_words(item: Explained, *, plural: bool = False) -> str:
    """Returns a source in words: "`date` of one of the `flights` in the result of `get_trip`".

    With `plural`, all values of it together: "the `flights` in the result of `get_trip`".
    """
    if item.key.source is InputSource.USER:
        return "stated by the user"
    if item.key.tool == ANY_TOOL:
        return f"{code(item.key.path)} as an earlier result shows it"
    tool = code(item.key.tool)
    field = _list_words(item.key.path) if plural else _field_words(item.key.path, is_one=is_choice(item))
    return f"{field} in the result of {tool}" if field else f"the result of {tool}"


def is_list(item: Explained) -> bool:
    """Says whether the source is a list or a table with several entries."""
    return item.key.source is InputSource.STEP and ("[*]" in item.key.path or "{" in item.key.path)


def is_choice(item: Explained) -> bool:
    """Says whether the value is one of several in most uses: somebody has to choose."""
    return item.several * 2 >= item.uses and is_list(item)


def _list_words(path: str) -> str:
    names = [p for p in _NAMES.split(re.split(r"\[\*\]|\{", path)[0]) if p]
    return f"the {code(names[-1])}" if names else "the list"


def _field_words(path: str, *, is_one: bool) -> str:
    """Returns a generalised path as words: `flights[*].date` is the `date` of one of the `flights`."""
    names = [p for p in _NAMES.split(path) if p]
    if not names:
        return "one of the entries" if path else ""
    last, outer = code(names[-1]), code(names[-2]) if len(names) > 1 else ""
    if path.endswith("{key}"):
        return f"the key of one of the {last}"
    if path.endswith("[*]"):
        return f"one of the {last}"
    if not outer or not ("[*]" in path or "{*}" in path):
        return f"{last}{' of ' + outer if outer else ''}"
    return f"{last} of one of the {outer}" if is_one else f"{last} of the {outer}"
