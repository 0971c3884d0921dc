"""Only commits that the session's own commands show count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.records import GitContext
from skillc.importers.base import GitFacts
from skillc.importers.git_shown import ShownCommits, with_facts

FULL = "abc1234" + "0" * 33


def shown(*steps: tuple[str, str]):
    commits = ShownCommits()
    for command, output in steps:
        commits.observe(command, output)
    return commits.context(None)


def test_nothing_shown_is_no_context():
    assert shown(("ls", "x")) is None
    assert ShownCommits().context("main").branch == "main"


def test_a_commit_line_of_a_commit_is_a_commit():
    git = shown(("git commit -m x", "[feat/a-b abc1234] x"), ("git commit --amend", "[feat/a-b def5678] x"))

    assert git.commits == ("abc1234", "def5678")
    assert git.head_end == "def5678"


def test_a_root_commit_and_a_detached_head_are_commits():
    assert shown(("git commit -m x", "[main (root-commit) abc1234] x")).commits == ("abc1234",)
    assert shown(("git commit -m x", "[detached HEAD abc1234] x")).commits == ("abc1234",)


def test_the_same_line_from_another_command_is_none():
    assert shown(("cat notes.txt", "[main abc1234] x")) is None
    assert shown(("git status", "[main abc1234] x")) is None


def test_head_before_the_first_commit_is_the_start():
    git = shown(("git rev-parse HEAD", FULL), ("git commit -m x", "[main def5678] x"))

    assert (git.head_start, git.head_end) == (FULL, "def5678")


def test_the_full_name_replaces_the_short_one():
    assert shown(("git commit -m x", "[main abc1234] x"), ("git rev-parse HEAD", FULL)).commits == (FULL,)


def test_a_quiet_commit_is_seen_by_the_next_look_at_head():
    git = shown(("git commit -q -m x", ""), ("git log --oneline -1", "abc1234 x\n"))

    assert git.commits == ("abc1234",)


def test_another_branchs_log_tells_nothing():
    assert shown(("git log origin/main", "commit " + FULL)) is None


def test_a_failed_later_command_does_not_undo_a_commit():
    assert shown(("git commit -m x && pytest", "Exit code 1\n[main abc1234] x\nFAILED")).commits == ("abc1234",)


@given(st.lists(st.tuples(st.sampled_from(["git commit", "git log", "git rev-parse HEAD"]), st.text()), max_size=4))
def test_no_output_breaks_it(steps):
    shown(*steps)


A, B = "a" * 40, "b" * 40


C = "c" * 40


@pytest.mark.parametrize(
    ("shown", "facts", "has_unseen", "expected"),
    [
        (None, GitFacts(), False, None),
        (None, GitFacts(A, A), False, (A, None, ())),
        # HEAD that moved is no commit of the session: it may be another branch, or a pull.
        (None, GitFacts(A, B), False, (A, None, ())),
        (None, GitFacts(A, B, ()), True, (A, None, ())),
        (None, GitFacts(None, B), False, (None, None, ())),
        # An id that is shown becomes whole.
        (GitContext(commits=("bbbbbbb",)), GitFacts(A, B), False, (A, B, (B,))),
        (GitContext(commits=("bbbbbbb",)), GitFacts(A, C, (B, C)), False, (A, B, (B,))),
        # A command that may have committed and shows none: the log tells, and without a log HEAD does.
        (GitContext(commits=("bbbbbbb",)), GitFacts(A, C, (B, C)), True, (A, C, (B, C))),
        (GitContext(commits=("ddddddd",)), GitFacts(A, C, (C,)), True, (A, C, ("ddddddd", C))),
        (None, GitFacts(A, B, (C,)), True, (A, C, (C,))),
        (None, GitFacts(A, B, None), True, (A, B, (B,))),
        (None, GitFacts(A, A, None), True, (A, None, ())),
        # Of one task among several nobody knows.
        (None, GitFacts(A, B, (B,), is_whole=False), True, (A, None, ())),
        (GitContext(head_start="aaaaaaa"), GitFacts(None, A), False, ("aaaaaaa", None, ())),
    ],
)
def test_what_the_hook_saw_is_added_to_what_the_transcript_shows(shown, facts, has_unseen, expected):
    found = with_facts(shown, facts, has_unseen=has_unseen)
    assert (found and (found.head_start, found.head_end, found.commits)) == expected


def test_a_commit_command_without_an_id_is_unseen():
    for command, output, is_unseen in (
        ("git commit -q -m x", "", True),
        ("git commit -m x", "[main abc1234] x", False),
        ("git checkout -q other", "", False),
        ("git merge -q side", "", True),
        ("git log -1", "abc1234 x", False),
    ):
        found = ShownCommits()
        found.observe(command, output)
        assert found.has_unseen is is_unseen, command
