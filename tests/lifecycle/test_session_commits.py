"""The commit that a session ended with: pinned, shown, or named and confirmed by its edits."""

import pytest

from skillc.core.policy import Verifier
from skillc.lifecycle.session_commits import commit_of, require_tests_unchanged, start_of
from skillc.lifecycle.verify import HeldError
from tests.approvers import session, writes
from tests.makers import user
from tests.world import World


def test_what_the_hook_pinned_goes_before_what_the_transcript_shows(fresh: World):
    shown = fresh.commit({"a.txt": "1\n"})
    pinned = fresh.commit({"a.txt": "2\n"})
    trace = session(fresh, commits=(shown,), pin=pinned)
    assert commit_of(fresh.context(), trace, None) == pinned


def test_a_pin_of_a_session_that_committed_nothing_counts_only_with_its_edits(fresh: World):
    before = fresh.git("rev-parse", "HEAD")
    trace = session(fresh, user("x"), *writes("n.txt", "new\n"), pin=before)
    with pytest.raises(HeldError, match="shows no commit"):
        commit_of(fresh.context(), trace, None)
    held = fresh.commit({"n.txt": "new\n"})
    other = session(fresh, user("x"), *writes("n.txt", "new\n"), trace_id="t-00000002", pin=held)
    assert commit_of(fresh.context(), other, None) == held


def test_the_start_is_shown_or_the_parent_of_the_first_commit(fresh: World):
    first = fresh.git("rev-parse", "HEAD")
    commit = fresh.commit({"a.txt": "1\n"})
    assert start_of(fresh.context(), session(fresh, commits=(commit,))) == first
    assert start_of(fresh.context(), session(fresh, start=commit, trace_id="t-00000002")) == commit
    assert start_of(fresh.context(), session(fresh, trace_id="t-00000003")) is None


def test_a_session_that_changed_nothing_has_no_commit_whatever_is_checked_out(fresh: World):
    other = fresh.commit({"a.txt": "1\n"})
    trace = session(fresh, user("what does it do?"), start=other, pin=other)
    with pytest.raises(HeldError, match="shows no commit"):
        commit_of(fresh.context(), trace, None)


CHECK = Verifier.model_validate(
    {"id": "ut", "kind": "tool", "run": ["true"], "protects": ["tests/**"], "key": "ssh-ed25519 AAAA"}
)


def test_what_a_pull_brought_is_not_what_the_session_changed(fresh: World):
    fresh.commit({"tests/test_a.py": "1\n"})
    begin = fresh.git("rev-parse", "HEAD")
    pulled = fresh.commit({"tests/test_a.py": "2\n"})  # long before the session began, at its clock
    own = fresh.commit({"a.py": "1\n"})
    trace = session(fresh, commits=(own,), start=begin, started_at="2099-01-01T00:00:00Z")

    require_tests_unchanged(fresh.context(), trace, CHECK, own)
    assert start_of(fresh.context(), trace, own) == pulled


def test_a_quiet_commit_between_is_the_sessions_own(fresh: World):
    fresh.commit({"tests/test_a.py": "1\n"})
    begin = fresh.git("rev-parse", "HEAD")
    fresh.commit({"tests/test_a.py": "weak\n"})
    own = fresh.commit({"a.py": "1\n"})
    for number, start in enumerate((begin, None)):
        trace = session(fresh, commits=(own,), start=start, trace_id=f"t-0000000{number}")
        if start is None:  # nothing tells where it began
            require_tests_unchanged(fresh.context(), trace, CHECK, own)
            continue
        with pytest.raises(HeldError, match="tests changed"):
            require_tests_unchanged(fresh.context(), trace, CHECK, own)


def test_a_merge_of_the_session_changes_only_what_neither_side_had(fresh: World):
    fresh.commit({"tests/test_a.py": "1\n"})
    fresh.git("checkout", "-q", "-b", "side")
    fresh.commit({"tests/test_a.py": "2\n"})
    fresh.git("checkout", "-q", "main")
    begin = fresh.commit({"a.py": "1\n"})
    fresh.git("merge", "-q", "--no-ff", "-m", "m", "side")
    merge = fresh.git("rev-parse", "HEAD")
    trace = session(fresh, commits=(merge,), start=begin, started_at="2099-01-01T00:00:00Z")

    require_tests_unchanged(fresh.context(), trace, CHECK, merge)
    changed = fresh.commit({"tests/test_a.py": "3\n"})
    trace = session(
        fresh, commits=(merge, changed), start=begin, trace_id="t-00000002", started_at="2099-01-01T00:00:00Z"
    )
    with pytest.raises(HeldError, match="tests changed"):
        require_tests_unchanged(fresh.context(), trace, CHECK, changed)
