"""What the README shows is run."""

import re
import shutil
from pathlib import Path

from tests.cli.test_cmd_evidence import on_terminal
from tests.world import FIX, World, sessions_of

ROOT = Path(__file__).parents[2]


def blocks() -> list[list[str]]:
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [[line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")] for block in found]


def test_the_commands_of_the_tour_work_as_they_stand(fresh: World):
    """On the shipped project with past sessions: the README's own lines, one after the other."""
    fresh.git("rm", "--quiet", "skillc.yaml", ".gitattributes")
    fresh.git("commit", "--quiet", "-m", "before skillc")
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(fresh.root))
    folder = fresh.home / ".claude" / "projects" / name
    folder.mkdir(parents=True)
    for path in sessions_of(FIX):
        shutil.copy(path, folder)

    tour = next(b for b in blocks() if b[0] == "skillc init")
    for line in tour:
        for command in line.split(" && "):
            words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', command)]
            if words[:2] == ["skillc", "trust"]:
                code, output = on_terminal(fresh, *words[1:], answer="y\n")
                assert code == 0, output
            elif words[0] == "skillc":
                done = fresh.run(*words[1:])
                assert done.returncode == 0, (line, done.stdout, done.stderr)
            else:
                fresh.git(*words[1:], *(["--no-edit"] if words[1] in ("merge", "revert") else []))
    assert not (fresh.root / ".claude" / "skills").exists()


def test_both_set_up_commands_are_the_ones_that_ci_runs():
    set_up = [line for block in blocks() for line in block if line.startswith("python3 -m venv")]
    assert len(set_up) == 2
    assert set_up[0].endswith(".venv/bin/skillc demo")
    assert set_up[1].endswith(".venv/bin/pytest")


def test_every_link_of_the_readme_leads_somewhere():
    text = (ROOT / "README.md").read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / target).exists(), target
