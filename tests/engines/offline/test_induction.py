"""Rules of what an induction starts from."""

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.induction import induce
from tests.makers import bash, call, gives, make_evidence, make_source


def source(number, *drafts, **changes):
    return make_source(*drafts, trace_id=f"t-0000000{number}", **changes)


def test_without_a_verified_success_there_is_nothing_to_induce():
    failed = source(1, call("get_a"), gives({}), outcome=Outcome.FAILURE)

    assert induce(make_evidence(failed), Thresholds()) is None
    assert induce(make_evidence(), Thresholds()) is None


def test_success_without_a_call_gives_nothing():
    assert induce(make_evidence(source(1)), Thresholds()) is None


def test_family_that_edits_files_is_coding_and_one_that_books_is_not():
    edits = source(
        1, call("Edit", {"file_path": "a.py"}), gives("ok"), bash("pytest"), gives("1 passed"), check="pytest"
    )
    books = source(2, call("book_room", {"id": "1"}), gives({}))

    coding = induce(make_evidence(edits), Thresholds())
    assert coding.is_coding
    assert coding.is_check_verified
    assert coding.check_column.symbol == "check pytest after"
    assert not induce(make_evidence(books), Thresholds()).is_coding
