"""The published schemas are true: what skillc writes validates against them."""

import json

import jsonschema
import pytest

from skillc.errors import UsageError
from skillc.lifecycle.schemas import schema_names, schema_of
from tests.world import FIELD, World


@pytest.mark.parametrize("name", schema_names())
def test_every_schema_is_a_schema_and_closed(name: str):
    schema = json.loads(schema_of(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UsageError) as stop:
        schema_of("nope")
    assert "contract" in str(stop.value.hint)


def test_stored_records_validate(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    path = world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()[0]
    lines = [json.loads(line) for line in world.git("show", f"skillc/traces:{path}").split("\n")]
    contract = json.loads((world.root / ".claude" / "skills" / FIELD / "contract.json").read_text("utf-8"))
    ledger = world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines()

    jsonschema.validate(lines[0], json.loads(schema_of("trace")))
    jsonschema.validate(lines[-1], json.loads(schema_of("close")))
    for line in lines[1:-1]:
        jsonschema.validate(line, json.loads(schema_of("event")))
    jsonschema.validate(contract, json.loads(schema_of("contract")))
    for path in ledger:
        record = json.loads(world.git("show", f"skillc/ledger:{path}"))
        name = "verification" if path.startswith("verifications/") else "run"
        if "payload" in record:
            jsonschema.validate(record, json.loads(schema_of("envelope")))
            record = json.loads(record["payload"])
        jsonschema.validate(record, json.loads(schema_of(name)))


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("traces",), "traces"),
        (("why", FIELD), "why"),
        (("log", FIELD), "log"),
        (("check",), "check"),
        (("review",), "review"),
    ],
)
def test_every_json_answer_validates(world: World, command: tuple[str, ...], name: str):
    world.compile()
    world.merge(FIELD)
    answer = json.loads(world.run(*command, "--json").stdout)
    jsonschema.validate(answer, json.loads(schema_of(name)))


def test_the_contracts_schema_carries_each_fields_declaration():
    """One declaration drives the schema, both renderings and the citation rules."""
    from skillc.core.skill.contract import contract_fields

    properties = json.loads(schema_of("contract"))["properties"]
    for name, declared in contract_fields().items():
        assert properties[name]["x-evidence"] == declared.rule.value
        assert properties[name]["x-group"] == declared.group.value
        assert properties[name].get("x-heading") == declared.heading
