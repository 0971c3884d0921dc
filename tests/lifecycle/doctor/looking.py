"""One look of doctor at a place, and what single checks said."""

from collections.abc import Callable, Iterator
from pathlib import Path

from skillc.lifecycle.context import Context
from skillc.lifecycle.doctor.finding import DoctorFinding, State, Surroundings
from skillc.repo.repository import Repository
from tests.world import World

Check = Callable[[Surroundings], Iterator[DoctorFinding]]


def at(world: World) -> Surroundings:
    context: Context = world.context()
    return Surroundings(world.root, context.repository, context)


def without_namespace(root: Path) -> Surroundings:
    return Surroundings(root, Repository.open(root), None, "there is no skillc.yaml here", "run: skillc init")


def nowhere(folder: Path) -> Surroundings:
    return Surroundings(folder, None, None, "this folder is not inside a git repository", "run: git init")


def found(check: Check, place: Surroundings, state: State) -> list[str]:
    return [finding.found for finding in check(place) if finding.state is state]


def states(check: Check, place: Surroundings) -> list[str]:
    return [finding.state.value for finding in check(place)]
