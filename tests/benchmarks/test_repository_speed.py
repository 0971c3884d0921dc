"""Writing and reading many Skill versions, as ratios to what git alone takes for the same.

A repository of 10,000 Skills on a disk of its own; 1,000 of them get a new version, as the admission path
writes it. Then the history of all Skills is read in one pass. CPU counts git's processes too.
"""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skillc.lifecycle.context import open_context
from skillc.lifecycle.init import init
from skillc.lifecycle.skills import SkillHistory
from skillc.repo.commits import NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.history import folder_changes
from skillc.repo.repository import Repository
from tests.benchmarks.timing import Cost, cost_of, ratio_of
from tests.repositories import run_git

pytestmark = pytest.mark.benchmark
ROUNDS = 5
SKILLS, VERSIONS = 10_000, 1_000
MAX_WRITE_RATIO = 2.0
MAX_HISTORY_RATIO = 2.0
SKILLS_DIR = ".claude/skills"
_START = datetime(2026, 1, 5, tzinfo=UTC)
_WORDS = "Run the tests of the module, read the first failure, and mend the code that it names. "


def files_of(number: int, version: int) -> dict[str, bytes]:
    """Two files as large as a small Skill's: 2 kB of SKILL.md and 8 kB of contract.json."""
    name = f"skill-{number:05d}"
    text = f"---\nname: {name}\ndescription: Version {version}.\n---\n\n" + _WORDS * 24
    contract = f'{{"name": "{name}", "version": {version}, "text": "' + f"{number} {version} {_WORDS}" * 90 + '"}\n'
    return {f"{SKILLS_DIR}/{name}/SKILL.md": text.encode(), f"{SKILLS_DIR}/{name}/contract.json": contract.encode()}


def versions() -> list[NewCommit]:
    return [
        NewCommit(
            f"skill(skill-{n * 7 % SKILLS:05d}): patch\n\nSkillc-Run: r-{n:020d}\n",
            [Put(path, data) for path, data in files_of(n * 7 % SKILLS, n + 1).items()],
            _START + timedelta(minutes=n),
        )
        for n in range(VERSIONS)
    ]


@pytest.fixture(scope="module")
def many_skills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with 10,000 Skills in one commit, packed."""
    root = tmp_path_factory.mktemp("many") / "repo"
    root.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for key, value in {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b", "GIT_CONFIG_NOSYSTEM": "1"}.items():
            patch.setenv(key, value)
        run_git(root, "init", "-q", "-b", "main")
        (root / "README.md").write_text("Skills.\n", "utf-8")
        run_git(root, "add", "README.md")
        run_git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "start")
        repository = Repository.open(root)
        changes = [Put(path, data) for n in range(SKILLS) for path, data in files_of(n, 0).items()]
        tip = repository.refs("refs/heads/main")["refs/heads/main"]
        written = write_commits(repository, [NewCommit("all\n", changes, _START)], parent=tip, label="all")
        update_refs(repository, [RefUpdate("refs/heads/main", tip, written.ids[-1])], drop=[written.tmp_ref])
        yield root


def plain_stream(parent: str, commits: list[NewCommit]) -> bytes:
    """The same commits and blobs as a person would write them for fast-import."""
    parts = []
    for number, commit in enumerate(commits):
        message = commit.message.encode()
        stamp = int(commit.at.timestamp())
        parts.append(
            f"commit refs/heads/plain\ncommitter A <a@b> {stamp} +0000\ndata {len(message)}\n".encode() + message
        )
        if number == 0:
            parts.append(f"from {parent}\n".encode())
        for change in commit.changes:
            assert isinstance(change, Put)
            assert isinstance(change.data, bytes)
            parts.append(f"M 100644 inline {change.path}\ndata {len(change.data)}\n".encode() + change.data + b"\n")
    return b"".join(parts)


def test_a_thousand_versions_are_written_about_as_fast_as_by_plain_fast_import(many_skills: Path, tmp_path: Path):
    commits = versions()
    tip = run_git(many_skills, "rev-parse", "main")
    stream = plain_stream(tip, commits)

    def fresh() -> Path:
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        shutil.copytree(many_skills, tmp_path / "copy", symlinks=True)
        return tmp_path / "copy"

    def ours() -> Cost:
        repository = Repository.open(fresh())

        def admit() -> None:
            written = write_commits(repository, commits, parent=tip, label="many")
            update_refs(repository, [RefUpdate("refs/heads/admitted", None, written.ids[-1])], drop=[written.tmp_ref])
            assert len(written.ids) == VERSIONS

        return cost_of(admit)

    def plain() -> Cost:
        root = fresh()
        return cost_of(lambda: subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True))

    ratio = ratio_of(ours, plain, rounds=ROUNDS)
    ratio.say(f"{VERSIONS} versions among {SKILLS} Skills against git fast-import", MAX_WRITE_RATIO)
    assert ratio.cpu <= MAX_WRITE_RATIO
    assert ratio.wall <= MAX_WRITE_RATIO


@pytest.fixture
def with_history(many_skills: Path, tmp_path: Path) -> Path:
    """The same with a thousand more versions on base, and a namespace."""
    root = tmp_path / "repo"
    shutil.copytree(many_skills, root, symlinks=True)
    repository = Repository.open(root)
    tip = run_git(root, "rev-parse", "main")
    written = write_commits(repository, versions(), parent=tip, label="many")
    update_refs(repository, [RefUpdate("refs/heads/main", tip, written.ids[-1])], drop=[written.tmp_ref])
    init(root)
    return root


def test_the_history_of_all_skills_is_one_pass_of_git_log(with_history: Path):
    repository = Repository.open(with_history)
    raw = ["git", "log", "--raw", "-t", "--first-parent", "--no-abbrev", "--no-renames", "main", "--", SKILLS_DIR]

    def ours() -> Cost:
        def read() -> None:
            changes = folder_changes(repository, "main", SKILLS_DIR)
            assert len(changes) == SKILLS
            assert sum(map(len, changes.values())) == SKILLS + VERSIONS

        return cost_of(read)

    def plain() -> Cost:
        return cost_of(lambda: subprocess.run(raw, cwd=with_history, stdout=subprocess.DEVNULL, check=True))

    ratio = ratio_of(ours, plain, rounds=ROUNDS)
    ratio.say(f"history of {SKILLS} Skills, {VERSIONS + 1} commits, against git log --raw", MAX_HISTORY_RATIO)
    assert ratio.cpu <= MAX_HISTORY_RATIO
    assert ratio.wall <= MAX_HISTORY_RATIO


def test_versions_of_all_skills_stay_within_the_same_bar(with_history: Path):
    """The same through the lifecycle, with the versions of every Skill numbered."""
    context = open_context(with_history, for_reading=True)
    raw = ["git", "log", "--raw", "-t", "--first-parent", "--no-abbrev", "--no-renames", "main", "--", SKILLS_DIR]

    def ours() -> Cost:
        def read() -> None:
            history = SkillHistory(context)
            assert sum(len(history.versions(name)) for name in history.changes) == SKILLS + VERSIONS

        return cost_of(read)

    def plain() -> Cost:
        return cost_of(lambda: subprocess.run(raw, cwd=with_history, stdout=subprocess.DEVNULL, check=True))

    ratio = ratio_of(ours, plain, rounds=ROUNDS)
    ratio.say(f"numbered versions of {SKILLS} Skills against git log --raw", MAX_HISTORY_RATIO)
    assert ratio.cpu <= MAX_HISTORY_RATIO
