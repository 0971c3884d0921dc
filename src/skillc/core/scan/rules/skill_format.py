"""Rule `skill-format`: a SKILL.md that one of the hosts drops, cuts or reads differently."""

import re
from collections.abc import Iterator

from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, ScanRule
from skillc.core.scan.views import RAW, View

MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_LISTING = 1536
_SKILL_FILE = re.compile(r"(?:^|/)SKILL\.md$")
_FIELD = re.compile(r"(?m)^([A-Za-z_][\w-]*)[ \t]*:[ \t]*([^\n]*)((?:\n(?:[ \t]+[^\n]*|[ \t]*(?=\n[ \t]+\S)))*)")
_NAME = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)*$")
_BLOCK_SCALAR = re.compile(r"^[|>][+-]?\d?$")


def find(view: View) -> Iterator[Hit]:
    """Yields what is missing or too long in the frontmatter of a file named SKILL.md, each with the limit."""
    if view.name != RAW or not _SKILL_FILE.search(view.path):
        return
    text = view.text
    if text.startswith("\ufeff"):
        yield Hit(0, 1, "byte order mark before ---", Severity.WARN)
        text = text[1:]
    if not re.match(r"---[ \t]*\r?\n", text):
        yield Hit(0, min(3, len(text)), "no frontmatter: the first line is not ---")
        return
    end = re.search(r"\n---[ \t]*(?:\r?\n|$)", text)
    if end is None:
        yield Hit(0, 3, "the frontmatter has no closing ---")
        return
    fields = {match[1]: match for match in _FIELD.finditer(text, 4, end.start() + 1)}
    yield from _name_hits(fields.get("name"), view.path)
    yield from _description_hits(fields.get("description"))


def _name_hits(field: re.Match[str] | None, path: str) -> Iterator[Hit]:
    if field is None:
        yield Hit(0, 3, "no name", Severity.INFO)
        return
    name, start, end = _value(field), field.start(2), max(field.end(2), field.start(2) + 1)
    folder = path.split("/")[-2] if "/" in path else ""
    if len(name) > MAX_NAME:
        yield Hit(start, end, f"name of {len(name)} characters, {MAX_NAME} are allowed")
    elif not _NAME.match(name):
        yield Hit(start, end, "name is not of a-z, 0-9 and single hyphens", Severity.INFO)
    elif folder and folder not in (".", "..") and name != folder:
        yield Hit(start, end, "name is not the folder's", Severity.INFO)


def _description_hits(field: re.Match[str] | None) -> Iterator[Hit]:
    if field is None or not _value(field):
        yield Hit(0, 3, "no description: hosts skip the Skill")
        return
    value, start, end = _value(field), field.start(2), field.end()
    if len(value) > MAX_DESCRIPTION:
        yield Hit(start, min(end, start + 80), f"description of {len(value)} characters, {MAX_DESCRIPTION} are allowed")
    raw = field[2].strip()
    if raw[:1] not in "\"'|>" and re.search(r":(?: |$)| #", raw):
        yield Hit(start, field.end(2), "': ' or ' #' in a value without quotes: some hosts drop the file")
    if "---" in value:
        yield Hit(start, min(end, start + 80), "--- inside a value cuts the frontmatter", Severity.INFO)


def _value(field: re.Match[str]) -> str:
    first = field[2].strip()
    rest = [line.strip() for line in field[3].split("\n") if line.strip()]
    joined = " ".join([*([] if _BLOCK_SCALAR.match(first) else [first]), *rest]).strip()
    if len(joined) > 1 and joined[0] == joined[-1] and joined[0] in "\"'":
        return joined[1:-1].replace('\\"', '"')
    return joined


RULE = ScanRule(
    id="skill-format",
    family="format",
    title="Hosts will not read it as written",
    severity=Severity.WARN,
    meaning="A host skips the Skill, cuts its description or reads another value than the author wrote.",
    fix="Write the six portable keys with quoted values within the limits; the excerpt says which is broken.",
    references=("Agent Skills specification: frontmatter",),
    find=find,
)
