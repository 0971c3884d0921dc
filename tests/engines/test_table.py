"""Rules of the table of engines."""

import pytest

from skillc.core.policy import ClaudePolicy
from skillc.engines.model.services import ModelServices, ProgramAnswer
from skillc.engines.table import ENGINES, PAID, engine_named
from skillc.errors import UsageError
from tests.model_case import MemoryStore


def test_every_named_engine_answers_to_its_name():
    services = ModelServices(
        policy=ClaudePolicy(), store=MemoryStore(), start=lambda *_, **__: ProgramAnswer(0, "", "")
    )
    assert [engine_named(name, services=services).name for name in ENGINES] == list(ENGINES)
    assert set(PAID) < set(ENGINES)


def test_unknown_engine_names_the_known_ones():
    with pytest.raises(UsageError) as error:
        engine_named("oracle")
    assert "offline" in (error.value.hint or "")
