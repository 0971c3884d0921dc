"""Every text of a contract is looked at, and ids are not."""

from skillc.core.scan.contract_text import lines_of
from skillc.core.skill.claim import FailureClaim
from tests.refunds import cites, refund_contract, step


def test_words_recoveries_loops_and_arguments_are_texts():
    mode = FailureClaim(
        id="f-1", text="It fails.", citations=cites("e2"), recovery="Again.", recovery_citations=cites("e3")
    )
    looped = step("refund", "e3", repeat="each order", arguments={"a": {"b": ["deep", 3]}})
    found = {line.place: line.texts for line in lines_of(refund_contract(steps=(looped,), failure_modes=(mode,)))}
    assert found["failure_modes/f-1"] == ("It fails.", "Again.")
    assert found["steps/step-refund"] == ("Call `refund` with `<order>`.", "each order", "deep")
    assert found["description/description"] == ("Refunds an order. Use when a refund is asked for.",)
