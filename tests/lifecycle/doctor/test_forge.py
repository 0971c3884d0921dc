"""doctor --forge: approval that is not enforced is said, what cannot be seen is never called well."""

from collections.abc import Iterator
from typing import Any

import pytest

from skillc.lifecycle.doctor.finding import DoctorFinding, State
from skillc.lifecycle.doctor.forge import check_forge
from skillc.lifecycle.init_forge import init_forge
from tests.forge_double import PROTECTED, ForgeDouble, forge_double
from tests.lifecycle.doctor.looking import at
from tests.world import World


@pytest.fixture
def double(world: World, monkeypatch) -> Iterator[ForgeDouble]:
    """A world whose base names owners, on a forge that protects everything."""
    world.git("remote", "add", "origin", "https://github.com/acme/app.git")
    init_forge(world.context(), "github", owners=["@acme/reviewers"])
    world.git("add", ".github")
    world.git("commit", "--quiet", "-m", "workflows")
    monkeypatch.setenv("GH_TOKEN", "secret")
    with forge_double() as made:
        monkeypatch.setenv("SKILLC_FORGE_API", made.address)
        yield made


def look(world: World) -> dict[str, list[DoctorFinding]]:
    told: dict[str, list[DoctorFinding]] = {}
    for finding in check_forge(at(world), timeout_s=2):
        told.setdefault(finding.check, []).append(finding)
    return told


def states(told: dict[str, list[DoctorFinding]]) -> set[State]:
    return {finding.state for findings in told.values() for finding in findings}


def test_a_protected_repository_is_well_and_is_only_asked(world: World, double: ForgeDouble):
    assert states(look(world)) == {State.OK}
    assert {method for method, _, _ in double.asked} == {"GET"}


def test_branch_protection_counts_as_rulesets_do(world: World, double: ForgeDouble):
    old = {
        "required_pull_request_reviews": {"require_code_owner_reviews": True},
        "required_status_checks": {"contexts": ["check"]},
        "allow_force_pushes": {"enabled": False},
        "allow_deletions": {"enabled": False},
    }
    for branch in ("main", "skillc%2Fledger"):
        double.answers[f"/rules/branches/{branch}"] = []
        double.answers[f"/branches/{branch}/protection"] = old
    assert states(look(world)) == {State.OK}


def test_an_unprotected_repository_says_that_approval_is_not_enforced(world: World, double: ForgeDouble):
    for branch in ("main", "skillc%2Fledger"):
        double.answers[f"/rules/branches/{branch}"] = []
    double.answers["/actions/permissions/workflow"] = {"can_approve_pull_request_reviews": False}
    told = look(world)
    failed = [f for findings in told.values() for f in findings if f.state is State.FAIL]
    assert len(failed) == 4
    assert any("approval is not enforced" in f.meaning for f in failed)
    assert all(f.next_step for f in failed)
    assert [f.state for f in told["forge: Actions"]] == [State.WARN]


@pytest.mark.parametrize("without", ["pull_request", "required_status_checks", "non_fast_forward", "deletion"])
def test_each_thing_that_is_asked_of_base_fails_alone(world: World, double: ForgeDouble, without: str):
    rules: list[dict[str, Any]] = PROTECTED["/rules/branches/main"]
    double.answers["/rules/branches/main"] = [r for r in rules if r["type"] != without]
    assert [f.state for f in look(world)["forge: main"]].count(State.FAIL) == 1


@pytest.mark.parametrize("answer", [(403, {}), (500, b"x"), b"{", {"message": "?"}, [None, 1, {"type": []}, {}]])
def test_what_cannot_be_seen_is_neither_well_nor_a_failure_of_the_command(
    world: World, double: ForgeDouble, answer: Any
):
    double.answers["/rules/branches/main"] = answer
    found = look(world)["forge: main"]
    assert len(found) == 3
    assert State.OK not in {f.state for f in found}


@pytest.mark.parametrize("answer", [(401, {}), (403, {}), (404, {}), (301, b""), (502, b""), b"no json", []])
def test_a_forge_that_does_not_answer_is_told_once_with_the_next_step(world: World, double: ForgeDouble, answer: Any):
    double.answers[""] = answer
    (finding,) = [f for findings in look(world).values() for f in findings]
    assert finding.state is State.FAIL
    assert finding.next_step
    assert "secret" not in finding.model_dump_json()


def test_without_a_token_nothing_is_asked(world: World, double: ForgeDouble, monkeypatch, tmp_path):
    from tests.gh_double import install_gh

    install_gh(tmp_path / "gh", monkeypatch)
    monkeypatch.delenv("GH_TOKEN")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    (finding,) = [f for findings in look(world).values() for f in findings]
    assert "no token" in finding.found
    assert double.asked == []


def test_a_slow_forge_ends(world: World, double: ForgeDouble):
    double.delay_s = 0.5
    double.answers[""] = {"x": "y" * 200}
    (finding,) = [f for findings in look(world).values() for f in findings]
    assert "no answer" in finding.found


def test_owners_that_base_lacks_or_the_forge_cannot_read_fail(world: World, double: ForgeDouble):
    double.answers["/codeowners/errors"] = {"errors": [{"line": 1}]}
    assert [f.state for f in look(world)["forge: CODEOWNERS"]] == [State.OK, State.FAIL]
    text = (world.root / ".github" / "CODEOWNERS").read_text("utf-8")
    world.commit({".github/CODEOWNERS": text + "/skillc.yaml\n"})
    (first, _) = look(world)["forge: CODEOWNERS"]
    assert first.found == "names no owner for skillc.yaml"
    world.git("rm", "--quiet", ".github/CODEOWNERS")
    world.git("commit", "--quiet", "-m", "gone")
    assert "main has none" in look(world)["forge: CODEOWNERS"][0].found


def test_a_remote_elsewhere_is_said(world: World):
    (finding,) = [f for findings in look(world).values() for f in findings]
    assert finding.state is State.FAIL
