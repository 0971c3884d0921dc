"""Two opposite constants are split by a fact that separates them, and by nothing weaker."""

import pytest

from skillc.core.compile.contradictions import contradictions
from skillc.core.compile.splitting import split_of
from tests.makers import make_evidence
from tests.refunds import refund, refund_contract, step

NAMES = [f"t-0000000{n}" for n in range(1, 10)]
CONTRACT = refund_contract(
    steps=(step("refund", "e3", arguments={"order": "<order>", "method": "original"}),), preconditions=()
)


def attempts(*kinds: tuple[str, str]):
    return make_evidence(*(refund(n, method=m, status=s) for n, (m, s) in zip(NAMES, kinds, strict=False)))


CLEAR = [("original", "delivered")] * 3 + [("voucher", "pending")] * 3


def test_a_fact_that_separates_the_attempts_is_the_condition():
    split = split_of("refund", "method", attempts(*CLEAR))
    assert split is not None
    assert split.text == (
        "When `status` is `delivered` in the result of `find_order`, use `original` for `method` of `refund`; "
        "when it is `pending`, use `voucher`."
    )
    assert [len(case.citations) for case in split.cases] == [2, 2]


@pytest.mark.parametrize(
    "kinds",
    [
        [*CLEAR[:3], *[("voucher", "delivered")] * 3],
        [*CLEAR[:5], ("voucher", "delivered")],
        [*CLEAR[:2], *CLEAR[3:]],
        [*CLEAR, ("cash", "lost")],
        CLEAR[:3],
    ],
)
def test_without_a_clear_fact_and_three_families_on_each_side_there_is_none(kinds):
    assert split_of("refund", "method", attempts(*kinds)) is None


def test_what_is_split_is_no_conflict_and_still_told():
    (found,) = contradictions(CONTRACT, attempts(*CLEAR), share=0.8)
    assert not found.is_conflict
    assert found.condition.startswith("When `status` is `delivered`")
    (unclear,) = contradictions(CONTRACT, attempts(*CLEAR[:3], *[("voucher", "delivered")] * 3), share=0.8)
    assert (unclear.is_conflict, unclear.condition) == (True, "")
