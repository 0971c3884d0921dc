"""CODEOWNERS: who must approve what agents load, as a marked block of lines, and whom a forge would ask for a path.

A forge reads the first of three places, and in it the last pattern that matches. Not here: writing the file
(lifecycle.init_forge), whether the forge asks at all (lifecycle.doctor.forge).
"""

import re
from collections.abc import Iterable, Sequence

from skillc.core.policy import POLICY_FILE

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
MAX_BYTES = 3 * 1024 * 1024  # a forge ignores a larger one
WORKFLOWS = ".github/workflows/skillc-*.yml"
_FIRST = "# >>> skillc: who approves what agents load; again: skillc init --forge github --owners @ORG/TEAM"
_LAST = "# <<< skillc"
_BLOCK = re.compile(rf"^# >>> skillc\b[^\n]*\n(?:(?!# >>> skillc\b)[^\n]*\n)*?{re.escape(_LAST)}[ \t]*(?:\n|$)", re.M)
_OWNER = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?|[^\s@#]+@[^\s@#]+\.[^\s@#]+")


def is_owner(text: str) -> bool:
    """Says whether a forge knows this form: @user, @org/team, or an address."""
    return _OWNER.fullmatch(text) is not None


def guarded(skills_dir: str, place: str) -> tuple[str, ...]:
    """Returns the patterns whose change decides what agents load: Skills, policy, workflows, and the owners."""
    return (f"/{skills_dir}/", f"/{POLICY_FILE}", f"/{WORKFLOWS}", f"/{place}")


def block(patterns: Iterable[str], owners: Sequence[str]) -> str:
    """Returns the marked lines; without owners they are comments that say what to fill in."""
    names = " ".join(owners)
    lines = [f"{p} {names}" if owners else f"# {p} @ORG/TEAM" for p in patterns]
    told = [] if owners else ["# Name the team that approves Skills in place of @ORG/TEAM, and take the # away:"]
    return "\n".join([_FIRST, *told, *lines, _LAST]) + "\n"


def with_block(text: str, patterns: Sequence[str], owners: Sequence[str]) -> str | None:
    """Returns the text of a file with the block in its place, or at the end; None for a block that a person changed.

    Without `owners` those of the block that is there stay.
    """
    found = _BLOCK.search(text)
    if found is None:
        return (text if not text or text.endswith("\n") else text + "\n") + block(patterns, owners)
    there = _owners_in(found[0])
    if found[0].rstrip() + "\n" != block(patterns, there):
        return None
    return text[: found.start()] + block(patterns, owners or there) + text[found.end() :]


def owners_of(text: str, path: str) -> tuple[str, ...]:
    """Returns whom a forge asks for a path: the last pattern that matches counts, and it may name nobody."""
    owners: tuple[str, ...] = ()
    for line in text.splitlines():
        words = re.split(r"\s+", line.split("#", 1)[0].strip()) if line.split("#", 1)[0].strip() else []
        if words and _matches(words[0], path):
            owners = tuple(w for w in words[1:] if is_owner(w))
    return owners


def _owners_in(found: str) -> tuple[str, ...]:
    lines = [line.split() for line in found.splitlines() if line and not line.startswith("#")]
    return tuple(lines[0][1:]) if lines else ()


def _matches(pattern: str, path: str) -> bool:
    """A pattern as in .gitignore: anchored when a slash stands in it, a folder with everything below."""
    if any(sign in pattern for sign in "[]!"):
        return False  # a forge takes none of these
    anchored = "/" in pattern.rstrip("/")
    body = pattern.strip("/")
    expression = "".join(_sign(part) for part in re.findall(r"\*\*/|/\*\*|\*\*|\*|\?|[^*?]", body))
    below = "/.+" if pattern.endswith("/") else "(?:/.+)?" if not pattern.endswith("/*") else ""
    return re.fullmatch(("" if anchored else "(?:.+/)?") + expression + below, path) is not None


def _sign(part: str) -> str:
    known = {"**/": "(?:.+/)?", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return known.get(part) or re.escape(part)
