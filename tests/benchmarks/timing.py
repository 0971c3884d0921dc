"""Measuring programs and pieces of work: CPU and wall, in alternating rounds, as ratios of medians."""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """What something took: seconds of CPU, children included where it starts programs, and of wall."""

    cpu_s: float
    wall_s: float


@dataclass(frozen=True)
class Ratio:
    """Ours against theirs, each the median of its rounds."""

    ours: Cost
    theirs: Cost

    @property
    def cpu(self) -> float:
        return self.ours.cpu_s / self.theirs.cpu_s

    @property
    def wall(self) -> float:
        return self.ours.wall_s / self.theirs.wall_s

    def say(self, name: str, bar: float) -> None:
        print(
            f"\n{name}: CPU {self.ours.cpu_s * 1e3:.0f} ms against {self.theirs.cpu_s * 1e3:.0f} ms, ratio {self.cpu:.2f};"
            f" wall {self.ours.wall_s * 1e3:.0f} ms against {self.theirs.wall_s * 1e3:.0f} ms, ratio {self.wall:.2f};"
            f" bar {bar:.1f}"
        )


def cost_of(work: Callable[[], object]) -> Cost:
    """Runs a piece of work once: the CPU of this process and of every program that it started and waited for."""
    cpu, wall = _cpu_s(), time.perf_counter()
    work()
    return Cost(_cpu_s() - cpu, time.perf_counter() - wall)


def _cpu_s() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


_JOB = 4_000_000
_JOB_S = 0.18  # of CPU: the bars in seconds are for a core that does the job in so long; Choice, not measured


def slowness() -> float:
    """How much longer this core takes now than the one that the bars in seconds are for, by a fixed job; never below 1.

    A bar in seconds is one for a machine: on a core that others use too, the same work takes two or three times as long.
    """
    took = min(cost_of(lambda: sum(i * i for i in range(_JOB))).cpu_s for _ in range(5))
    return max(1.0, took / _JOB_S)


def median_of(costs: Sequence[Cost]) -> Cost:
    return Cost(statistics.median(c.cpu_s for c in costs), statistics.median(c.wall_s for c in costs))


def ratio_of(ours: Callable[[], Cost], theirs: Callable[[], Cost], *, rounds: int) -> Ratio:
    """Runs both in turn, so that a busy machine is busy for both; the first round warms up and does not count."""
    pairs = [(ours(), theirs()) for _ in range(rounds + 1)][1:]
    return Ratio(median_of([p[0] for p in pairs]), median_of([p[1] for p in pairs]))


def with_bytecode(cache: Path) -> dict[str, str]:
    """Returns an environment in which bytecode is cached, as it is after an installation."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return environment | {"PYTHONPYCACHEPREFIX": str(cache), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def program(*argv: str, environment: dict[str, str], folder: Path, stdin: bytes = b"") -> Callable[[], Cost]:
    """Returns a runner of one program that gives what it took; a program that fails stops the measurement."""

    def run() -> Cost:
        return cost_of(
            lambda: subprocess.run(
                argv, env=environment, cwd=folder, input=stdin, stdout=subprocess.DEVNULL, check=True
            )
        )

    return run
