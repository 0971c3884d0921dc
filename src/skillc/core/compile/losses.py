"""Losses: lines of a current Skill, cited or a person's, that a new version does not have, found by comparing the two.

An engine's word about what it changed is a claim; this looks at the contracts alone. A limit (when not to use,
preconditions, stop conditions) is kept only by its own words; any other line also by a line that says it anew from
the same events. Paper: 5.3, Curator. Not here: what a lost line stops (core.admit.gates).
"""

from collections.abc import Iterable, Iterator

from skillc.core.compile.group import LostLine
from skillc.core.compile.proposal import LossReason, claim_digest
from skillc.core.skill.claim import Claim, ClaimBasis, EffectClaim, FailureClaim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, EvidenceRule, all_citations, claims_of, contract_fields

# Text that is written anew from the whole contract at every version; what it says stands in the other fields.
RETOLD = ("description",)


def lost_lines(current: Contract, successor: Contract, reasons: Iterable[LossReason] = ()) -> tuple[LostLine, ...]:
    """Returns the lines of a current Skill, cited or a person's, that its successor lost, in the contract's order.

    A recorded reason is attached where one names the cited line of this Skill; none stands against a person's line.
    """
    given = {(r.skill_id, r.field, r.claim_id): " ".join(r.reason.split()) for r in reasons}
    found: list[LostLine] = []
    for field, declared in contract_fields().items():
        before, rest = claims_of(current, field), list(claims_of(successor, field))
        own = tuple(c for c in before if c.basis is not ClaimBasis.EVENTS)
        gone = [c for c in own if c not in rest]  # nothing but itself says what a person wrote
        rest = [c for c in rest if c not in own]
        if field not in RETOLD:
            is_limit = declared.rule is EvidenceRule.CONTRAST
            cited = tuple(c for c in before if c not in own)
            gone += [c for c in _unmatched(cited, rest, field, is_limit) if all_citations(c)]
        found += [
            LostLine(
                skill=current.name,
                field=field,
                claim_id=claim.id,
                text=claim.text,
                reason="" if claim in own else given.get((current.skill_id, field, claim.id), ""),
            )
            for claim in before
            if claim in gone
        ]
    return tuple(found)


def _unmatched(before: tuple[Claim, ...], rest: list[Claim], field: str, is_limit: bool) -> Iterator[Claim]:
    """Yields the claims that no claim of the successor keeps; each of those keeps one."""
    tests = [_same_words, _same_thing] if is_limit else [_same_words, _same_thing, _same_id, _same_events]
    left = list(before)
    for test in tests:
        still = []
        for claim in left:
            kept = next((c for c in rest if test(field, claim, c)), None)
            if kept is None:
                still.append(claim)
            else:
                rest.remove(kept)
        left = still
    yield from (c for c in before if c in left)


def _same_words(field: str, old: Claim, new: Claim) -> bool:
    if isinstance(old, FailureClaim) and old.recovery and not (isinstance(new, FailureClaim) and new.recovery):
        return False
    return claim_digest(field, old.text) == claim_digest(field, new.text)


def _same_thing(field: str, old: Claim, new: Claim) -> bool:
    """The same placeholder, effect or action: what a host or a search acts on."""
    if isinstance(old, InputClaim) and isinstance(new, InputClaim):
        return old.name == new.name
    if isinstance(old, EffectClaim) and isinstance(new, EffectClaim):
        return old.effect == new.effect
    if isinstance(old, StepClaim) and isinstance(new, StepClaim) and old.action and new.action:
        return (old.action.tool, old.action.operation) == (new.action.tool, new.action.operation)
    return False


def _same_id(field: str, old: Claim, new: Claim) -> bool:
    return old.id == new.id and not _drops_recovery(old, new)


def _same_events(field: str, old: Claim, new: Claim) -> bool:
    events = {(c.trace_id, e) for c in all_citations(old) for e in c.events}
    shared = {(c.trace_id, e) for c in all_citations(new) for e in c.events} & events
    return bool(shared) and not _drops_recovery(old, new)


def _drops_recovery(old: Claim, new: Claim) -> bool:
    has_one = isinstance(old, FailureClaim) and old.recovery is not None
    return has_one and not (isinstance(new, FailureClaim) and new.recovery is not None)
