"""The commit that a session ended with: pinned, shown, or named and confirmed by its edits."""

import pytest

from skillc.lifecycle.session_commits import commit_of, start_of
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
