"""`amend` on the command line: what it says, its JSON, and who may run it."""

import json
from pathlib import Path

import pytest

from tests.approvers import make_key, register_person
from tests.reward_world import FAMILY
from tests.terminals import in_terminal
from tests.world import World

PAGE = f".claude/skills/{FAMILY}/SKILL.md"


def edit(world: World) -> None:
    text = (world.root / PAGE).read_text("utf-8")
    world.write(PAGE, text.replace("## When to use\n\n", "## When to use\n\n- The shop is open.\n"))


def test_it_says_what_became_of_the_lines_and_its_undo_works(shop: World):
    edit(shop)
    planned = shop.run("amend", FAMILY, "--dry-run")
    assert "would amend" in planned.stdout
    done = shop.run("amend", FAMILY)
    assert done.returncode == 0, done.stderr
    assert "new      use_when  The shop is open." in done.stdout
    assert "kept with what stood behind them" in done.stdout
    told = shop.run("why", FAMILY, "use_when")
    assert "[person] on the word of a person" in told.stdout
    line = next(x for x in done.stderr.splitlines() if "undo: " in x)
    shop.git(*line.split("undo: git ", 1)[1].split())
    assert "The shop is open" not in (shop.root / PAGE).read_text("utf-8")
    assert shop.run("check").returncode == 0


@pytest.mark.slow
def test_the_json_names_every_line(shop: World):
    edit(shop)
    done = json.loads(shop.run("amend", FAMILY, "--json").stdout)
    assert done["format"] == "skillc.amend/1"
    assert {"skill", "skill_id", "commit", "branch", "tree", "lines"} <= set(done)
    assert {line["state"] for line in done["lines"]} == {"kept", "new"}
    assert all({"field", "claim_id", "state", "text", "lost"} <= set(line) for line in done["lines"])


def test_a_text_out_of_form_is_one_message_with_its_line(shop: World):
    shop.write(PAGE, (shop.root / PAGE).read_text("utf-8") + "\nProse.\n")
    done = shop.run("amend", FAMILY)
    assert done.returncode == 3
    assert "SKILL.md:" in done.stderr
    assert "hint: nothing was changed" in done.stderr


@pytest.mark.slow
def test_where_an_approver_is_registered_it_needs_the_person_and_their_key(shop: World, tmp_path: Path):
    register_person(shop, make_key(tmp_path / "alice"))
    edit(shop)
    refused = shop.run("amend", FAMILY)
    assert (refused.returncode, "needs a terminal" in refused.stderr) == (2, True)
    code, said = in_terminal(shop, "amend", FAMILY, "--key", str(tmp_path / "alice"))
    assert code == 2, said  # a key without a passphrase needs nobody
    assert shop.git("status", "--porcelain") == f"M {PAGE}"
