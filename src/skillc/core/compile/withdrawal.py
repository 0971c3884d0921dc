"""Withdrawal: a Skill version out of service, by one mechanism for every reason.

A record on the ledger names the version by Skill and folder identity and counts at once; a commit that removes the
folder and leaves the note `.skillc/withdrawn/<name>.json` follows. Another version of the same Skill is in service
again. Paper: 5.3 Curator, 5.4, 5.6 Deletion. Not here: writing (lifecycle.withdrawal).
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Literal

from skillc.core.record import Moment, Record

WITHDRAWAL_FORMAT = "skillc.withdrawal/1"
LIFT_FORMAT = "skillc.lift/1"


class WithdrawalReason(StrEnum):
    """Why a version is out of service."""

    CONFLICT = "conflict"
    EVIDENCE_WEAKENED = "evidence-weakened"
    EVIDENCE_DELETED = "evidence-deleted"
    RETIRED = "retired"
    EXPIRED = "expired"


class WithdrawalRecord(Record):
    """A version that goes out of service. `refs` are the Traces or the conflict that it rests on."""

    format: Literal["skillc.withdrawal/1"] = "skillc.withdrawal/1"
    namespace: str
    task_family: str
    skill: str
    skill_id: str
    tree: str
    reason: WithdrawalReason
    detail: str = ""
    refs: tuple[str, ...] = ()
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


class LiftRecord(Record):
    """The end of a withdrawal: the version is in service again. `refs` are those of the withdrawals that end."""

    format: Literal["skillc.lift/1"] = "skillc.lift/1"
    namespace: str
    skill_id: str
    tree: str
    reason: WithdrawalReason
    refs: tuple[str, ...] = ()
    detail: str = ""
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


class WithdrawnNote(Record):
    """The file that stays where a folder was removed."""

    format: Literal["skillc.withdrawn/1"] = "skillc.withdrawn/1"
    skill_id: str
    reason: WithdrawalReason
    tree: str
    commit: str | None = None


def withdrawn_versions(
    withdrawals: Iterable[WithdrawalRecord], lifts: Iterable[LiftRecord]
) -> Mapping[str, WithdrawalRecord]:
    """Returns folder identity -> the withdrawal that counts now, the newest where several do.

    A lift ends only withdrawals for its own reason that were made before it or with it: one made later counts.
    """
    ended: dict[tuple[str, str, WithdrawalReason, tuple[str, ...]], Moment] = {}
    for lift in lifts:
        key = lift.skill_id, lift.tree, lift.reason, lift.refs
        ended[key] = max(ended.get(key, lift.at), lift.at)
    found: dict[str, WithdrawalRecord] = {}
    for record in sorted(withdrawals, key=lambda w: (w.at, w.reason, w.refs)):
        end = ended.get((record.skill_id, record.tree, record.reason, record.refs))
        if end is None or record.at > end:
            found[record.tree] = record
    return dict(sorted(found.items()))
