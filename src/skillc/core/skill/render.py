"""The two renderings of a contract: the agent view (SKILL.md) and the full form for review.

Both come from the field declarations alone, so the same contract gives the same bytes. Claim text is data: it
is put on one line and everything that a host would run or expand when the Skill loads is escaped.
Paper: 5.2. Not here: contract.json (core.record.pretty_json), where files go (repo.skills).
"""

import re
from collections.abc import Callable

from skillc.core.policy import MAX_DESCRIPTION_CHARS
from skillc.core.skill.claim import Citation, Claim, FailureClaim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, ContractField, all_citations, claims_of, contract_fields

Excerpt = Callable[[str, str], str | None]

_ESCAPES = (
    # Each is a feature of a host that acts while a Skill is loaded; a backslash makes it plain text. A backslash
    # that stands there already is swallowed: doubled, it would make the sign work again.
    (re.compile(r"!(?=`)"), "! "),
    (re.compile(r"\\*\$(?=\d|ARGUMENTS|\{CLAUDE_)"), r"\\$"),
    (re.compile(r"(?<![\w\\])\\*@(?=[\w./~-])"), r"\\@"),
    (re.compile(r"`{3,}"), "``"),
    (re.compile(r"~{3,}"), "~~"),
    # Tags, comments and declarations. `<name>` alone is a placeholder, `<Name>` a type, `<<NAME` a shell's: they stay.
    (
        re.compile(
            r"<(?=[!?/]|[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>)(?!(?<=<<)[A-Z_]+\b)(?![a-z][a-z0-9_]*>|[A-Z]>|[A-Z]\w*[a-z]\w*>)"
        ),
        "&lt;",
    ),
    (re.compile(r"\](?=\()"), r"]\\"),  # a link or image, nested ones too
)
_MAX_WORD_CHARS = 40  # a cut goes back to a blank at most this far
_BLOCK_START = re.compile(r"#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|-{3,}|={3,}")
# Spelled out and not asked of Unicode's tables: those differ between versions of Python, and bytes must not.
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)


def visible_line(text: str) -> str:
    """Returns the text on one line as a reader sees it: without controls, invisible signs and private ones.

    A model reads what a person does not see, so nothing unseen stays.
    """
    return " ".join(_UNSEEN.sub("", _BREAKS.sub(" ", text)).split())


def one_line(text: str) -> str:
    """Returns the text on one visible line, ready for a Markdown list item: nothing in it acts."""
    line = visible_line(text)
    before = None
    while before != line:  # an escape inside can leave the form of a tag around it
        before = line
        for pattern, replacement in _ESCAPES:
            line = pattern.sub(replacement, line)
    return "\\" + line if _BLOCK_START.match(line) else line


def frontmatter_text(text: str) -> str:
    """Returns a description that every known reader accepts: no angle brackets, no `---`, at most 1,024 chars."""
    line = visible_line(text).replace("<", "(").replace(">", ")")
    line = re.sub(r"-{3,}", "--", line)
    if len(line) <= MAX_DESCRIPTION_CHARS:
        return line
    cut = line[: MAX_DESCRIPTION_CHARS - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[-_MAX_WORD_CHARS:] else cut) + "…"


def title_of(contract: Contract) -> str:
    """Returns the heading of the Skill, made from its name."""
    words = contract.name.replace("-", " ")
    return words[:1].upper() + words[1:]


def render_agent_view(contract: Contract) -> str:
    """Returns SKILL.md: portable frontmatter, no evidence marks, empty fields left out. Paper: 5.2."""
    lines = [*frontmatter_lines(contract), "", f"# {title_of(contract)}", ""]
    for field, declared in contract_fields().items():
        claims = claims_of(contract, field)
        if declared.heading is None or not claims:
            continue
        lines += [f"## {declared.heading}", ""]
        lines += [_bullet(declared, number, claim_text(claim)) for number, claim in enumerate(claims, 1)]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def render_full_form(contract: Contract, excerpt: Excerpt = lambda trace, event: None) -> str:
    """Returns the review form: every field with its claims, and below each claim the events it cites.

    `excerpt` gives the live text of (trace_id, event_id) or None; it is shown quoted, on one line. Paper: 5.2.
    """
    lines = [f"# {title_of(contract)}", ""]
    support = contract.support
    families = f"{len(support.attempt_families)} attempt {plural('family', len(support.attempt_families))}"
    lines += [f"Skill {contract.skill_id}, family {contract.task_family}, from {families}"]
    if support.single_source:
        lines.append("Single-source: one attempt family supports it, so it may not hold beyond that case")
    lines.append("")
    for field, declared in contract_fields().items():
        claims = claims_of(contract, field)
        if not claims:
            continue
        lines += [f"## {declared.heading or field.capitalize()}", ""]
        for number, claim in enumerate(claims, 1):
            lines.append(_bullet(declared, number, claim_text(claim)))
            if isinstance(claim, StepClaim) and claim.frequency is not None:
                lines.append(f"   taken in {claim.frequency.families} of {claim.frequency.of} attempt families")
            lines += [f"   {line}" for line in evidence_lines(claim, excerpt)]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def claim_text(claim: Claim) -> str:
    """Returns what the agent reads for one claim: the text, with its input name, option, loop or recovery."""
    text = one_line(claim.text)
    if isinstance(claim, InputClaim):
        return f"`<{claim.name}>`: {text}"
    if isinstance(claim, StepClaim):
        if claim.optional:
            text = f"If needed: {text[:1].lower()}{text[1:]}" if not text.startswith("`") else f"If needed: {text}"
        return f"{text.removesuffix('.')} (repeat for {one_line(claim.repeat)})." if claim.repeat else text
    if isinstance(claim, FailureClaim):
        recovery = one_line(claim.recovery) if claim.recovery else "No verified recovery is known."
        return f"{text} {recovery}" if text.endswith((".", ":", "`")) else f"{text}: {recovery}"
    return text


def evidence_lines(claim: Claim, excerpt: Excerpt) -> list[str]:
    """Returns one line per cited event: the mark, and the excerpt where it can be read."""
    lines = []
    for citation in all_citations(claim):
        for event in citation.events:
            text = excerpt(citation.trace_id, event)
            lines.append(f"[{citation.trace_id}#{event}]" + (f" {one_line(text)}" if text else ""))
    if claim.basis != "events":
        lines.append(basis_mark(claim.basis.value, claim.person))
    return list(dict.fromkeys(lines))


def basis_mark(basis: str, person: str | None) -> str:
    """Returns the mark of a line that no event stands behind: `[person]`, `[person alice]`."""
    return f"[{basis} {person}]" if person else f"[{basis}]"


def marks_of(citations: tuple[Citation, ...]) -> str:
    """Returns the citations as short marks, e.g. `t-12ab#e3,e5`."""
    return " ".join(f"{c.trace_id}#{','.join(c.events)}" for c in citations)


def plural(word: str, count: int) -> str:
    """Returns the word for this count: `1 family`, `2 families`."""
    if count == 1:
        return word
    return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "s"


def frontmatter_lines(contract: Contract) -> list[str]:
    """Returns the frontmatter of SKILL.md line by line, its two borders included."""
    return [
        "---",
        f"name: {_quoted(contract.name)}",
        f"description: {_quoted(frontmatter_text(contract.description.text) or title_of(contract))}",
        "metadata:",
        f"  skillc-id: {_quoted(contract.skill_id)}",
        f"  skillc-family: {_quoted(contract.task_family)}",
        "---",
    ]


def _quoted(text: str) -> str:
    """Returns a double-quoted YAML scalar in the subset that every reader of the format accepts."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _bullet(declared: ContractField, number: int, text: str) -> str:
    return f"{number}. {text}" if declared.ordered else f"- {text}"
