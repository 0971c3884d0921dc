"""Rules of how a source is told."""

import pytest

from skillc.core.skill.claim import InputSource
from skillc.engines.offline.provenance import USER, Explained, OriginKey, same_name
from skillc.engines.offline.source_words import is_choice, is_list, source_words


def item(path, *, several=0, uses=1):
    return Explained(OriginKey(InputSource.STEP, "get_trip", path), several=several, uses=uses)


@pytest.mark.parametrize(
    ("path", "several", "expected"),
    [
        ("", 0, "the result of `get_trip`"),
        ("owner.id", 0, "`id` of `owner` in the result of `get_trip`"),
        ("flights[*].date", 1, "`date` of one of the `flights` in the result of `get_trip`"),
        ("flights[*].date", 0, "`date` of the `flights` in the result of `get_trip`"),
        ("orders[*]", 1, "one of the `orders` in the result of `get_trip`"),
        ("variants{key}", 1, "the key of one of the `variants` in the result of `get_trip`"),
        ("[*]", 1, "one of the entries in the result of `get_trip`"),
    ],
)
def test_path_of_a_field_becomes_words(path, several, expected):
    assert source_words(item(path, several=several)) == expected


def test_list_as_a_whole_is_named_in_the_plural():
    assert source_words(item("trips[*].flights[*].date"), plural=True) == "the `trips` in the result of `get_trip`"


def test_user_and_any_earlier_result_are_sources_too():
    assert source_words(Explained(USER)) == "stated by the user"
    assert source_words(Explained(same_name("sku"))) == "`sku` as an earlier result shows it"


def test_somebody_has_to_choose_where_most_uses_had_several_values():
    assert is_choice(item("orders[*]", several=1, uses=2))
    assert not is_choice(item("orders[*]", several=1, uses=3))
    assert not is_list(item("owner.id"))
