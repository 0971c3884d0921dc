"""Between clones: nothing is lost, nothing is forced, and Traces leave only with consent."""

import subprocess
from pathlib import Path

import pytest

from skillc.errors import RepoError, UsageError
from skillc.lifecycle.reject import reject
from skillc.lifecycle.sync import SyncReport, sync
from tests.world import FIELD, FIX, World, sessions_of


@pytest.fixture
def remote(world: World, tmp_path: Path) -> Path:
    """A bare repository that the world pushed its main branch to."""
    folder = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", str(folder)], check=True)
    world.git("remote", "add", "origin", str(folder))
    world.git("push", "--quiet", "origin", "main")
    return folder


def states(report: SyncReport) -> dict[str, str]:
    return {r.branch: r.state for r in report.refs}


def clone(world: World, remote: Path, folder: Path, patch: pytest.MonkeyPatch) -> World:
    other = World(world.home, folder)
    subprocess.run(["git", "clone", "--quiet", str(remote), str(folder)], check=True)
    return other


def test_ledger_and_candidates_go_and_traces_stay_without_consent(world: World, remote: Path):
    world.compile()
    report = sync(world.context(), "origin")

    assert states(report) == {
        "skillc/ledger": "pushed",
        "skillc/traces": "kept here",
        f"skillc/candidate/{FIELD}": "pushed",
        f"skillc/candidate/{FIX}": "pushed",
    }
    heads = subprocess.run(["git", "branch"], cwd=remote, capture_output=True, text=True, check=True).stdout
    assert "skillc/traces" not in heads


def test_consent_is_remembered_for_this_remote_and_namespace(world: World, remote: Path):
    assert states(sync(world.context(), "origin", consent=True))["skillc/traces"] == "pushed"
    assert states(sync(world.context(), "origin"))["skillc/traces"] == "up to date"
    world.git("remote", "set-url", "origin", str(remote) + "/")
    world.git("update-ref", "-d", "refs/remotes/origin/skillc/traces")
    world.capture([_another_session(world)])
    assert states(sync(world.context(), "origin"))["skillc/traces"] == "kept here"


def _another_session(world: World) -> str:

    source = Path(sessions_of(FIX)[0])
    copy = world.home / "another.jsonl"
    copy.write_text(source.read_text("utf-8").replace(source.stem, "0" * 8 + source.stem[8:]), "utf-8")
    return str(copy)


def test_two_ledgers_merge_by_union_and_nothing_is_lost(world: World, remote: Path, tmp_path: Path, monkeypatch):
    sync(world.context(), "origin", consent=True)
    other = clone(world, remote, tmp_path / "other", monkeypatch)
    sync(other.context(), "origin")
    world.compile(FIELD)
    other.compile(FIX)
    sync(world.context(), "origin")
    report = sync(other.context(), "origin")
    sync(world.context(), "origin")

    assert states(report)["skillc/ledger"] == "merged and pushed"
    assert {r.task_family for r in world.context().ledger.runs} == {FIELD, FIX}
    assert world.git("rev-parse", "skillc/ledger") == other.git("rev-parse", "skillc/ledger")
    assert world.context().ledger.problems == ()


def test_a_clone_without_traces_gets_them_and_sees_the_same_standings(
    world: World, remote: Path, tmp_path: Path, monkeypatch
):
    sync(world.context(), "origin", consent=True)
    other = clone(world, remote, tmp_path / "other", monkeypatch)
    sync(other.context(), "origin")
    assert {t: a.standing.outcome for t, a in other.attempts().items()} == {
        t: a.standing.outcome for t, a in world.attempts().items()
    }


def test_policy_is_read_from_the_remote_base(world: World, remote: Path):
    world.set_policy("mode: pr", "mode: auto")
    context = world.context()
    assert context.policy.approval.mode == "pr"
    world.git("push", "--quiet", "origin", "main")
    assert world.context().policy.approval.mode == "auto"


def test_a_candidate_that_people_committed_to_is_never_pushed_over(
    world: World, remote: Path, tmp_path: Path, monkeypatch
):
    world.compile(FIELD)
    sync(world.context(), "origin")
    other = clone(world, remote, tmp_path / "other", monkeypatch)
    other.git("switch", "--quiet", "-c", f"skillc/candidate/{FIELD}", f"origin/skillc/candidate/{FIELD}")
    other.commit({"note.md": "a reviewer's edit\n"}, "Edit")
    other.git("push", "--quiet", "origin", f"skillc/candidate/{FIELD}")
    world.git("update-ref", f"refs/heads/skillc/candidate/{FIELD}", "main")
    world.git("update-ref", "-d", f"refs/heads/skillc/candidate/{FIELD}")
    ledger = world.git("rev-parse", "skillc/ledger")
    world.git("update-ref", "refs/heads/skillc/ledger", f"{ledger}^")
    world.compile(FIELD)
    report = sync(world.context(), "origin")

    assert states(report)[f"skillc/candidate/{FIELD}"] in ("diverged", "fetched")
    assert "note.md" in other.git("ls-tree", "--name-only", f"origin/skillc/candidate/{FIELD}")


def test_an_unknown_or_unreachable_remote_is_one_clear_error(world: World, tmp_path: Path):
    with pytest.raises(UsageError, match="no remote 'origin'"):
        sync(world.context(), "origin")
    world.git("remote", "add", "origin", str(tmp_path / "nothing-here"))
    with pytest.raises(RepoError):
        sync(world.context(), "origin")


def test_no_push_fetches_only(world: World, remote: Path):
    world.compile(FIELD)
    sync(world.context(), "origin", push=False)
    heads = subprocess.run(["git", "branch"], cwd=remote, capture_output=True, text=True, check=True).stdout
    assert "skillc" not in heads


def test_a_candidate_that_a_person_rejected_here_does_not_come_back(world: World, remote: Path):
    world.compile(FIELD)
    sync(world.context(), "origin")
    reject(world.context(), FIELD, None, reason="too vague", by="ada")
    report = sync(world.context(), "origin")
    line = next(r for r in report.refs if r.branch.endswith(FIELD))
    assert line.state == "kept here"
    assert "git push origin --delete" in line.reason
    assert world.git("branch", "--list", f"skillc/candidate/{FIELD}") == ""


def test_a_candidate_that_was_closed_on_the_remote_is_closed_here_and_not_made_again(
    world: World, remote: Path, tmp_path: Path, monkeypatch
):
    world.compile(FIELD)
    sync(world.context(), "origin")
    branch = f"skillc/candidate/{FIELD}"
    other = clone(world, remote, tmp_path / "other", monkeypatch)
    other.git("push", "--quiet", "origin", "--delete", branch)
    world.set_environment(monkeypatch)
    report = sync(world.context(), "origin")
    assert states(report)[branch] == "closed there"
    assert world.git("branch", "--list", branch) == ""
    assert world.compile_one(FIELD).group.versions == ()
    assert branch not in states(sync(world.context(), "origin"))


def test_a_candidate_that_went_on_here_is_not_taken_away(world: World, remote: Path, tmp_path: Path, monkeypatch):
    world.compile(FIELD)
    sync(world.context(), "origin")
    branch = f"skillc/candidate/{FIELD}"
    other = clone(world, remote, tmp_path / "other", monkeypatch)
    other.git("push", "--quiet", "origin", "--delete", branch)
    world.set_environment(monkeypatch)
    world.git("switch", "--quiet", branch)
    world.commit({"note.md": "mine\n"}, "Edit")
    world.git("switch", "--quiet", "main")
    assert states(sync(world.context(), "origin"))[branch] == "pushed"
