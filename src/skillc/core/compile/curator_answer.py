"""A Curator's question and answer: every claim under an alias, canaries among them, and verdicts that only narrow.

One verdict a claim: missing, doubled or unreadable is unsupported. One decision a proposal: missing or doubled
rejects. An answer has no place for a text, so a Curator changes none. A canary that comes back supported fails the
whole call. Paper: 5.3, Curator. Not here: what a decision does to a proposal (lifecycle.judging).
"""

from collections import Counter
from collections.abc import Mapping

from skillc.core.compile.answer_items import AnswerComparison, AnswerDecision, AnswerVerdict
from skillc.core.compile.answer_text import AnswerProblem, Dropped, items_of, missing_keys, parse_answer
from skillc.core.compile.canaries import canaries_for
from skillc.core.compile.derived_fields import computed_lines
from skillc.core.compile.evidence import Evidence
from skillc.core.compile.proposal import ClaimVerdict, CuratorDecision, Proposal, Verdict
from skillc.core.compile.reflector_answer import offered_skills
from skillc.core.record import Record, digest_of
from skillc.core.skill.claim import MAX_CLAIM_CHARS, Action, Citation, Claim, FailureClaim, StepClaim
from skillc.core.skill.contract import iter_claims

MAX_VERDICTS = 5000
CONFLICT_LINE = "conflict"
_DECISIONS = {
    "add": CuratorDecision.ADD,
    "patch": CuratorDecision.PATCH,
    "merge": CuratorDecision.MERGE,
    "replace": CuratorDecision.REPLACE,
    "record_conflict": CuratorDecision.CONFLICT,
    "reject": CuratorDecision.REJECT,
    "no_change": CuratorDecision.NONE,
}


class AskedClaim(Record):
    """One claim of a question. `proposal` is None for a canary."""

    alias: str
    proposal: str | None
    field: str
    claim_id: str
    text: str
    citations: tuple[Citation, ...]
    action: Action | None = None


class CuratorQuestion(Record):
    """What one call asks: the claims in the order shown, and each proposal's key."""

    claims: tuple[AskedClaim, ...]
    keys: dict[str, str]  # key -> proposal id


class CanaryFailed(Record):
    """The Curator called a claim supported that is known to be false: its answer is worth nothing."""

    canaries: int


class CuratorAnswer(Record):
    """One verdict a proposal, in the order of the proposals."""

    verdicts: tuple[Verdict, ...]
    dropped: tuple[Dropped, ...] = ()


def curator_question(proposals: tuple[Proposal, ...], evidence: Evidence) -> CuratorQuestion:
    """Returns the question about these proposals, canaries put in at places that their words decide."""
    asked: list[AskedClaim] = []
    pairs = []
    for proposal in proposals:
        settled = settled_lines(proposal, evidence)
        if proposal.conflict is not None:
            against = proposal.conflict.sides[1]
            said = Claim(id=CONFLICT_LINE, text=against.text[:MAX_CLAIM_CHARS], citations=against.citations)
            pairs.append((proposal.conflict.field, said))
            asked.append(
                AskedClaim(
                    alias="",
                    proposal=proposal.id,
                    field=proposal.conflict.field,
                    claim_id=said.id,
                    text=said.text,
                    citations=said.citations,
                )
            )
        for field, claim in iter_claims(proposal.contract) if proposal.contract is not None else ():
            if claim.id in settled:
                continue
            pairs.append((field, claim))
            text = claim.text
            if isinstance(claim, StepClaim) and claim.repeat:
                text += f" (repeated for {claim.repeat})"
            if isinstance(claim, FailureClaim) and claim.recovery:
                text += f" Recovery: {claim.recovery}"
            cites = claim.citations + (claim.recovery_citations if isinstance(claim, FailureClaim) else ())
            asked.append(
                AskedClaim(
                    alias="",
                    proposal=proposal.id,
                    field=field,
                    claim_id=claim.id,
                    text=text,
                    citations=cites,
                    action=claim.action if isinstance(claim, StepClaim) else None,
                )
            )
    for number, canary in enumerate(canaries_for(pairs, evidence)):
        place = int(digest_of([number, canary.text, len(asked)])[7:15], 16) % (len(asked) + 1)
        asked.insert(
            place,
            AskedClaim(
                alias="",
                proposal=None,
                field=canary.field,
                claim_id="",
                text=canary.text,
                citations=canary.citations,
                action=canary.action,
            ),
        )
    numbered = tuple(c.model_copy(update={"alias": f"c{n}"}) for n, c in enumerate(asked, 1))
    return CuratorQuestion(claims=numbered, keys={f"p{n}": p.id for n, p in enumerate(proposals, 1)})


def settled_lines(proposal: Proposal, evidence: Evidence) -> dict[str, str]:
    """Returns claim id -> why nobody is asked: a line of the current version as it is, or one that was computed."""
    contract = proposal.contract
    if contract is None:
        return {}
    current = next((c.contract for c in evidence.current if c.contract.skill_id == contract.skill_id), None)
    known = [claim for _, claim in iter_claims(current)] if current is not None else []
    found = {claim.id: "unchanged since the current version" for _, claim in iter_claims(contract) if claim in known}
    return dict.fromkeys(computed_lines(contract, evidence), "computed from the steps") | found


def read_curator(
    text: str, question: CuratorQuestion, proposals: tuple[Proposal, ...], evidence: Evidence
) -> CuratorAnswer | CanaryFailed | AnswerProblem:
    """Returns the verdicts of an answer, or that a canary failed, or why the answer cannot be used."""
    value = parse_answer(text)
    if isinstance(value, AnswerProblem):
        return value
    if wrong := missing_keys(value, ("verdicts", "decisions", "comparisons")):
        return AnswerProblem(reason=wrong)
    verdicts, bad = items_of(AnswerVerdict, value["verdicts"], "verdicts", MAX_VERDICTS)
    decisions, worse = items_of(AnswerDecision, value["decisions"], "decisions", 100)
    comparisons, worst = items_of(AnswerComparison, value["comparisons"], "comparisons", 20)
    dropped = [*bad, *worse, *worst]
    canaries = {c.alias for c in question.claims if c.proposal is None}
    failed = {v.claim_id for v in verdicts if v.claim_id in canaries and v.verdict == "supported"}
    if failed:
        return CanaryFailed(canaries=len(failed))
    known = {c.alias for c in question.claims}
    unknown = sum(v.claim_id not in known for v in verdicts)
    unknown += sum(d.proposal_key not in question.keys for d in decisions)
    if unknown:
        dropped.append(Dropped(place="answer", reason=f"{unknown} items are about claims or proposals not asked"))
    given = _once(verdicts)
    better = {c.current_skill: c.better for c in comparisons}
    by_id: dict[str, list[AnswerDecision]] = {}
    for decision in decisions:
        by_id.setdefault(question.keys.get(decision.proposal_key, ""), []).append(decision)
    found = tuple(
        _verdict(proposal, question, given, by_id.get(proposal.id, []), better, evidence) for proposal in proposals
    )
    return CuratorAnswer(verdicts=found, dropped=tuple(dropped))


def _once(verdicts: list[AnswerVerdict]) -> dict[str, bool]:
    """Returns claim alias -> supported for the claims with exactly one verdict."""
    times = Counter(v.claim_id for v in verdicts)
    return {v.claim_id: v.verdict == "supported" for v in verdicts if times[v.claim_id] == 1}


def _verdict(
    proposal: Proposal,
    question: CuratorQuestion,
    given: dict[str, bool],
    decisions: list[AnswerDecision],
    better: Mapping[str, str],
    evidence: Evidence,
) -> Verdict:
    claims = tuple(
        ClaimVerdict(
            field=asked.field,
            claim_id=asked.claim_id,
            supported=given.get(asked.alias, False),
            reason=""
            if given.get(asked.alias)
            else "the Curator finds no support"
            if asked.alias in given
            else "the Curator gave no verdict, or two",
        )
        for asked in question.claims
        if asked.proposal == proposal.id
    )
    settled = settled_lines(proposal, evidence)
    claims += tuple(
        ClaimVerdict(field=field, claim_id=claim.id, supported=True, reason=settled[claim.id])
        for field, claim in (iter_claims(proposal.contract) if proposal.contract is not None else ())
        if claim.id in settled
    )
    decision, reason = _decision(proposal, decisions, better, evidence)
    if proposal.conflict is not None and not all(c.supported for c in claims):
        decision, reason = CuratorDecision.REJECT, "the Curator finds no support for the other side"
    reasons = (reason,) if reason else ()
    target = _target(decisions, evidence)
    return Verdict(proposal_id=proposal.id, decision=decision, claims=claims, reasons=reasons, target=target)


def _target(decisions: list[AnswerDecision], evidence: Evidence) -> str | None:
    """Returns the id of the Skill that a single decision names, if it was offered."""
    named = offered_skills(evidence).get(decisions[0].target) if len(decisions) == 1 else None
    return named.current.contract.skill_id if named is not None else None


def _decision(
    proposal: Proposal, decisions: list[AnswerDecision], better: Mapping[str, str], evidence: Evidence
) -> tuple[CuratorDecision, str]:
    """Returns the decision on a proposal and, where it is no change, why."""
    if len(decisions) != 1:
        reason = "the Curator gave no decision" if not decisions else "the Curator gave several decisions"
        return CuratorDecision.REJECT, reason
    offered = offered_skills(evidence)
    if decisions[0].target and decisions[0].target not in offered:
        return CuratorDecision.REJECT, "the Curator names a Skill that was not offered"
    skill_id = proposal.contract.skill_id if proposal.contract is not None else ""
    own = [alias for alias, skill in offered.items() if skill.current.contract.skill_id == skill_id]
    if any(better.get(alias) == "current" for alias in own):
        return CuratorDecision.REJECT, "the Curator finds the current Skill better"
    made = _DECISIONS[decisions[0].decision]
    is_change = made not in (CuratorDecision.REJECT, CuratorDecision.NONE)
    return made, "" if is_change else f"the Curator decided {made.value}"
