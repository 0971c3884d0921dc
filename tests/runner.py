"""Runs the steps of a workflow as a runner of the forge would: bash -e, a clean home, a fresh checkout for each job.

An action is done by hand (`actions/checkout`), or does nothing here (`actions/setup-python`); another one fails the
test. Installing skillc is held against its pinned version and done by the skillc of this run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from skillc.version import __version__

ADDRESS = "https://github.com/acme/app"
_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_CONFIG = """[protocol "file"]
	allow = always
[url "{bare}"]
	insteadOf = {address}
"""


class StepFailed(AssertionError):
    """A step that ended badly: the job ends there."""


@dataclass
class Runner:
    """One runner. `bare` is the remote; `contexts` what expressions give, as `secrets.X`; `programs` come first."""

    folder: Path
    bare: Path
    programs: Path
    contexts: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        home = self.folder / "home"
        home.mkdir(parents=True)
        (home / ".gitconfig").write_text(_CONFIG.format(bare=self.bare, address=ADDRESS), "utf-8")
        (self.programs / "skillc").write_text(f'#!/bin/sh\nexec "{sys.executable}" -W ignore -m skillc "$@"\n', "utf-8")
        install = f'if [ "$1 $2 $3" = "-m pip install" ]; then [ "$4" = "skillc=={__version__}" ]; exit; fi'
        (self.programs / "python").write_text(f'#!/bin/sh\n{install}\nexec "{sys.executable}" "$@"\n', "utf-8")
        for name in ("skillc", "python"):
            (self.programs / name).chmod(0o755)

    def job(self, workflow: str, name: str, *, revision: str = "main", **contexts: str) -> dict[str, str]:
        """Runs one job of a workflow of `.github/workflows` on main; returns the outputs of its steps."""
        given = {**self.contexts, "github.token": "token", **contexts}
        text = self._git("show", f"main:.github/workflows/{workflow}", folder=self.bare)
        job: dict[str, Any] = yaml.safe_load(text)["jobs"][name]
        place = self.folder / f"{name}-{len(self.said)}"
        place.mkdir()
        outputs: dict[str, str] = {}
        for step in job["steps"]:
            if "uses" in step:
                self._action(step, place, revision)
                continue
            told = place.with_suffix(".output")
            told.write_text("", "utf-8")
            values = {key: _evaluated(str(value), given) for key, value in step.get("env", {}).items()}
            self._run(step["run"], place, {**values, "GITHUB_OUTPUT": str(told)}, revision)
            outputs |= dict(line.split("=", 1) for line in told.read_text("utf-8").splitlines())
        return outputs

    def result(self, workflow: str, name: str) -> str:
        """Runs one job; returns how it ended, as `needs.<name>.result` gives it."""
        try:
            self.job(workflow, name)
        except StepFailed as failed:
            self.said.append(str(failed))
            return "failure"
        return "success"

    def _action(self, step: Mapping[str, Any], place: Path, revision: str) -> None:
        action = step["uses"].split("@")[0]
        if action == "actions/setup-python":
            return
        assert action == "actions/checkout", action
        self._git("init", "--quiet", folder=place)
        self._git("remote", "add", "origin", ADDRESS, folder=place)
        assert step["with"]["persist-credentials"] is False
        assert step["with"].get("fetch-depth", 1) == 0 or "ref" not in step["with"]
        wanted = ("+refs/heads/*:refs/remotes/origin/*", "+refs/pull/*:refs/remotes/pull/*")
        self._git("fetch", "--quiet", "origin", *wanted, folder=place)
        if revision == "main":
            self._git("checkout", "--quiet", "-B", "main", "refs/remotes/origin/main", folder=place)
        else:
            self._git("checkout", "--quiet", "--detach", revision, folder=place)

    def _run(self, script: str, place: Path, values: Mapping[str, str], revision: str) -> None:
        done = subprocess.run(
            [shutil.which("bash") or "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=place,
            capture_output=True,
            text=True,
            env=self._environment({**values, "GITHUB_SHA": self._git("rev-parse", "main", folder=self.bare)}),
            check=False,
        )
        self.said.append(done.stdout + done.stderr)
        if done.returncode != 0:
            raise StepFailed(f"{script}\n{done.stdout}{done.stderr}")

    def _environment(self, values: Mapping[str, str]) -> dict[str, str]:
        home = self.folder / "home"
        (self.folder / "temp").mkdir(exist_ok=True)
        return {
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "acme/app",
            "GITHUB_RUN_ID": "17",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            "PYTHONDONTWRITEBYTECODE": "1",
            **values,
        }

    def _git(self, *arguments: str, folder: Path) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, env=self._environment({}), check=False
        )
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout.strip()


def _evaluated(text: str, contexts: Mapping[str, str]) -> str:
    """Gives the value of each expression; one that is not known fails the test."""
    return _EXPRESSION.sub(lambda found: contexts[found[1]], text)
