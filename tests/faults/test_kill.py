"""kill -9 at the writes of a command: old state or new, and the next command works.

The command and the git that it started are killed as one group. Straight after: each ref, staged entry and file
is old or new, and fsck is clean. After any next command: the whole state is old or new, exactly. After the same
command again: new, as if nothing had happened. Every write, and every start and end of a program that writes, is a
point. The slow run kills at some of each scenario (ALL: at each), the default run at a few of the sampled ones.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.faults.kill_at import KillServer
from tests.faults.scenarios import OTHER, SCENARIOS, Prepared, Scenario, prepare
from tests.faults.states import OWN_FILES, State, difference, require_each_old_or_new, require_sound, state_of
from tests.world import World

WORKERS = 2
KILLED = -9
GIT_ERROR = 4
# The least number of points that all scenarios together must have, and of those that every run kills at: less means
# that counting broke.
LEAST_POINTS, LEAST_KILLS = 2_500, 500
ALL = "SKILLC_FAULTS"  # set: a kill at each point, for an hour; else at some of each scenario
KILLS_EACH = 24
# Where something that others read has just moved, or is being moved.
_MOVES = ("running git update-ref", "after git update-ref", "running git push", "after replace", "after unlink")


class Faults:
    """One prepared scenario with its old state, its new state and its points."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.scenario = prepared.scenario
        self.servers = [KillServer() for _ in prepared.places]
        self.free: SimpleQueue[int] = SimpleQueue()
        for number in range(len(prepared.places)):
            self.free.put(number)
        place = prepared.places[0]
        prepared.reset(place)
        self.old = states_of(place)
        code, self.points, said = self.run(0, *self.prepared.arguments)
        assert code == 0, said
        self.new = states_of(place)
        assert all(self.new[name] != self.old[name] for name in self.old)
        require_own_files(self.new)

    def run(
        self, number: int, *arguments: str, point: int = 0, victim: str = "group", root: str | None = None
    ) -> tuple[int, list[str], str]:
        place = self.prepared.places[number]
        temporary = place.root.parent / "tmp"
        temporary.mkdir(exist_ok=True)
        output = place.root.parent / "output"
        environment = os.environ | {
            "HOME": str(place.home),
            "XDG_CONFIG_HOME": str(place.home / ".config"),
            "GIT_CONFIG_GLOBAL": str(place.home / ".gitconfig"),
            "TMPDIR": str(temporary),
        }
        code, points = self.servers[number].run(
            *arguments,
            folder=str(place.root.parent / (root or place.root.name)),
            output=str(output),
            environment=environment,
            point=point,
            victim=victim,
        )
        return code, points, output.read_text("utf-8", "replace")

    def kill_at(self, point: int, victim: str = "group") -> None:
        """Kills the command at one point on a fresh copy, and asks for everything that must hold."""
        number = self.free.get()
        try:
            self._kill_at(number, point, victim)
        finally:
            self.free.put(number)

    def _kill_at(self, number: int, point: int, victim: str) -> None:
        place = self.prepared.places[number]
        self.prepared.reset(place)
        code, _, said = self.run(number, *self.prepared.arguments, point=point, victim=victim)
        if victim == "group":
            assert code == KILLED, said
        else:
            require_told_or_done(code, said)
        now = states_of(place)
        require_own_files(now)
        for name, state in now.items():
            require_each_old_or_new(state, self.old[name], self.new[name])
            require_sound(place.root.parent / name)

        for name in now:
            self.run_past_locks(number, "traces", root=name)
        now = states_of(place)
        for name, state in now.items():
            old, new = self.old[name], self.new[name]
            assert state in (old, new), (name, difference(state, old), difference(state, new))
        if now == self.old or self.scenario.again:
            self.run_past_locks(number, *self.prepared.arguments)
        now = states_of(place)
        assert now == self.new, {name: difference(state, self.new[name]) for name, state in now.items()}
        require_nothing_left(place)

    def run_past_locks(self, number: int, *arguments: str, root: str | None = None) -> None:
        """Runs a command to its end; a lock that a killed git left is taken away as its message says."""
        for _ in range(5):
            code, _, said = self.run(number, *arguments, root=root)
            if code == 0:
                return
            lock = re.search(r"a lock file is in the way: '([^']+)', \d+ s old", said)
            assert code == GIT_ERROR, (code, said)
            assert lock, said
            assert "delete that file" in said
            os.unlink(lock.group(1))
        raise AssertionError(said)

    def close(self) -> None:
        for server in self.servers:
            server.close()


def require_told_or_done(code: int, said: str) -> None:
    """A git that died says it, as far as it had not done its work yet."""
    assert "Traceback" not in said
    assert code in (0, GIT_ERROR), (code, said)
    assert code == 0 or ("error: " in said and "hint: " in said), said


def states_of(place: World) -> dict[str, State]:
    """Returns the state of the repository, and of the other one where a command writes into two, by folder name."""
    roots = (place.root, place.root.parent / OTHER)
    return {root.name: state_of(root) for root in roots if root.exists()}


def require_own_files(states: dict[str, State]) -> None:
    state = next(iter(states.values()))
    for path, text in OWN_FILES.items():
        assert state[f"file {path}"] == text.encode(), path
    assert "staged staged.txt" in state


def require_nothing_left(place: World) -> None:
    """No work under way, no registered checkout, no temporary checkout on disk."""
    refs = subprocess.run(
        ["git", "for-each-ref", "refs/skillc/tmp"], cwd=place.root, capture_output=True, text=True, check=True
    ).stdout
    assert not refs
    trees = subprocess.run(["git", "worktree", "list"], cwd=place.root, capture_output=True, text=True, check=True)
    assert len(trees.stdout.splitlines()) == 1
    assert not list((place.root.parent / "tmp").glob("skillc-*"))
    assert not [p for p in (place.root / ".git" / "skillc").iterdir() if p.suffix in (".journal", ".json", ".tmp")]


@pytest.fixture
def sources(bare_world: World, verified_world: World, admitted_shop: World) -> dict[str, World]:
    return {"fresh": bare_world, "world": verified_world, "shop": admitted_shop}


@pytest.fixture
def faults(request: pytest.FixtureRequest, sources: dict[str, World], tmp_path: Path) -> Iterator[Faults]:
    scenario: Scenario = request.param
    with pytest.MonkeyPatch.context() as patch:
        made = Faults(prepare(scenario, sources[scenario.start], tmp_path, patch, places=WORKERS))
        yield made
        made.close()


def kill_at_all(faults: Faults, points: list[int], *, victim: str = "group") -> None:
    with ThreadPoolExecutor(WORKERS) as threads:
        problems = [p for p in threads.map(lambda point: _problem(faults, point, victim), points) if p]
    assert not problems, f"{len(problems)} of {len(points)} points\n" + "\n".join(problems[:5])


def chosen_points(points: list[str]) -> list[int]:
    """Returns the points to kill at: those where something moves, and others evenly over the command."""
    numbers = range(1, len(points) + 1)
    if ALL in os.environ:
        return list(numbers)
    moves = {n for n in numbers if points[n - 1] in _MOVES}
    return sorted(moves | {numbers[i * len(points) // KILLS_EACH] for i in range(KILLS_EACH)})


def _problem(faults: Faults, point: int, victim: str) -> str:
    try:
        faults.kill_at(point, victim)
    except AssertionError as error:
        return f"point {point} of {len(faults.points)} ({faults.points[point - 1]}): {str(error)[:1500]}"
    return ""


_each = pytest.mark.parametrize("faults", SCENARIOS, indirect=True, ids=lambda s: s.name)


@pytest.mark.slow
@_each
def test_a_kill_at_any_point_leaves_the_old_state_or_the_new(faults: Faults):
    """The whole group dies, or only the program that runs: then the command says so, and nothing is half done."""
    points = chosen_points(faults.points)
    kill_at_all(faults, points)
    programs = [n for n, name in enumerate(faults.points, 1) if name.startswith("running git")]
    alone = programs * (3 if ALL in os.environ else 1)  # at other moments of its work
    kill_at_all(faults, alone, victim="child")
    print(f"\n{faults.scenario.name}: {len(points)} of {len(faults.points)} points, {len(alone)} programs alone")


@pytest.mark.slow
def test_the_points_are_as_many_as_promised(sources: dict[str, World], tmp_path: Path):
    """A count that shrinks means that the counting broke, and that the tests above prove less than they say."""
    counts, kills = {}, 0
    for number, scenario in enumerate(SCENARIOS):
        with pytest.MonkeyPatch.context() as patch:
            made = Faults(prepare(scenario, sources[scenario.start], tmp_path / str(number), patch, places=1))
            counts[scenario.name] = len(made.points)
            kills += len(chosen_points(made.points))
            made.close()
    print(f"\n{counts}: {sum(counts.values())} points, {kills} of them in every slow run")
    assert sum(counts.values()) >= LEAST_POINTS
    assert kills >= LEAST_KILLS
    assert min(counts.values()) >= 20


@pytest.mark.parametrize("faults", [s for s in SCENARIOS if s.sampled], indirect=True, ids=lambda s: s.name)
def test_a_kill_at_some_points_leaves_the_old_state_or_the_new(faults: Faults):
    """A sample for every run: the points where refs and files of the checkout change, and two others."""
    count = len(faults.points)
    late = [n for n, name in enumerate(faults.points, 1) if name in ("running git update-ref", "after replace")]
    kill_at_all(faults, sorted({count // 2, count, *late[-2:]}))
