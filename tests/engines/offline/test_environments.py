"""Rules of the variables that a command needs."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.environments import environments_of
from skillc.engines.offline.induction import induce
from tests.makers import bash, call, fails, gives, make_evidence, make_source

EDIT = [call("Edit", {"file_path": "a.py"}), gives("ok")]
UNSET = fails("Exit code 1\nE   KeyError: 'SHOP_MODE'\n1 error")


def texts(*runs):
    sources = [make_source(*EDIT, *run, trace_id=f"t-0000000{n}") for n, run in enumerate(runs)]
    return [c.text for c in environments_of(induce(make_evidence(*sources), Thresholds()))]


def lacked_and_had(value):
    return [bash("pytest"), UNSET, bash(f"SHOP_MODE={value} pytest"), gives("1 passed")]


def test_variable_that_a_failing_run_lacked_is_needed():
    assert texts(lacked_and_had("test"), lacked_and_had("test")) == [
        "`pytest` needs the variable `SHOP_MODE`; `test` works."
    ]


def test_value_that_differs_is_not_named():
    assert texts(lacked_and_had("one"), lacked_and_had("two")) == ["`pytest` needs the variable `SHOP_MODE`."]


def test_variable_that_nobody_missed_is_not_said_to_be_needed():
    run = [bash("CI_MODE=1 pytest"), gives("1 passed")]

    assert texts(run, run) == []


def test_variable_of_one_run_in_many_is_not_needed():
    plain = [bash("pytest"), gives("1 passed")]

    assert texts(lacked_and_had("test"), plain, plain) == []
