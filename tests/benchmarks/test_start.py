"""How long a command takes before it does anything, as ratios to an empty Python and to a Typer hello.

"First useful work" is the first program that the command starts: until then it has only loaded itself. Both
sides tell the CPU of their own process at that moment. The whole command, git included, is printed beside it.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.timing import Cost, program, ratio_of, with_bytecode
from tests.world import FIX, World

pytestmark = pytest.mark.benchmark
ROUNDS = 15
MAX_VERSION_RATIO = 4.0
MAX_START_RATIO = 1.5
NOISE = 1.15  # two readings of one command differ by this much

_HELLO = """
import sys, time
import typer
app = typer.Typer(add_completion=False)
@app.command()
def hello(name: str = "you", loud: bool = False) -> None:
    "Says hello."
    print(time.process_time(), flush=True)
app()
"""
_START = """
import os, subprocess, sys, time
def tell(*arguments, **options):
    os.write(1, b"%f" % time.process_time())
    os._exit(0)
subprocess.Popen.__init__ = tell
from skillc.entry import main
main()
"""
COMMANDS = (
    ("show",),
    ("log", FIX),
    ("traces",),
    ("status",),
    ("why", FIX),
    ("capture", "/dev/null"),
    ("verify", "--run", "unit-tests"),
    ("compile",),
    ("review",),
    ("check",),
    ("undo", FIX),
)


def start_of(code: str, arguments: tuple[str, ...], environment: dict[str, str], folder: Path) -> Callable[[], Cost]:
    def run() -> Cost:
        wall = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env=environment, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout.split(), done.stderr
        return Cost(float(done.stdout.split()[0]), time.perf_counter() - wall)

    return run


def test_the_version_is_told_at_once(tmp_path: Path):
    environment = with_bytecode(tmp_path / "cache")
    ratio = ratio_of(
        program(sys.executable, "-m", "skillc", "--version", environment=environment, folder=tmp_path),
        program(sys.executable, "-c", "pass", environment=environment, folder=tmp_path),
        rounds=ROUNDS,
    )
    ratio.say("skillc --version against python -c pass", MAX_VERSION_RATIO)
    assert ratio.cpu <= MAX_VERSION_RATIO
    assert ratio.wall <= MAX_VERSION_RATIO


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_a_command_starts_about_as_fast_as_a_hello(world: World, tmp_path: Path, command: tuple[str, ...]):
    world.compile(FIX)
    world.merge(FIX)
    environment = with_bytecode(tmp_path / "cache")
    ratio = ratio_of(
        start_of(_START, command, environment, world.root),
        start_of(_HELLO, (), environment, world.root),
        rounds=ROUNDS,
    )
    ratio.say(f"start of skillc {' '.join(command)} against a Typer hello", MAX_START_RATIO)
    assert ratio.cpu <= NOISE * MAX_START_RATIO


def test_whole_commands_are_printed(world: World, tmp_path: Path):
    """No bar: with git and on this small repository, whole commands against the whole hello."""
    world.compile(FIX)
    world.merge(FIX)
    environment = with_bytecode(tmp_path / "cache")
    hello = program(sys.executable, "-c", _HELLO, environment=environment, folder=world.root)
    for command in (("show",), ("log", FIX), ("traces",)):
        whole = program(sys.executable, "-m", "skillc", *command, environment=environment, folder=world.root)
        ratio = ratio_of(whole, hello, rounds=5)
        print(f"\nwhole skillc {command[0]}: CPU ratio {ratio.cpu:.2f}, wall ratio {ratio.wall:.2f}")
