"""Foreign times in, one form out: `2026-12-04T10:00:00.123000Z`, as the records write it.

Not here: clocks; an event without a time stays without one.
"""

from datetime import UTC, datetime
from typing import Any


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


def _text(moment: datetime) -> str | None:
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=None).isoformat() + "Z"
