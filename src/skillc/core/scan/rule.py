"""What a scan rule is: a name, a severity, what it means, how to mend it, and where it hits.

Paper: 5.3, Scanners. Not here: the rules themselves (core.scan.rules), running them (core.scan.scanner).
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from skillc.core.scan.finding import Severity
from skillc.core.scan.views import View


class Hit(NamedTuple):
    """One place in a view: text[start:end]. `shown` stands in the excerpt in place of what was found.

    `shown` is None where the text itself is no secret and may be shown. `severity` overrides the rule's.
    """

    start: int
    end: int
    shown: str | None = None
    severity: Severity | None = None


Find = Callable[[View], Iterable[Hit]]


class ScanRule(NamedTuple):
    """One check. `severity_in_artifact` and `find_in_artifact` count where the text was compiled from Traces.

    `references` name public descriptions of the kind, by title; `family` groups the rules in lists.
    """

    id: str
    family: str
    title: str
    severity: Severity
    meaning: str
    fix: str
    find: Find
    references: tuple[str, ...] = ()
    severity_in_artifact: Severity | None = None
    find_in_artifact: Find | None = None
