"""The roles by a model, over any transport: what each is shown, asked and believed.

The roles know evidence and answers; what an answer may do is read by trusted code (core.compile), and every failed
call ends the family's run with its sources kept. Paper: 5.3.
Not here: the wire (engines.claude, engines.claude_code, engines.recorded), retries (engines.model.asking).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from skillc.core.compile.answer_text import AnswerProblem, Dropped
from skillc.core.compile.calls import ModelCall
from skillc.core.compile.curator_answer import CanaryFailed, CuratorAnswer, curator_question, read_curator
from skillc.core.compile.evidence import Evidence, LeftOut, Source, SourceRole
from skillc.core.compile.family_answer import read_family
from skillc.core.compile.proposal import Proposal, Verdict
from skillc.core.compile.reflector_answer import ReflectorAnswer, offered_skills, read_reflector
from skillc.core.compile.roles import FamilyGuess, FamilyQuestion
from skillc.core.compile.scanner_answer import ScannerAnswer, read_scanner, scanned_texts
from skillc.core.compile.summary_answer import SummaryAnswer, read_summary
from skillc.core.policy import MAX_PROMPT_CHARS, ClaudePolicy, Thresholds
from skillc.core.record import digest_of
from skillc.core.scan.finding import Finding
from skillc.core.skill.contract import Contract
from skillc.core.trace.codec import Trace
from skillc.core.trace.summary import SUMMARY_FIELDS, TraceSummary
from skillc.core.trace.verification import Standing
from skillc.engines.model import prompts
from skillc.engines.model.asking import CANARY, Asker, Question
from skillc.engines.model.draft import draft_of, offline_contract
from skillc.engines.model.evidence_text import cited_pairs, pairs_of, show_evidence
from skillc.errors import CallFailedError

SHRUNK = 3  # a request that was too large is asked again with this part of its evidence


class ModelEngine:
    """Summarizer, Reflector, Curator, ModelScanner and FamilyScorer. Settings and prompts are part of `version`."""

    def __init__(
        self, name: str, asker: Asker, policy: ClaudePolicy, thresholds: Thresholds, *, is_batch: bool = False
    ) -> None:
        self.name = name
        self.asker = asker
        self.policy = policy
        roles = policy.model_dump(mode="json", include={"summarizer", "reflector", "curator", "scanner"})
        self.version = f"{prompts.VERSION}-{digest_of(roles)[7:19]}"
        self.thresholds = thresholds
        self.is_batch = is_batch
        self._summaries: dict[str, TraceSummary] = {}

    def prepare(self, evidence: Evidence) -> Evidence:
        """Summarises every source; one whose call failed is left out of this run, retained and named."""
        if self.is_batch:
            self.asker.prefetch([self.summary_question(s.trace).request for s in evidence.sources])
        kept: list[Source] = []
        left_out = list(evidence.left_out)
        failure: CallFailedError | None = None
        for source in evidence.sources:
            try:
                self._summaries[source.trace_id] = self.summarize(source.trace)
                kept.append(source)
            except CallFailedError as error:
                if error.stops_run:
                    raise
                failure = error
                left_out.append(LeftOut(trace_id=source.trace_id, reason=f"its summary failed: {error.kind}"))
        if failure is not None and not any(s.role is SourceRole.SUPPORT for s in kept):
            raise failure
        return evidence.model_copy(update={"sources": tuple(kept), "left_out": tuple(left_out)})

    def summarize(self, trace: Trace) -> TraceSummary:
        """Returns what happened in one Trace, every line with its events."""
        answer = self.asker.ask(self.summary_question(trace))
        self._tell_dropped(answer.dropped)
        if answer.disagrees:
            self.asker.note(("the model reads another outcome than the record has",))
        return answer.summary

    def reflect(self, evidence: Evidence, *, run: str) -> tuple[Proposal, ...]:
        """Returns the proposals of the model, as far as trusted code could read them."""
        answer = self.asker.ask(self.reflector_question(evidence, run=run))
        self._tell_dropped(answer.dropped)
        return answer.proposals

    def curate(self, evidence: Evidence, proposals: tuple[Proposal, ...]) -> tuple[Verdict, ...]:
        """Returns one verdict a proposal; a call that says yes to a canary has failed."""
        if not proposals:
            return ()
        question = self.curator_question(evidence, proposals)
        answer = self.asker.ask(question)
        if isinstance(answer, CanaryFailed):
            reason = f"the Curator called {answer.canaries} claims supported that are known to be false"
            raise self.asker.fail(question.request, CANARY, reason)
        self._tell_dropped(answer.dropped)
        return answer.verdicts

    def scan(self, contracts: tuple[Contract, ...]) -> tuple[Finding, ...]:
        """Returns what the model sees in the texts of the contracts; no answer is no scan, and fails the run."""
        if not contracts:
            return ()
        texts = scanned_texts(contracts)
        request = prompts.scanner_request(self.policy, texts)

        def read(text: str) -> ScannerAnswer | AnswerProblem:
            return read_scanner(text, texts)

        answer = self.asker.ask(Question(request, read))
        self._tell_dropped(answer.dropped)
        return answer.findings

    def score_family(self, question: FamilyQuestion) -> FamilyGuess:
        """Returns the family that the model would choose among those offered."""
        request = prompts.family_request(self.policy, question)
        return self.asker.ask(Question(request, lambda text: read_family(text, question)))

    def use_summaries(self, summaries: Mapping[str, TraceSummary]) -> None:
        """Takes summaries that stand in for its own, for an estimate."""
        self._summaries.update(summaries)

    def take_calls(self) -> tuple[ModelCall, ...]:
        return self.asker.take_calls()

    def summary_question(self, trace: Trace, *, limit: int = MAX_PROMPT_CHARS) -> Question[SummaryAnswer]:
        """Returns the question about one Trace."""
        source = Source(trace=trace, standing=Standing(), attempt_family=trace.trace_id, role=SourceRole.CONTRAST)
        alone = Evidence(namespace=trace.header.namespace, task_family="", sources=(source,))
        shown = show_evidence(alone, cited=set(), limit=limit, has_verdicts=False)
        request = prompts.summary_request(self.policy, trace, shown)

        def read(text: str) -> SummaryAnswer | AnswerProblem:
            return read_summary(text, trace, shown.aliases, engine=self.name, version=self.version)

        smaller = None if limit < MAX_PROMPT_CHARS else lambda: self.summary_question(trace, limit=limit // SHRUNK)
        return Question(request, read, shown.dropped, smaller)

    def reflector_question(
        self, evidence: Evidence, *, run: str, limit: int = MAX_PROMPT_CHARS
    ) -> Question[ReflectorAnswer]:
        """Returns the question about one family: its evidence, current Skills, history, summaries and the draft."""
        drafted = offline_contract(evidence, self.thresholds, run=run)
        contracts = [c.contract for c in evidence.current] + ([drafted] if drafted is not None else [])
        summaries = [self._summaries[s.trace_id] for s in evidence.sources if s.trace_id in self._summaries]
        against = {pair for s in evidence.stale for line in s.lines for pair in pairs_of(line.against)}
        cited = cited_pairs(contracts) | _summary_pairs(summaries) | against
        shown = show_evidence(evidence, cited=cited, limit=limit)
        skills = offered_skills(evidence)
        own = next(((a, s) for a, s in skills.items() if s.current.contract.task_family == evidence.task_family), None)
        draft: Mapping[str, Any] | None = (
            draft_of(drafted, evidence, shown.aliases, skill=own) if drafted is not None else None
        )
        request = prompts.reflector_request(
            self.policy, evidence, shown, draft=draft, skills=skills, summaries=summaries
        )

        def read(text: str) -> ReflectorAnswer | AnswerProblem:
            return read_reflector(text, evidence, shown.aliases, run=run)

        smaller = (
            None
            if limit < MAX_PROMPT_CHARS
            else lambda: self.reflector_question(evidence, run=run, limit=limit // SHRUNK)
        )
        return Question(request, read, shown.dropped, smaller)

    def curator_question(
        self, evidence: Evidence, proposals: tuple[Proposal, ...], *, limit: int = MAX_PROMPT_CHARS
    ) -> Question[CuratorAnswer | CanaryFailed]:
        """Returns the question about the claims of all proposals, with the events that they cite and no others."""
        asked = curator_question(proposals, evidence)
        cited = {pair for claim in asked.claims for pair in pairs_of(claim.citations)}
        shown = show_evidence(evidence, cited=cited, limit=limit, only_cited=True)
        by_id = {p.id: p.operation.value for p in proposals}
        operations = {key: by_id[proposal] for key, proposal in asked.keys.items()}
        request = prompts.curator_request(self.policy, asked, shown, operations)

        def read(text: str) -> CuratorAnswer | CanaryFailed | AnswerProblem:
            return read_curator(text, asked, proposals, evidence)

        smaller = (
            None
            if limit < MAX_PROMPT_CHARS
            else lambda: self.curator_question(evidence, proposals, limit=limit // SHRUNK)
        )
        return Question(request, read, shown.dropped, smaller)

    def _tell_dropped(self, dropped: Sequence[Dropped]) -> None:
        self.asker.note([f"{d.place}: {d.reason}" for d in dropped])


def _summary_pairs(summaries: Sequence[TraceSummary]) -> set[tuple[str, str]]:
    return {
        (summary.trace_id, event)
        for summary in summaries
        for field in SUMMARY_FIELDS
        if field != "tools"
        for claim in getattr(summary, field)
        for event in claim.events
    }
