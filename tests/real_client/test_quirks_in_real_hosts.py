"""Sessions of the real hosts in repositories with quirks: captured, verified by running the check, compiled.

The compiled Skill names each quirk with its symptom and remedy, and a machine that follows it passes.
"""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from skillc.core.skill.contract import Contract, parse_contract
from skillc.core.trace.verification import Strength
from skillc.lifecycle.trust import trust_check
from tests.quirks.executor import carry_out
from tests.quirks.recording import write_files
from tests.quirks.scripts import Action, Bash, Edit, QuirkRepository, Read
from tests.quirks.table import QUIRKS
from tests.real_client.claude_code import play, text, tool
from tests.real_client.codex import play_codex, require_codex, runs, says
from tests.world import World

pytestmark = pytest.mark.real_client
_CHECK = "whole-check"


# Codex runs a login shell, which may have another Python than the tests; make and npm are the same in both.
TRIED = [*(("claude-code", name) for name in sorted(QUIRKS)), ("codex", "ledger"), ("codex", "routes")]


@pytest.fixture
def repository(request: pytest.FixtureRequest) -> QuirkRepository:
    return QUIRKS[request.param]


@pytest.fixture
def project(repository: QuirkRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """The repository as a namespace, with its check registered and trusted."""
    world = World(tmp_path / "home", tmp_path / repository.name)
    world.home.mkdir()
    (world.home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n", "utf-8")
    world.set_environment(monkeypatch)
    world.root.mkdir()
    write_files(repository, world.root)
    assert world.run("init").returncode == 0
    added = world.run("verifier", "add", _CHECK, "--run", " ".join(repository.check), "--protects", "ci/**", "--force")
    assert added.returncode == 0, added.stderr
    world.git("add", "--all")
    world.git("commit", "--quiet", "-m", "skillc: namespace")
    trust_check(world.context(), _CHECK)
    return world


def played(world: World, repository: QuirkRepository) -> None:
    """Plays every session on a branch of its own, in a clean work tree, and captures its transcript."""
    for number, session in enumerate(repository.sessions):
        world.git("switch", "--quiet", "-c", f"work-{number}", "main")
        world.git("clean", "--quiet", "-fdx")
        turns = [[block_of(action, n, world.root)] for n, action in enumerate(session.actions)]
        home = world.root.parent / f"home-{number}"
        shown = play(world.root, home, [*turns, [text("Done.")]], session.prompt)
        world.git("switch", "--quiet", "main")
        world.capture([str(shown.transcripts[0])], task_family=repository.family)


def block_of(action: Action, number: int, root: Path) -> dict[str, Any]:
    if isinstance(action, Bash):
        return tool("Bash", number, command=action.command)
    place = str(root / action.path)
    if isinstance(action, Read):
        return tool("Read", number, file_path=place)
    if isinstance(action, Edit):
        return tool("Edit", number, file_path=place, old_string=action.old, new_string=action.new)
    return tool("Write", number, file_path=place, content=action.content)


def played_by_codex(world: World, repository: QuirkRepository) -> None:
    """The same with Codex, which edits by patches."""
    for number, session in enumerate(repository.sessions):
        world.git("switch", "--quiet", "-c", f"work-{number}", "main")
        world.git("clean", "--quiet", "-fdx")
        files = dict(repository.files)
        turns = [[runs(n, line_of(action, files))] for n, action in enumerate(session.actions)]
        home = world.root.parent / f"home-{number}"
        rollouts = play_codex(world.root, home, [*turns, [says("Done.")]], session.prompt)
        world.git("switch", "--quiet", "main")
        world.capture([str(rollouts[0])], task_family=repository.family)


def line_of(action: Action, files: dict[str, str]) -> str:
    """The action as a command line; `files` are what the session has written so far."""
    if isinstance(action, Bash):
        return action.command
    if isinstance(action, Read):
        return f"sed -n '1,200p' {action.path}"
    before = files.get(action.path, "")
    files[action.path] = after = (
        before.replace(action.old, action.new, 1) if isinstance(action, Edit) else action.content
    )
    patch = [f"*** {'Update' if isinstance(action, Edit) else 'Add'} File: {action.path}"]
    if isinstance(action, Edit):
        patch += ["@@", *(f"-{line}" for line in before.splitlines())]
    patch += [f"+{line}" for line in after.splitlines()]
    return "\n".join(["apply_patch <<'EOF'", "*** Begin Patch", *patch, "*** End Patch", "EOF"])


def compiled(world: World, repository: QuirkRepository) -> Contract:
    family = world.compile_one(repository.family)
    (version,) = family.group.versions
    assert version.commit is not None
    path = f".claude/skills/{repository.family}/contract.json"
    return parse_contract(world.git("show", f"{version.commit}:{path}").encode(), path=path)


@pytest.mark.parametrize(("host", "repository"), TRIED, indirect=["repository"])
def test_real_sessions_give_a_skill_that_names_the_quirks_and_can_be_followed(
    project: World, repository: QuirkRepository, tmp_path: Path, host: str
):
    if host == "codex":
        require_codex()
    (played if host == "claude-code" else played_by_codex)(project, repository)
    done = project.run("verify", "--run", _CHECK)
    assert done.returncode == 0, (done.stdout, done.stderr)
    standings = {a.trace.header.objective: a.standing for a in project.attempts().values()}
    for session in repository.sessions:
        standing = standings[session.prompt]
        assert (standing.strength, standing.outcome) == (Strength.TOOL, "success" if session.passes else "failure")

    contract = compiled(project, repository)
    said = {f"{m.text}: {m.recovery}": m for m in contract.failure_modes}
    for words in (repository.generator, f"{repository.variable}=", repository.flaky):
        (mode,) = [m for text, m in said.items() if words in text and "“" in text]
        assert mode.citations
        assert mode.recovery_citations
    assert carry_out(contract, dataclasses.replace(repository), tmp_path / "fresh").passed
