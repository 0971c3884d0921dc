"""Rules of reading command lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.shell import (
    MAX_COMMANDS,
    MAX_LINE_CHARS,
    PathRole,
    looks_like_path,
    parse_command_line,
    simple_commands,
)

SHELL_TEXT = st.text(alphabet=st.sampled_from(list("ab -/.'\"\\$(){}<>|&;\n`#=0129EOF")), max_size=120)


def programs(line: str) -> list[str]:
    return [c.operation for c in simple_commands(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git commit -m 'a; rm -rf b'", ["git commit"]),
        ("cd x && python3 -m pytest -q tests/a.py", ["cd", "python -m pytest"]),
        ("cat a | grep b | head", ["cat"]),
        ("FOO=1 BAR='x y' sudo -u me timeout -k 5 60 make test", ["make test"]),
        ("a; b\nc & d || e", ["a", "b", "c", "d", "e"]),
        ("cat <<'EOF' > f\nrm -rf /\nEOF\nls", ["cat", "ls"]),
        ("ls # rm x", ["ls"]),
        ("if test -f a; then rm b; fi", ["test", "rm"]),
        ("for f in a b; do wc -l $f; done", ["wc"]),
        ("echo $(rm x; ls) done", ["echo"]),
        ("bash -lc 'cd a && git push origin main'", ["cd", "git push"]),
        ("uv run pytest -q", ["pytest"]),
        ("/opt/venv/bin/python3.11 tools/gen.py --all", ["python"]),
        ("gh pr create --title 'a b'", ["gh pr create"]),
        ("git -C sub/dir log --oneline", ["git log"]),
        ("npm run build && npm test", ["npm run build", "npm test"]),
        ("python -c 'import os'", ["python -c"]),
        ("python manage.py test shop", ["python manage.py test"]),
        ("coverage run -m pytest -q", ["pytest"]),
        ("sed -i s/a/b/ f.txt", ["sed -i"]),
        ("(cd a; ls)", ["cd", "ls"]),
        ("2>/dev/null ls", ["ls"]),
        ("", []),
        ("   \n ", []),
        ("$HOME/x", ["x"]),
        ("<redacted>", []),
    ],
)
def test_line_is_read_as_its_programs(line, expected):
    assert programs(line) == expected


def test_parts_of_a_command_are_told_apart():
    command = simple_commands("python tools/gen.py -v --out=x data/in.csv > out.txt 2>&1")[0]

    assert command.program == "python"
    assert command.script == "tools/gen.py"
    assert command.flags == ("-v", "--out=x")
    assert [w.text for w in command.arguments] == ["tools/gen.py", "data/in.csv"]
    assert command.arguments[0].role is PathRole.SCRIPT
    assert command.written_file == "out.txt"


def test_redirection_to_a_device_keeps_no_file():
    assert simple_commands("ls > /dev/null 2>&1")[0].written_file is None


def test_connectors_stand_before_their_pipeline():
    assert [p.connector for p in parse_command_line("a && b || c; d | e")] == ["", "&&", "||", ";"]


def test_urls_and_flags_are_no_paths():
    assert looks_like_path("src/a.py")
    assert looks_like_path("tests/test_a.py::test_b")
    assert not looks_like_path("https://example.com/a.py")
    assert not looks_like_path("--path=a/b")


@given(SHELL_TEXT)
def test_reader_never_raises_on_shell_like_text(line):
    for command in simple_commands(line):
        assert command.program


@given(st.text(max_size=200))
def test_reader_never_raises_on_any_text(line):
    parse_command_line(line)


@given(st.lists(st.sampled_from(["git status", "ls -l", "python -m pytest", "make x"]), min_size=1, max_size=9))
def test_joined_commands_are_all_found(commands):
    assert len(programs(" && ".join(commands))) == len(commands)


def test_work_is_bounded():
    assert len(parse_command_line("a;" * 100_000)) <= MAX_COMMANDS
    assert parse_command_line("x" * (MAX_LINE_CHARS * 3)) == ()
    assert parse_command_line("$(" * 50_000) is not None
    assert parse_command_line("<<E\n" * 20_000) is not None
