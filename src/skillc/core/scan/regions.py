"""Where a finding ends: line and column after its last character, as editors and code hosts want them.

Lines and columns are 1-based and count code points; the end is exclusive. Not here: finding (core.scan.scanner).
"""

import re
from bisect import bisect_right
from collections.abc import Iterable

from skillc.core.scan.finding import Finding

_LINE_END = re.compile("\n")


def with_ends(findings: Iterable[Finding], text: str) -> tuple[Finding, ...]:
    """Returns the findings of a text with the line and column after each one's last character."""
    found = tuple(findings)
    if not found:
        return ()
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    return tuple(_with_end(finding, starts, len(text)) for finding in found)


def at_line(finding: Finding, line: int, place: str) -> Finding:
    """Returns the finding of a part of a record as standing at a whole line of its file."""
    return finding.model_copy(
        update={"line": line, "column": 1, "end_line": None, "end_column": None, "place": place},
    )


def _with_end(finding: Finding, starts: list[int], size: int) -> Finding:
    end = min(max(finding.span[1], finding.span[0]), size)
    line = bisect_right(starts, end)
    if line > finding.line and end == starts[line - 1]:  # a span that takes its line's end along stops there
        line -= 1
    column = end - starts[line - 1] + 1
    return finding.model_copy(update={"end_line": line, "end_column": column})
