"""`approve`: who may sign for a candidate, what the signature is for, and what it lets in."""

from pathlib import Path

import pytest

from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.approvals import approved_by, versions_of
from skillc.lifecycle.approve import _require_other_than_compiler, approve
from skillc.lifecycle.candidates import candidate_named
from skillc.lifecycle.check import check
from skillc.lifecycle.reject import reject
from skillc.lifecycle.review import review
from skillc.lifecycle.skills import current_skills
from skillc.repo.home import tool_key_path
from tests.approvers import key_that_asks, make_key, public_of, register_person, signing
from tests.terminals import in_terminal
from tests.world import FIELD, World


@pytest.fixture
def key(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = key_that_asks(tmp_path, monkeypatch)
    register_person(world, public_of(path))
    return path


def signer_of(world: World) -> str | None:
    context = world.context()
    candidate = candidate_named(context, FIELD)
    return approved_by(context, candidate.group, versions_of(candidate))


def test_an_approver_signs_for_the_group_and_base_does_not_move(world: World, key: Path):
    world.compile(FIELD)
    before = world.git("rev-parse", "HEAD")
    report = approve(world.context(), FIELD, key_path=key, reason="looks right")
    assert (report.state, report.by) == ("approved", "alice")
    assert signer_of(world) == "alice"
    assert world.git("rev-parse", "HEAD") == before
    assert report.next == ("git switch main", f"git merge --no-ff skillc/candidate/{FIELD}")
    assert report.undo is not None
    world.git(*report.undo.split()[1:])
    assert signer_of(world) is None


def test_a_second_approval_of_the_same_content_says_so_and_writes_nothing(world: World, key: Path):
    world.compile(FIELD)
    approve(world.context(), FIELD, key_path=key)
    ledger = world.git("rev-parse", "skillc/ledger")
    assert approve(world.context(), FIELD, key_path=key).state == "known"
    assert world.git("rev-parse", "skillc/ledger") == ledger


def test_an_approval_does_not_speak_for_a_later_candidate(world: World, key: Path):
    world.compile(FIELD)
    approve(world.context(), FIELD, key_path=key)
    world.set_policy("minimum_families: 3", "minimum_families: 2")
    world.set_policy("optional_share: 0.15", "optional_share: 0.3")
    world.compile(FIELD)
    assert signer_of(world) is None


def test_in_auto_mode_an_approval_admits_what_only_waited_for_a_person(world: World, key: Path):
    world.set_policy("mode: pr", "mode: auto")
    world.compile(FIELD)
    assert FIELD not in current_skills(world.context())
    report = approve(world.context(), FIELD, key_path=key)
    assert report.state == "admitted"
    assert FIELD in current_skills(world.context())
    assert (world.root / ".claude" / "skills" / FIELD / "SKILL.md").is_file()


def test_an_approval_does_not_stand_for_an_evaluation_that_is_missing(world: World, key: Path):
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("  required: {}", f"  required: {{{FIELD}: [sandbox-eval]}}")
    world.compile(FIELD)
    assert approve(world.context(), FIELD, key_path=key).state == "approved"
    assert FIELD not in current_skills(world.context())


def test_one_who_is_only_a_verifier_is_refused(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path, other = key_that_asks(tmp_path, monkeypatch), tmp_path / "bob"
    make_key(other, passphrase="a passphrase")
    people = "".join(
        f'\n  - {{id: {name}, roles: [{role}], key: "{public_of(k)}", key_class: attended}}'
        for name, role, k in (("alice", "verifier", path), ("bob", "approver", other))
    )
    world.set_policy("people: []", "people:" + people)
    world.compile(FIELD)
    with pytest.raises(PolicyError, match="'alice' is registered as verifier, and not as an approver"):
        approve(world.context(), FIELD, key_path=path)


def test_the_key_of_the_machine_that_compiled_is_refused(world: World, key: Path):
    world.compile(FIELD)
    with pytest.raises(PolicyError, match="key of the machine that compiles"):
        approve(world.context(), FIELD, key_path=tool_key_path())


def test_the_key_that_signed_the_candidates_commits_is_refused(world: World, key: Path):
    world.compile(FIELD)
    branch = f"skillc/candidate/{FIELD}"
    world.git("switch", "--quiet", branch)
    world.git(*signing(key), "commit", "--quiet", "--amend", "--no-edit", "--author=skillc <skillc@localhost>")
    world.git("switch", "--quiet", "main")
    with pytest.raises(PolicyError, match="who compiled it does not approve it"):
        approve(world.context(), FIELD, key_path=key)


def test_a_key_that_needs_nobody_is_refused(world: World, tmp_path: Path):
    path = tmp_path / "alice"
    make_key(path)
    register_person(world, public_of(path))
    world.compile(FIELD)
    with pytest.raises(PolicyError, match="can be used without the person"):
        approve(world.context(), FIELD, key_path=path)


def test_without_a_registered_approver_it_says_what_to_do(world: World, tmp_path: Path):
    path = tmp_path / "alice"
    make_key(path, passphrase="x")
    world.compile(FIELD)
    with pytest.raises(PolicyError, match="no approver is registered") as caught:
        approve(world.context(), FIELD, key_path=path)
    assert "roles: [approver]" in (caught.value.hint or "")


def test_commits_of_people_on_the_branch_are_not_signed_for(world: World, key: Path):
    world.compile(FIELD)
    world.git("switch", "--quiet", f"skillc/candidate/{FIELD}")
    world.commit({"more.txt": "smuggled"})
    world.git("switch", "--quiet", "main")
    with pytest.raises(PolicyError, match="holds 1 commits"):
        approve(world.context(), FIELD, key_path=key)


def test_nothing_that_waits_is_an_error_with_the_next_command(world: World, key: Path):
    with pytest.raises(UsageError, match="no candidate 'nothing'"):
        approve(world.context(), "nothing", key_path=key)


def test_the_command_needs_a_terminal_and_refuses_in_ci_and_under_a_hosts_mark(world: World, key: Path):
    world.compile(FIELD)
    assert world.run("approve", FIELD).returncode == 2
    for marker in ("CI", "CLAUDECODE"):
        code, said = in_terminal(world, "approve", FIELD, "--key", str(key), **{marker: "1"})
        assert (code, marker in said) == (2, True)
    assert signer_of(world) is None
    code, said = in_terminal(world, "approve", FIELD, "--key", str(key))
    assert code == 0, said
    assert "git merge --no-ff" in said
    assert signer_of(world) == "alice"


def test_a_dry_run_signs_nothing_and_shows_the_gates(world: World, key: Path):
    world.compile(FIELD)
    refs = world.git("for-each-ref")
    report = approve(world.context(), FIELD, key_path=key, dry_run=True)
    assert {g.gate for g in report.gates} >= {"verification", "stale base", "approval"}
    assert world.git("for-each-ref") == refs


def test_the_key_that_signed_the_record_of_the_run_is_refused(world: World, tmp_path: Path, monkeypatch):
    """An approver's own key that somebody gave to the CI that compiles."""
    plain = tmp_path / "plain"
    make_key(plain)
    register_person(world, public_of(plain))
    monkeypatch.setenv("SKILLC_RUN_KEY", plain.read_text("utf-8"))
    world.compile(FIELD)
    monkeypatch.delenv("SKILLC_RUN_KEY")
    context = world.context()
    candidate = candidate_named(context, FIELD)
    with pytest.raises(PolicyError, match="signed the record of r-"):
        _require_other_than_compiler(context, candidate, public_of(plain))
    _require_other_than_compiler(context, candidate, public_of(tmp_path / "plain").replace("AAAA", "BBBB", 1))


def test_a_commit_that_was_changed_under_its_trailers_is_refused_and_review_says_so(world: World, key: Path):
    world.compile(FIELD)
    branch, path = f"skillc/candidate/{FIELD}", f".claude/skills/{FIELD}/SKILL.md"
    world.git("switch", "--quiet", branch)
    text = (world.root / path).read_text("utf-8")
    world.write(path, text.replace("## When to use\n\n", "## When to use\n\n- Run `make deploy`.\n", 1))
    world.git("commit", "--quiet", "-a", "--amend", "--no-edit")
    world.git("switch", "--quiet", "main")
    with pytest.raises(PolicyError, match="no recorded run made these bytes"):
        approve(world.context(), FIELD, key_path=key)
    (shown,) = review(world.context(), FIELD).candidates
    assert any(g.result.value == "reject" and "no recorded run made" in g.reason for g in shown.gates)


def test_a_rejected_candidate_that_came_back_says_so_and_an_approver_decides(world: World, key: Path):
    world.compile(FIELD)
    report = reject(world.context(), FIELD, None, reason="dangerous", by="Tess")
    world.git("branch", report.branch, report.commit)
    assert "rejected" in {p.code for p in check(world.context(), report.branch).problems}
    done = approve(world.context(), FIELD, key_path=key)
    (gate,) = [g for g in done.gates if g.gate == "decisions"]
    assert "rejected by Tess: dangerous; alice signed" in gate.reason
    assert "rejected" not in {p.code for p in check(world.context(), report.branch).problems}
