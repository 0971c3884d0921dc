"""Decisions: what becomes of a proposal after the Curator spoke, by one table of operation and decision.

The Curator's answer is a claim. A decision can only narrow what was proposed; a verdict that is missing or given
twice is no support; an unsupported line takes away its own change alone, and what is left is checked again.
Paper: 5.3, Curator. Not here: recording it (lifecycle.judging), what a lost line stops (core.admit.gates).
"""

from collections import Counter
from collections.abc import Mapping

from skillc.core.compile.carrying import carried
from skillc.core.compile.checks import check_contract
from skillc.core.compile.conflict import why_no_conflict
from skillc.core.compile.evidence import CurrentSkill, Evidence
from skillc.core.compile.group import Change, LostLine
from skillc.core.compile.losses import lost_lines
from skillc.core.compile.narrow import DroppedLine, Line, narrowed
from skillc.core.compile.patching import patched
from skillc.core.compile.proposal import (
    CuratorDecision,
    Proposal,
    ProposalOperation,
    SkillConflict,
    Verdict,
    content_key,
)
from skillc.core.compile.rejected import reasons_of_losses
from skillc.core.compile.turning import turned
from skillc.core.compile.twins import is_compatible
from skillc.core.record import Record
from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import ChangeKind, Contract, OriginNote, Replaced, iter_claims

_D = CuratorDecision
_NOTHING = frozenset({_D.CONFLICT, _D.REJECT, _D.NONE})
TABLE: Mapping[ProposalOperation, frozenset[CuratorDecision]] = {
    ProposalOperation.ADD: frozenset({_D.ADD, _D.PATCH, _D.MERGE, _D.REPLACE}) | _NOTHING,
    ProposalOperation.PATCH: frozenset({_D.PATCH}) | _NOTHING,
    ProposalOperation.MERGE: frozenset({_D.MERGE, _D.PATCH}) | _NOTHING,
    ProposalOperation.CONFLICT: _NOTHING,
    ProposalOperation.NONE: frozenset({_D.REJECT, _D.NONE}),
}
_MAX_ROUNDS = 8
MAX_REASON_CHARS = 300


class Decision(Record):
    """What became of one proposal: a change, a recorded conflict, or neither with the reasons."""

    change: Change | None = None
    conflict: SkillConflict | None = None
    reasons: tuple[str, ...] = ()
    dropped: tuple[DroppedLine, ...] = ()


class _Place(Record):
    """Where a change goes: the version that it starts from, and all current Skills that it takes the place of.

    `former` is the Skill that comes back: out of service, or a candidate that a person amended.
    """

    kind: ChangeKind
    base: CurrentSkill | None = None
    replaced: tuple[CurrentSkill, ...] = ()
    former: CurrentSkill | None = None
    problem: str = ""
    note: str = ""


def decide(evidence: Evidence, proposal: Proposal, verdict: Verdict | None) -> Decision:
    """Returns what a checked proposal may do, given the Curator's verdict."""
    contract = proposal.contract
    if proposal.operation is ProposalOperation.NONE:
        return Decision(reasons=proposal.reasons or ("no change",))
    if verdict is None:
        return Decision(reasons=("the Curator gave no verdict",))
    if verdict.decision not in TABLE[proposal.operation]:
        return Decision(reasons=(f"{proposal.operation.value} cannot become {verdict.decision.value}",))
    if verdict.decision is CuratorDecision.CONFLICT:
        return _conflict(evidence, proposal, verdict)
    if verdict.decision in _NOTHING or contract is None:
        return Decision(reasons=verdict.reasons or (f"the Curator decided {verdict.decision.value}",))
    place = _place(evidence, proposal, contract, verdict)
    if place.problem:
        return Decision(reasons=(place.problem,))
    return _change(evidence, proposal, contract, verdict, place)


def decide_all(
    evidence: Evidence, proposals: tuple[Proposal, ...], verdicts: Mapping[str, Verdict | None]
) -> tuple[Decision, ...]:
    """Returns one decision per proposal, in their order; two of one run never make the same Skill twice."""
    found: list[Decision] = []
    made: list[Contract] = []
    for proposal in proposals:
        decision = decide(evidence, proposal, verdicts.get(proposal.id))
        change = decision.change
        if change is not None:
            contract = change.contract
            if any(c.skill_id == contract.skill_id or c.name == contract.name for c in made):
                decision = Decision(reasons=("twin: another proposal of this run changes the same Skill",))
            elif change.kind is ChangeKind.ADD and any(is_compatible(c, contract) for c in made):
                decision = Decision(reasons=("twin: another proposal of this run is for the same procedure",))
            else:
                made.append(contract)
        found.append(decision)
    return tuple(found)


def _conflict(evidence: Evidence, proposal: Proposal, verdict: Verdict) -> Decision:
    conflict = verdict.conflict or proposal.conflict
    problem = "the Curator names no two sides" if conflict is None else why_no_conflict(conflict, evidence)
    return Decision(reasons=(f"conflict: {problem}",)) if problem else Decision(conflict=conflict)


def _place(evidence: Evidence, proposal: Proposal, contract: Contract, verdict: Verdict) -> _Place:
    known = {c.contract.skill_id: c for c in evidence.current}
    if proposal.operation is ProposalOperation.PATCH:
        return _Place(kind=ChangeKind.PATCH, base=known.get(contract.skill_id), problem=_stale(proposal, known))
    if proposal.operation is ProposalOperation.MERGE:
        return _merge_place(proposal, contract, verdict, known)
    target = known.get(verdict.target or contract.skill_id)
    if verdict.decision in (CuratorDecision.PATCH, CuratorDecision.MERGE):
        if target is None or target.contract.task_family != contract.task_family:
            return _Place(kind=ChangeKind.PATCH, problem="there is no current Skill to patch in its place")
        return _Place(kind=ChangeKind.PATCH, base=target)
    if verdict.decision is CuratorDecision.REPLACE:
        if target is None or contract.skill_id in known:
            problem = "a replacement names a current Skill and has an id of its own"
            return _Place(kind=ChangeKind.REPLACE, problem=problem)
        if _is_taken(contract, evidence, but=target):
            return _Place(kind=ChangeKind.REPLACE, problem="twin: another Skill has this name")
        return _Place(kind=ChangeKind.REPLACE, replaced=(target,))
    twin = next((c for c in evidence.current if is_compatible(c.contract, contract)), None)
    if twin is not None:
        return _Place(kind=ChangeKind.PATCH, base=twin, note="a patch of the compatible Skill is preferred to a twin")
    if contract.skill_id in known or _is_taken(contract, evidence):
        return _Place(kind=ChangeKind.ADD, problem="twin: a Skill with this id or name exists; propose a patch")
    amended = _made_before(evidence.amended, contract)
    if amended is not None:
        return _Place(
            kind=ChangeKind.ADD, former=amended, note="the candidate that a person amended keeps its identity"
        )
    former = _made_before(evidence.former, contract)
    if former is None:
        return _Place(kind=ChangeKind.ADD)
    return _Place(kind=ChangeKind.PATCH, former=former, note="a Skill that was out of service keeps its identity")


def _made_before(versions: tuple[CurrentSkill, ...], contract: Contract) -> CurrentSkill | None:
    """Returns the Skill that an addition makes again: never a second one for the same work."""
    same = [c for c in versions if c.contract.skill_id == contract.skill_id]
    alike = [c for c in versions if c.contract.name == contract.name or is_compatible(c.contract, contract)]
    return min((*same[:1], *alike), key=lambda c: (c not in same, c.contract.skill_id), default=None)


def _merge_place(proposal: Proposal, contract: Contract, verdict: Verdict, known: Mapping[str, CurrentSkill]) -> _Place:
    targets = tuple(known[t.skill_id] for t in proposal.targets if t.skill_id in known)
    problem = _stale(proposal, known)
    if verdict.decision is CuratorDecision.PATCH:
        base = known.get(verdict.target or contract.skill_id)
        if base is None or base not in targets:
            problem = problem or "the Skill to patch is none of those that were to be merged"
        return _Place(kind=ChangeKind.PATCH, base=base, problem=problem)
    if contract.skill_id not in {t.contract.skill_id for t in targets} or len(targets) < 2:
        problem = problem or "a merge names two current Skills or more, and keeps the id of one of them"
    return _Place(kind=ChangeKind.MERGE, replaced=targets, problem=problem)


def _stale(proposal: Proposal, known: Mapping[str, CurrentSkill]) -> str:
    """Says why the versions that a proposal was made against are not the current ones; never moved by guess."""
    wanted = {t.skill_id: t.tree for t in proposal.targets}
    if proposal.operation is ProposalOperation.PATCH and proposal.contract is not None:
        wanted = {proposal.contract.skill_id: proposal.base_tree or ""}
    for skill_id, tree in sorted(wanted.items()):
        if skill_id not in known or known[skill_id].tree != tree:
            return "stale-base: it was made against another version than the current one"
    return ""


def _is_taken(contract: Contract, evidence: Evidence, but: CurrentSkill | None = None) -> bool:
    names = {c.contract.name for c in evidence.current if c is not but} | set(evidence.other_names)
    return contract.name in names


def _change(evidence: Evidence, proposal: Proposal, contract: Contract, verdict: Verdict, place: _Place) -> Decision:
    """Narrows the proposal to its supported lines, checks it again, and compares it with what it takes the place of."""
    losses = (*proposal.losses, *verdict.losses)
    weak = _unsupported(evidence, contract, verdict)
    dropped: tuple[DroppedLine, ...] = ()
    fields: tuple[str, ...] = ()
    base = place.base.contract if place.base else None
    if base is not None:
        if proposal.operation is not ProposalOperation.PATCH:
            contract, weak = turned(base, contract, weak)
        patch = patched(base, contract, evidence, losses)
        contract, dropped = patch.contract, patch.put_back
    before = (place.base,) if place.base else place.replaced
    contract = _with_lines_of_people(evidence, contract, before, place)
    left, fallen = _settled(evidence, contract, weak, base)
    dropped = (*dropped, *fallen)
    if isinstance(left, str):
        return Decision(reasons=(left,), dropped=dropped)
    if base is not None:
        fields = patched(base, left, evidence, losses).fields
        if not fields and left.support == base.support:
            return Decision(reasons=("no change is left of the patch",), dropped=dropped)
    lost = tuple(
        line
        for c in before
        for line in lost_lines(c.contract, left, (*losses, *reasons_of_losses(c.contract, left, evidence)))
    )
    weaker = _why_weaker(evidence, left, before, lost, place.kind)
    if weaker:
        return Decision(reasons=(weaker,), dropped=dropped)
    same = next((c for c in before if c.contract.name == left.name), None)
    removes = tuple(
        Replaced(skill=c.contract.name, skill_id=c.contract.skill_id, tree=c.tree) for c in before if c is not same
    )
    kind = place.kind
    if place.former is not None:
        left = _as_former(evidence, left, place.former)
        same = place.former if place.former.is_on_base and place.former.contract.name == left.name else same
        is_restored = kind is ChangeKind.PATCH and content_key(left) == content_key(place.former.contract)
        kind = ChangeKind.RESTORE if is_restored else kind
    change = Change(
        kind=kind,
        contract=_with_lineage(left, removes, lost, place.base),
        base_tree=same.tree if same else None,
        proposal_id=proposal.id,
        fields=fields,
        removes=removes,
        lost=lost,
    )
    return Decision(change=change, reasons=(*([place.note] if place.note else []), *verdict.reasons), dropped=dropped)


def _with_lines_of_people(
    evidence: Evidence, contract: Contract, before: tuple[CurrentSkill, ...], place: _Place
) -> Contract:
    """Carries over what people wrote in the versions before, also in one that waits to be admitted."""
    versions = [*(before if place.base is None else ()), *([place.former] if place.former else [])]
    ids = {contract.skill_id, *(c.contract.skill_id for c in before)}
    waiting = (c for c in evidence.amended if c.contract.skill_id in ids and c is not place.former)
    for version in (*versions, *waiting):
        contract = carried(version.contract, contract, evidence)
    return contract


def _as_former(evidence: Evidence, contract: Contract, former: CurrentSkill) -> Contract:
    """Gives a contract the identity of the Skill that it makes again; its name too, unless another one has it now."""
    known = former.contract
    name = contract.name if _is_taken(known, evidence) else known.name
    origin = contract.origin.model_copy(update={"skill_id": known.skill_id})
    return contract.model_copy(update={"skill_id": known.skill_id, "name": name, "origin": origin})


def _with_lineage(
    contract: Contract, removes: tuple[Replaced, ...], lost: tuple[LostLine, ...], base: CurrentSkill | None
) -> Contract:
    """Writes into the sidecar what the version took the place of, and why lines of it are gone.

    A patch goes on to name what earlier versions took the place of.
    """
    earlier = (base.contract.origin.replaces or ()) if base else ()
    notes = tuple(
        OriginNote(kind="lost", field=line.field, claim_id=line.claim_id, note=line.reason[:MAX_REASON_CHARS])
        for line in lost
    )
    known = contract.origin.notes or ()
    origin = contract.origin.model_copy(
        update={"replaces": (*earlier, *removes) or None, "notes": (*known, *notes) or None}
    )
    return contract.model_copy(update={"origin": origin})


def _unsupported(evidence: Evidence, contract: Contract, verdict: Verdict) -> dict[Line, str]:
    """Returns the lines that the Curator did not clearly support; a person's own line needs no verdict."""
    times = Counter((c.field, c.claim_id) for c in verdict.claims)
    given = {(c.field, c.claim_id): c for c in verdict.claims}
    found: dict[Line, str] = {}
    for field, claim in iter_claims(contract):
        key = field, claim.id
        if claim.basis is not ClaimBasis.EVENTS:
            continue  # core.compile.checks lets only lines of the current version through
        if times[key] == 0:
            found[key] = "unsupported: it has no verdict"
        elif times[key] > 1:
            found[key] = "unsupported: it has two verdicts"
        elif not given[key].supported:
            found[key] = "unsupported"  # why is in the verdict
    return found


def _settled(
    evidence: Evidence, contract: Contract, weak: dict[Line, str], base: Contract | None
) -> tuple[Contract | str, tuple[DroppedLine, ...]]:
    """Drops lines until what is left passes every check; says why where nothing valid is left."""
    dropped: list[DroppedLine] = []
    for _ in range(_MAX_ROUNDS):
        left, fallen = narrowed(contract, weak, evidence, current=base)
        dropped += [f for f in fallen if f not in dropped]
        if left is None:
            return "no valid contract is left: it needs a description, a use and a step", tuple(dropped)
        failures = check_contract(left, evidence)
        whole = next((f for f in failures if f.claim_id is None or f.field is None), None)
        if whole is not None:
            return f"{whole.code}: {whole.message}", tuple(dropped)
        if not failures:
            return left, tuple(dropped)
        weak = {(f.field or "", f.claim_id or ""): f"{f.code}: {f.message}" for f in failures}
        contract = left
    return "its lines do not settle", tuple(dropped)


def _why_weaker(
    evidence: Evidence,
    contract: Contract,
    before: tuple[CurrentSkill, ...],
    lost: tuple[LostLine, ...],
    kind: ChangeKind,
) -> str:
    """A weaker rewrite never takes the place of a Skill that works."""
    here = {s.attempt_family for s in evidence.supports}
    for current in before:
        # By number: which of many families a line cites first can change with every new one.
        families = set(current.contract.support.attempt_families) & here
        if len(contract.support.attempt_families) < len(families):
            return f"weaker: it has less support than {current.contract.name}"
    if kind is ChangeKind.REPLACE:
        unsaid = [line for line in lost if not line.reason]
        if unsaid:
            return f"weaker: it loses {len(unsaid)} cited lines and no reason is recorded, first in {unsaid[0].field}"
    return ""
