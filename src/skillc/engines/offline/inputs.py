"""Inputs: each placeholder of the steps, and in words where its value comes from. Paper: 5.2.

Not here: finding the source (engines.offline.provenance).
"""

import re

from skillc.core.skill.claim import InputClaim, InputSource
from skillc.engines.offline.calls import CallKind
from skillc.engines.offline.cite import cite
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.provenance import Explained, Placeholder
from skillc.engines.offline.wording import claim_id, code, sentence

_WRITTEN = frozenset("summary reason message content body title comment note text thought description subject".split())
_PLACES = {
    "source_file": "The source file to change",
    "test_file": "The test file",
    "doc_file": "The document to change",
    "config_file": "The configuration file to change",
    "data_file": "The data file",
    "script": "The script to run",
    "failing_test": "The failing test",
}
_OUTPUTS = {
    "check": "named in the output of the failing check",
    "search": "found by a search in the project",
    "file": "named in a file read before",
    "run": "named in the output of an earlier command",
}


def inputs_of(induction: Induction, names: set[str]) -> tuple[InputClaim, ...]:
    """Returns one input per placeholder that the steps use, in the order of the steps."""
    return tuple(_input(p, induction) for name, p in induction.placeholders.items() if name in names)


def _input(placeholder: Placeholder, induction: Induction) -> InputClaim:
    is_file = placeholder.uses[0].call.kind is not CallKind.RECORD
    text = sentence(_file_text(placeholder, induction) if is_file else _record_text(placeholder))
    if placeholder.explanations:
        source = placeholder.explanations[0].key.source
        found = [
            (use.call.family, use.call.trace_id, e.events[use.call.trace_id])
            for e in placeholder.explanations
            for use in placeholder.uses
            if use.call.trace_id in e.events
        ]
    else:
        source = InputSource.CHOSEN
        found = [(u.call.family, u.call.trace_id, u.call.events) for u in placeholder.uses]
    return InputClaim(
        id=claim_id("inputs", f"{placeholder.name} {text}"),
        text=text,
        name=placeholder.name,
        source=source,
        citations=cite(found),
    )


def _record_text(placeholder: Placeholder) -> str:
    if not placeholder.explanations:
        if placeholder.name in _WRITTEN:
            return "Write it for the case at hand"
        return "Work it out from what the user asks for"
    users = any(e.key.source is InputSource.USER for e in placeholder.explanations)
    parts = [_record_origin(e, users=users) for e in placeholder.explanations]
    return "; otherwise ".join(parts)


def _record_origin(item: Explained, *, users: bool) -> str:
    if item.key.source is InputSource.USER:
        return "stated by the user"
    field = _field_words(item.key.path)
    tool = code(item.key.tool)
    if not field:
        return f"the result of {tool}"
    is_list = item.several * 2 >= item.uses and ("[*]" in item.key.path or "{" in item.key.path)
    if not is_list:
        return f"{field} in the result of {tool}"
    which = "" if users else "; when there are several, take the one that the request is about"
    return f"one of the {field} in the result of {tool}{which}"


def _field_words(path: str) -> str:
    """Returns a generalised path as words: `payment_methods{key}` gives the keys of `payment_methods`."""
    if path.endswith("{key}"):
        outer = [p for p in re.split(r"[\[\]*{}.]+|key", path) if p]
        return f"keys of {code(outer[-1])}" if outer else "keys"
    names = [p for p in re.split(r"\[\*\]|\{\*\}|\.", path) if p]
    if not names:
        return "entries" if path else ""
    if len(names) > 1 and not path.endswith(names[-2]):
        return f"{code(names[-1])} of {code(names[-2])}"
    return code(names[-1])


def _file_text(placeholder: Placeholder, induction: Induction) -> str:
    what = _PLACES.get(placeholder.name, "The file")
    kinds = {u.call.kind for u in placeholder.uses}
    if kinds == {CallKind.LOOK}:
        what = what.replace(" to change", " to read")
    elif placeholder.name == "test_file" and CallKind.EDIT in kinds:
        what = "The test file to write" if _is_new(placeholder) else "The test file to change"
    if not placeholder.explanations:
        if what.endswith("write"):
            return f"{what}: a new file beside the other tests"
        return f"{what}: find it in the project"
    parts = []
    for item in placeholder.explanations:
        parts.append("named by the user" if item.key.source is InputSource.USER else _OUTPUTS[item.key.tool])
    return f"{what}: {', or else '.join(parts)}"


def _is_new(placeholder: Placeholder) -> bool:
    edits = [u.call for u in placeholder.uses if u.call.kind is CallKind.EDIT]
    return sum(is_creation(c.tool, c.text) for c in edits) * 2 > len(edits)


def is_creation(tool: str, result: str) -> bool:
    """Says whether an edit made a new file, by the tool's name and its answer."""
    plain = tool.rsplit("__", 1)[-1].lower()
    return plain in ("write", "create_file", "write_file") and "updated" not in result[:200].lower()
