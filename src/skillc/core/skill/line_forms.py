"""One line of the agent view as a claim again: what a person wrote, in the form of its field.

The renderer is asked about every reading: one that it would not write back byte for byte is none. So a text that it
would escape or shorten is refused, and never taken for something else. Paper: 5.2.
Not here: which line belongs to which claim (core.skill.pairing), the page as a whole (core.skill.parse).
"""

import re
from collections.abc import Iterator
from typing import Any

from skillc.core.record import sha256_hex, strings_in
from skillc.core.skill.claim import (
    MAX_CLAIM_CHARS,
    PLACEHOLDER,
    Action,
    Claim,
    ClaimBasis,
    FailureClaim,
    InputClaim,
    InputSource,
    StepClaim,
)
from skillc.core.skill.render import claim_text, one_line, visible_line
from skillc.core.trace.operation import is_shell, operation_of

_INPUT = re.compile(r"`<([a-z][a-z0-9_]{0,63})>`: (.+)")
_LOOP = re.compile(r"(.+) \(repeat for (.+)\)\.")
_OPTIONAL = "If needed: "
_NO_RECOVERY = " No verified recovery is known."
_SEPARATOR = re.compile(r"(?<=[.:`]) |(?<=[^.:`]): ")
_CODE = re.compile(r"`([^`]+)`")
_FORMS = {
    "inputs": "a line of this section is `<name>`: where its value comes from",
    "failure_modes": "a line of this section is a symptom, a colon, and what to do",
}


def input_name(text: str) -> str | None:
    """Returns the placeholder that a line of the inputs declares; None where it declares none."""
    found = _INPUT.fullmatch(text)
    return found[1] if found else None


def persons_claim(field: str, text: str, before: Claim | None, *, taken: set[str], person: str | None) -> Claim | None:
    """Returns a person's line as a claim without evidence; None where the renderer would not write it so.

    Args:
        before: the claim that the line changed; its id stays, and what the text does not show of it.
        taken: ids of other claims; a new line gets one of its own.
    """
    line_id = before.id if before is not None else _new_id(field, text, taken)
    base = {"id": line_id, "basis": ClaimBasis.PERSON, "person": person}
    if len(text) > MAX_CLAIM_CHARS or not text:
        return None
    for claim in _readings(field, text, before, base):
        if claim_text(claim) == text:
            return claim
    return None


def why_unreadable(field: str, text: str) -> str:
    """Says why a line cannot be read, without its words."""
    if not text:
        return "is empty"
    if len(text) > MAX_CLAIM_CHARS:
        return f"has more than {MAX_CLAIM_CHARS} characters"
    if visible_line(text) != text:
        return "has blanks at its end or two together, or signs that nobody sees"
    if one_line(text) != text:
        return "holds what a host acts on (a tag, link, fence, command, file or variable sign); write it without"
    return "is in another form than this section has: " + _FORMS.get(field, "one sentence")


def without_lost_names(step: StepClaim, lost: set[str]) -> StepClaim:
    """Returns a person's step whose action uses none of the placeholders whose inputs the edit took away.

    The page does not show them there. A cited step stays what its events show.
    """
    if not step.is_persons or step.action is None:
        return step
    used = {name for text in strings_in(step.action.arguments) for name in PLACEHOLDER.findall(text)}
    if not used & lost:
        return step
    return step.model_copy(update={"action": step.action.model_copy(update={"arguments": {}})})


def _readings(field: str, text: str, before: Claim | None, base: dict[str, Any]) -> Iterator[Claim]:
    if field == "inputs":
        found = _INPUT.fullmatch(text)
        if found is not None:
            source = before.source if isinstance(before, InputClaim) else InputSource.CHOSEN
            yield InputClaim(name=found[1], text=found[2], source=source, **base)
    elif field == "steps":
        yield from _steps(text, before if isinstance(before, StepClaim) else None, base)
    elif field == "failure_modes":
        yield from _failures(text, before if isinstance(before, FailureClaim) else None, base)
    else:
        yield Claim(text=text, **base)


def _steps(text: str, before: StepClaim | None, base: dict[str, Any]) -> Iterator[StepClaim]:
    """Yields the readings of a step, the one with the most of its form first."""
    action = _action(text, before)
    whole = _LOOP.fullmatch(text)
    for words, repeat in ([(whole[1], whole[2])] if whole else []) + [(text, None)]:
        if words.startswith(_OPTIONAL) and len(words) > len(_OPTIONAL):
            bare = words.removeprefix(_OPTIONAL)
            yield StepClaim(text=bare, repeat=repeat, optional=True, action=action, **base)
        yield StepClaim(text=words, repeat=repeat, action=action, **base)


def _action(text: str, before: StepClaim | None) -> Action | None:
    """Returns what a changed step does: the same, while its code is; a command as it is written now; else the tool.

    The tool stays in any case: policy may keep it for a person.
    """
    action = before.action if before is not None else None
    if before is None or action is None:
        return None
    old, new = _CODE.findall(before.text), _CODE.findall(text)
    if old == new:
        return action
    command = action.arguments.get("command")
    if is_shell(action.tool) and len(old) == len(new) and command in old:
        arguments = action.arguments | {"command": new[old.index(command)]}
        return Action(tool=action.tool, operation=operation_of(action.tool, arguments), arguments=arguments)
    kept = action.operation if action.operation is not None and action.operation in new else None
    return Action(tool=action.tool, operation=kept)


def _failures(text: str, before: FailureClaim | None, base: dict[str, Any]) -> Iterator[FailureClaim]:
    """Yields the readings of a symptom with what to do, parted as before, else where a sentence ends."""
    if text.endswith(_NO_RECOVERY):
        bare = text.removesuffix(_NO_RECOVERY)
        yield from (FailureClaim(text=t, **base) for t in (bare.removesuffix(":"), bare) if t)
    places = [(text[: m.start()], text[m.end() :]) for m in _SEPARATOR.finditer(text)]
    parts = [(symptom, recovery) for symptom, recovery in places if symptom and recovery]
    parts.sort(key=lambda part: (part[0].endswith("`"), part[0].endswith("`") and not part[1][:1].isupper()))
    if before is not None:
        known = one_line(before.text), one_line(before.recovery or "")
        parts.sort(key=lambda part: (part[0] != known[0], part[1] != known[1]))
    for symptom, recovery in parts:
        yield FailureClaim(text=symptom, recovery=recovery, **base)


def _new_id(field: str, text: str, taken: set[str]) -> str:
    start = f"{field.replace('_', '-')[:30]}-person-{sha256_hex(f'{field}:{text}'.encode())[:8]}"
    made, number = start, 2
    while made in taken:
        made, number = f"{start}-{number}", number + 1
    return made
