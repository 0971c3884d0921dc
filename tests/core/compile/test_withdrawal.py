"""A withdrawal names one version, and only its own lift ends it."""

from datetime import timedelta

from skillc.core.compile.withdrawal import LiftRecord, WithdrawalReason, WithdrawalRecord, withdrawn_versions
from tests.makers import START

TREE = "a" * 40


def withdrawal(reason=WithdrawalReason.CONFLICT, *refs: str, at: int = 0, tree: str = TREE) -> WithdrawalRecord:
    return WithdrawalRecord(
        namespace="acme", task_family="refunds", skill="refunds", skill_id="s-0123456789", tree=tree, reason=reason,
        refs=refs, by="skillc", at=START + timedelta(hours=at),
    )  # fmt: skip


def lift(reason=WithdrawalReason.CONFLICT, *refs: str, at: int = 0) -> LiftRecord:
    return LiftRecord(
        namespace="acme", skill_id="s-0123456789", tree=TREE, reason=reason, refs=refs, by="alice",
        at=START + timedelta(hours=at),
    )  # fmt: skip


def test_a_withdrawn_version_is_known_by_its_folder():
    assert list(withdrawn_versions([withdrawal(), withdrawal(tree="b" * 40)], [])) == [TREE, "b" * 40]


def test_a_lift_ends_the_withdrawal_for_its_reason_only():
    made = [withdrawal(WithdrawalReason.CONFLICT, "c-1"), withdrawal(WithdrawalReason.EVIDENCE_WEAKENED, "t-00000001")]
    left = withdrawn_versions(made, [lift(WithdrawalReason.CONFLICT, "c-1", at=1)])
    assert left[TREE].reason is WithdrawalReason.EVIDENCE_WEAKENED
    assert withdrawn_versions(made[:1], [lift(WithdrawalReason.CONFLICT, "c-2", at=1)]) != {}


def test_a_withdrawal_after_the_lift_counts_again():
    made = [withdrawal(at=0), withdrawal(at=2)]
    assert withdrawn_versions(made, [lift(at=1)])[TREE].at == made[1].at
    assert withdrawn_versions(made[:1], [lift(at=1)]) == {}


def test_two_clones_that_recorded_the_same_withdrawal_made_one():
    assert len(withdrawn_versions([withdrawal(), withdrawal()], [])) == 1
