"""The engine of a command gets what the outside gives it, and refuses options that it does not have."""

import sys
from pathlib import Path

import pytest

from skillc.engines.model.engine import ModelEngine
from skillc.errors import UsageError
from skillc.lifecycle.engines import engine_for
from tests.world import World


def test_the_offline_engine_has_no_cost_and_no_batches(fresh: World):
    assert engine_for(fresh.context(), "offline").name == "offline"
    with pytest.raises(UsageError):
        engine_for(fresh.context(), "offline", max_cost=1)
    with pytest.raises(UsageError):
        engine_for(fresh.context(), "offline", is_batch=True)
    with pytest.raises(UsageError):
        engine_for(fresh.context(), "claude-code", is_batch=True)
    with pytest.raises(UsageError, match="no engine is named"):
        engine_for(fresh.context(), "oracle")


def test_models_come_from_the_policy_of_base(fresh: World):
    fresh.set_policy("model: claude-sonnet-5-5", "model: my-own-model")
    engine = engine_for(fresh.context(), "claude", max_cost=2)
    assert isinstance(engine, ModelEngine)
    assert engine.policy.curator.model == "my-own-model"
    assert engine.asker.meter.limit == 2


def test_a_program_is_started_in_an_empty_folder_with_the_question_on_standard_input(fresh: World, tmp_path: Path):
    script = "import os, sys; print(os.listdir('.'), sys.stdin.read(), os.environ['MARK'])"
    engine = engine_for(fresh.context(), "claude-code")
    assert isinstance(engine, ModelEngine)
    start = engine.asker.transport._services.start  # type: ignore[attr-defined]
    said = start([sys.executable, "-c", script], text="what?", environment={"MARK": "m"}, timeout_s=20)
    assert (said.code, said.output.strip()) == (0, "[] what? m")
