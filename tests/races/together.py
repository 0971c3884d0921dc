"""Commands that run at the same time: started together, or one in the middle of the other; and what must hold after.

A command in the middle is exact: it runs, in a process of its own, when the first command has read and not written.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from skillc.lifecycle.check import check
from skillc.repo import layout
from tests.faults.states import require_sound
from tests.reward_world import run
from tests.world import World

CANCEL = "cancel-order"
LIMIT_S = 30.0
# 0 done, 1 a check found something, 2 a usage that no longer fits, 3 policy says no, 4 git's or the moment's fault.
TOLD = frozenset((0, 1, 2, 3, 4))


@dataclass(frozen=True)
class Ran:
    """One command that ended."""

    arguments: tuple[str, ...]
    code: int
    out: str
    said: str


@dataclass
class Started:
    """One command that runs."""

    arguments: tuple[str, ...]
    process: subprocess.Popen[bytes]
    deadline: float

    def end(self) -> Ran:
        """Waits for the end within the limit: a command that waits longer is stuck."""
        try:
            out, said = self.process.communicate(timeout=max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
            raise AssertionError(
                (self.arguments, "ran longer than the limit", said.decode("utf-8", "replace"))
            ) from None
        ran = Ran(
            self.arguments, self.process.returncode, out.decode("utf-8", "replace"), said.decode("utf-8", "replace")
        )
        require_told(ran)
        return ran


def start(world: World, *arguments: str, limit_s: float = LIMIT_S) -> Started:
    """Starts the real command."""
    return start_program(world, "-m", "skillc", *arguments, limit_s=limit_s)


def start_program(world: World, *arguments: str, limit_s: float = LIMIT_S) -> Started:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=world.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    )
    return Started(arguments[2:], process, time.monotonic() + limit_s)


def at_once(*runs: tuple[World, Sequence[str]]) -> list[Ran]:
    """Starts commands together and returns how each ended, in order."""
    return [started.end() for started in [start(world, *arguments) for world, arguments in runs]]


def run_now(world: World, *arguments: str) -> Ran:
    """Runs one command to its end."""
    return start(world, *arguments).end()


def meanwhile(patch: pytest.MonkeyPatch, module: Any, name: str, action: Callable[[], Any]) -> None:
    """Runs `action` once, when the command in this process comes to a function of `module`."""
    original = getattr(module, name)
    due = [action]

    def first(*arguments: Any, **named: Any) -> Any:
        if due:
            due.pop()()
        return original(*arguments, **named)

    patch.setattr(module, name, first)


def cancel_run(number: int) -> dict[str, Any]:
    """One attempt of the second family."""
    order = f"#W{6_000_011 + 7919 * number}"
    return run(
        f"cancel {number}",
        f"Please cancel my order {order}.",
        ("find_order", {"order_id": order}, {"order_id": order, "status": "open", "lines": number + 1}),
        ("cancel_order", {"order_id": order, "why": "no longer needed"}, {"order_id": order, "state": "cancelled"}),
    )


def require_told(ran: Ran) -> None:
    """A command that could not do its work says so in words, and never breaks."""
    assert ran.code in TOLD, ran
    assert "Traceback" not in ran.said + ran.out, ran
    assert ran.code in (0, 1) or "error: " in ran.said, ran


def protect_base(world: World) -> None:
    """Says in policy that the forge protects base, so that a merge by hand is somebody's word."""
    world.set_policy("protected_base: false", "protected_base: true")


def require_whole(world: World, *, checked: int | None = None, known: frozenset[str] = frozenset()) -> None:
    """Base holds whole groups, the repository is sound, and no work is left over; `known` problems are meant to be."""
    report = check(world.context(), world.context().base.branch)
    assert not [p for p in report.problems if p.code not in known], report.problems
    assert checked is None or report.checked == checked
    require_sound(world.root)
    assert not world.git("for-each-ref", "refs/skillc/tmp")
    left = (layout.DUE_FILE, layout.JOURNAL_FILE)
    assert not [name for name in left if (world.root / ".git" / layout.PRIVATE_DIR / name).exists()]


def records_of(world: World, folder: str = "") -> set[str]:
    """The records on the ledger of a clone, by path."""
    names = world.git("ls-tree", "-r", "--name-only", layout.LEDGER_BRANCH).splitlines()
    return {n for n in names if n.startswith(folder)}


def records_ever(worlds: Iterable[World]) -> set[str]:
    """Every record that any commit of any ledger ever held: what a command said it wrote is among them."""
    found: set[str] = set()
    for world in worlds:
        out = world.git("log", "--format=", "--name-only", "--diff-filter=A", "-m", "skillc/ledger")
        found |= {line for line in out.splitlines() if line.count("/") and line.endswith(".json")}
    return found


def clone(remote: Path, folder: Path, home: Path) -> World:
    subprocess.run(["git", "clone", "--quiet", str(remote), str(folder)], check=True, capture_output=True)
    return World(home, folder)


def shared(world: World, folder: Path) -> Path:
    """Makes a bare remote that the world pushes to, with consent to share its Traces."""
    from skillc.lifecycle.sync import sync

    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", str(folder)], check=True)
    world.git("remote", "add", "origin", str(folder))
    world.git("push", "--quiet", "origin", "main")
    world.git("fetch", "--quiet", "origin")
    sync(world.context(), "origin", consent=True)
    return folder


def settle(*worlds: World) -> None:
    """Syncs all clones until each has seen the others."""
    for world in (*worlds, *worlds):
        ran = run_now(world, "sync")
        assert ran.code == 0, ran


def require_equal_ledgers(*worlds: World) -> set[str]:
    """Every clone has the same records; returns them."""
    first, *others = (records_of(w) for w in worlds)
    assert all(other == first for other in others)
    return first


def require_clean_audit(world: World) -> None:
    ran = run_now(world, "audit", "--verify")
    assert ran.code == 0, ran
