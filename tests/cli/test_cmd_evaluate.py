"""`evaluate` on the command line."""

import json

from tests.world import FIX, World


def test_answer_is_a_table_or_one_object_with_the_published_fields(world: World):
    done = world.run("evaluate", "induction", "--family", FIX, "--group-by", "attempt_family", "--json")
    answer = json.loads(done.stdout)

    assert done.returncode == (0 if answer["ok"] else 1)
    (family,) = answer["families"]
    assert {"task_family", "attempts", "groups", "measures"} <= set(family)
    assert {"name", "ours", "baselines", "interval", "n"} <= set(family["measures"][0])
    shown = world.run("evaluate", "induction", "--group-by", "attempt_family").stdout
    assert "best baseline" in shown
    assert "next_action" in shown


def test_without_a_grouping_field_it_is_a_usage_error(world: World):
    done = world.run("evaluate", "induction")

    assert done.returncode == 2
    assert "--group-by FIELD" in done.stderr
