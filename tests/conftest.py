"""What every test stands on: a home of its own, no settings of this machine, and real git repositories.

A test never sees the account's configuration, keys or hooks; whatever it writes lies below its own folder.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skillc.repo.repository import Repository
from tests.repositories import commit_files, run_git, seen_by_a_person
from tests.reward_world import FAMILY, copy_reward_world, new_reward_world, refund_run, take
from tests.world import FIELD, FIX, World, copy_world, new_world, sessions_of

_GLOBAL_CONFIG = """\
[user]
    name = Ada Tester
    email = ada@example.org
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
"""
# Set by agent hosts, by git in a hook, or by a person for their own shell: none may reach a test.
_FOREIGN_VARIABLES = ("SKILLC_OFF", "CLAUDECODE", "SSH_AUTH_SOCK", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CI")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty home folder of this test."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "gitconfig").write_text(_GLOBAL_CONFIG, "utf-8")
    for name in list(os.environ):
        if name.startswith("GIT_") or name in _FOREIGN_VARIABLES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def new_repository(tmp_path: Path) -> Callable[..., Path]:
    """Makes git repositories: `new_repository("name", object_format="sha256", files={path: text})`."""

    def make(name: str = "repo", *, object_format: str = "sha1", files: dict[str, str] | None = None) -> Path:
        root = tmp_path / name
        root.mkdir(parents=True)
        run_git(root, "init", "--quiet", f"--object-format={object_format}")
        if files is not None:
            commit_files(root, files)
        return root

    return make


@pytest.fixture
def root(new_repository: Callable[..., Path]) -> Path:
    """A repository with one commit on main."""
    return new_repository(files={"README.md": "hello\n"})


@pytest.fixture
def repository(root: Path) -> Repository:
    """The same, opened."""
    return Repository.open(root)


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, bytes]]:
    """Takes what a person sees of a checkout, to compare before and after; branches are not in it."""

    def take(root: Path) -> dict[str, bytes]:
        return {name: data for name, data in seen_by_a_person(root).items() if name != ":branches"}

    return take


@pytest.fixture(scope="session")
def bare_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The shipped project with a namespace; made once, never changed."""
    with pytest.MonkeyPatch.context() as patch:
        yield new_world(tmp_path_factory.mktemp("bare"), patch)


@pytest.fixture(scope="session")
def verified_world(bare_world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The same with all shipped sessions captured and verified; made once, never changed."""
    with pytest.MonkeyPatch.context() as patch:
        made = copy_world(bare_world, tmp_path_factory.mktemp("verified"), patch)
        for family in (FIX, FIELD):
            made.capture(sessions_of(family), task_family=family)
        made.verify()
        yield made


@pytest.fixture
def fresh(bare_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A copy of the namespace with nothing captured."""
    return copy_world(bare_world, tmp_path / "world", monkeypatch)


@pytest.fixture
def world(verified_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A copy of the namespace with verified Traces, not compiled."""
    return copy_world(verified_world, tmp_path / "world", monkeypatch)


@pytest.fixture(scope="session")
def admitted_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A shop whose three verified refunds are an admitted Skill."""
    with pytest.MonkeyPatch.context() as patch:
        made = new_reward_world(tmp_path_factory.mktemp("shop"), patch)
        take(made, "first", *(refund_run(n) for n in range(3)))
        made.compile(FAMILY)
        made.merge(FAMILY)
        yield made


@pytest.fixture
def shop(admitted_shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A copy of the shop."""
    return copy_reward_world(admitted_shop, tmp_path / "shop", monkeypatch)
