"""`check` and `sync` on the command line."""

import json
import subprocess

from tests.world import FIELD, World


def test_check_is_exit_0_or_1_with_the_problems(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    assert world.run("check").returncode == 0
    world.commit({f".claude/skills/{FIELD}/SKILL.md": "changed\n"})
    done = world.run("check", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert not answer["ok"]
    assert {"code", "path", "skill", "message", "next"} <= set(answer["problems"][0])
    assert "problem" in world.run("check").stdout


def test_check_takes_a_branch_and_what_to_compare_it_with(world: World):
    world.compile(FIELD)
    assert world.run("check", f"skillc/candidate/{FIELD}", "--against", "main").returncode == 0
    assert world.run("check", "nope").returncode == 2


def test_sync_prints_each_branch_and_consent_needs_a_person(world: World, tmp_path):
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "r.git")], check=True)
    world.git("remote", "add", "origin", str(tmp_path / "r.git"))
    world.git("push", "--quiet", "origin", "main")
    done = world.run("sync")
    assert done.returncode == 0
    assert "kept here" in done.stdout
    refused = world.run("sync", "--share-traces")
    assert refused.returncode == 2
    assert "terminal" in refused.stderr


def test_check_for_a_code_host_annotates_and_writes_the_summary(world: World, tmp_path):
    world.compile(FIELD)
    world.merge(FIELD)
    world.commit({f".claude/skills/{FIELD}/SKILL.md": "changed\n"})
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    done = world.run("check", "--format", "github", GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 1
    assert f"::error file=.claude/skills/{FIELD}/SKILL.md,line=1,title=skillc check%3A render-mismatch::" in done.stdout
    assert summary.read_text("utf-8").startswith("before\n## skillc check did not pass")
    assert world.run("check", "--format", "nope").returncode == 2
    assert world.run("check", "--format", "github", "--json").returncode == 2
