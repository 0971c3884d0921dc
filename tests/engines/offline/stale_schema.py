"""Attempts in a project whose generated schema goes stale: the check fails until the generator ran."""

from skillc.core.policy import Thresholds
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
