"""`verify --all`: base first, then the events, and a way without a verifier is told."""

import pytest

from skillc.errors import PolicyError
from skillc.lifecycle.verify_all import verify_all
from tests.approvers import session
from tests.makers import bash, gives, user
from tests.world import CHECK, World

PASSES = (bash("python3 -m unittest -q"), gives("Ran 1 test\nOK", is_error=False))


def test_both_ways_are_tried_for_every_trace(fresh: World):
    start = fresh.git("rev-parse", "HEAD")
    fresh.git("switch", "--quiet", "-c", "work")
    commit = fresh.commit({"a.txt": "x\n"})
    fresh.git("switch", "--quiet", "main")
    fresh.git("merge", "--quiet", "--no-ff", "-m", "m", "work")
    session(fresh, user("x"), *PASSES, start=start, commits=(commit,))
    report = verify_all(fresh.context())
    assert (report.verifier, report.recorded) == (f"git, {CHECK}", 2)
    assert [(r.verifier, r.landed) for r in report.results] == [("git", True), (CHECK, False)]
    standing = fresh.attempts()["t-00000001"].standing
    assert (standing.strength.value, standing.landed) == ("tool", False)


def test_a_way_without_a_verifier_is_left_out_and_told(fresh: World):
    session(fresh, user("x"))
    fresh.set_policy('run: [python3, "-m", unittest, "-q"], ', "")
    context = fresh.context()
    assert verify_all(context).verifier == "git"
    assert context.notes == ["left out: there is no registered check"]


def test_without_any_verifier_it_is_an_error(fresh: World):
    for path in (fresh.home / ".config" / "skillc" / "keys").iterdir():
        path.unlink()
    with pytest.raises(PolicyError):
        verify_all(fresh.context())
