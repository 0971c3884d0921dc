"""Text for a code host: shown as it is, and never acted on.

A forge turns text into mentions, links, images and closed issues, and a squash merge makes a commit message of the
body of a pull request, code blocks included. So nothing foreign keeps the form of any of it, in a block or outside.
Not here: what is said (lifecycle.pull_request, lifecycle.check_told).
"""

import re

from skillc.core.skill.render import visible_line

_BREAK = "<!-- -->"  # shown as nothing; what stands on both sides is two texts
_DOT = "·"  # stands in a code block, where a comment would be shown
_KEYWORD = r"(?i:\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?))"
_ACTS = (
    re.compile(r"@(?=\\?\w)"),  # an underscore is escaped by then
    re.compile(r"#(?=\d)"),
    re.compile(r"(?i:\bGH-)(?=\d)"),
)
_ADDRESS = re.compile(r"(?<=\w):(?=//)|(?i:\bwww)(?=\.)|(?i:\bmailto:)|(?i:\bxmpp:)")
_CLOSES_ADDRESS = re.compile(rf"({_KEYWORD}[^\w\n]{{1,8}}\w+:)(?=//)")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_BLOCK_START = re.compile(r"^(?:(\d+)(?=[.)])|(?=[#+=-]))")


def neutral(text: str, limit: int | None = None) -> str:
    """Returns text on one line that a forge shows and does not act on: no mention, keyword, link, image or HTML.

    `limit` is in bytes of what is returned, for escapes make a text longer.
    """
    line = visible_line(text)
    if limit is None:
        return _escaped(line)
    length = min(len(line), limit)
    while size(found := _escaped(cut(line, length))) > limit and length > 1:
        length = length * 3 // 4
    return found


def _escaped(line: str) -> str:
    line = re.sub(r"([\\`\[\]!|*_~$])", r"\\\1", line)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _BLOCK_START.sub(r"\1\\", line)
    for acts in (*_ACTS, _ADDRESS):
        line = acts.sub(lambda m: m[0] + _BREAK, line)
    return re.sub(rf"({_KEYWORD})(?=:?\s+\S*[#/])", rf"\1{_BREAK}", line)


def code(text: str) -> str:
    """Returns text on one line as code in a sentence; what a forge acts on in it is broken by a dot."""
    line = _without_acts(visible_line(text)) or " "
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"`{line}`"


def fenced(text: str, language: str) -> str:
    """Returns a code block whose fence is longer than any run of backticks inside."""
    text = _without_acts(_CONTROLS.sub("\ufffd", text))
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def is_dotted(text: str) -> bool:
    """Says whether a dot of ours may stand in a text: then a reader must be told what it is."""
    return re.search(rf"(?i:[@#:]|GH-){_DOT}", text) is not None


def cut(text: str, length: int) -> str:
    """Returns text on one line of at most this many characters."""
    line = visible_line(text)
    return line if len(line) <= length else line[: length - 1] + "…"


def size(text: str) -> int:
    """Returns what a forge may count: bytes, which are never fewer than characters."""
    return len(text.encode("utf-8", "replace"))


def _without_acts(text: str) -> str:
    for acts in _ACTS:
        text = acts.sub(lambda m: m[0] + _DOT, text)
    return _CLOSES_ADDRESS.sub(rf"\1{_DOT}", text)
