"""The offline engine as a set of roles.

Same evidence, same bytes, whatever the order of its sources. Paper: 5.3. Not here: what the roles may do with
their answers (core.compile).
"""

from skillc.core.compile.calls import ModelCall
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import Proposal, Verdict
from skillc.core.policy import Thresholds
from skillc.core.scan.finding import Finding
from skillc.core.skill.contract import Contract
from skillc.core.trace.codec import Trace
from skillc.core.trace.summary import TraceSummary
from skillc.engines.offline.curate import curate
from skillc.engines.offline.reflect import propose
from skillc.engines.offline.summarize import summarize


class OfflineEngine:
    """Summarizer, Reflector and Curator without a model. `version` changes when the same evidence gives other words."""

    name = "offline"
    version = "3"

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self._thresholds = thresholds or Thresholds()

    def summarize(self, trace: Trace) -> TraceSummary:
        """Returns what happened in one Trace, every line with its events."""
        return summarize(trace, engine=self.name, version=self.version)

    def reflect(self, evidence: Evidence, *, run: str) -> tuple[Proposal, ...]:
        """Returns at most one proposal: an addition, a patch, or no change."""
        return propose(evidence, run=run, thresholds=self._thresholds)

    def curate(self, evidence: Evidence, proposals: tuple[Proposal, ...]) -> tuple[Verdict, ...]:
        """Returns one verdict per proposal, each claim checked against its cited events alone."""
        return curate(evidence, proposals)

    def prepare(self, evidence: Evidence) -> Evidence:
        """Returns the evidence as it is: this engine reads everything."""
        return evidence

    def scan(self, contracts: tuple[Contract, ...]) -> tuple[Finding, ...]:
        """Returns nothing: the rules of core.scan are the scanner."""
        return ()

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Returns nothing: no model is asked."""
        return ()
