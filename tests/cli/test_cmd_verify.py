"""`verify` on the command line: one way at a time, and the walk at a terminal."""

import json
from pathlib import Path

import pytest

from skillc.cli.cmd_verify import _ALL_OPTIONS, _PARAMETERS, verify_command
from skillc.core.trace.records import Outcome
from tests.approvers import make_key, register_person, session, ssh_agent
from tests.makers import bash, gives, says, user
from tests.terminals import in_terminal
from tests.world import CHECK, World


@pytest.fixture
def judge(fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A person whose key has a passphrase, which a program types as a dialog would; three Traces that wait."""
    key = make_key(tmp_path / "alice", passphrase="a passphrase")
    register_person(fresh, key)
    fresh.git("config", "user.signingkey", str(tmp_path / "alice"))
    script = f"#!/bin/sh\necho asked >> {tmp_path}/asked\necho a passphrase\n"
    (tmp_path / "askpass").write_text(script, "utf-8")
    (tmp_path / "askpass").chmod(0o755)
    monkeypatch.setenv("SSH_ASKPASS", str(tmp_path / "askpass"))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    for number in range(1, 4):
        session(fresh, user(f"task {number}"), says("done\x1b[2J"), trace_id=f"t-0000000{number}")
    return fresh


def test_a_person_walks_through_what_waits_and_signs_once(judge: World, tmp_path: Path):
    code, said = in_terminal(judge, "verify", answers="s\nwhat\nn\nf\n")
    assert code == 0, said
    assert "1 of 3  t-00000001" in said
    assert "task 1" in said
    assert "done\\x1b[2J" in said  # shown, never sent
    assert "2 recorded" in said
    found = {t: (a.standing.strength.value, a.standing.outcome) for t, a in judge.attempts().items()}
    assert found["t-00000001"] == ("human", Outcome.SUCCESS)
    assert found["t-00000002"][0] == "none"
    assert found["t-00000003"] == ("human", Outcome.FAILURE)
    assert (tmp_path / "asked").read_text("utf-8").count("asked") == 1


def test_quitting_keeps_what_was_answered(judge: World):
    code, said = in_terminal(judge, "verify", "--as", "alice", answers="p\nq\n")
    assert (code, "1 recorded" in said) == (0, True), said
    assert judge.attempts()["t-00000001"].standing.outcome is Outcome.PARTIAL


@pytest.mark.parametrize("other", [False, True])
def test_without_a_named_key_the_registered_one_in_the_agent_signs(
    fresh: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: bool
):
    """Also beside another key in the agent, and where git signs with another one."""
    register_person(fresh, make_key(tmp_path / "alice"))
    make_key(tmp_path / "second")
    if other:
        make_key(tmp_path / "git", passphrase="x")
        fresh.git("config", "user.signingkey", str(tmp_path / "git"))
    session(fresh, user("task"))
    with ssh_agent(monkeypatch, tmp_path / "second", tmp_path / "alice"):
        code, said = in_terminal(fresh, "verify", "--as", "alice", "--outcome", "success", "t-0000")
    assert code == 0, said
    standing = fresh.attempts()["t-00000001"].standing
    assert (standing.strength.value, standing.assurance.label) == ("human", "attended")


def test_a_walk_finds_the_person_by_the_key_in_the_agent(fresh: World, tmp_path: Path, monkeypatch):
    register_person(fresh, make_key(tmp_path / "alice"))
    session(fresh, user("task"))
    with ssh_agent(monkeypatch, tmp_path / "alice"):
        code, said = in_terminal(fresh, "verify", answers="s\n")
    assert (code, "1 recorded" in said) == (0, True), said


def test_without_any_key_the_ways_to_name_one_are_told(fresh: World, tmp_path: Path):
    register_person(fresh, make_key(tmp_path / "alice"))
    code, said = in_terminal(fresh, "verify", "--as", "alice", "--outcome", "success", "t-1")
    assert (code, "no key of 'alice' is in your ssh-agent" in said) == (2, True), said
    assert "ssh-add -c PATH" in said


def test_a_stranger_cannot_walk(judge: World, tmp_path: Path):
    make_key(tmp_path / "other", passphrase="x")
    code, said = in_terminal(judge, "verify", "--key", str(tmp_path / "other"))
    assert (code, "not the registered key of a verifier" in said) == (2, True), said


def test_nothing_that_waits_is_said(judge: World):
    in_terminal(judge, "verify", answers="s\ns\ns\n")
    code, said = in_terminal(judge, "verify")
    assert (code, "nothing waits" in said) == (0, True), said


def test_without_a_terminal_the_ways_are_named(fresh: World):
    for arguments in (("verify",), ("verify", "--as", "alice")):
        done = fresh.run(*arguments)
        assert done.returncode == 2
        assert all(way in done.stderr for way in ("--run", "--from-git", "--from-events", "--all", "--as"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("--run", "x", "--from-git"), ("--from-git", "--from-events"), ("--all", "--ci"), ("--ci",),
        ("--ci", "--commit", "a" * 40, "--result", "fine", "--verifier", "ci"), ("--run", "nope"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_exit_2(fresh: World, arguments: tuple[str, ...]):
    done = fresh.run("verify", *arguments, SKILLC_CI_KEY="x")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_counts_are_of_traces_and_a_repeat_is_told_as_one(fresh: World):
    start = fresh.git("rev-parse", "HEAD")
    fresh.git("switch", "--quiet", "-c", "work")
    commit = fresh.commit({"a.txt": "x\n"})
    fresh.git("switch", "--quiet", "main")
    run = (bash("python3 -m unittest -q"), gives("Ran 1 test\nOK", is_error=False))
    session(fresh, user("x"), *run, start=start, commits=(commit,))
    session(fresh, user("y"), trace_id="t-00000002")
    assert "2 Traces: 1 recorded, 1 held\n" in fresh.run("verify", "--all").stdout  # base says nothing of either yet
    fresh.git("merge", "--quiet", "--no-ff", "-m", "m", "work")
    first = fresh.run("verify", "--from-git")
    assert "2 Traces: 1 recorded, 1 without a verdict\n" in first.stdout
    commit = fresh.git("rev-parse", "skillc/ledger")[:12]
    assert f"on the ledger in {commit}" in first.stdout
    assert f"undo: git update-ref refs/heads/skillc/ledger {commit}~1 {commit}" in first.stderr
    again = fresh.run("verify", "--from-git").stdout
    assert "2 Traces: 0 recorded, 1 recorded before, 1 without a verdict\n" in again


@pytest.mark.parametrize(
    ("arguments", "option", "owner"),
    [
        (("--run", CHECK, "--outcome", "success"), "--outcome", "--as"),
        (("--from-git", "--at", "HEAD"), "--at", "--run"),
        (("--from-events", "--key", "k"), "--key", "--as or --ci or a walk"),
        (("--all", "--reason", "r"), "--reason", "--as or a walk"),
        (("--all", "--no-push"), "--no-push", "--ci"),
        (("--from-git", "--remote", "other"), "--remote", "--ci"),
        (("--as", "alice", "--commit", "a" * 40), "--commit", "--ci"),
        (("--outcome", "success", "t-1"), "--outcome", "--as"),
        (("--ci", "--commit", "a" * 40, "--result", "success", "--verifier", "ci", "t-1"), "TRACE", "--run"),
    ],
)
def test_an_option_of_another_way_is_a_usage_error(fresh: World, arguments, option: str, owner: str):
    done = fresh.run("verify", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {option} says nothing to ")
    assert f"belongs to {owner}" in done.stderr


def test_every_option_of_verify_belongs_to_a_way():
    """An option that is new is ignored by no way in silence."""
    import inspect

    every_way = {"ctx", "dry_run", "as_json", "run", "from_git", "from_events", "everything", "as_person", "ci"}
    named = {_PARAMETERS.get(option, option[2:].replace("-", "_")) for option in _ALL_OPTIONS}
    assert set(inspect.signature(verify_command).parameters) - every_way == named


def test_every_way_that_runs_nothing_answers_in_one_shape(fresh: World):
    session(fresh, user("x"))
    for way in ("--from-git", "--from-events", "--all"):
        done = fresh.run("verify", way, "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert report["format"] == "skillc.verify/1"
        assert report["results"][0]["trace_id"] == "t-00000001"
    assert "1 without a verdict" in fresh.run("verify", "--from-git", "--dry-run").stdout
