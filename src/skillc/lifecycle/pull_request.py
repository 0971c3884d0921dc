"""The pull request of a candidate: title and body that a reviewer can decide from.

In the order of a decision: what changes for the agent, the gates, the risks, the evidence line by line, what was left
out, how to try it and how to undo it. A forge takes only so much: what does not fit is cut from the evidence of the
last lines on, whole Skills first, and never from the gates or the risks. Paper: 5.4.

Not here: gathering it (lifecycle.review), sending it (lifecycle.forge).
"""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from skillc.core.admit.gates import GateVerdict
from skillc.core.skill.render import basis_mark, plural
from skillc.errors import UsageError
from skillc.lifecycle.explain import CitationLine, ClaimLine
from skillc.lifecycle.forge_text import code, cut, fenced, is_dotted, neutral, size
from skillc.lifecycle.review import ReviewedCandidate, ReviewedVersion
from skillc.repo.files import write_whole

# A forge takes 65,536 characters. Counted in bytes, which are never fewer; some are left for what it adds.
MAX_BODY_BYTES = 65_000
MAX_TITLE_CHARS = 120
_DOT_NOTE = (
    "A dot `·` after a sign keeps the forge from acting on what follows; `skillc review` and the files show the bytes."
)
_MAX_ITEMS = 32  # of a list, and gates in the table
_MAX_ITEM_BYTES = 300
_MAX_LINE_BYTES = 2_000  # of a line of a Skill, which is shorter
_MAX_NAMED = 3
_FRAME_BYTES = 300  # headings, and how many lines are left out, and the note of the dots
_MIN_DIFF_BYTES = 200  # less of a diff tells nothing


def pull_request(candidate: ReviewedCandidate) -> tuple[str, str]:
    """Returns title and body."""
    return title_of(candidate), body_of(candidate)


def write_body(candidate: ReviewedCandidate, path: Path) -> None:
    """Writes the body to a file. Raises UsageError where its folder is not there: no command makes one by a typo."""
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {str(path.parent)!r}", hint="make it first, or name another place")
    write_whole(path, body_of(candidate).encode("utf-8"))


def title_of(candidate: ReviewedCandidate) -> str:
    """Returns a title of one line; it names the first Skills and counts the others."""
    named = [f"{v.change} {v.skill}" for v in candidate.versions[:_MAX_NAMED]]
    more = len(candidate.versions) - len(named)
    what = ", ".join(named) + (f" and {more} more" if more else "")
    return cut(f"skillc: {code(what).strip('` ')}", MAX_TITLE_CHARS)


def body_of(candidate: ReviewedCandidate) -> str:
    """Returns the body, of at most MAX_BODY_BYTES bytes."""
    head, tail = _head(candidate), _tail(candidate)
    middle = [*_gates(candidate.gates, candidate.approved_by), *_risks(candidate)]
    room = MAX_BODY_BYTES - sum(size(line) + 1 for line in (*head, *middle, *tail))
    more = f"The rest does not fit into a pull request: {code(_review_command(candidate))}"
    room -= 2 * (size(more) + 2) + _FRAME_BYTES
    diffs, room = _diffs(candidate.versions, room, more)
    evidence = _evidence(candidate.versions, room, more)
    rest = "\n".join([*diffs, *middle, *evidence, *tail]) + "\n"
    return "\n".join([*head, *((_DOT_NOTE, "") if is_dotted(rest) else ()), rest])


def _review_command(candidate: ReviewedCandidate) -> str:
    return f"skillc review {shlex.quote(cut(candidate.task_family, 100))}"


def _head(candidate: ReviewedCandidate) -> list[str]:
    read = f" from {candidate.read} Traces" if candidate.read else ""
    family = code(cut(candidate.task_family, 100))
    return [f"Compiled by skillc{read} of {family}. To merge this is to approve it.", ""]


def _diffs(versions: Sequence[ReviewedVersion], room: int, more: str) -> tuple[list[str], int]:
    """Returns what changes for the agent, and the room that is left: whole Skills first, then part of one."""
    lines = ["## What changes for the agent", ""]
    room -= sum(size(line) + 1 for line in lines)
    blocks = [["### " + _name(v), "", fenced(v.diff, "diff"), ""] for v in versions]
    is_cut = False
    for version, block in zip(versions, blocks, strict=True):
        taken = _bytes(block)
        if taken > room:
            is_cut = True
            block = _shortened(version, room)
            taken = _bytes(block)
        lines += block
        room -= taken
    return [*lines, *((more, "") if is_cut else ())], room


def _name(version: ReviewedVersion) -> str:
    return f"{code(cut(version.skill, 80))}: {neutral(version.change, 20)}"


def _shortened(version: ReviewedVersion, room: int) -> list[str]:
    """Returns as many whole lines of a diff as there is room for, or only the name."""
    name = ["### " + _name(version), ""]
    room -= _bytes(name)
    if room < _MIN_DIFF_BYTES:
        return name if room >= 0 else []
    first, *lines, last = fenced(version.diff, "diff").split("\n")
    room -= _bytes([first, "…", last, ""])
    kept: list[str] = []
    for line in lines:
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return [*name, first, *kept, "…", last, ""] if kept else name


def _gates(gates: Iterable[GateVerdict], approved_by: str | None) -> list[str]:
    lines = ["## Gates", "", "| gate | verdict | why | next |", "| --- | --- | --- | --- |"]
    for gate in list(gates)[:_MAX_ITEMS]:
        following = neutral(gate.next, _MAX_ITEM_BYTES) if gate.result.value != "pass" else ""
        reason = neutral(gate.reason, _MAX_ITEM_BYTES)
        lines.append(f"| {neutral(gate.gate, 80)} | {gate.result.value} | {reason} | {following} |")
    signed = ["", f"{neutral(approved_by, 80)} signed for exactly this group."] if approved_by else []
    return [*lines, *signed, ""]


def _risks(candidate: ReviewedCandidate) -> list[str]:
    found = [*candidate.risks, *candidate.warnings]
    for version in candidate.versions:
        effects = ", ".join(version.effects) or "none seen"
        tools = f"; tools: {', '.join(version.tools)}" if version.tools else ""
        found.append(f"{version.skill}: effects on the world: {effects}{tools}")
    return ["## Risks", "", *_items(found), ""]


def _items(found: Sequence[str]) -> list[str]:
    lines = [f"- {neutral(item, _MAX_ITEM_BYTES)}" for item in found[:_MAX_ITEMS]]
    more = len(found) - len(lines)
    return [*lines, *([f"- and {more} more"] if more > 0 else [])]


def _evidence(versions: Sequence[ReviewedVersion], room: int, more: str) -> list[str]:
    """Returns the lines with their evidence: Skills that fit are whole, and the first that does not is cut."""
    shown = [v for v in versions if v.claims]
    if not shown:
        return []
    title = ["## Evidence of every line", ""]
    room -= _bytes(title)
    blocks: dict[int, list[list[str]]] = {}
    for number, version in enumerate(shown):
        fitting, left_room = _fitting(version, room)
        if len(fitting) == len(version.claims):
            blocks[number], room = fitting, left_room
    lines: list[str] = []
    left = 0
    for number, version in enumerate(shown):
        kept = blocks.get(number)
        if kept is None:
            kept, _ = _fitting(version, room)
            room = 0  # what comes later is cut before what comes first
        left += len(version.claims) - len(kept)
        lines += [*_support(version), *(line for block in kept for line in block)] if kept else []
    rest = [f"Without {left} {plural('line', left)}. {more}", ""] if left else []
    return [*title, *lines, *rest]


def _fitting(version: ReviewedVersion, room: int) -> tuple[list[list[str]], int]:
    """Returns the first lines of a Skill that fit, none without its heading, and the room after them."""
    room -= _bytes(_support(version))
    kept: list[list[str]] = []
    for claim in version.claims if room > 0 else ():
        block = _line(claim)
        if _bytes(block) > room:
            break
        kept.append(block)
        room -= _bytes(block)
    return kept, room


def _bytes(lines: Iterable[str]) -> int:
    return sum(size(line) + 1 for line in lines)


def _support(version: ReviewedVersion) -> list[str]:
    families = f"{version.attempt_families} attempt {plural('family', version.attempt_families)}"
    mark = ", single-source: the stricter rules hold" if version.single_source else ""
    return [f"### {code(cut(version.skill, 80))}: from {families}{mark}", ""]


def _line(claim: ClaimLine) -> list[str]:
    """Returns one line of the Skill with each event behind it, and who verified the outcome of its Trace."""
    evidence = [] if claim.basis == "events" else [f"{basis_mark(claim.basis, claim.person)} no event is behind it"]
    for citation in claim.citations:
        evidence.append(f"{citation.trace_id} ({_verified(citation)})")
        evidence += [f"  {e.id} {e.kind or 'not here'}: {e.excerpt or '(not readable here)'}" for e in citation.events]
    return [
        f"**{neutral(claim.field)}**: {neutral(claim.text, _MAX_LINE_BYTES)}",
        "",
        fenced("\n".join(evidence), "text"),
        "",
    ]


def _verified(citation: CitationLine) -> str:
    who = f"verified by {citation.verifier}" if citation.verifier else "verified by nobody"
    at = f", at {citation.commit[:12]}" if citation.commit else ""
    return f"{who}, {citation.strength}, assurance {citation.assurance}{at}"


def _tail(candidate: ReviewedCandidate) -> list[str]:
    left = [*candidate.left_out, *candidate.reasons]
    lines = ["## Left out, and why", "", *_items(left), ""] if left else []
    branch = shlex.quote(cut(candidate.branch, 200))
    skills = [shlex.quote(cut(v.skill, 80)) for v in candidate.versions if v.claims][:1]
    tried = [f"git fetch origin && git switch {branch}", *(f"skillc why {name}" for name in skills)]
    return [
        *lines,
        "## Try it, undo it",
        "",
        "A host that starts on this branch loads the Skill:",
        "",
        fenced("\n".join([*tried, _review_command(candidate)]), "console"),
        "",
        "After the merge this takes it back, and after a squash or a rebase the same without `-m 1`:",
        "",
        fenced("git revert -m 1 <the merge commit>", "console"),
        "",
        f"Skillc-Run: {neutral(candidate.run, 80)}",
        f"Skillc-Group: {neutral(candidate.group, 100)}",
    ]
