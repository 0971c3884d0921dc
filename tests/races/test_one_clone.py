"""Two commands on one clone: the second finds what the first did, or says so; nothing is half and nothing lost."""

from pathlib import Path

import pytest

from skillc.core.trace.codec import parse_trace
from skillc.lifecycle import amend as amending
from skillc.lifecycle import approve as approving
from skillc.lifecycle import compile as compiling
from skillc.lifecycle import forget as forgetting
from skillc.lifecycle.amend import amend
from skillc.lifecycle.candidates import Candidate, pending_candidates
from skillc.lifecycle.forget import forget
from skillc.lifecycle.skills import current_skills
from skillc.repo.commits import RefMovedError
from skillc.repo.layout import TRACES_BRANCH
from tests.approvers import key_that_asks, public_of, register_person
from tests.faults.states import require_sound
from tests.races.together import (
    CANCEL,
    at_once,
    meanwhile,
    records_of,
    require_clean_audit,
    require_whole,
    run_now,
    start,
    start_program,
)
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World

APPROVE = (
    "import sys; from pathlib import Path; from skillc.lifecycle.approve import approve; "
    "from skillc.lifecycle.context import open_context; "
    "print(approve(open_context(), sys.argv[1], key_path=Path(sys.argv[2])).state)"
)
COMPILE = ("compile", "--family", FAMILY)
PAGE = f".claude/skills/{FAMILY}/SKILL.md"
OWN_LINE = "- The person holds a receipt."


def waiting(world: World) -> dict[str, Candidate]:
    return pending_candidates(world.context())


def admits_automatically(world: World) -> None:
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")


def with_own_line(text: str) -> str:
    assert "## When to use\n\n" in text
    return text.replace("## When to use\n\n", f"## When to use\n\n{OWN_LINE}\n")


def cited(world: World) -> str:
    return sorted(a.trace.trace_id for a in world.attempts().values() if a.task_family == FAMILY)[0]


def require_nothing_rests_on(world: World, trace_id: str) -> None:
    contracts = [v.contract for c in waiting(world).values() for v in c.versions]
    contracts += [s.contract for s in current_skills(world.context()).values()]
    assert all(c is None or trace_id not in c.model_dump_json() for c in contracts)


def test_two_compiles_of_one_family_at_once_make_one_candidate(guarded: World):
    for ran in at_once((guarded, COMPILE), (guarded, COMPILE)):
        assert ran.code == 0, ran
    assert set(waiting(guarded)) == {FAMILY}
    assert len(records_of(guarded, "runs/")) == 1
    require_whole(guarded)
    require_clean_audit(guarded)


def test_a_compile_that_another_one_overtakes_finds_its_candidate(guarded: World, monkeypatch):
    meanwhile(monkeypatch, compiling, "write_lock", lambda: run_now(guarded, *COMPILE))
    report = guarded.compile()
    assert [f.group.state for f in report.families] == ["candidate", "candidate"]
    assert set(waiting(guarded)) == {FAMILY, CANCEL}
    assert len(records_of(guarded, "runs/")) == 2
    require_whole(guarded)


def test_a_rejection_in_the_middle_of_a_compile_is_remembered(merged: World, monkeypatch):
    merged.compile(FAMILY)
    take(merged, "latest", *(refund_run(n) for n in range(40, 43)))
    meanwhile(monkeypatch, compiling, "write_lock", lambda: run_now(merged, "reject", FAMILY, "--reason", "too long"))
    merged.compile(FAMILY)
    rejected = [o for o in merged.context().ledger.outcomes if o.outcome.value == "human-rejected"]
    assert [o.reason for o in rejected] == ["too long"]
    require_whole(merged, checked=1)
    require_clean_audit(merged)


def test_a_merge_of_the_same_candidate_in_the_middle_of_a_compile_stands_whole(guarded: World, monkeypatch):
    guarded.compile(FAMILY)
    take(guarded, "more", *(refund_run(n) for n in range(20, 24)))
    tree = waiting(guarded)[FAMILY].versions[0].tree
    meanwhile(monkeypatch, compiling, "write_lock", lambda: guarded.merge(FAMILY))
    guarded.compile(FAMILY)
    assert current_skills(guarded.context())[FAMILY].tree == tree
    assert waiting(guarded)[FAMILY].start == guarded.git("rev-parse", "main")
    require_whole(guarded, checked=1)
    require_clean_audit(guarded)


def test_a_merge_in_the_middle_of_a_compile_that_admits_is_not_lost(guarded: World, monkeypatch):
    guarded.compile(CANCEL)
    admits_automatically(guarded)
    meanwhile(monkeypatch, compiling, "write_lock", lambda: guarded.merge(CANCEL))
    report = guarded.compile_one(FAMILY)
    assert report.group.state in ("admitted", "candidate")
    assert CANCEL in current_skills(guarded.context())
    require_whole(guarded)
    require_clean_audit(guarded)


def test_an_edit_on_base_in_the_middle_of_a_compile_survives(merged: World, monkeypatch):
    def edit() -> None:
        text = (merged.root / PAGE).read_text("utf-8")
        merged.commit({PAGE: with_own_line(text)}, "by hand")

    meanwhile(monkeypatch, compiling, "write_lock", edit)
    merged.compile(FAMILY)
    assert OWN_LINE in merged.git("show", f"main:{PAGE}")
    assert FAMILY not in waiting(merged) or OWN_LINE in merged.git("show", f"{waiting(merged)[FAMILY].tip}:{PAGE}")


def test_an_amendment_in_the_middle_of_a_compile_survives(merged: World, monkeypatch):
    def edit() -> None:
        merged.write(PAGE, with_own_line((merged.root / PAGE).read_text("utf-8")))
        ran = run_now(merged, "amend", FAMILY)
        assert ran.code == 0, ran

    meanwhile(monkeypatch, compiling, "write_lock", edit)
    merged.compile(FAMILY)
    assert OWN_LINE in merged.git("show", f"{waiting(merged)[FAMILY].tip}:{PAGE}")
    assert len(merged.context().ledger.amendments) == 1


def test_an_approval_beside_a_compile_speaks_for_what_was_signed(guarded: World, tmp_path: Path, monkeypatch):
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(guarded, public_of(key))
    guarded.compile(FAMILY)
    groups = {waiting(guarded)[FAMILY].group}
    take(guarded, "more", *(refund_run(n) for n in range(20, 24)))
    approval = start_program(guarded, "-c", APPROVE, FAMILY, str(key))
    compiled = start(guarded, *COMPILE)
    assert approval.end().code == 0
    assert compiled.end().code == 0
    groups.add(waiting(guarded)[FAMILY].group)
    approvals = records_of(guarded, "approvals/")
    assert len(approvals) == 1
    assert "sha256:" + next(iter(approvals)).split("/")[1] in groups
    require_whole(guarded)
    require_clean_audit(guarded)


def test_an_approval_does_not_admit_what_was_rejected_meanwhile(guarded: World, tmp_path: Path, monkeypatch):
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(guarded, public_of(key))
    admits_automatically(guarded)
    guarded.set_policy("minimum_assurance: local", "minimum_assurance: isolated")
    guarded.compile(FAMILY)
    meanwhile(monkeypatch, approving, "admit_candidate", lambda: run_now(guarded, "reject", FAMILY, "--reason", "no"))
    with pytest.raises(RefMovedError):
        approving.approve(guarded.context(), FAMILY, key_path=key)
    assert FAMILY not in current_skills(guarded.context())
    assert [o.reason for o in guarded.context().ledger.outcomes] == ["no"]
    require_whole(guarded, checked=0)
    require_clean_audit(guarded)


def test_a_forget_in_the_middle_of_a_compile_leaves_no_candidate_that_rests_on_it(guarded: World, monkeypatch):
    trace_id = cited(guarded)
    meanwhile(monkeypatch, compiling, "write_lock", lambda: run_now(guarded, "forget", trace_id, "--yes"))
    guarded.compile(FAMILY)
    require_nothing_rests_on(guarded, trace_id)
    assert len(records_of(guarded, "tombstones/")) == 1
    require_whole(guarded)
    require_clean_audit(guarded)


def test_a_compile_in_the_middle_of_a_forget_leaves_no_candidate_that_rests_on_it(guarded: World, monkeypatch):
    trace_id = cited(guarded)
    meanwhile(monkeypatch, forgetting, "write_lock", lambda: run_now(guarded, *COMPILE))
    assert forget(guarded.context(), [trace_id], by="Ada").is_news
    require_nothing_rests_on(guarded, trace_id)
    require_whole(guarded)
    require_clean_audit(guarded)


def test_two_forgets_of_events_of_one_trace_lose_neither(guarded: World, monkeypatch):
    trace_id = cited(guarded)
    first, second = [e.id for e in guarded.attempts()[trace_id].trace.events][1:3]
    other = ("forget", f"{trace_id}#{second}", "--yes")
    meanwhile(monkeypatch, forgetting, "write_lock", lambda: run_now(guarded, *other))
    forget(guarded.context(), [f"{trace_id}#{first}"], by="Ada")
    path = guarded.context().traces.stored()[trace_id].path
    trace = parse_trace((guarded.git("cat-file", "blob", f"{TRACES_BRANCH}:{path}") + "\n").encode(), path=path)
    assert (trace.event(first), trace.event(second)) == (None, None)
    assert len(records_of(guarded, "tombstones/")) == 2
    require_whole(guarded)
    require_clean_audit(guarded)


def edited_for(world: World, tmp_path: Path, patch: pytest.MonkeyPatch) -> Path:
    """A person's edit of a Skill on base, whose approver's key asks."""
    key = key_that_asks(tmp_path, patch)
    register_person(world, public_of(key))
    world.write(PAGE, with_own_line((world.root / PAGE).read_text("utf-8")))
    return key


def test_a_person_who_is_asked_for_the_key_blocks_no_other_command(merged: World, tmp_path: Path, monkeypatch):
    key = edited_for(merged, tmp_path, monkeypatch)
    ended = []
    meanwhile(
        monkeypatch, amending, "decision_files", lambda: ended.append(run_now(merged, "compile", "--family", CANCEL))
    )
    report = amend(merged.context(), FAMILY, by="ada", key_path=key)
    assert [ran.code for ran in ended] == [0]
    assert CANCEL in waiting(merged)
    assert OWN_LINE in merged.git("show", f"{report.commit}:{PAGE}")
    assert report.waits
    require_whole(merged)


def test_a_skill_that_goes_while_the_person_is_asked_stops_the_amendment_and_keeps_the_edit(
    merged: World, tmp_path: Path, monkeypatch
):
    key = edited_for(merged, tmp_path, monkeypatch)
    contract = current_skills(merged.context())[FAMILY].contract
    assert contract is not None
    other = contract.steps[0].citations[0].trace_id
    text = (merged.root / PAGE).read_text("utf-8")
    deleted = []
    meanwhile(
        monkeypatch, amending, "decision_files", lambda: deleted.append(run_now(merged, "forget", other, "--yes"))
    )
    with pytest.raises(RefMovedError):
        amend(merged.context(), FAMILY, by="ada", key_path=key)
    assert records_of(merged, "amendments/") == set()
    assert (merged.root / PAGE).read_text("utf-8") == text
    assert [ran.code for ran in deleted] == [0]
    require_sound(merged.root)
