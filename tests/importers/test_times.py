"""Foreign times have one form when they are stored."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.codec import encode_record
from skillc.core.trace.records import Event
from skillc.importers.times import normal_time, store_time


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-12-04T10:00:00.123Z", "2026-12-04T10:00:00.123000Z"),
        ("2026-12-04T10:00:00.000Z", "2026-12-04T10:00:00Z"),
        ("2026-12-04T10:00:00+02:00", "2026-12-04T08:00:00Z"),
        ("2026-12-04 10:00:00", "2026-12-04T10:00:00Z"),
        (0, "1970-01-01T00:00:00Z"),
        (1.5, "1970-01-01T00:00:01.500000Z"),
        ("2026-W01-1T10:10:10.123Z", "2025-12-29T10:10:10.123000Z"),
        ("yesterday", None),
        ("", None),
        (True, None),
        (None, None),
        ([], None),
        (1e300, None),
        ("0001-01-01T00:00:00+23:00", None),
    ],
)
def test_a_time_is_utc_or_absent(value, expected):
    assert normal_time(value) == expected


@given(st.datetimes(), st.sampled_from(["Z", "", "+05:30"]))
def test_a_normal_time_is_what_the_record_writes(moment: datetime, zone: str):
    text = normal_time(moment.isoformat() + zone)
    if text is not None:
        event = Event(id="e0", seq=0, kind="note", actor="x", at=text, salt="")
        assert f'"at":"{text}"'.encode() in encode_record(event)


@given(st.text(max_size=30) | st.floats() | st.integers())
def test_no_value_breaks_it(value):
    normal_time(value)


@pytest.mark.parametrize(
    "value",
    [1767603723, 1767603723000, 1767603723000000, 1767603723000000000, "1767603723000000000", [1767603723, 0]],
)
def test_numbers_of_stores_are_told_by_their_size(value: object):
    assert store_time(value) == "2026-01-05T09:02:03Z"


@pytest.mark.parametrize("value", [None, True, "x", "12", [1], [1, "2"], 1e30, 10**30, {}])
def test_what_is_no_time_of_a_store_gives_none(value: object):
    assert store_time(value) is None
