"""A whole namespace for tests: the shipped project and sessions, captured, verified and compiled once, then copied.

`World` runs stages in this process, on a copy of its own, with its own home; `run` starts the real command.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import skills_ref

from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.capture import CaptureOptions, capture
from skillc.lifecycle.compile import CompileOptions
from skillc.lifecycle.compile_all import compile_namespace
from skillc.lifecycle.compile_report import CompileReport, FamilyReport
from skillc.lifecycle.context import Context, open_context
from skillc.lifecycle.init import init
from skillc.lifecycle.resources import template
from skillc.lifecycle.trust import trust_check
from skillc.lifecycle.verify_run import verify_by_check

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
FIX = "fix-failing-test"
FIELD = "add-schema-field"
CHECK = "unit-tests"
_CONFIG = '[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n'


def manifest() -> dict[str, Any]:
    return json.loads((template("demo") / "manifest.json").read_text("utf-8"))


def session_path(session: dict[str, Any]) -> str:
    root = template("demo")
    found = root / session["file"]
    return str(found if found.exists() else root / "sessions" / session["file"])


def sessions_of(family: str, *, passes: bool | None = None) -> list[str]:
    chosen = [s for s in manifest()["sessions"] if s["task_family"] == family]
    return [session_path(s) for s in chosen if passes is None or s["passes"] is passes]


@dataclass
class World:
    """One copy. `home` holds git's and skillc's configuration of the person."""

    home: Path
    root: Path

    def set_environment(self, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("HOME", str(self.home))
        patch.setenv("XDG_CONFIG_HOME", str(self.home / ".config"))
        patch.setenv("GIT_CONFIG_GLOBAL", str(self.home / ".gitconfig"))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def context(self, *, now: datetime = NOW) -> Context:
        return open_context(self.root, now=now)

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def commit(self, files: dict[str, str], message: str = "work") -> str:
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "--force", "--", *files)
        self.git("commit", "--quiet", "-m", message)
        return self.git("rev-parse", "HEAD")

    def capture(self, paths: list[str], **options: Any) -> Any:
        return capture(self.context(), paths, CaptureOptions(**options))

    def trust(self) -> None:
        trust_check(self.context(), CHECK)

    def verify(self, *trace_ids: str, **options: Any) -> Any:
        return verify_by_check(self.context(), CHECK, trace_ids=trace_ids, **options)

    def compile(self, *families: str, traces: tuple[str, ...] = (), **options: Any) -> CompileReport:
        report = compile_namespace(
            self.context(), families=list(families), traces=list(traces), options=CompileOptions(**options)
        )
        for family in report.families:
            for version in family.group.versions:
                if version.commit is not None and version.change != "withdraw":
                    self.require_valid_skill(version.commit, version.skill)
        return report

    def require_valid_skill(self, commit: str, skill: str) -> None:
        """Every Skill that a test compiles is put before the format's own validator."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / skill
            place.mkdir()
            for name in ("SKILL.md", "contract.json"):
                path = f"{commit}:.claude/skills/{skill}/{name}"
                done = subprocess.run(["git", "show", path], cwd=self.root, capture_output=True, check=True)
                (place / name).write_bytes(done.stdout)
            assert skills_ref.validate(place) == []

    def compile_one(self, family: str, **options: Any) -> FamilyReport:
        report = self.compile(family, **options)
        assert len(report.families) == 1
        return report.families[0]

    def attempts(self) -> dict[str, Any]:
        return {a.trace.trace_id: a for a in load_attempts(self.context())}

    def merge(self, family: str, *options: str) -> str:
        self.git("merge", "--quiet", *(options or ("--no-ff", "-m", "Approve")), f"skillc/candidate/{family}")
        return self.git("rev-parse", "HEAD")

    def set_policy(self, old: str, new: str) -> None:
        text = (self.root / "skillc.yaml").read_text("utf-8")
        assert old in text
        self.commit({"skillc.yaml": text.replace(old, new)}, "policy")

    def run(self, *arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs the real command in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "skillc", *arguments],
            cwd=self.root,
            input=stdin,
            capture_output=True,
            env={**os.environ, **environment},
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )


def new_world(folder: Path, patch: pytest.MonkeyPatch) -> World:
    """The shipped project as a clone, with a namespace on base and nothing captured."""
    world = World(folder / "home", folder / "stockroom")
    world.home.mkdir(parents=True)
    (world.home / ".gitconfig").write_text(_CONFIG, "utf-8")
    world.set_environment(patch)
    bundle = str(template("demo") / "project.bundle")
    subprocess.run(["git", "clone", "--quiet", bundle, str(world.root)], check=True, capture_output=True)
    for branch in sorted({s["branch"] for s in manifest()["sessions"]} - {"main"}):
        world.git("branch", "--quiet", "--no-track", branch, f"origin/{branch}")
    world.git("remote", "remove", "origin")
    init(world.root)
    world.git("add", "skillc.yaml", ".gitattributes")
    world.git("commit", "--quiet", "-m", "skillc: namespace")
    return world


def copy_world(source: World, folder: Path, patch: pytest.MonkeyPatch) -> World:
    shutil.copytree(source.root.parent, folder, symlinks=True, dirs_exist_ok=True)
    world = World(folder / "home", folder / "stockroom")
    world.set_environment(patch)
    world.trust()
    return world
