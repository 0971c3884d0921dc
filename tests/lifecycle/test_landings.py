"""Merge is a verdict: in every way in which work comes into base, and in every way in which it is taken back."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from skillc.core.record import canonical_json
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import APPROVAL_NAMESPACE, MergeRecord, Standing
from skillc.errors import PolicyError, RepoError
from skillc.lifecycle.context import open_context
from skillc.lifecycle.init import init
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.verify_git import verify_by_git
from skillc.repo import layout
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import edits, make_key, register_person, session, signing, writes
from tests.world import NOW, World

pytestmark = pytest.mark.slow  # a process or a repository for each case

ID = "t-00000001"
TEXT = "".join(f"line {n}\n" for n in range(30))
DONE = TEXT.replace("line 3\n", "line three\n")


class Case:
    """A session on a branch of its own, with two commits; `key` is a registered approver's."""

    def __init__(self, world: World, key: Path) -> None:
        self.world, self.key = world, key
        world.commit({"a.txt": TEXT, "b.txt": TEXT}, "before")
        self.start = world.git("rev-parse", "HEAD")
        world.git("switch", "--quiet", "-c", "work")
        first = world.commit({"a.txt": DONE}, "first")
        second = world.commit({"b.txt": DONE, "c.txt": "new\n"}, "second")
        self.commits = (first, second)
        world.git("switch", "--quiet", "main")
        world.commit({"other.txt": "meanwhile\n"}, "meanwhile")
        session(world, start=self.start, commits=self.commits, pin=second)

    def git(self, *arguments: str, signed: bool = True) -> str:
        self.world.git(*(signing(self.key) if signed else ()), *arguments)
        return self.world.git("rev-parse", "HEAD")

    def merge(self, *, signed: bool = True) -> str:
        return self.git("merge", "--quiet", "--no-ff", "-m", "Merge work", "work", signed=signed)

    def verify(self) -> Standing:
        verify_by_git(self.world.context())
        return self.standing()

    def standing(self) -> Standing:
        return self.world.attempts()[ID].standing

    def said(self) -> str:
        return verify_by_git(self.world.context(), dry_run=True).results[0].reason


@pytest.fixture
def case(fresh: World, tmp_path: Path) -> Case:
    register_person(fresh, make_key(tmp_path / "alice"))
    return Case(fresh, tmp_path / "alice")


def require_human(standing: Standing, outcome: Outcome = Outcome.SUCCESS) -> None:
    assert (standing.strength.value, standing.outcome, standing.conflicted) == ("human", outcome, False), standing
    assert standing.assurance.label == "local"  # the weaker of the tool key and the approver's
    assert not standing.landed


def require_landed(standing: Standing, why: str = "no registered approver signed that") -> None:
    assert (standing.strength.value, standing.landed) == ("none", True), standing
    assert any("landed" in reason and why in reason for reason in standing.reasons), standing.reasons


# Coming in


def test_a_signed_merge_is_a_persons_success(case: Case):
    merge = case.merge()
    standing = case.verify()
    require_human(standing)
    assert standing.basis is not None
    assert (standing.basis.ref, standing.verifier_id) == (merge, "git")


def test_an_unsigned_merge_has_only_landed(case: Case):
    case.merge(signed=False)
    require_landed(case.verify())


def test_work_that_is_not_merged_has_no_verdict(case: Case):
    assert case.verify().strength.value == "none"
    assert case.said() == "base does not hold its work"


def test_a_squash_is_a_merge(case: Case):
    case.world.git("merge", "--quiet", "--squash", "work")
    squash = case.git("commit", "--quiet", "-m", "All of it")
    standing = case.verify()
    require_human(standing)
    assert standing.basis is not None
    assert standing.basis.ref == squash


def test_a_rebase_is_a_merge(case: Case):
    last = case.git("cherry-pick", "main..work")
    standing = case.verify()
    require_human(standing)
    assert standing.basis is not None
    assert standing.basis.ref == last


def test_a_reviewers_commits_on_top_change_nothing(case: Case):
    case.world.git("switch", "--quiet", "work")
    case.world.commit({"b.txt": DONE.replace("line 3", "line 3!"), "d.txt": "review\n"}, "review")
    case.world.git("switch", "--quiet", "main")
    case.merge()
    require_human(case.verify())


def test_a_reviewers_commits_and_a_squash_change_nothing_either(case: Case):
    case.world.git("switch", "--quiet", "work")
    case.world.commit({"d.txt": "review\n", "b.txt": DONE.replace("line 20\n", "line twenty\n")}, "review")
    case.world.git("switch", "--quiet", "main")
    case.world.git("merge", "--quiet", "--squash", "work")
    case.git("commit", "--quiet", "-m", "All of it")
    require_human(case.verify())


def test_a_part_of_the_work_is_partial(case: Case):
    case.git("cherry-pick", case.commits[0])
    require_human(case.verify(), Outcome.PARTIAL)
    assert "1 of 3 paths" in case.said()


def test_later_work_on_the_same_lines_does_not_take_a_verdict_back(case: Case):
    case.merge()
    case.world.commit({"a.txt": DONE.replace("line three", "line 333")}, "later")
    require_human(case.verify())


def test_a_fast_forward_is_the_sessions_own_commit_and_approves_nothing(case: Case):
    """Signed or not: a key that signed within the session is no review of it."""
    case.world.git("reset", "--quiet", "--hard", case.start)
    case.world.git("merge", "--quiet", "--ff-only", "work")
    require_landed(case.verify(), "the session itself made the commit")


def test_a_session_that_changed_nothing_has_no_verdict(case: Case):
    session(case.world, trace_id="t-00000002", start=case.start, pin=case.start)
    verify_by_git(case.world.context())
    assert case.world.attempts()["t-00000002"].standing.verifier_id is None


def test_work_that_its_own_branch_took_back_before_the_merge_has_no_success(case: Case):
    case.world.git("switch", "--quiet", "work")
    case.world.git("revert", "--no-edit", case.commits[1], case.commits[0])
    case.world.git("switch", "--quiet", "main")
    case.merge()
    assert case.verify().outcome is not Outcome.SUCCESS


def test_a_merge_into_a_branch_that_is_merged_later_counts_when_either_is_signed(case: Case):
    case.world.git("switch", "--quiet", "-c", "develop")
    case.git("merge", "--quiet", "--no-ff", "-m", "into develop", "work")
    case.world.git("switch", "--quiet", "main")
    case.git("merge", "--quiet", "--no-ff", "-m", "release", "develop", signed=False)
    require_human(case.verify())


# Being taken back


def test_a_signed_revert_is_a_persons_failure(case: Case):
    merge = case.merge()
    require_human(case.verify())
    revert = case.git("revert", "--no-edit", "-m", "1", merge)
    standing = case.verify()
    require_human(standing, Outcome.FAILURE)
    assert standing.basis is not None
    assert standing.basis.ref == revert


def test_a_revert_ends_an_old_success_before_anybody_verifies_again(case: Case):
    merge = case.merge()
    case.verify()
    case.git("revert", "--no-edit", "-m", "1", merge)
    standing = case.standing()
    assert not standing.strength.is_strong
    assert "base says something else today: failure" in standing.reasons[0]


def test_an_unsigned_revert_is_weak_and_still_ends_the_success(case: Case):
    merge = case.merge()
    case.verify()
    case.git("revert", "--no-edit", "-m", "1", merge, signed=False)
    standing = case.verify()
    assert not standing.strength.is_strong
    assert not standing.landed
    assert any("taken back" in reason for reason in standing.reasons)


def test_a_revert_of_the_revert_is_a_success_again(case: Case):
    merge = case.merge()
    revert = case.git("revert", "--no-edit", "-m", "1", merge)
    case.verify()
    again = case.git("revert", "--no-edit", revert)
    standing = case.verify()
    require_human(standing)
    assert standing.basis is not None
    assert standing.basis.ref == again
    case.git("revert", "--no-edit", again)
    require_human(case.verify(), Outcome.FAILURE)


def test_a_revert_of_a_squash_is_seen(case: Case):
    case.world.git("merge", "--quiet", "--squash", "work")
    squash = case.git("commit", "--quiet", "-m", "All of it")
    case.git("revert", "--no-edit", squash)
    require_human(case.verify(), Outcome.FAILURE)


def test_a_revert_without_a_word_is_seen_by_its_patch(case: Case):
    case.world.git("merge", "--quiet", "--squash", "work")
    squash = case.git("commit", "--quiet", "-m", "All of it")
    case.world.commit({"other.txt": "later\n"}, "later")
    case.world.git("revert", "--no-commit", squash)
    case.git("commit", "--quiet", "-m", "Clean up")
    require_human(case.verify(), Outcome.FAILURE)


def test_a_revert_of_one_rebased_commit_is_seen(case: Case):
    case.git("cherry-pick", "main..work")
    case.git("revert", "--no-edit", "HEAD^")
    require_human(case.verify(), Outcome.FAILURE)


def test_a_revert_that_comes_by_a_pull_request_has_the_standing_of_its_merge(case: Case):
    merge = case.merge()
    case.world.git("switch", "--quiet", "-c", "undo")
    case.git("revert", "--no-edit", "-m", "1", merge, signed=False)
    case.world.git("switch", "--quiet", "main")
    case.git("merge", "--quiet", "--no-ff", "-m", "Undo", "undo")
    require_human(case.verify(), Outcome.FAILURE)


def test_a_message_that_names_the_work_and_changes_none_of_it_reverts_nothing(case: Case):
    merge = case.merge()
    case.world.commit({"other.txt": "x\n"}, f"note\n\nThis reverts commit {merge}.")
    require_human(case.verify())


# Work that the person committed


def _edited(case: Case, trace_id: str = "t-00000003") -> None:
    session(
        case.world,
        *edits("a.txt", "line 3\n", "line three\n"), *writes("n.txt", "new\n"),
        trace_id=trace_id, start=case.world.git("rev-parse", "HEAD"),
    )  # fmt: skip


def test_work_that_the_person_committed_is_known_by_its_content(case: Case):
    _edited(case)
    case.world.write("a.txt", DONE)
    case.world.write("n.txt", "new\n")
    case.world.git("add", "a.txt", "n.txt")
    case.git("commit", "--quiet", "-m", "mine")
    verify_by_git(case.world.context())
    standing = case.world.attempts()["t-00000003"].standing
    require_human(standing)
    assert standing.basis is not None
    assert "corroborated 2/2" in standing.basis.detail


def test_content_that_is_there_in_part_is_partial(case: Case):
    _edited(case)
    case.world.write("a.txt", DONE)
    case.world.git("add", "a.txt")
    case.git("commit", "--quiet", "-m", "mine")
    verify_by_git(case.world.context())
    standing = case.world.attempts()["t-00000003"].standing
    assert standing.outcome is Outcome.PARTIAL
    assert standing.basis is not None
    assert "corroborated 1/2" in standing.basis.detail


def test_content_that_was_there_before_the_session_proves_nothing(case: Case):
    case.world.commit({"a.txt": DONE, "n.txt": "new\n"}, "already")
    _edited(case)
    case.world.commit({"other.txt": "x\n", "a.txt": DONE + "more\n"}, "later")
    verify_by_git(case.world.context())
    assert case.world.attempts()["t-00000003"].standing.verifier_id is None


def test_content_without_a_known_start_is_looked_for_since_the_session_began(case: Case):
    session(case.world, *writes("n.txt", "new\n"), trace_id="t-00000004")
    case.world.write("n.txt", "new\n")
    case.world.git("add", "n.txt")
    case.git("commit", "--quiet", "-m", "mine")
    verify_by_git(case.world.context())
    require_human(case.world.attempts()["t-00000004"].standing)


# Whose signature


def test_a_merge_signed_by_a_stranger_has_only_landed(case: Case, tmp_path: Path):
    make_key(tmp_path / "mallory")
    case.key = tmp_path / "mallory"
    case.merge()
    require_landed(case.verify())


def test_a_merge_signed_by_a_key_that_needs_nobody_has_only_landed(case: Case):
    case.world.set_policy("key_class: attended}", "key_class: local}")
    case.merge()
    require_landed(case.verify(), "used without the person")


def test_a_verifier_who_is_no_approver_does_not_approve_by_signing(case: Case):
    case.world.set_policy("roles: [approver, verifier]", "roles: [verifier]")
    case.merge()
    require_landed(case.verify())


def test_gits_own_configuration_decides_nothing(case: Case, tmp_path: Path):
    """A repository names its allowed signers and its program; neither is asked."""
    public = make_key(tmp_path / "mallory")
    (tmp_path / "signers").write_text(f"alice {public}\n", "utf-8")
    (tmp_path / "yes").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 0\n", "utf-8")
    (tmp_path / "yes").chmod(0o755)
    case.key = tmp_path / "mallory"
    case.merge()
    case.world.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "signers"))
    case.world.git("config", "gpg.ssh.program", str(tmp_path / "yes"))
    case.world.git("config", "gpg.format", "ssh")
    require_landed(case.verify())
    assert not (tmp_path / "ran").exists()


def test_an_unregistered_tool_key_is_worth_nothing(case: Case):
    case.merge()
    case.verify()
    for path in (case.world.home / ".config" / "skillc" / "keys").iterdir():
        path.unlink()
    with pytest.raises(PolicyError, match="not in the registry"):
        verify_by_git(case.world.context())


def test_the_record_counts_no_more_when_its_key_leaves_the_registry(case: Case):
    case.merge()
    require_human(case.verify())
    text = (case.world.root / "skillc.yaml").read_text("utf-8")
    key = next(v.key for v in case.world.context().policy.verifiers if v.key)
    case.world.commit({"skillc.yaml": text.replace(key, make_key(case.key.with_name("other")))}, "policy")
    standing = case.standing()
    assert not standing.strength.is_strong
    assert "key is not registered" in standing.reasons[0]


def _forge_record(case: Case, merge: str, key: Path, **changes: object) -> None:
    record = MergeRecord.model_validate(
        {
            "namespace": case.world.context().policy.namespace, "commit": merge, "verifier_id": "ci",
            "merged_by": "bob", "pull_request": 7, "at": NOW,
        } | changes
    )  # fmt: skip
    envelope = sign(canonical_json(record), namespace=APPROVAL_NAMESPACE, key_path=key)
    file = ledger_file(f"approvals/{merge}", envelope)
    append_to_ledger(case.world.context().repository, [file], message="m\n", at=NOW)


@pytest.mark.parametrize(
    ("key_class", "changes", "counts"),
    [
        ("isolated", {}, True),
        ("local", {}, False),
        ("isolated", {"commit": "0" * 40}, False),
        ("isolated", {"namespace": "other"}, False),
        ("isolated", {"verifier_id": "stranger"}, False),
    ],
)
def test_the_forges_word_counts_when_an_isolated_ci_signed_it(
    case: Case, tmp_path: Path, key_class: str, changes: dict[str, object], counts: bool
):
    make_key(tmp_path / "ci")
    entry = {"id": "ci", "kind": "external", "key_class": key_class}
    add_verifier(case.world.root, entry, key_file=tmp_path / "ci")
    case.world.git("commit", "--quiet", "-am", "ci")
    merge = case.merge(signed=False)
    case.verify()
    _forge_record(case, merge, tmp_path / "ci", **changes)
    standing = case.verify()
    if counts:
        require_human(standing)
        assert standing.basis is not None
    else:
        require_landed(standing)


# The repository


def test_a_base_that_was_rewound_ends_the_verdict(case: Case):
    merge = case.merge()
    case.verify()
    case.world.git("reset", "--quiet", "--hard", f"{merge}^")
    standing = case.standing()
    assert not standing.strength.is_strong
    assert "base does not hold its work" in standing.reasons[0]


def test_a_shallow_clone_is_exit_4_with_the_fetch_line(case: Case, tmp_path: Path):
    case.merge()
    case.verify()
    clone = tmp_path / "shallow"
    source = case.world.root.as_uri()
    subprocess.run(["git", "clone", "--quiet", "--depth=1", source, str(clone)], check=True, capture_output=True)
    fetch = ["git", "fetch", "--quiet", "origin", "refs/heads/skillc/*:refs/heads/skillc/*"]
    subprocess.run(fetch, cwd=clone, check=True, capture_output=True)
    assert open_context(clone, now=NOW).repository.is_shallow
    for way in (lambda c: verify_by_git(c), lambda c: World(case.world.home, clone).attempts()):
        with pytest.raises(RepoError) as stop:
            way(open_context(clone, now=NOW))
        assert (stop.value.code, stop.value.hint) == (4, "run: git fetch --unshallow")


def test_a_merge_driver_of_the_repository_does_not_run(case: Case, tmp_path: Path):
    case.world.commit({".gitattributes": "* merge=evil -text\n"}, "attributes")
    case.world.commit({"a.txt": DONE.replace("line 3", "x").replace("line 9\n", "line nine\n")}, "both sides")
    case.world.git("config", "merge.evil.driver", f"touch {tmp_path}/ran; cp %B %A")
    case.world.git("config", "core.hooksPath", str(tmp_path))
    case.verify()
    assert not (tmp_path / "ran").exists()


def test_asking_leaves_no_object_and_no_ref_behind(case: Case):
    before = case.world.git("count-objects", "-v"), case.world.git("for-each-ref")
    verify_by_git(case.world.context(), dry_run=True)
    assert (case.world.git("count-objects", "-v"), case.world.git("for-each-ref")) == before


def test_a_repository_with_long_ids_works_the_same(
    new_repository: Callable[..., Path], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root = new_repository("long", object_format="sha256", files={"README.md": "x\n"})
    init(root)
    add_verifier(root, {"id": "git", "kind": "tool"})
    world = World(home, root)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    world.git("add", "--all")
    world.git("commit", "--quiet", "-m", "namespace")
    register_person(world, make_key(tmp_path / "alice"))
    case = Case(world, tmp_path / "alice")
    merge = case.merge()
    assert len(merge) == 64
    require_human(case.verify())
    case.git("revert", "--no-edit", "-m", "1", merge)
    require_human(case.verify(), Outcome.FAILURE)


def test_the_second_reading_starts_no_merge(case: Case, monkeypatch: pytest.MonkeyPatch):
    case.merge()
    first = case.verify()
    monkeypatch.setenv("PATH", monkeypatch_git(case, monkeypatch))
    assert case.standing() == first


def monkeypatch_git(case: Case, monkeypatch: pytest.MonkeyPatch) -> str:
    """A git that refuses to merge, before the real one."""
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    folder = case.world.home / "bin"
    folder.mkdir()
    script = f'#!/bin/sh\ncase "$*" in *merge-tree*) exit 99;; esac\nexec {real} "$@"\n'
    (folder / "git").write_text(script, "utf-8")
    (folder / "git").chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


def test_a_cache_that_somebody_put_there_says_nothing(case: Case):
    case.merge(signed=False)
    require_landed(case.verify())
    path = case.world.root / ".git" / "skillc" / layout.LANDING_CACHE
    path.write_text(path.read_text("utf-8").replace('"assurance":0', '"assurance":3,"signer":"alice"'), "utf-8")
    require_landed(case.standing())
