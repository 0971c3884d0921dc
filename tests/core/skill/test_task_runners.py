"""The table of task runners: every runner has its file, and a word that is not plain names nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.skill.task_runners import RUNNERS, Interface, files_of


def test_every_runner_has_a_file_and_every_kind_of_file_is_found():
    for runner in RUNNERS.values():
        assert runner.files
        assert files_of(runner.interface) == runner.files
    assert files_of(Interface.MODULE) == ()


@pytest.mark.parametrize(
    ("line", "tasks", "folder"),
    [
        ("make -C docs html", ["html"], "docs"),
        ("make -f x.mk html", [], ""),
        ("make CC=gcc all", ["all"], ""),
        ("just build x y", ["build"], ""),
        ("just --list", [], ""),
        ("npm -w packages/a run lint", ["lint"], "packages/a"),
        ("npm run lint -w a -- -w b", ["lint"], "a"),
        ("npm run lint -w a -w b", [], ""),
        ("npm --loglevel silent run lint", [], ""),
        ("npm install x", [], ""),
        ("yarn lint", ["lint"], ""),
        ("bun run dev -- --port 1", ["dev"], ""),
        ("pnpm -r test", [], ""),
        ("pnpm test -r", [], ""),
        ("tox -e", [], ""),
        ("composer install", ["install"], ""),
        ("deno run x.ts", [], ""),
    ],
)
def test_the_words_that_name_tasks(line: str, tasks: list[str], folder: str):
    words = tuple(line.split())
    asked = RUNNERS[words[0]].read(words)
    assert [name for name, _ in asked.tasks] == tasks
    assert asked.folder == folder or not tasks


@given(st.sampled_from(sorted(RUNNERS)), st.lists(st.text(max_size=12), max_size=6))
def test_any_words_are_read(program: str, rest: list[str]):
    for name, told in RUNNERS[program].read((program, *rest)).tasks:
        assert name in " ".join(rest)
        assert told.startswith(program)
