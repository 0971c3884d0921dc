"""A pull request by gh where gh and a GitHub remote are, opened once and then brought up to date."""

from pathlib import Path

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.forge import PullRequest, can_open_pull_request, put_pull_request, put_pull_requests
from skillc.lifecycle.review import review
from tests.gh_double import Gh, install_gh
from tests.world import FIELD, World

BRANCH = f"skillc/candidate/{FIELD}"


@pytest.fixture
def gh(tmp_path: Path, monkeypatch) -> Gh:
    return install_gh(tmp_path / "gh", monkeypatch)


@pytest.fixture
def shared(world: World, gh: Gh, tmp_path: Path) -> World:
    """A world with a candidate and a remote that looks like GitHub's."""
    bare = tmp_path / "remote.git"
    world.git("init", "--quiet", "--bare", str(bare))
    world.git("remote", "add", "origin", "https://github.com/acme/app.git")
    world.git("config", f"url.{bare}.insteadOf", "https://github.com/acme/app.git")
    world.git("push", "--quiet", "origin", "main")
    world.git("fetch", "--quiet", "origin")
    world.compile(FIELD)
    return world


def put(world: World) -> PullRequest:
    return put_pull_request(world.context(), review(world.context()).candidates[0])


def test_without_gh_or_github_the_exact_commands_are_the_hint(world: World):
    world.compile(FIELD)
    with pytest.raises(RepoError) as stop:
        put(world)
    assert f"git push origin {BRANCH}" in str(stop.value.hint)


@pytest.mark.parametrize(
    ("url", "is_github"),
    [
        ("https://github.com/acme/app.git", True),
        ("git@github.com:acme/app.git", True),
        ("https://gitlab.com/acme/app.git", False),
        ("https://example.org/github.com", False),
    ],
)
def test_only_a_github_remote_is_one(world: World, gh: Gh, url: str, is_github: bool):
    world.git("remote", "add", "origin", url)
    assert can_open_pull_request(world.context()) is is_github


def test_the_branch_is_pushed_and_gh_gets_title_and_body(shared: World, gh: Gh):
    report = put(shared)
    assert (report.state, report.address) == ("opened", "https://github.com/acme/app/pull/7")
    (opened,) = gh.state["open"]
    assert (opened["headRefName"], opened["title"]) == (BRANCH, f"skillc: add {FIELD}")
    assert "Evidence of every line" in opened["body"]
    assert shared.git("ls-remote", "origin", f"refs/heads/{BRANCH}").split()[0] == shared.git("rev-parse", BRANCH)


def test_a_second_time_the_open_pull_request_is_brought_up_to_date(shared: World, gh: Gh):
    first = put(shared)
    tip = shared.git(
        "commit-tree", f"{BRANCH}^{{tree}}", "-p", "main", "-m", shared.git("log", "-1", "--format=%B", BRANCH)
    )
    shared.git("update-ref", f"refs/heads/{BRANCH}", tip)  # as a newer run moves it
    second = put(shared)
    assert (second.state, second.address) == ("updated", first.address)
    assert gh.calls == ["pr list", "pr create", "pr list", "pr edit"]
    assert len(gh.state["open"]) == 1
    assert shared.git("ls-remote", "origin", f"refs/heads/{BRANCH}").split()[0] == tip


def test_the_pull_request_of_a_fork_with_the_same_branch_is_not_ours(shared: World, gh: Gh):
    foreign = {"number": 3, "url": "https://github.com/x/y/pull/3", "headRefName": BRANCH, "isCrossRepository": True}
    gh.set(open=[foreign])
    assert put(shared).state == "opened"
    assert gh.state["open"][0] == foreign


def test_what_a_person_pushed_to_the_branch_is_never_written_over(shared: World, gh: Gh):
    put(shared)
    shared.git("switch", "--quiet", "-c", "elsewhere", BRANCH)
    mine = shared.commit({"note.md": "look\n"}, "a reviewer's commit")
    shared.git("push", "--quiet", "origin", f"elsewhere:{BRANCH}")
    shared.git("switch", "--quiet", "main")
    tip = shared.git(
        "commit-tree", f"{BRANCH}^{{tree}}", "-p", "main", "-m", shared.git("log", "-1", "--format=%B", BRANCH)
    )
    shared.git("update-ref", f"refs/heads/{BRANCH}", tip)
    for tracked in (mine, f"{mine}^"):  # fetched since, and not
        shared.git("update-ref", f"refs/remotes/origin/{BRANCH}", tracked)
        with pytest.raises(RepoError, match=r"a push would lose that|moved there since"):
            put(shared)
        assert shared.git("ls-remote", "origin", f"refs/heads/{BRANCH}").split()[0] == mine


@pytest.mark.parametrize(
    ("fails", "hint"),
    [
        ([["pr", "list"], 4, "not logged in"], "gh auth login"),
        ([["pr", "list"], 0, "no json"], "update gh"),
        ([["pr", "create"], 1, "GitHub Actions is not permitted to create or approve pull requests"], "doctor --forge"),
        ([["pr", "create"], 1, ""], "gh pr list"),
    ],
)
def test_what_gh_refuses_is_told_with_the_next_step(shared: World, gh: Gh, fails: list[object], hint: str):
    gh.set(fails=fails)
    with pytest.raises(RepoError) as stop:
        put(shared)
    assert hint in str(stop.value.hint)


def test_one_that_fails_stops_no_other(shared: World, gh: Gh):
    (candidate,) = review(shared.context()).candidates
    lost = candidate.model_copy(update={"branch": "skillc/candidate/not-here"})
    done = put_pull_requests(shared.context(), [lost, candidate]).pull_requests
    assert [(p.state, p.branch) for p in done] == [("failed", lost.branch), ("opened", BRANCH)]
    assert done[0].reason
    assert done[0].next
