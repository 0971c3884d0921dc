"""Inputs: each placeholder of the steps, and in words where its value comes from. Paper: 5.2.

Not here: finding the source (engines.offline.provenance).
"""

import re

from skillc.core.skill.claim import Citation, InputClaim, InputSource
from skillc.engines.offline.calls import CallKind
from skillc.engines.offline.cite import Shows, cite, cite_parts
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.provenance import Explained, Placeholder
from skillc.engines.offline.wording import claim_id, code, sentence, words_of

_WRITTEN = words_of("summary reason message content body title comment note text thought description subject")
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


def worked_out(placeholder: Placeholder) -> InputClaim:
    """Returns the input without a source: for a value whose origin the events do not show."""
    return _claim(placeholder, "Work it out for the case at hand.", InputSource.CHOSEN, _uses(placeholder))


def _uses(placeholder: Placeholder) -> tuple[Citation, ...]:
    return cite((u.call.family, u.call.trace_id, u.call.events) for u in placeholder.uses)


def _claim(placeholder: Placeholder, text: str, source: InputSource, citations: tuple[Citation, ...]) -> InputClaim:
    return InputClaim(
        id=claim_id("inputs", f"{placeholder.name} {text}"),
        text=text,
        name=placeholder.name,
        source=source,
        citations=citations,
    )


def _input(placeholder: Placeholder, induction: Induction) -> InputClaim:
    is_file = placeholder.uses[0].call.kind is not CallKind.RECORD
    text = sentence(_file_text(placeholder, induction) if is_file else _record_text(placeholder))
    if placeholder.explanations:
        source = placeholder.explanations[0].key.source
        citations = cite_parts(
            Shows(repr(e.key), use.call.family, use.call.trace_id, e.events[use.call.trace_id])
            for e in placeholder.explanations
            for use in placeholder.uses
            if use.call.trace_id in e.events
        )
    else:
        source, citations = InputSource.CHOSEN, _uses(placeholder)
    return _claim(placeholder, text, source, citations)


def _record_text(placeholder: Placeholder) -> str:
    if not placeholder.explanations:
        if placeholder.name in _WRITTEN:
            return "Write it for the case at hand"
        return "Work it out from what the user asks for"
    parts = [_record_origin(e) for e in placeholder.explanations]
    text = "; otherwise ".join(parts)
    users = any(e.key.source is InputSource.USER for e in placeholder.explanations)
    if not users and any(_is_choice(e) for e in placeholder.explanations):
        text += "; when there are several, take the one that the request is about"
    return text


def _record_origin(item: Explained) -> str:
    if item.key.source is InputSource.USER:
        return "stated by the user"
    field = _field_words(item.key.path, is_choice=_is_choice(item))
    tool = code(item.key.tool)
    return f"{field} in the result of {tool}" if field else f"the result of {tool}"


def _is_choice(item: Explained) -> bool:
    return item.several * 2 >= item.uses and ("[*]" in item.key.path or "{" in item.key.path)


def _field_words(path: str, *, is_choice: bool) -> str:
    """Returns a generalised path as words: `flights[*].date` is the `date` of one of the `flights`."""
    names = [p for p in re.split(r"\[\*\]|\{\*\}|\{key\}|\.", path) if p]
    if not names:
        return "one of the entries" if path else ""
    last, outer = code(names[-1]), code(names[-2]) if len(names) > 1 else ""
    if path.endswith("{key}"):
        return f"the key of one of the {last}"
    if path.endswith("[*]"):
        return f"one of the {last}"
    if not outer or not ("[*]" in path or "{*}" in path):
        return f"{last}{' of ' + outer if outer else ''}"
    return f"{last} of one of the {outer}" if is_choice else f"{last} of the {outer}"


def _file_text(placeholder: Placeholder, induction: Induction) -> str:
    what = _PLACES.get(placeholder.name, "The file")
    kinds = _kinds_with(placeholder.name, induction)
    if CallKind.EDIT not in kinds:
        what = what.replace(" to change", " to read")
    elif placeholder.name == "test_file" and CallKind.EDIT in kinds:
        what = "The test file to write" if _is_new(placeholder) else "The test file to change"
    if what.endswith("to write"):
        return f"{what}: a new file beside the other tests"
    if not placeholder.explanations:
        if placeholder.name == "failing_test":
            return f"{what}: as the request or a run of all tests names it"
        from_test = "the code that the failing test is about" if _starts_red(induction) else "find it in the project"
        return f"{what}: {from_test}"
    parts = [
        "named by the user" if item.key.source is InputSource.USER else _OUTPUTS[item.key.tool]
        for item in placeholder.explanations
    ]
    return f"{what}: {', or else '.join(parts)}"


def _kinds_with(name: str, induction: Induction) -> set[CallKind]:
    """Returns what the steps do with the files behind a placeholder."""
    place = f"<{name}>"
    return {c.kind for c in induction.columns if induction.alphabet.place_of(c.calls[0]) == place}


def _starts_red(induction: Induction) -> bool:
    return any(
        c.kind is CallKind.CHECK and c.calls[0].failed and not c.calls[0].after_change for c in induction.columns
    )


def _is_new(placeholder: Placeholder) -> bool:
    edits = [u.call for u in placeholder.uses if u.call.kind is CallKind.EDIT]
    return sum(is_creation(c.tool, c.text) for c in edits) * 2 > len(edits)


def is_creation(tool: str, result: str) -> bool:
    """Says whether an edit made a new file, by the tool's name and its answer."""
    plain = tool.rsplit("__", 1)[-1].lower()
    return plain in ("write", "create_file", "write_file") and "updated" not in result[:200].lower()
