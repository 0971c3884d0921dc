"""Stale Skills: what was there before and is not at HEAD, and never what nobody can tell."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from skillc.core.skill.claim import Action, StepClaim
from skillc.core.skill.contract import Contract
from skillc.lifecycle.init import init
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.stale import OutdatedSkill, StaleItem, outdated_skills, stale, with_compilation
from skillc.lifecycle.status import status
from tests.makers import make_citation, make_claim, make_contract
from tests.repositories import run_git
from tests.skill_folders import put_skill
from tests.world import FIELD, World

GEN = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--fast")\np.add_argument("--out")\n' + "#\n" * 20
PROJECT = {
    "tools/gen.py": GEN,
    "Makefile": "all: docs\ndocs:\n\ttrue\n",
    "web/package.json": '{"scripts": {"build": "x", "lint": "y"}}',
    "pkg/cli.py": "print(1)\n" * 20,
    "src/a.py": "a = 1\n" * 20,
}
LINE = "python tools/gen.py --fast && make docs && python -m pkg.cli && cd web && npm run build"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path / "home", tmp_path / "project")
    made.home.mkdir()
    made.root.mkdir()
    (made.home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = a@example.org\n", "utf-8")
    made.set_environment(monkeypatch)
    run_git(made.root, "init", "--quiet", "--initial-branch=main")
    init(made.root)
    run_git(made.root, "add", "-A")
    run_git(made.root, "commit", "--quiet", "-m", "namespace")
    made.commit(PROJECT, "project")
    put_skill(made, a_skill())
    return made


def a_skill(line: str = LINE, **changes: Any) -> Contract:
    steps = tuple(
        StepClaim(id=f"step-{n}", text="Do it.", citations=(make_citation(),), action=action)
        for n, action in enumerate(
            (
                Action(tool="Bash", arguments={"command": line}),
                Action(tool="Edit", arguments={"file_path": "src/a.py"}),
                Action(tool="Read", arguments={"file_path": "<file>"}),
                Action(tool="Read", arguments={"file_path": "made/up.py"}),
            )
        )
    )
    return make_contract(steps=steps, decisions=(make_claim("See `src/a.py`.", id="see"),), **changes)


def items(world: World) -> list[StaleItem]:
    report = stale(world.context())
    assert report.ok is (not report.skills)
    return [i for skill in report.skills for i in skill.items]


def test_nothing_is_stale_while_everything_is_there(project: World):
    report = stale(project.context())
    assert (report.ok, report.skills) == (True, ())
    assert report.checked == 7  # the made-up path was never there, so it is looked up and not told


def test_a_moved_file_is_renamed_and_says_where_it_is(project: World):
    project.git("mv", "src/a.py", "src/b.py")
    project.git("commit", "--quiet", "-m", "move")
    head = project.git("rev-parse", "HEAD")
    one, two = items(project)
    assert (one.field, one.claim_id, one.kind, one.named) == ("steps", "step-1", "path", "src/a.py")
    assert (one.state, one.became, one.commit) == ("renamed", "src/b.py", head)
    assert (two.field, two.claim_id) == ("decisions", "see")


def test_a_file_of_the_same_name_that_is_new_iswith_compilation(project: World):
    project.git("rm", "--quiet", "tools/gen.py")
    project.commit({"scripts/gen.py": "other = True\n"}, "rewrite")
    (item,) = items(project)
    assert (item.kind, item.named, item.state, item.became) == ("command", "tools/gen.py", "gone", "scripts/gen.py")


@pytest.mark.parametrize(
    ("path", "text", "kind", "named"),
    [
        ("tools/gen.py", GEN.replace('p.add_argument("--fast")\n', ""), "flag", "tools/gen.py --fast"),
        ("Makefile", "all:\n\ttrue\n", "command", "make docs"),
        ("web/package.json", '{"scripts": {"lint": "y"}}', "command", "npm run build"),
    ],
)
def test_a_task_or_option_that_its_file_has_no_more_is_gone(
    project: World, path: str, text: str, kind: str, named: str
):
    project.commit({path: text}, "drop it")
    commit = project.git("rev-parse", "HEAD")
    project.commit({"other": "later\n"})
    (item,) = items(project)
    assert (item.kind, item.named, item.state, item.commit) == (kind, named, "gone", commit)


def remove(world: World, path: str) -> None:
    world.git("rm", "--quiet", path)
    world.git("commit", "--quiet", "-m", f"remove {path}")


def test_a_task_goes_with_the_file_that_defined_it_and_stays_where_the_file_has_another_name(project: World):
    project.git("mv", "Makefile", "GNUmakefile")
    project.git("commit", "--quiet", "-m", "move")
    assert items(project) == []
    remove(project, "GNUmakefile")
    (item,) = items(project)
    assert (item.named, item.state, item.commit is not None) == ("make docs", "gone", True)


def test_a_target_that_an_included_file_defines_is_there_until_it_goes_there_too(project: World):
    project.commit({"Makefile": "include mk/docs.mk\nall: docs\n", "mk/docs.mk": "docs:\n\ttrue\n"}, "split")
    assert items(project) == []
    project.commit({"mk/docs.mk": "pdf:\n\ttrue\n"}, "drop it")
    assert [i.named for i in items(project)] == ["make docs"]
    remove(project, "mk/docs.mk")
    assert items(project) == []  # what a file defines that is not there, nobody can tell


@pytest.mark.parametrize(
    ("line", "told", "path", "before", "after"),
    [
        ("just gen", "just gen", "Justfile", "gen:\n  x\n", "all:\n  x\n"),
        ("tox -e lint", "tox -e lint", "tox.ini", "[testenv:lint]\n", "[testenv]\n"),
        (
            "yarn workspace-lint",
            "yarn workspace-lint",
            "package.json",
            '{"scripts": {"workspace-lint": "x"}}',
            '{"scripts": {}}',
        ),
        ("npm run lint -w web", "npm run lint", "web/package.json", '{"scripts": {"lint": "x"}}', '{"scripts": {}}'),
        (
            "npm --prefix web run lint",
            "npm run lint",
            "web/package.json",
            '{"scripts": {"lint": "x"}}',
            '{"scripts": {}}',
        ),
        (
            "uv run seed",
            "uv run seed",
            "pyproject.toml",
            "[project.scripts]\nseed = 'a:b'\n",
            "[project]\nname = 'a'\n",
        ),
        ("bundle exec rake db:load", "rake db:load", "Rakefile", "task :load do\nend\n", "task :all do\nend\n"),
    ],
)
def test_tasks_of_other_runners(project: World, line: str, told: str, path: str, before: str, after: str):
    project.commit({path: before}, "define it")
    put_skill(project, a_skill(line), "again")
    assert items(project) == []
    project.commit({path: after}, "drop it")
    assert [i.named for i in items(project)] == [told]


def test_a_module_is_there_as_file_package_or_below_src(project: World):
    (project.root / "src" / "pkg").mkdir(parents=True)
    project.git("mv", "pkg/cli.py", "src/pkg/cli.py")
    project.git("commit", "--quiet", "-m", "layout")
    assert items(project) == []
    project.git("rm", "--quiet", "src/pkg/cli.py")
    project.git("commit", "--quiet", "-m", "drop")
    (item,) = items(project)
    assert (item.kind, item.named, item.state) == ("command", "python -m pkg.cli", "gone")


def test_a_checkout_from_before_the_skill_is_no_alarm(project: World):
    """The names came later than that commit: nothing was lost."""
    project.git("checkout", "--quiet", "--detach", "HEAD~2")
    assert not (project.root / "src" / "a.py").exists()
    assert items(project) == []


def test_status_marks_the_skill_and_names_the_command(project: World):
    project.git("rm", "--quiet", "src/a.py")
    project.git("commit", "--quiet", "-m", "drop")
    report = status(project.context())
    assert [s.stale for s in report.skills] == [("src/a.py",)]
    assert report.next is not None
    assert report.next.command == "skillc stale some-family"
    (skill,) = stale(project.context()).skills
    assert skill.next == ("skillc amend some-family", "skillc retire some-family --reason TEXT")


def test_a_compilation_is_offered_only_where_it_would_not_end_in_nothing_new(world: World):
    ways = ("skillc amend x", "skillc retire x --reason TEXT")
    outdated = OutdatedSkill(skill="x", skill_id="s-1", task_family=FIELD, items=(), next=ways)
    again = f"skillc compile --family {FIELD}"
    assert with_compilation(world.context(), outdated).next == (ways[0], again, ways[1])
    world.compile(FIELD)
    world.merge(FIELD)
    assert with_compilation(world.context(), outdated).next == ways


def test_the_work_tree_is_not_asked_and_nothing_is_run(project: World):
    (project.root / "src" / "a.py").unlink()
    project.write("Makefile", "$(shell touch ran)\n")
    assert items(project) == []
    assert not (project.root / "ran").exists()


def test_more_skills_cost_no_more_processes(project: World, monkeypatch: pytest.MonkeyPatch):
    started: list[str] = []
    init = subprocess.Popen.__init__

    def counted(self: Any, argv: Any, *arguments: Any, **options: Any) -> None:
        started.append(argv[1])
        init(self, argv, *arguments, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", counted)

    def processes() -> int:
        context = project.context()
        skills = list(current_skills(context).values())
        headers = context.traces.headers()
        before = len(started)
        assert outdated_skills(context, skills, headers) == ()
        return len(started) - before

    one = processes()
    for number in range(5):
        put_skill(project, a_skill(name=f"other-{number}", skill_id=f"s-{number:016d}"))
    assert len(current_skills(project.context())) == 6
    assert processes() == one
