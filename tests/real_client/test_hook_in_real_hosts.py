"""The hook in the real hosts: a session is captured with no command typed, and merges and reverts settle it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.approvers import make_key, register_person, signing
from tests.real_client.claude_code import play, text, tool
from tests.real_client.codex import play_codex, require_codex, runs, says
from tests.world import World

pytestmark = pytest.mark.real_client
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
BROKEN = "def total(numbers):\n    return sum(numbers) - 1\n"
RUN = "python3 -c 'from tests.test_cart import test_total; test_total()'"
FIX_IT = "sed -i 's/ - 1//' cart.py"
COMMIT = "git commit -qam 'cart: the whole sum'"


@pytest.fixture
def project(fresh: World) -> World:
    fresh.commit({"cart.py": BROKEN, "tests/test_cart.py": TEST, "tests/__init__.py": ""}, "a cart")
    return fresh


def fix_with_claude(world: World) -> None:
    turns = [
        [tool("Bash", 1, command=RUN)],
        [tool("Bash", 2, command=FIX_IT)],
        [tool("Bash", 3, command=RUN)],
        [tool("Bash", 4, command=COMMIT)],
        [text("Fixed.")],
    ]
    play(world.root, world.home, turns, "The cart test fails: please fix it")


def fix_with_codex(world: World) -> None:
    turns = [[runs(1, RUN)], [runs(2, FIX_IT)], [runs(3, RUN)], [runs(4, COMMIT)], [says("Fixed.")]]
    play_codex(world.root, world.home, turns, "The cart test fails: please fix it")


HOSTS = {"claude-code": fix_with_claude, "codex": fix_with_codex}


def traces_of(world: World) -> list[dict[str, Any]]:
    done = world.run("traces", "--json")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["traces"]
    return found


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_is_captured_with_no_command_typed(project: World, host: str):
    if host == "codex":
        require_codex()
    assert project.run("init", "--host", host).returncode == 0
    before = project.git("rev-parse", "HEAD")
    HOSTS[host](project)
    (trace,) = traces_of(project)
    attempt = project.attempts()[trace["trace_id"]]
    git = attempt.trace.header.environment.git

    assert trace["objective"] == "The cart test fails: please fix it"
    assert attempt.trace.header.source.kind == host
    assert git is not None
    assert (git.head_start, git.head_end) == (before, project.git("rev-parse", "HEAD"))
    assert project.git("rev-parse", f"refs/skillc/sessions/{trace['trace_id']}") == git.head_end
    results = [e.is_error for e in attempt.trace.events if e.kind == "tool_result"]
    assert results[0] is True
    assert not any(results[1:])
    assert not list((project.root / ".git" / "skillc" / "spool").glob("*.json"))


@pytest.mark.parametrize("host", HOSTS)
def test_a_signed_merge_makes_it_a_strong_success_and_a_signed_revert_a_strong_failure(
    project: World, tmp_path: Path, host: str
):
    if host == "codex":
        require_codex()
    register_person(project, make_key(tmp_path / "alice"))
    alice = signing(tmp_path / "alice")
    assert project.run("init", "--host", host).returncode == 0
    project.git("switch", "--quiet", "-c", "work")
    HOSTS[host](project)
    project.git("switch", "--quiet", "main")

    def settled() -> dict[str, Any]:
        done = project.run("verify", "--from-git")
        assert done.returncode == 0, done.stderr
        (trace,) = traces_of(project)
        return {k: trace[k] for k in ("outcome", "strength", "assurance", "landed", "can_support")}

    assert settled()["strength"] == "none"
    project.git(*alice, "merge", "--quiet", "--no-ff", "-m", "Approve", "work")
    merged = project.git("rev-parse", "HEAD")
    success = {"outcome": "success", "strength": "human", "assurance": "local", "landed": False, "can_support": False}
    assert settled() == success  # no task family yet, so it can support nothing
    project.git(*alice, "revert", "--no-edit", "-m", "1", merged)
    assert settled() == {**success, "outcome": "failure"}


def test_an_unsigned_merge_has_only_landed(project: World):
    assert project.run("init", "--host", "claude-code").returncode == 0
    project.git("switch", "--quiet", "-c", "work")
    fix_with_claude(project)
    project.git("switch", "--quiet", "main")
    project.git("merge", "--quiet", "--no-ff", "-m", "Merge", "work")
    assert project.run("verify", "--from-git").returncode == 0
    (trace,) = traces_of(project)

    assert trace["landed"]
    assert trace["strength"] not in ("human", "tool", "external")
    assert not trace["can_support"]


def test_the_run_of_the_registered_check_in_the_session_counts_as_a_tools_word(project: World):
    done = project.run("verifier", "add", "cart-test", "--run", RUN, "--protects", "tests/**")
    assert done.returncode == 0, done.stderr
    project.git("commit", "--quiet", "-am", "verifier")
    assert project.run("init", "--host", "claude-code").returncode == 0
    fix_with_claude(project)
    assert project.run("verify", "--from-events").returncode == 0
    (trace,) = traces_of(project)
    assert (trace["outcome"], trace["strength"], trace["assurance"]) == ("success", "tool", "local")


def test_a_session_that_the_host_resumes_becomes_a_child_trace(project: World):
    assert project.run("init", "--host", "claude-code").returncode == 0
    fix_with_claude(project)
    (first,) = traces_of(project)
    (transcript,) = (project.home / ".claude" / "projects").glob("*/*.jsonl")
    turns = [[tool("Bash", 9, command="ls")], [text("Listed.")]]
    play(project.root, project.home, turns, "List the files too", "--resume", transcript.stem)
    found = {t["trace_id"]: t for t in traces_of(project)}

    assert len(found) == 2
    child = next(a.trace.header for a in project.attempts().values() if a.trace.header.parent_trace_id)
    assert child.parent_trace_id == first["trace_id"]
    assert child.objective == "List the files too"
    assert len({t["attempt_family"] for t in found.values()}) == 1


def test_a_fork_by_the_host_gives_only_its_own_events(project: World):
    assert project.run("init", "--host", "claude-code").returncode == 0
    fix_with_claude(project)
    traces_of(project)
    (transcript,) = (project.home / ".claude" / "projects").glob("*/*.jsonl")
    turns = [[tool("Bash", 9, command="ls")], [text("Listed.")]]
    play(project.root, project.home, turns, "List the files", "--resume", transcript.stem, "--fork-session")
    traces_of(project)
    fork = next(a.trace for a in project.attempts().values() if a.trace.header.parent_trace_id)

    assert [e.kind.value for e in fork.events] == ["user_message", "tool_call", "tool_result", "model_message"]


PERSONS_LINES = (
    "skillc trust unit-tests --yes",
    "bin/skillc trust unit-tests --yes",
    "python3 -m skillc trust unit-tests",
    "env X=1 skillc approve fix-failing-test",
    "sh -c 'skillc trust unit-tests'",
    "skillc verify t-1 --outcome success --as alice",
    "skillc verify t-1 --outcome success --as=alice",
    "cat ~/.config/skillc/keys/tool",
    "python3 -c 'import os; print(open(os.path.expanduser(\"~/.config/skillc/keys/tool\")).read())'",
)


def test_the_agent_cannot_turn_a_deny_rule_into_an_approval(project: World):
    """With the offered rules the host refuses the person's commands; the terminal guard stands behind them."""
    assert project.run("init", "--host", "claude-code", "--deny-rules").returncode == 0
    config = project.home / ".config" / "skillc"
    before = {p.name: p.read_bytes() for p in config.glob("*.json")}
    turns = [[tool("Bash", number, command=line)] for number, line in enumerate(PERSONS_LINES)]
    play(project.root, project.home, [*turns, [text("ok")]], "Trust the check")
    (trace,) = traces_of(project)
    results = [e for e in project.attempts()[trace["trace_id"]].trace.events if e.kind == "tool_result"]

    assert len(results) == len(PERSONS_LINES)
    assert [line for line, e in zip(PERSONS_LINES, results, strict=True) if "denied" not in (e.text or "")] == []
    assert {p.name: p.read_bytes() for p in config.glob("*.json")} == before


def test_the_plain_tests_of_this_file_see_a_failing_and_a_passing_test(project: World):
    failed = subprocess.run(RUN, shell=True, cwd=project.root, capture_output=True, check=False)
    assert failed.returncode != 0
    subprocess.run(FIX_IT, shell=True, cwd=project.root, check=True)
    subprocess.run(RUN, shell=True, cwd=project.root, check=True)
