"""The signing job: a key and two branches, no code; its word is weighed on base like every other."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError, RepoError, UsageError
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.resources import template
from skillc.lifecycle.sync import sync
from skillc.lifecycle.verify_ci import CiStatement, outcome_of_job, push_ledger, verify_by_ci
from skillc.repo.repository import Repository
from tests.approvers import make_key, session
from tests.repositories import run_git
from tests.world import NOW, World

pytestmark = pytest.mark.slow  # a process or a repository for each case

ID = "t-00000001"


class Ci:
    """A namespace with a bare remote, a session whose Trace is shared, and the empty folder of a signing job."""

    def __init__(self, world: World, folder: Path, *, key_class: str = "isolated") -> None:
        self.world, self.key, self.remote = world, folder / "ci", folder / "remote.git"
        make_key(self.key)
        add_verifier(world.root, {"id": "ci", "kind": "external", "key_class": key_class}, key_file=folder / "ci.pub")
        world.git("commit", "--quiet", "-am", "ci")
        self.commit = world.commit({"a.txt": "work\n"}, "work")
        session(world, start=world.git("rev-parse", "HEAD^"), commits=(self.commit[:9],))
        subprocess.run(["git", "init", "--quiet", "--bare", str(self.remote)], check=True)
        world.git("remote", "add", "origin", str(self.remote))
        world.git("push", "--quiet", "origin", "main")
        world.git("fetch", "--quiet", "origin")
        sync(world.context(), "origin", consent=True)
        self.job = self.new_job(folder / "job")

    def new_job(self, folder: Path) -> Path:
        folder.mkdir()
        run_git(folder, "init", "--quiet")
        run_git(folder, "remote", "add", "origin", str(self.remote))
        return folder

    def sign(self, outcome: Outcome = Outcome.SUCCESS, **changes: object):
        statement = CiStatement(commit=self.commit, outcome=outcome, verifier_id="ci", **changes)  # type: ignore[arg-type]
        return verify_by_ci(self.job, statement, key=self.key, now=NOW)

    def standing(self):
        sync(self.world.context(), "origin")
        return self.world.attempts()[ID].standing


@pytest.fixture
def ci(fresh: World, tmp_path: Path) -> Ci:
    return Ci(fresh, tmp_path)


def test_the_word_of_an_isolated_ci_is_external(ci: Ci):
    report = ci.sign()
    assert [(r.trace_id, r.outcome) for r in report.results] == [(ID, Outcome.SUCCESS)]
    assert (report.recorded, report.pushed) == (1, True)
    standing = ci.standing()
    assert (standing.strength.value, standing.assurance.label, standing.outcome) == (
        "external",
        "isolated",
        Outcome.SUCCESS,
    )


def test_a_failed_job_is_a_failure(ci: Ci):
    ci.sign(Outcome.FAILURE)
    assert ci.standing().is_verified_failure


def test_the_job_needs_no_code(ci: Ci):
    ci.sign()
    assert [p.name for p in ci.job.iterdir()] == [".git"]
    assert subprocess.run(["git", "cat-file", "-e", ci.commit], cwd=ci.job, capture_output=True, check=False).returncode


def test_running_the_job_again_records_nothing_new(ci: Ci):
    assert [r.state for r in ci.sign().results] == ["verified"]
    again = ci.sign()
    assert (again.recorded, [r.state for r in again.results]) == (0, ["known"])


def test_a_dry_run_of_the_job_fetches_and_pushes_nothing(ci: Ci):
    before = subprocess.run(["git", "show-ref"], cwd=ci.job, capture_output=True, check=False).stdout
    statement = CiStatement(commit=ci.commit, outcome=Outcome.SUCCESS, verifier_id="ci")
    assert not verify_by_ci(ci.job, statement, key=ci.key, now=NOW, dry_run=True).pushed
    assert subprocess.run(["git", "show-ref"], cwd=ci.job, capture_output=True, check=False).stdout == before


def test_a_commit_that_no_session_ended_with_signs_for_nothing(ci: Ci):
    statement = CiStatement(commit="a" * 40, outcome=Outcome.SUCCESS, verifier_id="ci")
    report = verify_by_ci(ci.job, statement, key=ci.key, now=NOW)
    assert (report.results, report.recorded) == ((), 0)


def test_a_ci_whose_key_a_developer_holds_is_only_a_tool(fresh: World, tmp_path: Path):
    ci = Ci(fresh, tmp_path, key_class="local")
    ci.sign()
    assert (ci.standing().strength.value, ci.standing().assurance.label) == ("tool", "local")


def test_another_key_under_the_name_of_the_ci_is_worth_nothing(ci: Ci, tmp_path: Path):
    make_key(tmp_path / "mine")
    ci.key = tmp_path / "mine"
    ci.sign()
    assert "another key" in ci.standing().reasons[0]


def test_the_ledger_moved_meanwhile_and_nothing_is_lost(ci: Ci, tmp_path: Path):
    """The remote takes another record between our fetch and our push, and refuses ours once."""
    other = ci.new_job(tmp_path / "other")
    run_git(other, "fetch", "--quiet", "origin", "+refs/heads/skillc/*:refs/remotes/origin/skillc/*")
    statement = CiStatement(commit=ci.commit, outcome=Outcome.FAILURE, verifier_id="ci")
    verify_by_ci(other, statement, key=ci.key, remote=None, now=NOW)
    theirs = run_git(other, "rev-parse", "skillc/ledger")
    run_git(other, "push", "--quiet", "origin", f"{theirs}:refs/heads/waiting")
    hook = ci.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f"#!/bin/sh\nrm {hook}\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/skillc/ledger {theirs}\n", "utf-8"
    )
    hook.chmod(0o755)
    assert ci.sign().pushed
    assert not hook.exists()
    standing = ci.standing()
    assert standing.conflicted, standing


def test_a_remote_that_never_takes_it_is_an_error_and_keeps_nothing_half(ci: Ci):
    hook = ci.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    hook.chmod(0o755)
    with pytest.raises(RepoError):
        ci.sign()
    hook.unlink()
    assert ci.sign().pushed


def test_an_empty_ledger_is_nothing_to_push(ci: Ci, tmp_path: Path):
    folder = ci.new_job(tmp_path / "empty")
    assert push_ledger(Repository.open(folder), "origin") is False


def test_the_forge_told_who_merged_and_the_ci_signs_that(ci: Ci):
    report = ci.sign(merged_by="bob", pull_request=7)
    assert report.recorded == 2
    sync(ci.world.context(), "origin")
    assert list(ci.world.context().ledger.approvals) == [ci.commit]
    assert ci.sign(merged_by="bob", pull_request=7).recorded == 0


def test_a_merge_without_a_trace_needs_the_namespace(ci: Ci):
    ci.commit = "b" * 40
    with pytest.raises(UsageError, match="which namespace"):
        ci.sign(merged_by="bob")
    assert ci.sign(merged_by="bob", namespace="acme").recorded == 1


@pytest.mark.parametrize("commit", ["abc", "HEAD", "A" * 40, ""])
def test_a_commit_is_named_with_all_its_digits(ci: Ci, commit: str):
    with pytest.raises(UsageError, match="no whole commit id"):
        verify_by_ci(ci.job, CiStatement(commit, Outcome.SUCCESS, "ci"), key=ci.key)


def test_a_key_that_cannot_be_used_is_told_without_its_text(ci: Ci, tmp_path: Path):
    make_key(tmp_path / "locked", passphrase="a passphrase")
    for key in ("secret text", tmp_path / "locked"):
        with pytest.raises(RepoError, match="cannot be read") as stop:
            verify_by_ci(ci.job, CiStatement(ci.commit, Outcome.SUCCESS, "ci"), key=key)
        assert "secret" not in str(stop.value)
    with pytest.raises(UsageError, match="cannot be read"):
        verify_by_ci(ci.job, CiStatement(ci.commit, Outcome.SUCCESS, "ci"), key=tmp_path / "gone")


def test_what_a_job_can_end_with():
    assert (outcome_of_job("success"), outcome_of_job("failure")) == (Outcome.SUCCESS, Outcome.FAILURE)
    assert outcome_of_job("cancelled") is outcome_of_job("skipped") is None
    with pytest.raises(UsageError):
        outcome_of_job("fine")


def test_the_command_takes_the_key_from_the_environment(ci: Ci):
    job = World(ci.world.home, ci.job)
    arguments = ("verify", "--ci", "--commit", ci.commit, "--verifier", "ci", "--result")
    assert job.run(*arguments, "success", SKILLC_CI_KEY="").returncode == 2
    assert "says nothing" in job.run(*arguments, "cancelled", SKILLC_CI_KEY="x").stderr
    done = job.run(*arguments, "success", "--json", SKILLC_CI_KEY=ci.key.read_text("utf-8").replace("\n", "\r\n"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pushed"] is True
    assert ci.standing().strength.value == "external"


# The workflow


def test_the_job_with_the_key_has_no_code_and_the_job_with_code_has_no_key():
    text = (template("github") / "skillc-verify.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow[True] == {"push": {"branches": ["main"]}}  # YAML reads the key `on` as true
    assert workflow["permissions"] == {}
    test, sign = workflow["jobs"]["test"], workflow["jobs"]["sign"]
    assert "secrets." not in json.dumps(test)
    assert "environment" not in test
    assert test["permissions"] == {"contents": "read"}
    assert not [s for s in sign["steps"] if "checkout" in s.get("uses", "")]
    assert sign["needs"] == "test"
    assert sign["environment"] == "skillc-verify"
    assert "github.event_name == 'push'" in sign["if"]
    assert "needs.test.result" in json.dumps(sign)


def test_nothing_from_outside_is_pasted_into_a_script():
    """Expressions stand in `env` only: a branch or title cannot become a command."""
    workflow = yaml.safe_load((template("github") / "skillc-verify.yml").read_text("utf-8"))
    scripts = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


def test_a_key_that_base_does_not_name_signs_nothing(ci: Ci, tmp_path: Path):
    make_key(tmp_path / "other")
    statement = CiStatement(commit=ci.commit, outcome=Outcome.SUCCESS, verifier_id="ci")
    with pytest.raises(PolicyError, match="registered on base with another key"):
        verify_by_ci(ci.world.root, statement, key=tmp_path / "other", remote=None, now=NOW)
    nobody = CiStatement(commit=ci.commit, outcome=Outcome.SUCCESS, verifier_id="nobody")
    with pytest.raises(PolicyError, match="is not registered"):
        verify_by_ci(ci.world.root, nobody, key=ci.key, remote=None, now=NOW)
