"""The recorded engine has earlier answers and nothing else."""

import pytest

from skillc.engines.model.transport import TransportError
from skillc.engines.recorded.transport import RecordedTransport
from skillc.errors import CallFailedError
from tests.engines.model.test_asking import REQUEST
from tests.model_case import MemoryStore, engine_with, judge, refunds


def test_a_missing_record_is_a_clear_error():
    transport = RecordedTransport()
    with pytest.raises(TransportError, match="no recorded answer"):
        transport.ask(REQUEST, timeout_s=1)
    assert transport.ask_many([REQUEST], timeout_s=1) == {}
    assert transport.count_tokens(REQUEST) is None


def test_a_recorded_run_is_replayed_without_a_server():
    store = MemoryStore()
    first = judge(engine=engine_with(store=store))
    transport = RecordedTransport()
    transport.server = None  # type: ignore[attr-defined]
    again = judge(engine=engine_with(store=store, transport=transport))
    assert again.changes == first.changes
    with pytest.raises(CallFailedError, match="no recorded answer"):
        engine_with(transport=RecordedTransport()).prepare(refunds())
