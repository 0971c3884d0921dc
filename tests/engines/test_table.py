"""Rules of the table of engines."""

import pytest

from skillc.engines.table import ENGINES, engine_named
from skillc.errors import UsageError


def test_every_named_engine_answers_to_its_name():
    assert [engine_named(name).name for name in ENGINES] == list(ENGINES)


def test_unknown_engine_names_the_known_ones():
    with pytest.raises(UsageError) as error:
        engine_named("oracle")
    assert "offline" in (error.value.hint or "")
