"""The loop: verified Traces become a candidate, a merge admits it, and a revert takes it back."""

import json

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.check import check
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, FIX, World, sessions_of


def names(world: World) -> set[str]:
    return set(current_skills(world.context()))


def test_a_verified_family_becomes_a_candidate_on_its_own_branch(world: World):
    report = world.compile_one(FIELD)

    assert report.group.state == "candidate"
    assert [v.change for v in report.group.versions] == ["add"]
    assert world.git("rev-parse", f"skillc/candidate/{FIELD}") == report.group.versions[0].commit
    assert names(world) == set()


def test_a_candidate_commit_touches_one_skill_folder_and_carries_its_trailers(world: World):
    version = world.compile_one(FIELD).group.versions[0]
    files = world.git("diff-tree", "--no-commit-id", "-r", "--name-only", version.commit).splitlines()
    message = world.git("log", "-1", "--format=%(trailers:only)", version.commit)

    assert files == [f".claude/skills/{FIELD}/SKILL.md", f".claude/skills/{FIELD}/contract.json"]
    assert [line.split(":")[0] for line in message.splitlines() if line] == [
        "Skillc-Skill",
        "Skillc-Id",
        "Skillc-Change",
        "Skillc-Run",
        "Skillc-Group",
        "Skillc-Contract",
    ]


def test_compiling_again_with_nothing_new_changes_no_ref(world: World):
    world.compile()
    before = world.git("for-each-ref")
    report = world.compile()

    assert all("nothing new" in family.note for family in report.families)
    assert world.git("for-each-ref") == before


def test_a_merge_admits_and_the_next_run_has_nothing_new(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    before = world.git("for-each-ref")

    assert names(world) == {FIELD}
    assert "nothing new" in world.compile_one(FIELD).note
    assert world.git("for-each-ref") == before


@pytest.mark.parametrize("way", ["merge", "fast-forward", "squash", "rebase"])
def test_an_admission_is_recognised_by_folder_identity_however_it_was_merged(world: World, way: str):
    world.compile(FIELD)
    if way == "rebase":
        world.commit({"NEWS.md": "other work\n"}, "other work")
    if way == "merge":
        world.merge(FIELD)
    elif way == "fast-forward":
        world.merge(FIELD, "--ff-only")
    elif way == "squash":
        world.merge(FIELD, "--squash")
        world.git("commit", "--quiet", "-m", "Squashed, without any trailer")
    else:
        world.git("switch", "--quiet", "--detach", f"skillc/candidate/{FIELD}")
        world.git("rebase", "--quiet", "main")
        world.git("branch", "--force", "main", "HEAD")
        world.git("switch", "--quiet", "main")

    report = world.compile_one(FIELD)
    assert "nothing new" in report.note
    assert report.group.branch is None, "the candidate does not wait any more"
    assert check(world.context()).ok


@pytest.mark.parametrize("way", ["merge", "squash"])
def test_git_revert_takes_a_skill_back_and_it_stays_out(world: World, way: str):
    world.compile(FIELD)
    if way == "merge":
        world.merge(FIELD)
        world.git("revert", "--no-edit", "-m", "1", "HEAD")
    else:
        world.merge(FIELD, "--squash")
        world.git("commit", "--quiet", "-m", "squash")
        world.git("revert", "--no-edit", "HEAD")

    assert names(world) == set()
    report = world.compile_one(FIELD)
    assert report.group.versions == ()
    assert "reverted" in report.note


def test_the_revert_of_a_revert_brings_the_same_identity_back(world: World):
    version = world.compile_one(FIELD).group.versions[0]
    world.merge(FIELD)
    world.git("revert", "--no-edit", "-m", "1", "HEAD")
    world.git("revert", "--no-edit", "HEAD")

    assert current_skills(world.context())[FIELD].tree == version.tree
    assert check(world.context()).ok


def test_nothing_but_the_named_refs_changes(world: World, snapshot):
    world.write("notes.txt", "not committed")
    world.write("schema.json", "changed, not staged")
    world.write("staged.txt", "staged")
    world.git("add", "staged.txt")
    world.commit({".claude/skills/by-hand/SKILL.md": "---\nname: by-hand\n---\n"}, "hand-written")
    world.git("branch", "other")
    before, refs = (
        snapshot(world.root),
        world.git("for-each-ref", "refs/heads/main", "refs/heads/other", "refs/heads/attempt"),
    )

    world.compile()
    world.verify()

    assert snapshot(world.root) == before
    assert world.git("for-each-ref", "refs/heads/main", "refs/heads/other", "refs/heads/attempt") == refs


def test_a_family_without_a_verified_success_yields_nothing_and_says_why(fresh: World):
    fresh.capture(sessions_of(FIELD), task_family=FIELD)
    report = fresh.compile_one(FIELD)

    assert report.group.versions == ()
    assert "no strongly verified success" in report.note
    assert {item.reason for item in report.left_out} == {"not verified"}


def test_new_evidence_patches_the_skill_and_never_makes_a_twin(fresh: World):
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    add = fresh.compile_one(FIX)
    assert [v.change for v in add.group.versions] == ["add"]
    assert add.group.versions[0].single_source
    fresh.merge(FIX)
    fresh.capture(rest, task_family=FIX)
    fresh.verify()
    patch = fresh.compile_one(FIX)

    assert [v.change for v in patch.group.versions] == ["patch"], (patch.note, patch.proposals)
    assert patch.group.versions[0].skill_id == add.group.versions[0].skill_id
    assert not patch.group.versions[0].single_source
    fresh.merge(FIX)
    assert names(fresh) == {FIX}
    assert check(fresh.context()).ok


def test_a_newer_run_moves_the_candidate_and_the_older_one_is_superseded(fresh: World):
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    old = fresh.compile_one(FIX).run
    fresh.capture(rest, task_family=FIX)
    fresh.verify()
    new = fresh.compile_one(FIX)

    assert new.run != old
    assert [v.change for v in new.group.versions] == ["add"]
    outcomes = [(o.run, o.outcome.value) for o in fresh.context().ledger.outcomes]
    assert outcomes == [(old, "superseded")]


def test_a_single_trace_makes_a_single_source_skill_on_request(fresh: World):
    fresh.capture(sessions_of(FIX, passes=True)[:1])
    fresh.verify()
    trace_id = next(iter(fresh.attempts()))
    report = fresh.compile("mend-the-suite", traces=(trace_id[:10],)).families[0]

    assert [v.skill for v in report.group.versions] == ["mend-the-suite"]
    assert report.group.versions[0].single_source


def test_every_claim_of_a_candidate_cites_stored_events_of_verified_successes(world: World):
    version = world.compile_one(FIELD).group.versions[0]
    contract = json.loads(world.git("show", f"{version.commit}:.claude/skills/{FIELD}/contract.json"))
    attempts = world.attempts()

    claims = [contract["description"], *contract["effects"]] + [
        c
        for f in ("use_when", "tools", "inputs", "steps", "expected_observations", "completion_criteria")
        for c in contract[f]
    ]
    assert len(claims) > 10
    for claim in claims:
        assert claim["citations"]
        for citation in claim["citations"]:
            attempt = attempts[citation["trace_id"]]
            assert attempt.standing.is_verified_success
            assert all(attempt.trace.event(e) is not None for e in citation["events"])


def test_the_run_record_names_every_source_read_and_left_out(world: World):
    world.compile(FIELD)
    run = world.context().ledger.runs[-1]

    own = {t for t, a in world.attempts().items() if a.task_family == FIELD}
    assert {s.trace_id for s in run.read} | {s.trace_id for s in run.left_out} == own
    assert {s.role for s in run.read} == {"support", "contrast"}


def test_a_dry_run_writes_nothing(world: World):
    before = world.git("for-each-ref")
    report = world.compile_one(FIELD, dry_run=True)

    assert report.contracts
    assert world.git("for-each-ref") == before


def test_the_same_evidence_gives_the_same_commit(world: World):
    first = world.compile_one(FIELD).group.versions[0].commit
    world.git("update-ref", "-d", f"refs/heads/skillc/candidate/{FIELD}")
    ledger = world.git("rev-parse", "skillc/ledger")
    world.git("update-ref", "refs/heads/skillc/ledger", f"{ledger}^")

    assert world.compile_one(FIELD).group.versions[0].commit == first


def test_commits_by_people_on_a_candidate_are_never_overwritten(fresh: World):
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    fresh.git("switch", "--quiet", f"skillc/candidate/{FIX}")
    fresh.commit({f".claude/skills/{FIX}/SKILL.md": "edited by a person\n"}, "A person's edit")
    fresh.git("switch", "--quiet", "main")
    tip = fresh.git("rev-parse", f"skillc/candidate/{FIX}")
    fresh.capture(rest, task_family=FIX)
    fresh.verify()

    with pytest.raises(RepoError, match="commits by people"):
        fresh.compile(FIX)
    assert fresh.git("rev-parse", f"skillc/candidate/{FIX}") == tip


def test_a_persons_edit_of_an_admitted_skill_is_never_taken_away_silently(fresh: World):
    first, *rest = sessions_of(FIX, passes=True)
    fresh.capture([first], task_family=FIX)
    fresh.verify()
    fresh.compile(FIX)
    fresh.merge(FIX)
    path = f".claude/skills/{FIX}/SKILL.md"
    text = (fresh.root / path).read_text("utf-8")
    fresh.commit({path: text + "\nMind the gap.\n"}, "A person's own line")
    fresh.capture(rest, task_family=FIX)
    fresh.verify()
    report = fresh.compile_one(FIX)

    assert report.group.versions == ()
    assert "was edited by hand" in report.note
    assert "Mind the gap." in fresh.run("show", FIX).stdout


def test_a_hand_written_skill_of_the_familys_name_is_left_alone_and_named(world: World):
    world.commit({f".claude/skills/{FIX}/SKILL.md": "---\nname: fix-failing-test\n---\nmine\n"})
    report = world.compile_one(FIX)
    assert report.group.versions == ()
    assert "skillc did not make it" in report.note
    assert "families assign" in report.note


def test_a_candidate_that_waits_uses_up_none_of_its_evidence(fresh: World):
    """However often a run is made before somebody merges, the next one still has all the support."""
    paths = sessions_of(FIX, passes=True)
    supports = []
    for path in paths:
        fresh.capture([path], task_family=FIX)
        fresh.verify()
        supports.append(fresh.compile_one(FIX).group.versions[0].attempt_families)
    assert supports == [1, 2, 3, 4, 5]


def test_a_deleted_candidate_branch_closes_it_and_says_how_to_open_it(world: World):
    world.compile(FIX)
    world.git("branch", "--quiet", "-D", f"skillc/candidate/{FIX}")
    note = world.compile_one(FIX).note
    assert "branch was deleted, which closes it" in note
    trace_id = next(t for t, a in world.attempts().items() if a.task_family == FIX and a.standing.is_verified_success)
    again = world.compile(FIX, traces=(trace_id,)).families[0]
    assert [v.skill for v in again.group.versions] == [FIX]
