"""The schemas of whole answers fit the answers that trusted code accepts."""

import json

import jsonschema
import pytest

from skillc.core.compile.answer_schemas import (
    curator_schema,
    family_schema,
    reflector_schema,
    scanner_schema,
    summary_schema,
)
from tests.model_case import judge
from tests.model_server import honest

ALL = {
    "summarizer": summary_schema,
    "reflector": reflector_schema,
    "scanner": scanner_schema,
    "curator": curator_schema,
}


def test_every_schema_is_a_schema_and_closed_at_every_level():
    for make in (*ALL.values(), family_schema):
        jsonschema.Draft202012Validator.check_schema(make())
        assert_closed(make())


def assert_closed(value: object) -> None:
    if isinstance(value, dict):
        if value.get("type") == "object":
            assert value["additionalProperties"] is False
            assert set(value["required"]) == set(value["properties"])
        for item in value.values():
            assert_closed(item)
    elif isinstance(value, list):
        for item in value:
            assert_closed(item)


@pytest.mark.parametrize("role", sorted(ALL))
def test_an_honest_answer_has_the_shape_that_was_asked_for(role: str):
    asked = next(a for a in judge().server.asked if a.role == role)
    jsonschema.validate(honest(asked), ALL[role]())
    sent = asked.body["output_config"]["format"]
    assert sent["type"] == "json_schema"
    assert json.dumps(sent["schema"], sort_keys=True) == json.dumps(ALL[role](), sort_keys=True)
