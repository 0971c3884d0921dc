"""The agent view read back: an edited SKILL.md as the contract that renders to exactly this text.

A line that is written as a claim of the contract is rendered is that claim, with its evidence; any other line is a
person's, without. What has no place in a contract stops the reading with its line number, and nothing is guessed.
Paper: 5.2. Not here: one line (core.skill.line_forms), who the person is and what counts (lifecycle.amend).
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from skillc.core.record import Record
from skillc.core.skill.claim import Claim, ClaimBasis, StepClaim
from skillc.core.skill.contract import SKILL_FILE, Contract, ContractField, claims_of, contract_fields, iter_claims
from skillc.core.skill.line_forms import persons_claim, why_unreadable, without_lost_names
from skillc.core.skill.pairing import changed_lines, same_lines
from skillc.core.skill.render import claim_text, frontmatter_lines, frontmatter_text, render_agent_view, title_of
from skillc.errors import MAX_REPORTED_LINES, DataError

_QUOTED = re.compile(r'description: "((?:[^"\\]|\\["\\])*)"')
_NUMBERED = re.compile(r"([0-9]{1,4})\. (.*)")
_FENCE = ("```", "~~~")


class LineState(StrEnum):
    """What became of a line in a person's edit."""

    KEPT = "kept"
    CHANGED = "changed"
    NEW = "new"
    REMOVED = "removed"


class ReadLine(Record):
    """One line of the edited page. `claim` is what it is now, or what went; `before` is what it changed."""

    field: str
    state: LineState
    claim: Claim
    before: Claim | None = None


class ReadView(Record):
    """An edited page: the contract that renders to it, and every line of it and those that went, in order."""

    contract: Contract
    lines: tuple[ReadLine, ...]


@dataclass
class _Page:
    """The page in its parts; `problems` is line number -> the first thing that is wrong there."""

    description: tuple[int, str] | None = None
    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)

    def miss(self, number: int, what: str) -> None:
        self.problems.setdefault(number, what)


def read_agent_view(text: str, contract: Contract, *, person: str | None = None) -> ReadView:
    """Returns an edited agent view as a contract that renders to it byte for byte.

    `contract` is the one that the page was rendered from, `person` the registered id of who edited it. Fields that the
    page does not show stay. Raises DataError with the number of every line that has no place in a contract.
    """
    page = _page_of(text, contract)
    _require_none(page)
    taken = {claim.id for _, claim in iter_claims(contract)}
    lines = [_description(page, contract, person)]
    fields: dict[str, object] = {"description": lines[0].claim}
    for name, declared in contract_fields().items():
        if declared.heading is not None:
            made = _section(name, page, claims_of(contract, name), taken, person)
            lines += made
            fields[name] = tuple(line.claim for line in made if line.state is not LineState.REMOVED)
    _require_none(page)
    lost = {claim.name for claim in contract.inputs} - {
        claim.name for claim in contract.model_copy(update=fields).inputs
    }
    read = _settled(ReadView(contract=contract.model_copy(update=fields), lines=tuple(lines)), lost, person)
    again = render_agent_view(read.contract)
    if again != text:
        _differs(page, again.split("\n"), text.split("\n"))
        _require_none(page)
    return read


def _settled(read: ReadView, lost: set[str], person: str | None) -> ReadView:
    """Takes placeholders out of a person's actions whose inputs went."""
    lines = []
    for line in read.lines:
        claim = line.claim
        if isinstance(claim, StepClaim) and line.state is not LineState.REMOVED:
            left = without_lost_names(claim, lost)
            if left != claim and line.state is LineState.KEPT:
                line = ReadLine(field=line.field, state=LineState.CHANGED, claim=left, before=claim)
                left = left.model_copy(update={"person": person})
            line = line.model_copy(update={"claim": left})
        lines.append(line)
    steps = tuple(x.claim for x in lines if x.field == "steps" and x.state is not LineState.REMOVED)
    return ReadView(contract=read.contract.model_copy(update={"steps": steps}), lines=tuple(lines))


def _require_none(page: _Page) -> None:
    if not page.problems:
        return
    told = [f"{SKILL_FILE}:{number}: {what}" for number, what in sorted(page.problems.items())[:MAX_REPORTED_LINES]]
    if len(page.problems) > MAX_REPORTED_LINES:
        told.append(f"and {len(page.problems) - MAX_REPORTED_LINES} more lines")
    raise DataError("\n".join(told), hint="nothing was changed and the file is as you wrote it; mend these lines")


def _differs(page: _Page, wanted: list[str], found: list[str]) -> None:
    """Names the first line that would not be written as it stands."""
    pairs = zip([*wanted, None], [*found, None], strict=False)
    page.miss(next(n for n, (one, two) in enumerate(pairs, 1) if one != two), "would not be written so again")


def _description(page: _Page, contract: Contract, person: str | None) -> ReadLine:
    before = contract.description
    assert page.description is not None
    number, text = page.description
    if text == (frontmatter_text(before.text) or title_of(contract)):
        return ReadLine(field="description", state=LineState.KEPT, claim=before)
    if not text or frontmatter_text(text) != text:
        page.miss(number, "the description has no angle brackets, no `---`, no doubled blanks and at most 1,024 signs")
        return ReadLine(field="description", state=LineState.KEPT, claim=before)
    claim = Claim(id=before.id, text=text, basis=ClaimBasis.PERSON, person=person)
    return ReadLine(field="description", state=LineState.CHANGED, claim=claim, before=before)


def _section(name: str, page: _Page, claims: tuple[Claim, ...], taken: set[str], person: str | None) -> list[ReadLine]:
    written = page.sections.get(name, [])
    rendered, texts = [claim_text(c) for c in claims], [text for _, text in written]
    same = same_lines(rendered, texts)
    changed = changed_lines(rendered, texts, same)
    found: list[ReadLine] = []
    for index, (number, text) in enumerate(written):
        if index in same:
            found.append(ReadLine(field=name, state=LineState.KEPT, claim=claims[same[index]]))
            continue
        before = claims[changed[index]] if index in changed else None
        claim = persons_claim(name, text, before, taken=taken, person=person)
        if claim is None:
            page.miss(number, why_unreadable(name, text))
            continue
        taken.add(claim.id)
        state = LineState.CHANGED if before is not None else LineState.NEW
        found.append(ReadLine(field=name, state=state, claim=claim, before=before))
    used = {*same.values(), *changed.values()}
    gone = (claim for index, claim in enumerate(claims) if index not in used)
    return [*found, *(ReadLine(field=name, state=LineState.REMOVED, claim=claim) for claim in gone)]


def _page_of(text: str, contract: Contract) -> _Page:
    page = _Page()
    lines = text.split("\n")
    if lines.pop() != "":
        page.miss(len(lines) + 1, "the file ends without a line break")
        return page
    if "\r" in text:
        page.miss(1 + text[: text.index("\r")].count("\n"), "lines end with a carriage return; write plain line breaks")
        return page
    end = next((n for n, line in enumerate(lines[1:], 1) if line == "---"), None)
    if not lines or lines[0] != "---" or end is None:
        page.miss(1, "the file does not begin with its frontmatter between two lines of `---`")
        return page
    _read_frontmatter(page, lines[: end + 1], frontmatter_lines(contract))
    for offset, wanted in enumerate(("", f"# {title_of(contract)}", "")):
        found = lines[end + 1 + offset] if end + 1 + offset < len(lines) else None
        if found != wanted and (found, offset) != (None, 2):
            page.miss(end + 2 + offset, f"here belongs {_called(wanted)}; the title is made from the name")
            return page
    _read_body(page, lines, end + 4)
    return page


def _read_frontmatter(page: _Page, found: list[str], wanted: list[str]) -> None:
    for number, line in enumerate(found, 1):
        if number == 3 and (quoted := _QUOTED.fullmatch(line)) is not None:
            page.description = number, re.sub(r"\\(.)", r"\1", quoted[1])
        elif number == 3:
            page.miss(number, 'here belongs the description, on one line in double quotes: description: "..."')
        elif number > len(wanted) or line != wanted[number - 1]:
            page.miss(number, "an edit changes nothing in the frontmatter but the description")
    if len(found) < len(wanted):
        page.miss(len(found), "a line of the frontmatter is missing")


def _read_body(page: _Page, lines: list[str], start: int) -> None:
    """Reads the sections; blank lines, headings and numbers are held to the form that is written."""
    current: tuple[str, ContractField] | None = None
    before, is_open, is_unknown = "blank", False, False  # is_open: a heading whose first line has not come
    for number, line in enumerate(lines[start:], start + 1):
        kind = "blank" if line == "" else "heading" if line.startswith("#") else "line"
        if kind == "blank" and before == "blank":
            page.miss(number, "one blank line too many")
        elif kind == "heading":
            if before != "blank":
                page.miss(number, "a blank line belongs before a heading")
            if is_open:
                page.miss(number, "the section above has no line; take its heading away")
            current = _read_heading(page, number, line)
            is_open, is_unknown = current is not None, current is None
        elif kind == "line" and current is not None:
            _read_line(page, number, line, *current)
            if before == ("heading" if is_open else "blank"):
                page.miss(number, "a blank line is missing above it" if is_open else "a blank line stands above it")
            is_open = False
        elif kind == "line" and not is_unknown:
            page.miss(number, "belongs to no field: a Skill has lines below its headings and nothing else")
        before = kind
    if is_open:
        page.miss(len(lines), "the section has no line; take its heading away")
    if len(lines) > start and before == "blank":
        page.miss(len(lines), "a blank line at the end")


def _read_heading(page: _Page, number: int, line: str) -> tuple[str, ContractField] | None:
    headings = {declared.heading: (name, declared) for name, declared in contract_fields().items()}
    known = headings.get(line.removeprefix("## ")) if line.startswith("## ") else None
    if known is None:
        names = ", ".join(name for name in headings if name)
        page.miss(number, f"is no heading of a Skill; those are: {names}")
        return None
    order = list(contract_fields())
    if any(order.index(name) >= order.index(known[0]) for name in page.sections):
        page.miss(number, "this section is there already or belongs further up; the order is fixed")
    page.sections.setdefault(known[0], [])
    return known


def _read_line(page: _Page, number: int, line: str, name: str, declared: ContractField) -> None:
    written = page.sections[name]
    if declared.ordered:
        found = _NUMBERED.fullmatch(line)
        if found is None:
            page.miss(number, _no_item(line, "a number: `1. `"))
        elif int(found[1]) != len(written) + 1 or found[1].startswith("0"):
            page.miss(number, f"its number should be {len(written) + 1}")
        written.append((number, found[2] if found else ""))
    elif not line.startswith("- "):
        page.miss(number, _no_item(line, "`- `"))
    else:
        written.append((number, line.removeprefix("- ")))


def _no_item(line: str, start: str) -> str:
    if line.lstrip().startswith(_FENCE):
        return "a code block has no place in a Skill; put the command into a step, in backquotes"
    if line.startswith((" ", "\t")):
        return "goes on from the line above; a line of a Skill is one line"
    return f"is no line of its section: each begins with {start}"


def _called(wanted: str) -> str:
    return f"`{wanted}`" if wanted else "a blank line"
