"""Long answers go through the pager on a terminal, and nowhere else."""

import sys
from pathlib import Path

from skillc.cli import view
from skillc.cli.paging import paged
from tests.terminals import in_terminal
from tests.world import FIELD, World


def pager(folder: Path) -> Path:
    """A pager that keeps what it was given."""
    program = folder / "keep"
    program.write_text(f'#!{sys.executable}\nimport sys\nopen({str(folder / "kept")!r}, "w").write(sys.stdin.read())\n')
    program.chmod(0o755)
    return program


def test_on_a_pipe_nothing_is_paged(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SKILLC_PAGER", str(pager(tmp_path)))
    with paged():
        view.say("line")
    assert capsys.readouterr().out == "line\n"
    assert not (tmp_path / "kept").exists()


def test_what_is_longer_than_the_terminal_is_paged_with_its_colours(world: World, tmp_path):
    world.compile(FIELD)
    settings = {"SKILLC_PAGER": str(pager(tmp_path)), "LINES": "10", "COLUMNS": "80", "TERM": "xterm", "NO_COLOR": ""}
    code, said = in_terminal(world, "review", **settings)
    kept = (tmp_path / "kept").read_text("utf-8")
    assert code == 0
    assert "approve by merging:" in kept
    assert "\x1b[1m" in kept
    assert "approve by merging:" not in said


def test_no_pager_and_a_pager_that_is_not_there_print(world: World, tmp_path):
    world.compile(FIELD)
    for options, program in ((("--no-pager",), str(pager(tmp_path))), ((), str(tmp_path / "nothing"))):
        code, said = in_terminal(world, "review", *options, SKILLC_PAGER=program, LINES="10")
        assert code == 0
        assert "approve by merging:" in said
    assert not (tmp_path / "kept").exists()
