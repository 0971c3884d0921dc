"""Rule `pipe-to-shell`: a compiled text has something fetched from elsewhere run by a shell or an interpreter.

It looks at texts that were compiled from Traces only, where such a line came out of a tool's mouth. Hand-written
texts also warn of it, which needs more than a pattern to tell apart.
"""

import re
from collections.abc import Iterator

from skillc.core.scan.detectors import gate
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import Hit, Rule
from skillc.core.scan.views import View

_FETCH = r"\b(?:curl|wget|fetch|iwr|invoke-webrequest|http)\b[^\n|;]{0,300}"
_SHELL = r"(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/\S*/)?(?:ba|z|da|k|fi)?sh\b"
_RUN = rf"{_SHELL}|(?:sudo\s+)?(?:python3?|perl|ruby|node|php)\b|iex\b"
_PATTERNS = (
    re.compile(rf"{_FETCH}\|\s*(?:tee\s+\S+\s*\|\s*)?(?:{_RUN})", re.IGNORECASE),
    re.compile(rf"\b(?:ba|z|da|k)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*{_FETCH}", re.IGNORECASE),
    re.compile(rf"\b(?:eval|source|\.)\s+[\"']?(?:<\(|\$\(|`)\s*{_FETCH}", re.IGNORECASE),
    re.compile(r"\bbase64\s+(?:-d|-D|--decode)\b[^\n|]{0,80}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b", re.IGNORECASE),
)
_GATE = r"(?i)curl|wget|fetch|iwr|invoke-webrequest|base64|http\b"


def find_in_artifact(view: View) -> Iterator[Hit]:
    """Yields commands that fetch and run in one go; a line longer than 4,096 characters is read in pieces."""
    if not gate(_GATE)(view.text):
        return
    start = 0
    for line in view.text.split("\n"):
        for offset in range(0, max(1, len(line)), 3584):
            piece = line[offset : offset + 4096]
            if gate(_GATE)(piece):
                for pattern in _PATTERNS:
                    for match in pattern.finditer(piece):
                        yield Hit(start + offset + match.start(), start + offset + match.end())
        start += len(line) + 1


RULE = Rule(
    id="pipe-to-shell",
    title="Fetched text is run",
    severity=Severity.BLOCK,
    meaning="The text has a program from the network run unseen: whoever answers decides what happens.",
    fix="Name the package or file and how to check it, and run it in a step of its own.",
    find=lambda view: (),
    find_in_artifact=find_in_artifact,
)
