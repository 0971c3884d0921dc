"""What every way to verify answers."""

from skillc.core.trace.records import Outcome
from skillc.lifecycle.verify import VERIFIED_BEFORE, HeldError, VerifyReport, VerifyResult, count_traces


def test_the_fields_that_others_build_on_stay():
    """docs: `verify --json` may get fields, and none is renamed."""
    result = VerifyResult(trace_id="t-1", state="verified", outcome=Outcome.SUCCESS)
    report = VerifyReport(verifier="v", results=(result,), recorded=1).model_dump(mode="json")
    assert report["format"] == "skillc.verify/1"
    assert {"verifier", "results", "recorded"} <= set(report)
    assert {"trace_id", "state", "outcome", "commit", "reason"} <= set(report["results"][0])
    assert str(HeldError("why")) == "why"


def result(trace_id: str, state: str, reason: str = "") -> VerifyResult:
    return VerifyResult.model_validate({"trace_id": trace_id, "state": state, "reason": reason})


def test_each_trace_is_counted_once_by_the_best_that_was_said_of_it():
    counts = count_traces(
        [
            result("t-1", "skipped", "not merged"), result("t-1", "verified"), result("t-1", "verified"),
            result("t-2", "skipped", "not merged"), result("t-2", "known"), result("t-2", "held"),
            result("t-3", "held"), result("t-3", "skipped", VERIFIED_BEFORE),
            result("t-4", "skipped", VERIFIED_BEFORE), result("t-4", "skipped", "not merged"),
            result("t-5", "skipped", "not merged"),
        ]
    )  # fmt: skip
    assert (counts.recorded, counts.known, counts.held, counts.verified_before, counts.silent) == (1, 1, 1, 1, 1)
    assert counts.traces == 5
