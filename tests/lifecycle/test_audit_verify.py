"""`audit --verify`: each thing that can be done to the record is found and named; an honest one is whole."""

from pathlib import Path

import pytest

from skillc.core.record import canonical_json
from skillc.errors import UsageError
from skillc.lifecycle.approve import approve
from skillc.lifecycle.audit_verify import AuditVerifyReport, pin_anew, verify_audit
from skillc.repo import layout
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import key_that_asks, public_of, register_person
from tests.world import FIELD, NOW, World


@pytest.fixture
def whole(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A namespace whose one Skill was approved and merged."""
    key = key_that_asks(tmp_path, monkeypatch)
    register_person(world, public_of(key))
    world.compile(FIELD)
    approve(world.context(), FIELD, key_path=key)
    world.merge(FIELD)
    return world


def codes(world: World, **options: str) -> set[str]:
    return {p.code for p in verify_audit(world.context(), **options).problems}


def rewrite(world: World, change: str) -> None:
    """Commits a change to the ledger by hand, in a checkout beside."""
    folder = world.root.parent / "ledger"
    world.git("worktree", "add", "--quiet", "--force", str(folder), layout.LEDGER_BRANCH)
    ledger = World(world.home, folder)
    files = sorted(folder.glob("verifications/*/*.json"))
    if change == "remove":
        files[0].unlink()
    elif change == "change":
        files[0].write_text(files[0].read_text("utf-8").replace("success", "failure"), "utf-8")
    ledger.git("add", "--all")
    ledger.git("commit", "--quiet", "-m", change)
    world.git("worktree", "remove", "--force", str(folder))


def test_a_record_that_nobody_touched_is_whole_and_gets_pinned(whole: World):
    report: AuditVerifyReport = verify_audit(whole.context())
    assert report.problems == ()
    assert (report.ok, report.pinned, report.admissions) == (True, True, 1)
    assert report.records == len(whole.context().ledger.paths)


def test_a_removed_record_is_found(whole: World):
    rewrite(whole, "remove")
    assert "removed-record" in codes(whole)


def test_a_removed_record_that_was_brought_back_as_it_is_told_is_whole_again(whole: World):
    rewrite(whole, "remove")
    problem = next(p for p in verify_audit(whole.context()).problems if p.code == "removed-record")
    assert f"git revert {whole.git('rev-parse', '--short=12', layout.LEDGER_BRANCH)}" in problem.next
    folder = whole.root.parent / "ledger"
    whole.git("worktree", "add", "--quiet", str(folder), layout.LEDGER_BRANCH)
    World(whole.home, folder).git("revert", "--no-edit", "HEAD")
    assert codes(whole) == set()


def test_a_changed_record_is_found(whole: World):
    rewrite(whole, "change")
    assert "changed-record" in codes(whole)


def test_a_ledger_that_does_not_descend_from_a_pinned_commit_is_found(whole: World):
    assert codes(whole) == set()
    tip = whole.git("rev-parse", layout.LEDGER_BRANCH)
    whole.git("update-ref", layout.LEDGER_REF, f"{tip}~1")
    assert "cut-ledger" in codes(whole)
    assert pin_anew(whole.context()) == whole.git("rev-parse", layout.LEDGER_BRANCH)
    assert "cut-ledger" not in codes(whole)


def test_a_pin_that_somebody_kept_elsewhere_is_looked_at(whole: World):
    tip = whole.git("rev-parse", layout.LEDGER_BRANCH)
    assert codes(whole, pin=tip) == set()
    assert codes(whole, pin="0" * 40) == {"cut-ledger"}
    with pytest.raises(UsageError, match="is no commit of this clone"):
        codes(whole, pin="abc")


def test_a_ledger_made_anew_from_the_same_files_is_found_by_what_the_runs_saw(whole: World):
    tree = whole.git("rev-parse", f"{layout.LEDGER_BRANCH}^{{tree}}")
    fresh = whole.git("commit-tree", tree, "-m", "fresh")
    whole.git("update-ref", layout.LEDGER_REF, fresh)
    assert "cut-ledger" in codes(whole)


def test_an_admission_without_its_approval_is_found(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    assert codes(world) == {"unproven-admission"}


def test_a_commit_that_no_admission_explains_is_found(whole: World):
    whole.commit({f".claude/skills/{FIELD}/SKILL.md": "changed by hand\n"})
    assert codes(whole) == {"unexplained-commit"}


def test_a_forged_admission_is_found(whole: World):
    from skillc.core.audit import AdmissionRecord

    record = AdmissionRecord(namespace="stockroom", by="policy", run="r-0", group="g", versions=(), at=NOW)
    append_to_ledger(whole.context().repository, [ledger_file("audit", record)], message="x\n", at=NOW)
    assert codes(whole) == {"unsigned-admission"}


def test_a_signature_that_does_not_hold_is_found(whole: World):
    context = whole.context()
    folder = next(iter(context.ledger.envelopes))
    ((_, envelope),) = context.ledger.envelopes[folder]
    forged = envelope.model_copy(update={"payload": envelope.payload.replace('"at":"2026', '"at":"2025')})
    assert canonical_json(forged) != canonical_json(envelope)
    file = ledger_file(f"verifications/{folder}", forged)
    append_to_ledger(context.repository, [file], message="x\n", at=NOW)
    assert codes(whole) == {"bad-signature"}
