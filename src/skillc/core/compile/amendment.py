"""Amendments: which lines of a Skill a person wrote, on whose word, and what stays out because of them.

A contract can say of any line that a person wrote it; that counts only with a record on the ledger. The record holds
digests and ids, none of the words. Paper: 5.3, 5.4. ADR 0025.
Not here: reading an edited page (core.skill.parse), whose record counts (lifecycle.decisions).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from skillc.core.compile.rejected import line_digest
from skillc.core.record import Moment, Record, digest_of
from skillc.core.skill.claim import Claim, StepClaim
from skillc.core.skill.contract import Contract, iter_claims

AMENDMENT_FORMAT = "skillc.amendment/1"


class AmendedLine(Record):
    """A line that a person wrote. `instead_of` are the identities of the cited line that it stands for."""

    field: str
    claim_id: str
    digest: str
    instead_of: tuple[str, ...] | None = None


class AmendmentRecord(Record):
    """A person's edit of a Skill: the lines that they wrote, and the digests of a person's lines that went.

    `contract` is the content digest of the version that the edit made, `run` the record that names it. `sources` are
    the keys of what was known then: only what is not among them is new evidence.
    """

    format: Literal["skillc.amendment/1"] = "skillc.amendment/1"
    namespace: str
    skill: str
    skill_id: str
    contract: str
    run: str
    lines: tuple[AmendedLine, ...]
    gone: tuple[str, ...] | None = None
    sources: tuple[str, ...] = ()
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


def persons_digest(field: str, claim: Claim) -> str:
    """Returns the identity of a person's line: all of it but its id, also what the page does not show."""
    return digest_of([field, claim.model_dump(mode="json", exclude_none=True, exclude={"id"})])


def identities_of(field: str, claim: Claim) -> tuple[str, ...]:
    """Returns by what a line is known again, also when its words change a little: of a step, by what it does."""
    words = line_digest(field, claim)
    if isinstance(claim, StepClaim) and claim.action is not None and claim.action.arguments:
        return words, digest_of([field, "action", claim.action.model_dump(mode="json", exclude_none=True)])
    return (words,)


def covered_digests(contract: Contract, records: Iterable[AmendmentRecord]) -> Mapping[str, str]:
    """Returns digest -> who stands for it, of the lines of people in a Skill; the newest word on a line counts.

    A Skill goes on having the lines of those whose place it took.
    """
    ids = {contract.skill_id, *(r.skill_id for r in contract.origin.replaces or ())}
    found: dict[str, str] = {}
    for record in sorted(records, key=lambda r: (r.at, r.skill_id, r.run)):
        if record.skill_id in ids:
            for digest in record.gone or ():
                found.pop(digest, None)
            found.update(dict.fromkeys((line.digest for line in record.lines), record.by))
    return found


def persons_lines(contract: Contract) -> tuple[tuple[str, Claim], ...]:
    """Returns (field, claim) of the lines that a contract says a person wrote."""
    return tuple((field, claim) for field, claim in iter_claims(contract) if claim.is_persons)


def uncovered_lines(contract: Contract, records: Iterable[AmendmentRecord]) -> tuple[tuple[str, Claim], ...]:
    """Returns the lines of which a contract says that a person wrote them, and no record of that person does."""
    lines = persons_lines(contract)
    covered = covered_digests(contract, records) if lines else {}
    return tuple((f, c) for f, c in lines if not _is_covered(covered.get(persons_digest(f, c)), c))


def _is_covered(by: str | None, claim: Claim) -> bool:
    return by is not None and claim.person in (None, by)


def replaced_identities(
    contract: Contract, records: Iterable[AmendmentRecord], *, overruled: Collection[str] = ()
) -> frozenset[str]:
    """Returns the identities of the cited lines that a person's lines of a contract stand for.

    They stay out as long as the person's line is there; `overruled` are digests of lines that are not any more.
    """
    own = {persons_digest(field, claim) for field, claim in persons_lines(contract)} - set(overruled)
    lines = (line for record in records for line in record.lines if line.digest in own)
    return frozenset(identity for line in lines for identity in line.instead_of or ())
