"""`verify --from-git` as a record: who signs it, what it says, and that it is made once. The verdicts: test_landings."""

import pytest

from skillc.core.policy import KeyClass
from skillc.errors import PolicyError
from skillc.lifecycle.registry import add_verifier, remove_verifier
from skillc.lifecycle.verify_git import git_verifier, verify_by_git
from tests.approvers import session
from tests.world import CHECK, World


def test_any_registered_key_of_this_machine_signs_for_merges(fresh: World):
    verifier = git_verifier(fresh.context())
    assert (verifier.id, verifier.key_class) == ("git", KeyClass.LOCAL)


def test_an_entry_of_its_own_registers_the_key_where_there_is_no_check(fresh: World):
    remove_verifier(fresh.root, CHECK)
    fresh.git("commit", "--quiet", "-am", "remove")
    with pytest.raises(PolicyError) as stop:
        git_verifier(fresh.context())
    assert stop.value.hint == "run: skillc verifier add git, and merge that"
    add_verifier(fresh.root, {"id": "git", "kind": "tool", "may_assert": ["success", "partial", "failure"]})
    fresh.git("commit", "--quiet", "-am", "add")
    assert git_verifier(fresh.context()).key is not None


def test_a_landing_is_told_and_recorded_once(fresh: World):
    start = fresh.git("rev-parse", "HEAD")
    fresh.git("switch", "--quiet", "-c", "work")
    commit = fresh.commit({"a.txt": "x\n"})
    fresh.git("switch", "--quiet", "main")
    fresh.git("merge", "--quiet", "--no-ff", "-m", "m", "work")
    session(fresh, start=start, commits=(commit,))
    assert verify_by_git(fresh.context(), dry_run=True).recorded == 0
    report = verify_by_git(fresh.context())
    assert (report.recorded, report.results[0].landed, report.results[0].state) == (1, True, "verified")
    assert report.results[0].reason.startswith("landed: contained in base since ")
    again = verify_by_git(fresh.context())
    assert (again.recorded, again.commit, again.results[0].state) == (0, None, "known")


def test_without_traces_there_is_nothing_to_ask(fresh: World):
    assert verify_by_git(fresh.context()).results == ()
