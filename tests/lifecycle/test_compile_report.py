"""The published shape of `skillc compile --json`."""

import json

import jsonschema

from skillc.lifecycle.schemas import schema_of
from tests.world import FIELD, World


def test_the_answer_has_the_fields_that_others_build_on(world: World):
    done = world.run("compile", "--json")
    answer = json.loads(done.stdout)
    jsonschema.validate(answer, json.loads(schema_of("compile")))

    family = next(f for f in answer["families"] if f["task_family"] == FIELD)
    assert {"task_family", "read", "left_out", "proposals", "group"} <= set(family)
    assert {"branch", "state", "versions", "gates"} <= set(family["group"])
    assert {"skill", "skill_id", "change", "commit", "tree"} <= set(family["group"]["versions"][0])
    assert {"gate", "result", "reason", "next"} <= set(family["group"]["gates"][0])
    assert {"id", "operation", "skill", "outcome", "reasons"} <= set(family["proposals"][0])
