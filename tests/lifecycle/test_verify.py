"""What every way to verify answers."""

from skillc.core.trace.records import Outcome
from skillc.lifecycle.verify import HeldError, VerifyReport, VerifyResult


def test_the_fields_that_others_build_on_stay():
    """docs: `verify --json` may get fields, and none is renamed."""
    result = VerifyResult(trace_id="t-1", state="verified", outcome=Outcome.SUCCESS)
    report = VerifyReport(verifier="v", results=(result,), recorded=1).model_dump(mode="json")
    assert report["format"] == "skillc.verify/1"
    assert {"verifier", "results", "recorded"} <= set(report)
    assert {"trace_id", "state", "outcome", "commit", "reason"} <= set(report["results"][0])
    assert str(HeldError("why")) == "why"
