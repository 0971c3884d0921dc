"""A Reflector's answer: from typed proposals of a model to proposals that the checks can look at.

Every item is read for itself: an unknown operation, a stale or unknown target, a doubled key or a line without
evidence costs that item. What a patch does not name stays byte for byte; support, tools and effects are computed.
A model's reasons stay with its answer and enter no record. Paper: 5.3, Reflector.
Not here: the checks (core.compile.checks), lines (core.compile.answer_claims), the order of roles (engines.model).
"""

from typing import Any, NamedTuple

from skillc.core.compile.aliases import Aliases, CitationRepair
from skillc.core.compile.answer_claims import ClaimReader
from skillc.core.compile.answer_edits import edited, merged_fields, undeclared, unique, unused_inputs, words_of
from skillc.core.compile.answer_items import (
    MAX_PROPOSALS,
    AddAnswer,
    ConflictAnswer,
    DescriptionEdit,
    EditAction,
    FailureEdit,
    LineEdit,
    MergeAnswer,
    NoneAnswer,
    PatchAnswer,
    StepEdit,
)
from skillc.core.compile.answer_text import AnswerProblem, Dropped, item_of, missing_keys, parse_answer
from skillc.core.compile.checks import check_contract
from skillc.core.compile.derived_fields import effects_of_steps, tools_of_steps
from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.grounding import split_value
from skillc.core.compile.narrow import counted
from skillc.core.compile.proposal import (
    ConflictSide,
    LossReason,
    Proposal,
    ProposalOperation,
    SkillConflict,
    SkillRef,
    content_key,
)
from skillc.core.record import Record, digest_of
from skillc.core.scan.values import trace_values
from skillc.core.skill.claim import Citation, Claim, InputClaim
from skillc.core.skill.contract import (
    Contract,
    SkillOrigin,
    Support,
    Validity,
    cited_events,
    claims_of,
    contract_fields,
    iter_claims,
    skill_id_of,
)

_OPERATIONS: dict[str, type[Record]] = {
    "add": AddAnswer,
    "patch": PatchAnswer,
    "merge": MergeAnswer,
    "conflict": ConflictAnswer,
    "none": NoneAnswer,
}
_EDITS: dict[str, type[Record]] = {
    "steps": StepEdit,
    "failure_modes": FailureEdit,
    "description": DescriptionEdit,
}
VERSION_CHARS = 12  # of a folder's tree id, as a model is given it
MAX_REASONS = 20


class ReflectorAnswer(Record):
    """What is left of an answer."""

    proposals: tuple[Proposal, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    repairs: tuple[CitationRepair, ...] = ()


class OfferedSkill(NamedTuple):
    """A current Skill under its alias, and its lines under theirs."""

    current: CurrentSkill
    lines: dict[str, tuple[str, str]]  # line alias -> field, claim id

    @property
    def version(self) -> str:
        return self.current.tree[:VERSION_CHARS]


class _ReadEdit(NamedTuple):
    """One edit after reading: new claims, ids of lines that go, and what speaks against those."""

    field: str
    action: EditAction
    claims: tuple[Claim, ...]
    removed: frozenset[str]
    against: tuple[Citation, ...]


def offered_skills(evidence: Evidence) -> dict[str, OfferedSkill]:
    """Returns the current Skills by the aliases that a model is given: `s1` ..., with lines `l1` ... each."""
    found = {}
    for number, current in enumerate(sorted(evidence.current, key=lambda c: c.contract.skill_id), 1):
        lines = {f"l{n}": (field, claim.id) for n, (field, claim) in enumerate(iter_claims(current.contract), 1)}
        found[f"s{number}"] = OfferedSkill(current, lines)
    return found


def read_reflector(text: str, evidence: Evidence, aliases: Aliases, *, run: str) -> ReflectorAnswer | AnswerProblem:
    """Returns the proposals of an answer, or why the answer as a whole cannot be used."""
    value = parse_answer(text)
    if isinstance(value, AnswerProblem):
        return value
    wrong = missing_keys(value, ("proposals",))
    if wrong or not isinstance(value["proposals"], list):
        return AnswerProblem(reason=wrong or "the field 'proposals' is not a list")
    return _Reading(evidence, aliases, run).read(value["proposals"])


class _Reading:
    """One answer while it is read."""

    def __init__(self, evidence: Evidence, aliases: Aliases, run: str) -> None:
        self.evidence = evidence
        self.run = run
        self.offered = offered_skills(evidence)
        self.reader = ClaimReader(evidence, aliases)
        self.found: list[Proposal] = []
        self.keys: set[str] = set()

    def read(self, items: list[Any]) -> ReflectorAnswer:
        for number, value in enumerate(items[:MAX_PROPOSALS]):
            here = f"proposals[{number}]"
            operation = value.get("op") if isinstance(value, dict) else None
            model = _OPERATIONS.get(operation) if isinstance(operation, str) else None
            if model is None:
                self._drop(here, "has an operation that there is not")
                continue
            item = item_of(model, value, here)
            if isinstance(item, Dropped):
                self.reader.dropped.append(item)
            else:
                self._take(item, here)
        if len(items) > MAX_PROPOSALS:
            self._drop("proposals", f"has {len(items) - MAX_PROPOSALS} items over the limit of {MAX_PROPOSALS}")
        return ReflectorAnswer(
            proposals=tuple(self.found), dropped=tuple(self.reader.dropped), repairs=tuple(self.reader.repairs)
        )

    def _drop(self, place: str, reason: str) -> None:
        self.reader.dropped.append(Dropped(place=place, reason=reason))

    def _take(self, item: Record, place: str) -> None:
        key = getattr(item, "proposal_key", "")
        if key in self.keys:
            self._drop(place, "has the key of an earlier proposal")
            return
        self.keys.add(key)
        start = len(self.reader.dropped), len(self.reader.repairs)
        made = self._proposal(item, place)
        if made is None:
            return
        known = {content_key(p.contract) for p in self.found if p.contract is not None}
        if made.contract is not None and content_key(made.contract) in known:
            self._drop(place, "proposes the same as an earlier proposal")
            return
        said = [f"left out: {d.place} {d.reason}" for d in self.reader.dropped[start[0] :]]
        said += [f"citation repaired: {r.event_id} of {r.trace_id} ({r.why})" for r in self.reader.repairs[start[1] :]]
        self.found.append(made.model_copy(update={"reasons": made.reasons + tuple(said[:MAX_REASONS])}))

    def _proposal(self, item: Record, place: str) -> Proposal | None:
        if isinstance(item, NoneAnswer):
            key = digest_of([self.run, self.evidence.task_family, item.op])
            reasons = ("the Reflector proposes no change",)
            return Proposal(id=f"p-{key[7:19]}", operation=ProposalOperation.NONE, reasons=reasons)
        if isinstance(item, AddAnswer):
            return self._add(item, place)
        if isinstance(item, PatchAnswer):
            return self._patch(item, place)
        if isinstance(item, MergeAnswer):
            return self._merge(item, place)
        assert isinstance(item, ConflictAnswer)
        return self._conflict(item, place)

    def _target(self, alias: str, version: str, place: str) -> OfferedSkill | None:
        skill = self.offered.get(alias)
        if skill is None:
            self._drop(place, "targets a Skill that was not offered")
            return None
        if version != skill.version:
            self._drop(place, "stale: it was made against another version than the current one")
            return None
        return skill

    def _add(self, item: AddAnswer, place: str) -> Proposal | None:
        evidence = self.evidence
        if any(p.operation is ProposalOperation.ADD for p in self.found):
            self._drop(place, "is a second new Skill for one task family")
            return None
        fields: dict[str, tuple[Claim, ...]] = {}
        for edit in self._edits(item.edits, None, place):
            fields[edit.field] = (*fields.get(edit.field, ()), *edit.claims)
        fields["inputs"] = self.reader.inputs(item.placeholders, place)
        description = fields.pop("description", ())
        if not description:
            self._drop(place, "has no description that its evidence shows")
            return None
        skill_id = skill_id_of(evidence.namespace, evidence.task_family, self.run)
        contract = Contract(
            skill_id=skill_id,
            name=item.name,
            task_family=evidence.task_family,
            description=description[0],
            support=Support(attempt_families=(), single_source=False),
            origin=SkillOrigin(skill_id=skill_id, run=self.run, group=""),
            **unique(fields),
        )
        return self._finished(contract, None, ProposalOperation.ADD, place)

    def _patch(self, item: PatchAnswer, place: str) -> Proposal | None:
        skill = self._target(item.target.skill, item.target.base_version, place)
        if skill is None:
            return None
        base = skill.current.contract
        before = {field: claims_of(base, field) for field in contract_fields()}
        contract, losses = self._changed(base, before, item, skill, place)
        made = self._finished(contract, skill.current, ProposalOperation.PATCH, place)
        return made.model_copy(update={"losses": losses}) if made is not None else None

    def _merge(self, item: MergeAnswer, place: str) -> Proposal | None:
        skills = [self._target(target.skill, target.base_version, place) for target in item.targets]
        offered = [skill for skill in skills if skill is not None]
        if len(offered) < len(skills) or len({s.current.contract.skill_id for s in offered}) < len(skills):
            self._drop(place, "merges a Skill with itself, or with one that was not offered")
            return None
        first = offered[0]
        before = merged_fields([skill.current.contract for skill in offered])
        contract, losses = self._changed(first.current.contract, before, item, first, place)
        made = self._finished(contract, first.current, ProposalOperation.MERGE, place)
        if made is None:
            return None
        targets = tuple(SkillRef(skill_id=s.current.contract.skill_id, tree=s.current.tree) for s in offered)
        return made.model_copy(update={"losses": losses, "targets": targets})

    def _changed(
        self,
        base: Contract,
        before: dict[str, tuple[Claim, ...]],
        item: PatchAnswer | MergeAnswer,
        skill: OfferedSkill,
        place: str,
    ) -> tuple[Contract, tuple[LossReason, ...]]:
        """Returns the contract after the edits, and what speaks against each line that they take out."""
        fields = dict(before)
        losses: list[LossReason] = []
        for edit in self._edits(item.edits, skill, place):
            fields[edit.field] = edited(fields[edit.field], edit.action, edit.claims, edit.removed)
            losses += [
                LossReason(
                    skill_id=base.skill_id,
                    field=edit.field,
                    claim_id=claim_id,
                    reason="the cited events speak against it" if edit.against else "",
                    citations=edit.against,
                )
                for claim_id in sorted(edit.removed)
            ]
        known = {claim.name: claim for claim in fields["inputs"] if isinstance(claim, InputClaim)}
        for claim in self.reader.inputs(item.placeholders, place):
            if claim.name not in known or words_of(known[claim.name]) != words_of(claim):
                known[claim.name] = claim
        fields["inputs"] = tuple(known.values())
        update: dict[str, Any] = {f: c for f, c in unique(fields).items() if f != "description"}
        description = fields["description"][0] if fields["description"] else base.description
        return base.model_copy(update={**update, "description": description}), tuple(losses)

    def _conflict(self, item: ConflictAnswer, place: str) -> Proposal | None:
        skill = self._target(item.target.skill, item.target.base_version, place)
        if skill is None:
            return None
        contract = skill.current.contract
        named = skill.lines.get(item.line)
        line = next((c for f, c in iter_claims(contract) if named == (f, c.id) and f == item.field), None)
        (says,) = self.reader.claims("decisions", (item.says.model_dump(mode="json"),), place) or (None,)
        if line is None or says is None:
            self._drop(place, "names no line that was offered, or nothing that its events show against it")
            return None
        sides = tuple(ConflictSide(text=c.text, citations=c.citations) for c in (line, says))
        conflict = SkillConflict(
            skill_id=contract.skill_id, field=item.field, claim_id=line.id, kind="stated", sides=(sides[0], sides[1])
        )
        key = digest_of([self.run, contract.skill_id, "conflict", line.id, says.id])
        return Proposal(id=f"p-{key[7:19]}", operation=ProposalOperation.CONFLICT, conflict=conflict)

    def _edits(self, items: tuple[Any, ...], skill: OfferedSkill | None, place: str) -> list[_ReadEdit]:
        """Returns the edits that can be read; a bad one costs itself."""
        found = []
        for number, value in enumerate(items):
            here = f"{place} edits[{number}]"
            path = value.get("path") if isinstance(value, dict) else None
            model = _EDITS.get(path, LineEdit) if isinstance(path, str) else LineEdit
            edit: Any = item_of(model, value, here)
            if isinstance(edit, Dropped):
                self.reader.dropped.append(edit)
                continue
            removed: set[str] = set()
            for alias in edit.removes:
                line = skill.lines.get(alias) if skill is not None else None
                if line is None or line[0] != edit.path:
                    self._drop(here, "removes a line that was not offered for this field")
                else:
                    removed.add(line[1])
            claims = self.reader.claims(edit.path, edit.claims, here) if edit.action is not EditAction.REMOVE else ()
            against = self.reader.citations(edit.removal_cites)
            found.append(_ReadEdit(edit.path, edit.action, claims, frozenset(removed), against))
        return found

    def _finished(
        self, contract: Contract, current: CurrentSkill | None, operation: ProposalOperation, place: str
    ) -> Proposal | None:
        """Computes what is not asked, drops lines that the checks would refuse, and makes the proposal."""
        base = current.contract if current is not None else None
        left = self._narrowed(self._derived(contract, base), base, place)
        if left is None:
            return None
        if _is_split(left, self.evidence):
            self._drop(place, "spreads a value of its sources over several lines")
            return None
        touched = tuple(f for f in contract_fields() if base is not None and claims_of(left, f) != claims_of(base, f))
        if base is not None and not touched and left.support == base.support:
            self._drop(place, "changes nothing")
            return None
        key = digest_of([self.run, contract.task_family, operation, content_key(left)])
        tree = current.tree if current is not None else None
        return Proposal(id=f"p-{key[7:19]}", operation=operation, contract=left, fields=touched, base_tree=tree)

    def _derived(self, contract: Contract, base: Contract | None) -> Contract:
        update: dict[str, Any] = {}
        if base is None or contract.steps != base.steps:
            update["tools"] = tools_of_steps(contract.steps, self.evidence)
            update["effects"] = effects_of_steps(contract.steps, self.evidence)
        if base is None:
            cited = cited_events(contract)
            agents = [s.trace.header.agent for s in self.evidence.supports if s.trace_id in cited]
            tested = tuple(sorted({f"{a.name} ({a.model})" if a.model else a.name for a in agents}))[:8]
            update["validity"] = Validity(tested_with=tested)
        return counted(contract.model_copy(update=update), self.evidence)

    def _narrowed(self, contract: Contract, base: Contract | None, place: str) -> Contract | None:
        """Returns the contract without the new lines that break a rule; None when nothing that teaches is left."""
        for _ in range(len(contract_fields())):
            failures = check_contract(contract, self.evidence)
            weak = {(f.field or "", f.claim_id): f.code for f in failures if f.claim_id is not None}
            weak |= undeclared(contract)
            known = {(f, c.id) for f, c in iter_claims(base) if c in claims_of(base, f)} if base is not None else set()
            weak = {line: code for line, code in weak.items() if line not in known}
            unused = unused_inputs(contract, base)
            if not weak and not unused:
                break
            for (field, _), code in sorted(weak.items()):
                self._drop(f"{place} {field}", code)
            for name in sorted(unused):
                self._drop(f"{place} placeholders", "declares a placeholder that no line uses")
                weak[("inputs", name)] = "unused"
            if ("description", contract.description.id) in weak:
                return None
            fields: dict[str, Any] = {
                f: tuple(c for c in claims_of(contract, f) if (f, c.id) not in weak)
                for f in contract_fields()
                if f != "description"
            }
            contract = self._derived(contract.model_copy(update=fields), base)
        if not contract.steps or not contract.use_when:
            self._drop(place, "has no step or no applicability left")
            return None
        return contract


def _is_split(contract: Contract, evidence: Evidence) -> bool:
    cited = [s for s in evidence.sources if s.trace_id in cited_events(contract)]
    families = {s.trace_id: s.attempt_family for s in cited}
    values = trace_values([s.trace for s in cited], attempt_family_of=lambda t: families[t.trace_id])
    return split_value(contract, values.kinds)
