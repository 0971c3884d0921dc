"""The evidence of one compilation run: what a role may read, and what was left out and why.

Four parts: current Skills, stale Skills, unconsumed sources with their events, and the outcome history of
earlier proposals. Compilation counts attempt families, not Traces. Paper: 5.3, Evidence selection.
Not here: choosing it (core.compile.select), storing it (lifecycle.compile).
"""

from enum import StrEnum
from functools import cached_property

from skillc.core.record import Record
from skillc.core.skill.claim import Citation
from skillc.core.skill.contract import Contract
from skillc.core.trace.codec import Trace
from skillc.core.trace.operation import is_failed
from skillc.core.trace.records import EventKind
from skillc.core.trace.verification import Standing


class SourceRole(StrEnum):
    """What a source may do in this run."""

    SUPPORT = "support"  # a strongly verified success: may support any claim
    CONTRAST = "contrast"  # a failure: failure modes, and contrast beside a success


class Source(Record):
    """One Trace that the run reads. `attempt_family` is the id of the family's first Trace."""

    trace: Trace
    standing: Standing
    attempt_family: str
    role: SourceRole

    @property
    def trace_id(self) -> str:
        return self.trace.trace_id

    @cached_property
    def failed_calls(self) -> frozenset[str]:
        """The ids of calls whose result is an error."""
        results = (e for e in self.trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id is not None)
        return frozenset(e.call_id for e in results if e.call_id is not None and is_failed(e))


class LeftOut(Record):
    """A source that the run did not read, and why."""

    trace_id: str
    reason: str


class CurrentSkill(Record):
    """An admitted Skill of the family: its contract and the identity of its folder.

    `is_on_base`: it is out of service, is made again, and its folder stands on base until then.
    """

    contract: Contract
    tree: str
    is_on_base: bool = False


class PastProposal(Record):
    """The final outcome of an earlier proposal; untrusted context for the Reflector, never evidence."""

    run: str
    proposal: str
    outcome: str
    content: str
    claims: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class StaleLine(Record):
    """A line of a current Skill that new verified attempts speak against.

    `kind` says how; `against` cites the new attempts. `agreeing` and `opposing` count attempt families; `condition`
    tells the two apart where the evidence shows one.
    """

    field: str
    claim_id: str
    kind: str
    text: str
    says: str
    against: tuple[Citation, ...]
    agreeing: int
    opposing: int
    condition: str = ""


class StaleSkill(Record):
    """A current Skill that new evidence contradicts, and its lines that are meant. Paper: 5.3."""

    skill_id: str
    skill: str
    tree: str
    lines: tuple[StaleLine, ...]


class KnownLine(Record):
    """The Traces of a run that were known when a person wrote a line; `digest` is the line's identity."""

    digest: str
    traces: tuple[str, ...]


class Evidence(Record):
    """Everything that the roles of one run may read."""

    namespace: str
    task_family: str
    family_description: str = ""
    family_operations: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    current: tuple[CurrentSkill, ...] = ()
    former: tuple[CurrentSkill, ...] = ()  # of this family, and out of service: made again under their own ids
    amended: tuple[CurrentSkill, ...] = ()  # of the waiting candidate, with lines that people wrote
    stale: tuple[StaleSkill, ...] = ()
    history: tuple[PastProposal, ...] = ()
    known_to_people: tuple[KnownLine, ...] = ()
    overruled: tuple[str, ...] = ()  # digests of a person's lines that a person decided against in a conflict
    replaced: tuple[str, ...] = ()  # identities of cited lines that a person's line of a current Skill stands for
    other_values: tuple[str, ...] = ()
    other_names: tuple[str, ...] = ()  # folders of other Skills: a new one cannot have their names

    @property
    def supports(self) -> tuple[Source, ...]:
        return tuple(s for s in self.sources if s.role is SourceRole.SUPPORT)

    @property
    def contrasts(self) -> tuple[Source, ...]:
        return tuple(s for s in self.sources if s.role is SourceRole.CONTRAST)

    def source(self, trace_id: str) -> Source | None:
        return self._by_trace.get(trace_id)

    @cached_property
    def _by_trace(self) -> dict[str, Source]:
        return {s.trace_id: s for s in reversed(self.sources)}
