"""What a file offers by its text; None where the text cannot tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.skill.offers import is_lost, make_targets, node_scripts, offers, python_scripts
from skillc.core.skill.task_runners import Interface

MAKE = "CC := gcc\n.PHONY: all docs\nall: docs\n\techo 50%: x\ndocs build::\n\ttrue\n"
SCRIPT = 'p.add_argument("--fast")\np.add_argument("-v", "--dry-run")\n'


def test_targets_are_the_words_before_the_colon():
    assert make_targets(MAKE) == {".PHONY", "all", "docs", "build"}


@pytest.mark.parametrize("text", ["include rules.mk\n", "%.o: %.c\n", "$(NAMES): x\n", "$(eval $(call f))\n"])
def test_a_makefile_that_makes_its_targets_tells_nothing(text: str):
    assert make_targets(text + "all:\n") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": 3}', "[" * 5000])
def test_no_package_file_tells_nothing(text: str):
    assert node_scripts(text) is None


def test_targets_of_included_files_count_and_a_missing_one_tells_nothing():
    files = {"docs/rules.mk": "include more.mk\nhtml:\n", "docs/more.mk": "include rules.mk\npdf:\n"}
    text = "-include rules.mk\nall:\n"
    assert make_targets(text, "docs/Makefile", files.get) == {"all", "html", "pdf"}
    assert make_targets(text + "include $(X)\n", "docs/Makefile", files.get) is None
    assert make_targets(text, "Makefile", files.get) is None


def test_programs_of_a_python_project():
    text = '[project.scripts]\nseed = "a:b"\n[tool.poetry.scripts]\nload = "a:c"\n'
    assert python_scripts(text) == {"seed", "load"}
    assert python_scripts('[project]\ndynamic = ["scripts"]\n') is None
    assert python_scripts("[project\n") is None
    assert python_scripts("tool = 3\nproject = []\n") == frozenset()


@pytest.mark.parametrize(
    ("interface", "key", "text", "expected"),
    [
        (Interface.JUST_RECIPE, "build", "build target='x':\n  cc\n", True),
        (Interface.JUST_RECIPE, "build", "build := 'x'\n", None),
        (Interface.JUST_RECIPE, "build", "rebuild:\n", False),
        (Interface.JUST_RECIPE, "build", "mod tools\nall:\n", None),
        (Interface.TASKFILE_TASK, "gen", "tasks:\n  gen:\n    cmds: [x]\n", True),
        (Interface.TASKFILE_TASK, "gen", "tasks:\n  all:\n    cmds: [x]\n", False),
        (Interface.TASKFILE_TASK, "gen", "includes:\n  a: ./a\ntasks:\n  all: {}\n", None),
        (Interface.RAKE_TASK, "db:seed", "namespace :db do\n  task seed: :env do\n", True),
        (Interface.RAKE_TASK, "db:seed", "task :all do\n", False),
        (Interface.RAKE_TASK, "db:seed", "require 'rails'\ntask :all do\n", None),
        (Interface.TOX_ENVIRONMENT, "lint", "[tox]\nenvlist = py311, lint\n", True),
        (Interface.TOX_ENVIRONMENT, "lint", "[testenv]\ncommands = x\n", False),
        (Interface.TOX_ENVIRONMENT, "py311", "[tox]\nenvlist = py{310,311}\n", None),
        (Interface.NOX_SESSION, "type-check", "@nox.session\ndef type_check(session):\n", True),
        (Interface.NOX_SESSION, "type-check", "@nox.session\ndef tests(session):\n", False),
        (Interface.INVOKE_TASK, "gen-code", "@task\ndef gen_code(c):\n", True),
        (Interface.INVOKE_TASK, "gen-code", "ns = Collection(x)\n", None),
        (Interface.COMPOSER_SCRIPT, "cs", '{"scripts": {"cs": "x"}}', True),
        (Interface.DENO_TASK, "gen", '{"tasks": {}}', False),
        (Interface.DENO_TASK, "gen", '{"tasks": {} // a comment\n}', None),
        (Interface.PYTHON_SCRIPT, "seed", "[project.scripts]\nseed = 'a:b'\n", True),
        (Interface.FILE, "a", "a", None),
    ],
)
def test_a_file_defines_a_task_or_not_or_cannot_tell(interface: Interface, key: str, text: str, expected: bool | None):
    assert offers(interface, key, text) is expected


@given(st.sampled_from(Interface), st.text(max_size=12), st.text(max_size=60))
def test_any_text_gives_an_answer(interface: Interface, key: str, text: str):
    assert offers(interface, key, text) in (True, False, None)


def test_scripts_of_a_package():
    assert node_scripts('{"scripts": {"build": "x"}}') == {"build"}
    assert node_scripts("{}") == frozenset()


@pytest.mark.parametrize(
    ("interface", "key", "before", "after", "lost"),
    [
        (Interface.MAKE_TARGET, "docs", MAKE, "all:\n", True),
        (Interface.MAKE_TARGET, "docs", MAKE, "include x.mk\n", False),
        (Interface.MAKE_TARGET, "other", MAKE, "all:\n", False),
        (Interface.NODE_SCRIPT, "a", '{"scripts": {"a": ""}}', '{"scripts": {"b": ""}}', True),
        (Interface.NODE_SCRIPT, "a", '{"scripts": {"a": ""}}', "{ merge conflict", False),
        (Interface.OPTION, "--fast", SCRIPT, 'p.add_argument("--dry-run")\n', True),
        (Interface.OPTION, "-v", SCRIPT, 'p.add_argument("--fast")\n', True),
        (Interface.OPTION, "--fast", SCRIPT, 'p.add_argument("--faster")\n', True),
        (Interface.OPTION, "--dry-run", SCRIPT, "def main(dry_run: bool = Option(False)): ...\n", False),
        (Interface.OPTION, "--fast", SCRIPT, "from options import parser\n", False),
        (Interface.OPTION, "--fast", SCRIPT, 'ArgumentParser(parents=[base])\np.add_argument("-v")\n', False),
        (Interface.OPTION, "--slow", SCRIPT, 'p.add_argument("-v")\n', False),
        (Interface.FILE, "", "a", "b", False),
    ],
)
def test_a_name_is_lost_only_when_the_texts_tell(interface: Interface, key: str, before: str, after: str, lost: bool):
    assert is_lost(interface, key, before, after) is lost
