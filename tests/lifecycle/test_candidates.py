"""Candidates: read from their commits, written whole, known again by identity."""

import subprocess

from skillc.lifecycle.candidates import candidates, is_admitted, pending_candidates
from tests.world import FIELD, World


def test_a_candidate_is_read_back_from_its_branch(world: World):
    run = world.compile_one(FIELD)
    candidate = candidates(world.context())[FIELD]

    assert candidate.run == run.run
    assert candidate.start == world.git("rev-parse", "main")
    assert [(v.skill, v.tree) for v in candidate.versions] == [(FIELD, run.group.versions[0].tree)]
    assert candidate.foreign == ()


def test_a_persons_commit_on_it_is_told_apart(world: World):
    world.compile(FIELD)
    world.git("switch", "--quiet", f"skillc/candidate/{FIELD}")
    commit = world.commit({"note.md": "x\n"})
    candidate = candidates(world.context())[FIELD]
    assert candidate.foreign == (commit,)
    assert len(candidate.versions) == 1


def test_a_branch_without_a_version_is_no_candidate(world: World):
    world.git("branch", "skillc/candidate/empty", "main")
    assert candidates(world.context()) == {}


def test_admission_is_seen_after_the_candidates_own_base(world: World):
    world.compile(FIELD)
    candidate = candidates(world.context())[FIELD]
    assert not is_admitted(world.context(), candidate)
    world.merge(FIELD)
    assert is_admitted(world.context(), candidate)
    assert pending_candidates(world.context()) == {}


def test_commits_are_signed_where_the_user_signs_commits(world: World, tmp_path):
    key = tmp_path / "signing"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    for name, value in (("commit.gpgsign", "true"), ("gpg.format", "ssh"), ("user.signingkey", str(key))):
        world.git("config", "--global", name, value)
    commit = world.compile_one(FIELD).group.versions[0].commit
    assert "gpgsig" in world.git("cat-file", "commit", commit)
    assert world.git("log", "-1", "--format=%an %(trailers:key=Skillc-Skill,valueonly)", commit).split() == [
        "skillc",
        FIELD,
    ]
