"""Rules of what a failed attempt left out."""

from skillc.core.policy import Thresholds
from skillc.core.trace.records import Outcome
from skillc.engines.offline.failures import failures_of
from skillc.engines.offline.induction import induce
from tests.makers import bash, call, fails, gives, make_evidence, make_source

EDIT = [call("Edit", {"file_path": "schema.json"}), gives("updated")]
STALE = fails("Exit code 1\nAssertionError: schema.py is out of date; run: python tools/gen.py\n\n1 failed")
PASSED = gives("3 passed")


def modes(*sources):
    return failures_of(induce(make_evidence(*sources), Thresholds()))


def source(number, *drafts, **changes):
    return make_source(*drafts, trace_id=f"t-0000000{number}", **changes)


def mended(number):
    return source(
        number, *EDIT, bash("pytest"), STALE, bash("python tools/gen.py"), gives("wrote"), bash("pytest"), PASSED
    )


def test_step_that_every_success_ran_and_a_failure_left_out_is_named():
    left_out = source(3, *EDIT, bash("pytest tests/test_a.py"), PASSED, outcome=Outcome.FAILURE)

    texts = {m.text: m.recovery for m in modes(mended(1), mended(2), left_out)}

    assert texts["The work looks finished although `python tools/gen.py` was not run"].startswith(
        "Run `python tools/gen.py`"
    )
    assert "The work looks finished after only a part of the tests was run" in texts
