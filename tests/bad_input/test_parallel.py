"""Two processes at once, and a branch that moves under one: nothing is lost, nothing is made twice."""

import subprocess
import sys

import pytest

from skillc.lifecycle.check import check
from skillc.lifecycle.skills import SkillHistory
from tests.bad_input.telling import require_fine
from tests.faults.states import require_sound
from tests.world import FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case


def start(world: World, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "skillc", *arguments],
        cwd=world.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_together(world: World, *commands: tuple[str, ...]) -> None:
    for process in [start(world, *command) for command in commands]:
        out, errors = process.communicate()
        require_fine(subprocess.CompletedProcess(process.args, process.returncode, out, errors))
    require_sound(world.root)
    assert not world.git("for-each-ref", "refs/skillc/tmp")


def trace_paths(world: World) -> list[str]:
    return world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()


def make_auto(world: World) -> None:
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")


@pytest.mark.parametrize("round_", range(3))
def test_two_captures_of_different_sessions_both_arrive(fresh: World, round_: int):
    first, second = sessions_of(FIX)[:2], sessions_of(FIELD)[:2]
    run_together(fresh, ("capture", "--family", FIX, *first), ("capture", "--family", FIELD, *second))
    assert len(trace_paths(fresh)) == 4


@pytest.mark.parametrize("location", ["branch", "tree"])
def test_two_captures_of_the_same_sessions_store_them_once(fresh: World, location: str):
    if location == "tree":
        fresh.set_policy("location: branch", "location: tree")
    command = ("capture", "--family", FIX, *sessions_of(FIX))
    run_together(fresh, command, command, command)
    ref = "skillc/traces" if location == "branch" else "main"
    log = fresh.git("log", "--format=%s", ref).splitlines()

    assert len([s for s in log if s.startswith("traces: ")]) == 1
    assert len([p for p in fresh.git("ls-tree", "-r", "--name-only", ref).splitlines() if p.startswith("traces/")]) == (
        len(sessions_of(FIX))
    )
    if location == "tree":
        assert fresh.git("status", "--porcelain") == ""


def test_two_compiles_of_the_same_family_make_one_candidate(world: World):
    run_together(world, ("compile", "--family", FIELD), ("compile", "--family", FIELD))

    assert len(world.git("rev-list", f"main..skillc/candidate/{FIELD}").splitlines()) == 1
    runs = world.git("ls-tree", "-r", "--name-only", "skillc/ledger", "runs/").splitlines()
    assert len(runs) == 1


def test_two_compiles_of_different_families_both_arrive(world: World):
    run_together(world, ("compile", "--family", FIELD), ("compile", "--family", FIX))

    assert world.git("branch", "--list", "skillc/candidate/*").split() == [
        f"skillc/candidate/{FIELD}",
        f"skillc/candidate/{FIX}",
    ]
    assert len({r.run for r in world.context().ledger.runs}) == 2


@pytest.mark.parametrize("families", [(FIELD, FIELD), (FIELD, FIX)], ids=["same", "different"])
def test_two_admissions_at_once(world: World, families: tuple[str, str]):
    """The slower one either has nothing to do or says that base moved; running it again is enough."""
    make_auto(world)
    processes = [start(world, "compile", "--family", family) for family in families]
    for process, family in zip(processes, families, strict=True):
        out, errors = process.communicate()
        assert process.returncode in (0, 4), errors
        assert "Traceback" not in errors
        if process.returncode == 4:
            assert "moved while this command ran" in errors, errors
            assert "run the command again" in errors
            require_fine(world.run("compile", "--family", family))
        assert out or errors
    history = SkillHistory(world.context())

    assert {name: len(history.versions(name)) for name in set(families)} == dict.fromkeys(families, 1)
    assert world.git("status", "--porcelain") == ""
    assert check(world.context()).ok
    require_sound(world.root)


def test_a_capture_and_a_compile_at_once(world: World):
    world.git("branch", "-D", "skillc/candidate/x", check=False)
    run_together(
        world, ("compile", "--family", FIELD), ("capture", *sessions_of(FIX)), ("verify", "--run", "unit-tests")
    )
