"""The roles of the compiler, as protocols that an engine fills. Paper: 5.3.

An engine returns records and nothing else; what they may do is decided by core.compile.checks and the gates.
"""

from typing import Protocol

from skillc.core.compile.calls import ModelCall
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import Proposal, Verdict
from skillc.core.record import Record
from skillc.core.scan.finding import Finding
from skillc.core.skill.contract import Contract
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


class FamilyQuestion(Record):
    """All that a family scorer may see of a Trace: no event, no value."""

    trace_id: str
    objective: str
    summary: tuple[str, ...]
    names: tuple[str, ...]
    families: tuple[tuple[str, str], ...]  # slug, description


class FamilyGuess(Record):
    """The family that a model would choose; `confidence` is its own word and calibrated by nobody."""

    task_family: str | None
    confidence: float


class ModelScanner(Protocol):
    """Looks for instance data, secrets and orders that no rule knows. It may add findings and clears none."""

    def scan(self, contracts: tuple[Contract, ...]) -> tuple[Finding, ...]:
        """Returns findings beside those of the rules; raises CallFailedError when nothing was looked at."""
        ...


class FamilyScorer(Protocol):
    """Proposes a task family for a Trace that nobody put into one. A person decides."""

    def score_family(self, question: FamilyQuestion) -> FamilyGuess:
        """Returns one of the offered families or none, from objective, summary and names alone."""
        ...


class Engine(Summarizer, Reflector, Curator, ModelScanner, Protocol):
    """A set of roles under one name; `version` is part of a run's identity."""

    name: str
    version: str

    def prepare(self, evidence: Evidence) -> Evidence:
        """Returns the evidence without sources that the engine cannot read; each is left out with its reason."""
        ...

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Returns the model calls since the last time it was asked, for the run record."""
        ...
