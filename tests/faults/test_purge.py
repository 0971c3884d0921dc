"""kill -9 between the steps of `forget --purge`: the backup has everything, the clone is whole, the next one ends it.

A rewrite of many refs is not one instant, so old or new is not promised here. That is promised: whatever was moved is
in the bundle as it was, and the same command again leaves nothing of the old bytes.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillc.lifecycle.forget import forget
from skillc.lifecycle.purge import plan_purge, purge, targets_of
from skillc.lifecycle.skills import current_skills
from tests.faults.kill_at import KillServer
from tests.faults.states import require_sound
from tests.reward_world import FAMILY
from tests.world import World

pytestmark = pytest.mark.skipif(shutil.which("git-filter-repo") is None, reason="git-filter-repo is not installed")
KILLED, GIT_ERROR = -9, 4


class Purging:
    """A shop to copy, the command, and what it must take away."""

    def __init__(self, template: World, place: World) -> None:
        self.template, self.place = template, place
        contract = current_skills(template.context())[FAMILY].contract
        assert contract is not None
        trace_id = contract.steps[0].citations[0].trace_id
        self.arguments = ("forget", trace_id, "--purge", "--yes")
        self.blobs = plan_purge(template.context(), {trace_id: None}).blobs
        self.server = KillServer()
        self.reset()
        code, self.points, said = self.run()
        assert code == 0, said
        self.require_gone()

    def reset(self) -> None:
        shutil.rmtree(self.place.root.parent, ignore_errors=True)
        shutil.copytree(self.template.root.parent, self.place.root.parent, symlinks=True)
        (self.place.root.parent / "tmp").mkdir()

    def run(self, point: int = 0, wait_s: float = 0.0) -> tuple[int, list[str], str]:
        folder = self.place.root.parent
        environment = os.environ | {
            "HOME": str(self.place.home),
            "XDG_CONFIG_HOME": str(self.place.home / ".config"),
            "GIT_CONFIG_GLOBAL": str(self.place.home / ".gitconfig"),
            "TMPDIR": str(folder / "tmp"),
        }
        output = folder / "output"
        code, points = self.server.run(
            *self.arguments,
            folder=str(self.place.root),
            output=str(output),
            environment=environment,
            point=point,
            wait_s=wait_s,
        )
        return code, points, output.read_text("utf-8", "replace")

    def run_to_the_end(self) -> None:
        for _ in range(5):
            code, _, said = self.run()
            if code == 0:
                return
            lock = re.search(r"(?:a lock file is in the way:|was killed and left) '([^']+)'", said)
            assert code == GIT_ERROR, (code, said)
            assert lock, said
            os.unlink(lock.group(1))
        raise AssertionError(said)

    def refs(self) -> dict[str, str]:
        lines = self.place.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(line.split(" ") for line in lines if not line.startswith("refs/skillc/tmp/"))

    def bundles(self) -> list[Path]:
        return sorted(self.place.root.parent.glob("*-before-purge-*.bundle"))

    def require_backed_up(self, before: dict[str, str]) -> None:
        """Every ref is as it was, or the first bundle has what it was."""
        moved = {ref: commit for ref, commit in before.items() if self.refs().get(ref) != commit}
        if not moved:
            return
        first = self.bundles()[0]
        self.place.git("bundle", "verify", "--quiet", str(first))
        held = {
            line.split(" ")[1]: line.split(" ")[0]
            for line in self.place.git("bundle", "list-heads", str(first)).splitlines()
        }
        assert moved.items() <= held.items()

    def require_gone(self) -> None:
        there = self.place.git("cat-file", "--batch-all-objects", "--batch-check")
        assert not [blob for blob in self.blobs if blob in there]
        left = [p.name for p in self.place.root.parent.glob(".skillc-backup-*")]
        assert left == []
        assert not (self.place.root / ".git" / "skillc" / "purge.json").exists()
        assert self.place.git("status", "--porcelain") == ""
        require_sound(self.place.root)


@pytest.fixture
def purging(shop: World, tmp_path: Path) -> Iterator[Purging]:
    made = Purging(shop, World(tmp_path / "place" / "home", tmp_path / "place" / shop.root.name))
    yield made
    made.server.close()


def steps(points: list[str]) -> list[tuple[int, float]]:
    """Between the steps, and in the midst of those that take long: the point, and the seconds to wait there."""
    first = next(n for n, name in enumerate(points, 1) if name == "before git bundle")
    names = ("git bundle", "git filter-repo", "git reflog", "git gc")
    between = {f"after {name}" for name in names} | {"after link", "after replace"}
    found = [(n, 0.0) for n, name in enumerate(points, 1) if n >= first and name in between]
    waits = {"running git filter-repo": (0.0, 0.04, 0.08, 0.12, 0.2, 0.4), "running git gc": (0.0, 0.02, 0.05)}
    return found + [(n, s) for n, name in enumerate(points, 1) for s in waits.get(name, ()) if n >= first]


@pytest.mark.slow
def test_a_purge_that_is_killed_at_any_of_its_steps_is_ended_by_the_next_one(purging: Purging):
    points = steps(purging.points)
    assert len(points) >= 14
    # What forget itself moves comes before the backup, which is what a purge is measured by.
    purging.reset()
    code, _, said = purging.run(next(n for n, name in enumerate(purging.points, 1) if name == "before git bundle"))
    assert code == KILLED, said
    before = purging.refs()
    for point, wait_s in points:
        purging.reset()
        code, _, said = purging.run(point, wait_s)
        assert code == KILLED, said
        require_sound(purging.place.root)
        purging.require_backed_up(before)
        moved = sum(purging.refs().get(ref) != commit for ref, commit in before.items())
        purging.run_to_the_end()
        purging.require_backed_up(before)
        purging.require_gone()
        print(f"{point} of {len(purging.points)}: {purging.points[point - 1]} + {wait_s} s, {moved} refs had moved")


def test_a_purge_that_ended_before_git_pruned_is_ended_by_the_next_one(
    shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    contract = current_skills(shop.context())[FAMILY].contract
    assert contract is not None
    report = forget(shop.context(), [contract.steps[0].citations[0].trace_id], by="ada", reason="asked")
    with monkeypatch.context() as patch:
        patch.setattr("skillc.lifecycle.purge.drop_unreachable", lambda repository: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            purge(shop.context(), targets_of(report), backup=tmp_path / "b.bundle")
    again = purge(shop.context(), targets_of(report))
    assert (bool(again.blobs), again.left, again.backup) == (True, (), str(tmp_path / "b.bundle"))
    there = shop.git("cat-file", "--batch-all-objects", "--batch-check")
    assert not [blob for blob in again.blobs if blob in there]
    assert purge(shop.context(), targets_of(report)).blobs == ()
