"""Rules of what a failed attempt left out."""

from skillc.core.trace.records import Outcome
from tests.engines.offline.stale_schema import EDIT, PASSED, mended, modes, source
from tests.makers import bash


def test_step_that_every_success_ran_and_a_failure_left_out_is_named():
    left_out = source(3, *EDIT, bash("pytest tests/test_a.py"), PASSED, outcome=Outcome.FAILURE)

    texts = {m.text: m.recovery for m in modes(mended(1), mended(2), left_out)}

    assert texts["The work looks finished although `python tools/gen.py` was not run"].startswith(
        "Run `python tools/gen.py`"
    )
    assert "The work looks finished after only a part of the tests was run" in texts
