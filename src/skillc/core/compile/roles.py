"""The roles of the compiler, as protocols that an engine fills. Paper: 5.3.

An engine returns records and nothing else; what they may do is decided by core.compile.checks and the gates.
"""

from typing import Protocol

from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import Proposal, Verdict
from skillc.core.trace.codec import Trace
from skillc.core.trace.summary import TraceSummary


class Summarizer(Protocol):
    """Says what happened in one Trace."""

    def summarize(self, trace: Trace) -> TraceSummary:
        """Returns a summary, every line with its events; core.trace.summary drops what the Trace does not show."""
        ...


class Reflector(Protocol):
    """Writes proposals from the evidence of one task family."""

    def reflect(self, evidence: Evidence, *, run: str) -> tuple[Proposal, ...]:
        """Returns the proposals of this run; empty when the evidence supports none."""
        ...


class Curator(Protocol):
    """Gives a verdict per claim, then a decision per proposal."""

    def curate(self, evidence: Evidence, proposals: tuple[Proposal, ...]) -> tuple[Verdict, ...]:
        """Returns one verdict per proposal."""
        ...


class Engine(Summarizer, Reflector, Curator, Protocol):
    """A set of roles under one name; `version` is part of a run's identity."""

    name: str
    version: str
