"""The demo: the whole loop on shipped sessions, in a temporary repository with a configuration of its own.

Every step is the real command in a process of its own; nothing outside the folder is read or changed. The
shipped check is trusted inside the demo's own configuration only. Not here: how a step looks (cli.demo).
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from skillc.core.record import Record
from skillc.lifecycle.context import open_context
from skillc.lifecycle.resources import template
from skillc.lifecycle.trust import trust_check
from skillc.repo.program import run_program

CHECK = "unit-tests"


class DemoStep(Record):
    """One step of the demo: what was run, what it printed, and what a person would look at."""

    title: str
    command: str
    output: str
    code: int
    look: str
    is_expected: bool = True


class Demo:
    """The demo in one folder, which must be empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "stockroom"
        self.config = folder / "config"
        home = folder / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Demo\n\temail = demo@example.invalid\n", "utf-8")
        self.environment = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(self.config),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "NO_COLOR": "1",
        }
        self.sessions: list[dict[str, Any]] = json.loads((template("demo") / "manifest.json").read_text("utf-8"))[
            "sessions"
        ]

    def steps(self) -> Iterator[DemoStep]:
        """Yields the steps as they are done; a step that did not end as it should is marked."""
        yield from self._set_up()
        yield from self._evidence()
        yield from self._candidate()
        yield from self._way_back()

    def _set_up(self) -> Iterator[DemoStep]:
        bundle = str(template("demo") / "project.bundle")
        yield self._run("A project with a history", ["git", "clone", "--quiet", bundle, "stockroom"], where=self.folder)
        for branch in sorted({s["branch"] for s in self.sessions} - {"main"}):
            self._quiet(["git", "branch", "--quiet", "--no-track", branch, f"origin/{branch}"])
        self._quiet(["git", "remote", "remove", "origin"])
        look = "skillc.yaml: every setting with its reason; nothing is committed"
        yield self._skillc("Make it a namespace", ["init"], look)
        self._quiet(["git", "add", "skillc.yaml", ".gitattributes"])
        yield self._run("The policy counts once it is on base", ["git", "commit", "--quiet", "-m", "skillc: namespace"])

    def _evidence(self) -> Iterator[DemoStep]:
        by_family: dict[str, list[str]] = {}
        for session in self.sessions:
            by_family.setdefault(session["task_family"], []).append(session["file"])
        root = template("demo")
        for family, files in by_family.items():
            paths = [str(root / f if (root / f).exists() else root / "sessions" / f) for f in files]
            look = "one Trace per session, on the branch skillc/traces; a key in one of them became a placeholder"
            shown = ["capture", "--family", family, f"({len(paths)} Claude Code sessions)"]
            yield self._skillc("Capture past sessions", ["capture", "--family", family, *paths], look, shown=shown)
        with _environment(self.environment):
            trust_check(open_context(self.project), CHECK)
        look = "two agents said that they were done, and the tests say that they were not"
        yield self._skillc("Run the tests at each session's commit", ["verify", "--run", CHECK], look)
        yield self._skillc("What each Trace is worth", ["traces"], "only verified successes can support a Skill")

    def _candidate(self) -> Iterator[DemoStep]:
        yield self._skillc("Compile", ["compile"], "candidates on branches of their own; nothing is admitted")
        yield self._skillc("Nothing new, nothing done", ["compile"], "same evidence, same result")
        look = "what the agent will read; every line of it has evidence"
        yield self._skillc("Read the candidate", ["show", "add-schema-field"], look)
        yield self._skillc("And why", ["why", "add-schema-field", "failure_modes"], "the events behind each line")
        merge = ["git", "merge", "--quiet", "--no-ff", "-m", "Approve", "skillc/candidate/add-schema-field"]
        yield self._run("Approve by merging", merge)
        yield self._skillc("The gate that CI runs", ["check"], "records, citations, rendering, scan: all right")
        files = ["git", "ls-files", ".claude/skills"]
        yield self._run("Where Claude Code finds it", files, look="a plain folder; contract.json holds the evidence")

    def _way_back(self) -> Iterator[DemoStep]:
        revert = ["git", "revert", "--no-edit", "-m", "1", "HEAD"]
        yield self._run("Take it back", revert, look="the folder is gone; no tool of ours was needed")
        yield self._skillc("The history knows", ["log", "add-schema-field"], "the Skill came, and went by a revert")
        look = "a reverted Skill is not made again from the same evidence"
        yield self._skillc("And it stays out", ["compile", "--family", "add-schema-field"], look)

    def _skillc(self, title: str, arguments: list[str], look: str, *, shown: list[str] | None = None) -> DemoStep:
        argv = [sys.executable, "-m", "skillc", *arguments]
        done = run_program(argv, folder=self.project, environment=self.environment)
        command = " ".join(["skillc", *(shown or arguments)])
        return DemoStep(
            title=title, command=command, output=done.text, code=done.code, look=look, is_expected=done.code == 0
        )

    def _run(self, title: str, argv: list[str], *, where: Path | None = None, look: str = "") -> DemoStep:
        done = run_program(argv, folder=where or self.project, environment=self.environment)
        command = " ".join(Path(a).name if a.startswith("/") else a for a in argv)
        return DemoStep(
            title=title, command=command, output=done.text, code=done.code, look=look, is_expected=done.code == 0
        )

    def _quiet(self, argv: list[str]) -> None:
        run_program(argv, folder=self.project, environment=self.environment)


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Sets environment variables for a moment, so that trust lands in the demo's own configuration."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
