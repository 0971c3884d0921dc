"""A machine that carries a Skill out by its words alone, in a fresh copy of a repository.

It knows the edits of the task and values for placeholders; everything else it takes from the contract: the
commands of the steps, and for an output that it knows as a symptom, the commands of the recovery.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from skillc.core.skill.claim import FailureClaim, StepClaim
from skillc.core.skill.contract import Contract
from skillc.engines.offline.places import role_of
from skillc.engines.offline.wording import ELIDED, plain_line
from tests.quirks.recording import run, write_files
from tests.quirks.scripts import Edit, QuirkRepository, Write

MAX_RECOVERIES = 4
_CODE = re.compile(r"`([^`]+)`")
_RUN = re.compile(r"\brun `([^`]+)`", re.IGNORECASE)
_QUOTE = re.compile(r"“([^”]+)”")
_PLACEHOLDER = re.compile(r"<([a-z][a-z0-9_]*)>")


@dataclass
class CarriedOut:
    """How it went: whether every step worked and the check passes, and which commands were run."""

    passed: bool = True
    ran: list[str] = field(default_factory=list)
    output: str = ""


class Executor:
    def __init__(self, contract: Contract, repository: QuirkRepository, folder: Path) -> None:
        self._contract = contract
        self._repository = repository
        self._folder = folder
        self._left = list(repository.task)
        self._done = CarriedOut()

    def carry_out(self) -> CarriedOut:
        """Carries the steps out in a fresh copy of the repository; stops at a step that it cannot mend."""
        write_files(self._repository, self._folder)
        for step in self._contract.steps:
            if not step.optional and not self._step(step):
                self._done.passed = False
                break
        return self._done

    def _step(self, step: StepClaim) -> bool:
        action = step.action
        assert action is not None, step.text
        if action.operation == "git commit":
            return self._run("git add -A && git commit -q -m work").returncode == 0
        if "command" in action.arguments:
            return self._command(self._filled(action.arguments["command"]))
        if step.text.startswith("Read "):
            return True
        place = _CODE.search(step.text)
        return place is not None and self._edit(place[1])

    def _edit(self, place: str) -> bool:
        """Makes the edits of the task that a place means: its path, or files of its role."""
        mine = [e for e in self._left if place in (e.path, f"<{role_of(e.path)}>")]
        for edit in mine:
            self._left.remove(edit)
            path = self._folder / edit.path
            if isinstance(edit, Write):
                path.write_text(edit.content, "utf-8")
            else:
                assert isinstance(edit, Edit)
                path.write_text(path.read_text("utf-8").replace(edit.old, edit.new, 1), "utf-8")
        return bool(mine)

    def _command(self, command: str) -> bool:
        for _ in range(MAX_RECOVERIES):
            done = self._run(command)
            if done.returncode == 0:
                return True
            mode = self._known(done.stdout + done.stderr, command)
            if mode is None:
                return False
            told = [self._filled(c) for c in _RUN.findall(mode.recovery or "")]
            if (mode.recovery or "").startswith("Set "):
                command = told.pop()
            elif (mode.recovery or "").startswith("Use "):
                command = self._filled(_CODE.findall(mode.recovery or "")[0])
            for line in told:
                self._run(line)
        return False

    def _known(self, output: str, command: str) -> FailureClaim | None:
        """Returns the failure mode whose command and symptom fit, the first of the contract."""
        seen = " ".join(plain_line(line, 10_000) for line in output.splitlines())
        for mode in self._contract.failure_modes:
            subject, quote = _CODE.search(mode.text), _QUOTE.search(mode.text)
            if mode.recovery is None or subject is None or quote is None:
                continue
            pieces = [p.strip() for p in quote[1].split(ELIDED) if p.strip()]
            if set(subject[1].split()) <= set(command.split()) and all(p in seen for p in pieces):
                return mode
        return None

    def _filled(self, command: str) -> str:
        return _PLACEHOLDER.sub(lambda m: self._repository.values[m[1]], command)

    def _run(self, command: str) -> subprocess.CompletedProcess[str]:
        done = run(command, self._folder)
        self._done.ran.append(command)
        self._done.output = done.stdout + done.stderr
        return done


def carry_out(contract: Contract, repository: QuirkRepository, folder: Path) -> CarriedOut:
    """Carries a Skill out for the repository's own task, then asks the repository's check too."""
    folder.mkdir(parents=True)
    done = Executor(contract, repository, folder).carry_out()
    if done.passed:
        done.passed = run(" ".join(repository.check), folder).returncode == 0
    return done


def without_step(contract: Contract, command: str) -> Contract:
    """Returns the contract without the steps that run a command."""
    return contract.model_copy(update={"steps": tuple(s for s in contract.steps if command not in s.text)})


def without_mode(contract: Contract, words: str) -> Contract:
    """Returns the contract without the failure modes that hold these words."""
    kept = tuple(m for m in contract.failure_modes if words not in f"{m.text} {m.recovery}")
    assert len(kept) < len(contract.failure_modes), f"no failure mode says {words!r}"
    return contract.model_copy(update={"failure_modes": kept})


def without_setting(contract: Contract, name: str) -> Contract:
    """Returns the contract whose steps do not give a variable."""
    setting = re.compile(rf"\s?\b{name}=\S+\s?")
    steps = []
    for step in contract.steps:
        if step.action is not None and "command" in step.action.arguments:
            command = setting.sub(" ", step.action.arguments["command"]).strip()
            action = step.action.model_copy(update={"arguments": {"command": command}})
            step = step.model_copy(update={"action": action})
        steps.append(step)
    return contract.model_copy(update={"steps": tuple(steps)})
