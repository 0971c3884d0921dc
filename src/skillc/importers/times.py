"""Foreign times in, one form out: `2026-12-04T10:00:00.123000Z`, as the records write it.

Not here: clocks; an event without a time stays without one.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def normal_time(value: Any) -> str | None:
    """Returns a time as the records write it (UTC, `Z`), or None when the value is no time.

    A text without a zone is taken as UTC. Seconds since 1970 are accepted as a number.
    """
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        if len(value) == 24 and value[23] == "Z" and value[19] == "." and value[10] == "T" and value[5] in "01":
            return f"{value[:23]}000Z" if moment.microsecond else f"{value[:19]}Z"
        return _text(moment)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return _text(datetime.fromtimestamp(value, UTC))
        except (ValueError, OverflowError, OSError):
            return None
    return None


def store_time(value: Any) -> str | None:
    """Returns a time of a trace store: ISO text, or a number since 1970 in s, ms, us or ns, told by its size.

    A number may be written as text, and `[seconds, nanoseconds]` is one time.
    """
    if isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value):
        value = value[0] * 1_000_000_000 + value[1]
    if isinstance(value, str) and value.isascii() and value.isdigit() and 9 <= len(value) <= 20:
        value = int(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return normal_time(value)
    if abs(value) < 1e11:
        return normal_time(value)
    for limit, divisor in ((1e14, 1_000), (1e17, 1_000_000), (1e20, 1_000_000_000)):
        if abs(value) < limit:
            try:
                return _text(_EPOCH + timedelta(microseconds=int(value) * 1_000_000 // divisor))
            except OverflowError:
                return None
    return None


def _text(moment: datetime) -> str | None:
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=None).isoformat() + "Z"


def moment(value: str | None) -> datetime | None:
    """Returns a normal time as a datetime."""
    return None if value is None else datetime.fromisoformat(value)
