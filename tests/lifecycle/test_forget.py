"""`forget`: content goes everywhere at once, what rests on it goes out of service, and a second run is a no-op."""

import json

import pytest

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.candidates import pending_candidates
from skillc.lifecycle.check import check
from skillc.lifecycle.folder_branches import folder_branches
from skillc.lifecycle.forget import forget
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.upkeep import withdrawals
from skillc.repo import layout
from skillc.repo.objects import open_reader
from tests.world import FIELD, FIX, World


@pytest.fixture
def merged(world: World) -> World:
    world.compile(FIELD)
    world.merge(FIELD)
    return world


def cited(world: World, name: str = FIELD) -> tuple[str, str]:
    """A Trace and an event that the Skill cites."""
    skills = current_skills(world.context())
    contract = skills[name].contract if name in skills else None
    if contract is None:
        contract = next(v.contract for c in pending_candidates(world.context()).values() for v in c.versions)
    assert contract is not None
    citation = contract.steps[0].citations[0]
    return citation.trace_id, citation.events[0]


def bytes_of(world: World, trace_id: str) -> bytes:
    context = world.context()
    with open_reader(context.repository) as reader:
        return reader.read(context.traces.stored()[trace_id].object_id) or b""


def do(world: World, *names: str, **options):
    return forget(world.context(), names, by="Ada", **options)


def test_content_and_salt_go_and_tombstones_stay_in_file_and_ledger(merged: World):
    trace_id, event = cited(merged)
    before = bytes_of(merged, trace_id)
    line = json.loads(before.split(b"\n")[int(event[1:]) + 1])
    report = do(merged, f"{trace_id}#{event}", reason="a customer asked")
    after = bytes_of(merged, trace_id)
    assert line["salt"].encode() not in after
    assert json.loads(after.split(b"\n")[int(event[1:]) + 1])["record"] == "tombstone"
    assert list(merged.context().ledger.tombstones) == [trace_id]
    assert report.traces[0].state == "forgotten"


def test_every_citing_skill_is_withdrawn_at_once_and_its_folder_removed(merged: World):
    trace_id, event = cited(merged)
    tree = current_skills(merged.context())[FIELD].tree
    report = do(merged, f"{trace_id}#{event}")
    assert report.withdrawn == (FIELD,)
    assert withdrawals(merged.context())[tree].reason.value == "evidence-deleted"
    assert FIELD not in current_skills(merged.context())
    assert not (merged.root / ".claude" / "skills" / FIELD).exists()
    assert (merged.root / ".skillc" / "withdrawn" / f"{FIELD}.json").is_file()
    assert merged.git("status", "--porcelain") == ""
    assert check(merged.context()).ok


def test_a_skill_that_does_not_cite_the_event_stays(merged: World):
    trace_id, _ = cited(merged)
    contract = current_skills(merged.context())[FIELD].contract
    assert contract is not None
    from skillc.core.skill.contract import cited_events

    own = set(cited_events(contract)[trace_id])
    other = next(e.id for e in merged.attempts()[trace_id].trace.events if e.id not in own)
    assert do(merged, f"{trace_id}#{other}").withdrawn == ()
    assert FIELD in current_skills(merged.context())
    assert check(merged.context()).ok


def test_a_candidate_that_cites_it_is_dropped_and_made_again_from_what_is_left(world: World):
    world.compile(FIELD)
    trace_id, _ = cited(world)
    report = do(world, trace_id)
    assert report.dropped == (f"skillc/candidate/{FIELD}",)
    assert not pending_candidates(world.context())
    again = world.compile_one(FIELD)
    assert again.group.state == "candidate"
    assert trace_id not in again.read


def test_the_next_compile_repairs_from_the_remaining_evidence(merged: World):
    trace_id, _ = cited(merged)
    skill_id = next(v.skill_id for r in merged.context().ledger.runs for v in r.versions)
    do(merged, trace_id)
    report = merged.compile_one(FIELD)
    assert report.group.state == "candidate"
    assert [v.skill_id for v in report.group.versions] == [skill_id]
    merged.merge(FIELD)
    assert check(merged.context()).ok
    assert trace_id not in json.dumps(current_skills(merged.context())[FIELD].contract.model_dump(mode="json"))


def test_without_remaining_evidence_it_stays_withdrawn(merged: World):
    do(merged, *(t for t, a in merged.attempts().items() if a.task_family == FIELD))
    report = merged.compile()
    assert FIELD not in {f.task_family for f in report.families if f.group.state != "none"}
    assert FIELD not in current_skills(merged.context())


def test_a_second_run_is_a_no_op_that_says_so(merged: World):
    trace_id, event = cited(merged)
    for name in (f"{trace_id}#{event}", trace_id):
        do(merged, name)
        refs = merged.git("for-each-ref")
        report = do(merged, name)
        assert [t.state for t in report.traces] == ["already"]
        assert not report.is_news
        assert merged.git("for-each-ref") == refs


def test_a_whole_trace_is_not_captured_again(merged: World):
    from tests.world import sessions_of

    trace_id, _ = cited(merged)
    do(merged, trace_id)
    report = merged.capture(sessions_of(FIELD), task_family=FIELD)
    assert report.totals.new == 0
    assert any("was deleted with skillc forget" in note for source in report.sources for note in source.notes)
    assert merged.context().traces.read(trace_id) is None


def test_a_dry_run_tells_the_same_and_changes_nothing(merged: World):
    trace_id, _ = cited(merged)
    refs = merged.git("for-each-ref")
    planned = do(merged, trace_id, dry_run=True)
    assert merged.git("for-each-ref") == refs
    done = do(merged, trace_id)
    assert (planned.withdrawn, planned.traces, planned.repairs) == (done.withdrawn, done.traces, done.repairs)


def test_on_a_protected_base_the_removal_waits_on_a_branch_and_the_ledger_counts_at_once(merged: World):
    merged.set_policy("protected_base: false", "protected_base: true")
    trace_id, _ = cited(merged)
    head = merged.git("rev-parse", "main")
    tree = current_skills(merged.context())[FIELD].tree
    report = do(merged, trace_id)
    assert merged.git("rev-parse", "main") == head
    assert report.branch == f"skillc/candidate/forget-{FIELD}"
    assert tree in withdrawals(merged.context())
    merged.git("merge", "--quiet", "--no-ff", "-m", "ok", report.branch)
    assert FIELD not in current_skills(merged.context())


def test_everything_moves_at_once_or_not_at_all(merged: World):
    trace_id, _ = cited(merged)
    merged.write(f".claude/skills/{FIELD}/SKILL.md", "an edit that is not committed")
    refs = merged.git("for-each-ref", "refs/heads")
    with pytest.raises(RepoError):
        do(merged, trace_id)
    assert merged.git("for-each-ref", "refs/heads") == refs


@pytest.mark.parametrize("name", ["t-99999999", "x", "t-", "{trace}#", "{trace}#e9999", "{trace}#e01"])
def test_a_name_that_is_nothing_stored_is_an_error_and_changes_nothing(merged: World, name: str):
    refs = merged.git("for-each-ref")
    with pytest.raises(UsageError):
        do(merged, name.format(trace=cited(merged)[0]))
    assert merged.git("for-each-ref") == refs


def test_caches_that_could_hold_the_text_are_gone(merged: World):
    trace_id, _ = cited(merged)
    private = merged.context().repository.private
    for name in (layout.SUMMARY_CACHE, layout.ANSWER_DIR):
        (private / name).mkdir(parents=True, exist_ok=True)
        (private / name / "x.json").write_text("text", "utf-8")
    do(merged, trace_id)
    assert not (private / layout.SUMMARY_CACHE).exists()
    assert not (private / layout.ANSWER_DIR).exists()


def test_it_says_what_history_still_holds(merged: World):
    left = do(merged, cited(merged)[0]).left
    assert left is not None
    assert {"main", layout.TRACES_BRANCH} <= set(left.branches)
    assert any("other clones" in note for note in left.notes)


def test_the_audit_tells_the_deletion_and_finds_nothing_wrong(merged: World):
    from skillc.lifecycle.audit import audit

    trace_id, _ = cited(merged)
    do(merged, trace_id, reason="a customer asked")
    event = next(e for e in audit(merged.context()).events if e.event == "deletion")
    assert (event.subject, event.skill, event.is_signed) == (trace_id, FIELD, True)
    assert {p.code for p in verify_audit(merged.context()).problems} == {"unproven-admission"}


def test_traces_in_the_tree_are_forgotten_in_the_same_move(world: World):
    world.compile(FIX)
    world.merge(FIX)
    trace_id, _ = cited(world, FIX)
    world.set_policy("location: branch", "location: tree")
    world.git("read-tree", f"--prefix={layout.TRACES_DIR}/", f"{layout.TRACES_BRANCH}:{layout.TRACES_DIR}")
    world.git("checkout-index", "--all", "--force")
    world.git("commit", "--quiet", "-m", "traces in the tree")
    head = world.git("rev-parse", "HEAD")
    do(world, trace_id)
    assert world.git("rev-parse", "HEAD~2") == head
    assert world.git("status", "--porcelain") == ""
    assert world.context().traces.read(trace_id) is None
    assert check(world.context()).ok


def test_an_older_version_that_rests_on_it_does_not_come_back(merged: World):
    from skillc.lifecycle.restore import restore

    trace_id, _ = cited(merged)
    do(merged, trace_id)
    with pytest.raises(UsageError, match="evidence-deleted"):
        restore(merged.context(), FIELD, "1")
    merged.git("revert", "--no-edit", "HEAD")
    assert "evidence-deleted" in {p.code for p in check(merged.context()).problems}


def test_a_machine_that_nobody_registered_forgets_too_and_says_that_check_will_name_it(merged: World):
    trace_id, _ = cited(merged)
    own = merged.home / ".config" / "skillc" / "keys"
    for file in own.iterdir():
        file.unlink()
    report = do(merged, trace_id)
    assert (report.is_news, report.counts) == (True, False)
    assert merged.context().traces.read(trace_id) is None
    assert {p.code for p in check(merged.context()).problems} == {"deleted-content"}


def test_on_a_protected_base_the_next_compile_repairs_while_the_removal_waits(merged: World):
    merged.set_policy("protected_base: false", "protected_base: true")
    trace_id, _ = cited(merged)
    before = current_skills(merged.context())[FIELD]
    do(merged, trace_id)
    assert [r.skill for r in status(merged.context()).repairs] == [FIELD]
    report = merged.compile_one(FIELD)
    assert report.group.state == "candidate"
    assert trace_id not in report.read
    assert status(merged.context()).repairs == ()
    merged.merge(FIELD)
    after = current_skills(merged.context())[FIELD]
    assert (after.contract.skill_id, after.tree != before.tree) == (before.contract.skill_id, True)
    assert after.tree not in withdrawals(merged.context())
    assert check(merged.context()).ok
    assert folder_branches(merged.context()) == ()  # the removal is overtaken


def test_a_removal_that_is_merged_first_makes_the_repair_anew(merged: World):
    merged.set_policy("protected_base: false", "protected_base: true")
    report = do(merged, cited(merged)[0])
    first = merged.compile_one(FIELD)
    merged.git("merge", "--quiet", "--no-ff", "-m", "ok", report.branch)
    second = merged.compile_one(FIELD)
    assert second.group.state == "candidate"
    assert second.run != first.run
    merged.merge(FIELD)
    assert check(merged.context()).ok


def test_without_remaining_evidence_a_protected_base_keeps_the_folder_out_of_service(merged: World):
    merged.set_policy("protected_base: false", "protected_base: true")
    do(merged, *(t for t, a in merged.attempts().items() if a.task_family == FIELD))
    assert status(merged.context()).repairs == ()
    merged.compile()
    assert FIELD not in pending_candidates(merged.context())
    assert [b.changes[0].change for b in folder_branches(merged.context())] == ["withdraw"]


def test_the_next_step_of_the_status_is_the_repair(merged: World):
    do(merged, cited(merged)[0])
    told = status(merged.context())
    assert told.next is not None
    assert told.next.command == f"skillc compile --family {FIELD}"
    merged.compile_one(FIELD)
    assert status(merged.context()).repairs == ()


def test_a_second_run_names_the_same_places(merged: World):
    trace_id, _ = cited(merged)
    merged.git("tag", "kept")
    first, second = do(merged, trace_id).left, do(merged, trace_id).left
    assert first is not None
    assert "kept" in first.tags
    assert second == first


def test_what_repeats_a_text_is_told_beside_the_trace_that_it_repeats(merged: World):
    one, other = sorted(t for t, a in merged.attempts().items() if a.task_family == FIELD)[:2]
    alone = {name: do(merged, name, dry_run=True).traces[0].also for name in (one, other)}
    both = do(merged, one, other, dry_run=True)
    for told in both.traces:
        expected = {t: ids for t, ids in alone[told.trace_id].items() if t not in (one, other)}
        assert told.also == expected
