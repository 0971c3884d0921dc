"""Other scanners on the same folder: what each finds, by row, and the CPU that it takes. None of them is imported.

A peer is a program beside this Python, on PATH, or in the folder that SKILLC_BENCH_BIN names; extra `bench` installs
them. Their versions differ in what they need, so an environment of their own is best.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.timing import cost_of

Places = dict[str, Counter[tuple[str, str, bool]]]  # row: rule, what was found, does it block


class Peer(NamedTuple):
    """A scanner. `run` gives the arguments for a folder and a report; `read` gives its places from the report."""

    name: str
    program: str
    run: Callable[[Path, Path], list[str]]
    read: Callable[[Any], list[tuple[str, str, str, bool]]]
    is_on_stdout: bool = False


def _gitleaks(report: Any) -> list[tuple[str, str, str, bool]]:
    return [(item["File"], item["RuleID"], item["Secret"], True) for item in report]


def _credsweeper(report: Any) -> list[tuple[str, str, str, bool]]:
    return [
        (line["path"], item["rule"], str(line["value"]), item["severity"] in ("critical", "high", "medium"))
        for item in report
        for line in item["line_data_list"]
    ]


def _detect_secrets(report: Any) -> list[tuple[str, str, str, bool]]:
    return [
        (path, item["type"], item["hashed_secret"], True) for path, items in report["results"].items() for item in items
    ]


def _cisco(report: Any) -> list[tuple[str, str, str, bool]]:
    return [
        (f"{result['skill_path']}/SKILL.md", item["rule_id"], str(item["snippet"]), item["severity"] in ("CRITICAL", "HIGH"))
        for result in report["results"]
        for item in result["findings"]
        if item["severity"] not in ("INFO", "SAFE")
    ]  # fmt: skip


PEERS = (
    Peer(
        "gitleaks",
        "gitleaks",
        lambda folder, report: ["dir", str(folder), "--no-banner", "-f", "json", "-r", str(report), "--exit-code", "0"],
        _gitleaks,
    ),
    Peer(
        "CredSweeper",
        "credsweeper",
        lambda folder, report: ["--path", str(folder), "--save-json", str(report)],
        _credsweeper,
    ),
    Peer(
        "detect-secrets",
        "detect-secrets",
        lambda folder, report: ["--cores", "1", "scan", "--all-files", str(folder)],
        _detect_secrets,
        is_on_stdout=True,
    ),
    Peer(
        "Cisco skill scanner",
        "skill-scanner",
        lambda folder, report: ["scan-all", str(folder), "--recursive", "--format", "json", "--output", str(report)],
        _cisco,
    ),
)


def program_of(peer: Peer) -> str | None:
    """Returns where a peer's program is, or None."""
    folders = (os.environ.get("SKILLC_BENCH_BIN", ""), str(Path(sys.executable).parent), os.environ.get("PATH", ""))
    return shutil.which(peer.program, path=os.pathsep.join(filter(None, folders)))


def scan_with(peer: Peer, program: str, folder: Path, report: Path) -> tuple[Places, float]:
    """Scans a folder of rows, each <row>/SKILL.md; returns what was found in each, and the CPU seconds it took."""
    output: list[bytes] = []

    def work() -> None:
        done = subprocess.run(
            [program, *peer.run(folder, report)], capture_output=True, check=False, cwd=folder.parent, timeout=1500
        )
        output.append(done.stdout)

    cost = cost_of(work)
    places: Places = {}
    for path, rule, found, blocks in peer.read(json.loads(output[0] if peer.is_on_stdout else report.read_bytes())):
        places.setdefault(Path(path).parent.name, Counter())[rule, found, blocks] += 1
    return places, cost.cpu_s
