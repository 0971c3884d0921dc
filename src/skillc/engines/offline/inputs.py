"""Inputs: each placeholder of the steps, and in words where its value comes from. Paper: 5.2.

Not here: finding the source (engines.offline.provenance).
"""

from collections.abc import Iterable

from skillc.core.compile.splitting import Split
from skillc.core.skill.claim import Citation, InputClaim, InputSource
from skillc.engines.offline.calls import CallKind
from skillc.engines.offline.cite import Shows, cite, cite_parts
from skillc.engines.offline.induction import Induction
from skillc.engines.offline.names import SEE_DECISIONS
from skillc.engines.offline.provenance import Explained, Placeholder, Use, ranked_explanations
from skillc.engines.offline.source_words import is_choice, source_words
from skillc.engines.offline.splits import cited_by
from skillc.engines.offline.value_index import base_name
from skillc.engines.offline.values import placeholder_name
from skillc.engines.offline.wording import claim_id, code, sentence, words_of

ONE_SOURCE = 0.8  # of the families: a source that covers less is told beside others
MAX_TOOLS_TOLD = 3
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


def inputs_of(induction: Induction, names: set[str], splits: Iterable[Split] = ()) -> tuple[InputClaim, ...]:
    """Returns one input per placeholder that the steps use, in the order of the steps.

    `splits` are the decisions that settle arguments: an input that nothing else explains points to its decision.
    """
    settled = {placeholder_name(s.argument): s for s in splits}
    found = (_input(p, induction) for name, p in induction.placeholders.items() if name in names)
    return tuple(_pointing(i, settled.get(i.name)) for i in found)


def _pointing(claim: InputClaim, split: Split | None) -> InputClaim:
    if split is None or claim.source is not InputSource.CHOSEN:
        return claim
    text = f"As {code(split.path)} in the result of {code(split.read)} decides, {SEE_DECISIONS}"
    update = {"id": claim_id("inputs", f"{claim.name} {text}"), "text": text, "citations": cited_by(split)}
    return claim.model_copy(update=update)


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
    variable = induction.variable_names.get(placeholder.name) if is_file else None
    if variable is not None:
        several = len({u.value for u in placeholder.uses}) > 1
        text, found = f"A value for {code(variable)}{'; different ones worked' if several else ''}", []
    elif is_file:
        text, found = _file_text(placeholder, induction), list(placeholder.explanations)
    else:
        text, found = _record_text(placeholder, induction)
    text = sentence(text)
    if not found:
        constant = _constant(placeholder, induction)
        source = InputSource.CHOSEN if constant is None else InputSource.CONSTANT
        return _claim(placeholder, text, source, _uses(placeholder))
    citations = cite_parts(
        Shows(repr(e.key), use.call.family, use.call.trace_id, e.events[use.call.trace_id])
        for e in found
        for use in placeholder.uses
        if use.call.trace_id in e.events
    )
    return _claim(placeholder, text, found[0].key.source, citations)


def _record_text(placeholder: Placeholder, induction: Induction) -> tuple[str, list[Explained]]:
    """Returns where the value comes from in words, and the explanations that it names."""
    constant = _constant(placeholder, induction)
    if constant is not None:
        return f"Always {code(constant)}", []
    by_tool = _by_tool(placeholder)
    if by_tool:
        return "; ".join(f"for {code(t)} {source_words(e)}" for t, e in by_tool), [e for _, e in by_tool]
    if not placeholder.explanations:
        if placeholder.name in _WRITTEN:
            return "Write it for the case at hand", []
        return "Work it out from what the user asks for", []
    found = list(placeholder.explanations)
    text = "; otherwise ".join(source_words(e) for e in found)
    users = any(e.key.source is InputSource.USER for e in found)
    if not users and any(is_choice(e) for e in found):
        text += "; one of several, the user says which"
    return text, found


def _constant(placeholder: Placeholder, induction: Induction) -> str | None:
    slot = induction.slots.by_name.get(base_name(placeholder.name))
    return slot.constant if slot is not None and placeholder.uses[0].call.kind is CallKind.RECORD else None


def _by_tool(placeholder: Placeholder) -> list[tuple[str, Explained]]:
    """Returns the source for each tool, where one source does not do for all tools and each tool has one."""
    covered = sum(placeholder.explanations[0].families.values()) if placeholder.explanations else 0.0
    if covered >= ONE_SOURCE * len(placeholder.families):
        return []
    uses: dict[str, list[Use]] = {}
    for use in placeholder.uses:
        uses.setdefault(use.call.tool, []).append(use)
    found: list[tuple[str, Explained]] = []
    for tool, own in uses.items():
        best = next(iter(ranked_explanations(own)), None)
        families = {u.call.family for u in own}
        if best is None or len(families) < 2 or sum(best.families.values()) < ONE_SOURCE * len(families):
            return []
        found.append((tool, best))
    return found if 1 < len(found) <= MAX_TOOLS_TOLD and len({e.key for _, e in found}) > 1 else []


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
    return sum(c.creates for c in edits) * 2 > len(edits)
