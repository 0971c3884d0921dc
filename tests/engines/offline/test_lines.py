"""Rules of what a command of a line stands in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.lines import from_root, names_in, read_line


def one(line, root="/srv/app/", **arguments):
    (item,) = read_line({"command": line, **arguments}, root).commands
    return item


@pytest.mark.parametrize(
    "line",
    [
        "MODE=ci pytest -q",
        "env MODE=ci pytest -q",
        "export MODE=ci && pytest -q",
        "export MODE=ci; pytest -q",
        "bash -lc 'MODE=ci pytest -q'",
        "MODE=ci bash -c 'pytest -q'",
        "MODE=ci timeout 60 pytest -q 2>&1 | tail -5",
    ],
)
def test_variable_is_found_however_it_is_given(line):
    assert one(line).settings == ("MODE=ci",)
    assert one(line).command.operation == "pytest"


def test_argument_of_make_is_a_variable_and_one_of_another_program_is_not():
    assert one("make test MODE=ci").settings == ("MODE=ci",)
    assert one("pytest MODE=ci").settings == ()


@pytest.mark.parametrize(
    ("line", "lead"),
    [
        ("cd api && npm test", ("cd api",)),
        ("cd /srv/app/api && npm test", ("cd api",)),
        ("cd /srv/app && npm test", ()),
        ("cd /elsewhere && npm test", ()),
        ("cd web && cd /srv/app/api && npm test", ("cd api",)),
        ("source .venv/bin/activate && pytest", ("source .venv/bin/activate",)),
    ],
)
def test_folder_and_sourced_file_lead_the_command(line, lead):
    assert one(line).lead == lead


def test_folder_beside_the_command_leads_it_too():
    assert one("npm test", workdir="/srv/app/api").lead == ("cd api",)


@pytest.mark.parametrize(
    ("line", "hides"),
    [("pytest", False), ("pytest | tail", True), ("pytest; git status", True), ("pytest || true", True)],
)
def test_exit_status_that_is_not_the_lines_is_hidden(line, hides):
    assert read_line({"command": line}, "").commands[0].hides_status is hides


def test_export_alone_stays_in_the_shell():
    found = read_line({"command": "export MODE=ci"}, "")

    assert (found.commands, found.exported) == ((), ("MODE=ci",))


def test_last_value_of_a_name_counts():
    assert names_in(("A=1", "B=2", "A=3")) == {"A": "3", "B": "2"}


@given(st.text(max_size=200))
def test_any_line_is_read_without_an_error(line):
    for item in read_line({"command": line}, "/srv/app/").commands:
        assert item.command.program


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("cd api", "api"),
        ("cd api && cd src && ls", "api/src"),
        ("cd ..", ""),
        ("cd /srv/app/web && npm test", "web"),
        ("cd /elsewhere", ""),
        ("ls", ""),
    ],
)
def test_line_ends_in_a_folder_of_the_project(line, folder):
    assert read_line({"command": line}, "/srv/app/").folder == folder


def test_line_begins_where_the_shell_stands():
    assert read_line({"command": "npm test"}, "/srv/app/", "web").commands[0].lead == ("cd web",)
    assert read_line({"command": "cd .. && npm test"}, "/srv/app/", "web").commands[0].lead == ()
    assert read_line({"command": "cd web && npm test"}, "/srv/app/", "web").commands[0].lead == ("cd web",)


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        ("pkg", "tests/test_x.py", "pkg/tests/test_x.py"),
        ("pkg", "./tests/test_x.py::test_a", "pkg/tests/test_x.py::test_a"),
        ("pkg/api", "../web/a.ts", "pkg/web/a.ts"),
        ("", "tests/test_x.py", "tests/test_x.py"),
        ("pkg", "/srv/app/a.py", "/srv/app/a.py"),
        ("pkg", "../../a.py", "../../a.py"),
        ("pkg", "$HOME/a.py", "$HOME/a.py"),
    ],
)
def test_path_typed_in_a_folder_is_seen_from_the_root(folder, path, expected):
    assert from_root(folder, path) == expected


@given(st.from_regex(r"[a-z]{1,3}(/[a-z]{1,3}){0,2}", fullmatch=True), st.text(max_size=20))
def test_path_seen_from_the_root_never_leads_out_of_the_project(folder, path):
    found = from_root(folder, path)

    assert found == path or not found.startswith(("..", "/"))


def test_command_knows_the_folder_in_which_it_runs():
    assert one("cd api/v1 && pytest tests/x.py").folder == "api/v1"
    assert one("pytest tests/x.py", workdir="/srv/app/api").folder == "api"
