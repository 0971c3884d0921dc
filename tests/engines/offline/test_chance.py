"""Rules of chance: what small groups can show."""

import pytest

from skillc.engines.offline.chance import is_no_chance


@pytest.mark.parametrize(
    ("marked", "group", "other_marked", "others", "expected"),
    [
        (5, 5, 1, 6, True),
        (7, 7, 5, 10, True),
        (6, 6, 15, 21, False),
        (3, 3, 1, 3, False),
        (4, 4, 0, 4, True),
        (2, 2, 0, 50, False),  # two families show nothing
        (9, 9, 0, 2, False),
        (5, 5, 6, 6, False),  # the same everywhere
        (5, 20, 5, 20, False),
    ],
)
def test_difference_counts_only_when_chance_rarely_makes_it(marked, group, other_marked, others, expected):
    assert is_no_chance(marked, group, other_marked, others) is expected
