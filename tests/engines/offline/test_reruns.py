"""Rules of what stands between two runs of the same check."""

import pytest

from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.reruns import reruns_of
from tests.makers import bash, call, fails, gives, make_source

RED = fails("Exit code 1\nE   OSError: no disk\n1 failed")
GREEN = gives("1 passed")
EDIT = [call("Edit", {"file_path": "a.py"}), gives("ok")]


def reruns(*drafts):
    return reruns_of(attempts_of((make_source(*drafts),))[0])


def test_what_was_done_until_the_symptom_was_gone_is_the_remedy_and_what_left_it_there_is_not():
    found = reruns(bash("pytest"), RED, *EDIT, bash("pytest"), RED, bash("make disk"), gives(""), bash("pytest"), GREEN)

    (episode,) = found.episodes
    assert [c.tool for t in episode.in_vain for c in t.actions] == ["Edit"]
    assert [c.operation for c in episode.mended.actions] == ["make disk"]


def test_nothing_in_between_is_a_flip_in_both_directions():
    first = reruns(bash("pytest"), RED, bash("pytest"), GREEN)
    second = reruns(bash("pytest"), GREEN, bash("pytest"), RED)

    assert [e.is_flip for e in first.episodes] == [True]
    assert [f.symptom for f in second.flips] == ["OSError: no disk"]


def test_commit_in_between_changes_nothing_and_a_probe_may():
    committed = reruns(bash("pytest"), RED, bash("git commit -am x"), gives(""), bash("pytest"), GREEN)
    probed = reruns(bash("pytest"), RED, bash("python -c 'import a; a.make()'"), gives(""), bash("pytest"), GREEN)

    assert committed.episodes[0].is_flip
    assert not probed.episodes[0].is_flip


def test_variable_is_what_the_second_run_has_more():
    (episode,) = reruns(bash("pytest"), RED, bash("A=1 pytest"), GREEN).episodes

    assert (episode.mended.given, episode.mended.actions) == (("A=1",), ())


def test_variable_that_an_earlier_line_exported_counts():
    (episode,) = reruns(bash("pytest"), RED, bash("export A=1"), gives(""), bash("pytest"), GREEN).episodes

    assert episode.mended.given == ("A=1",)


def test_run_of_some_tests_says_nothing_about_all():
    (episode,) = reruns(bash("pytest"), RED, *EDIT, bash("pytest tests/test_b.py"), GREEN).episodes

    assert episode.mended is None


def test_run_that_did_not_start_mends_nothing():
    away = fails("bash: pytest: command not found")

    assert reruns(bash("pytest"), RED, *EDIT, bash("pytest"), away).episodes[0].mended is None


def test_other_arguments_are_no_flip():
    (episode,) = reruns(bash("pytest"), RED, bash("pytest --no-cov"), GREEN).episodes

    assert not episode.is_flip


@pytest.mark.parametrize(
    "again", ["pytest -v 2>&1 | tail -3", "pytest tests/", "pytest -rA --tb=long", "timeout 60 pytest ."]
)
def test_how_much_a_run_prints_changes_no_result(again):
    (episode,) = reruns(bash("pytest -q"), RED, bash(again), GREEN).episodes

    assert episode.is_flip


def test_request_that_may_be_an_order_is_something():
    asked = reruns(bash("pytest"), RED, bash("curl -X POST localhost/start"), gives(""), bash("pytest"), GREEN)
    looked = reruns(bash("pytest"), RED, bash("curl localhost/health"), gives("ok"), bash("pytest"), GREEN)

    assert (asked.episodes[0].is_flip, looked.episodes[0].is_flip) == (False, True)


def test_run_of_the_failing_test_alone_is_nothing_done():
    alone = [bash("pytest tests/test_a.py::test_b"), GREEN]
    (episode,) = reruns(bash("pytest"), RED, *alone, bash("pytest"), GREEN).episodes

    assert episode.is_flip
