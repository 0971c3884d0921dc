"""The decoded view shows what is hidden, line for line."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.scan.views import decode, views_of


def test_plain_text_has_one_view():
    assert [v.name for v in views_of("plain")] == ["raw"]
    assert [v.name for v in views_of("Grüße, 你好")] == ["raw"]


def test_tags_are_decoded_and_invisible_characters_dropped():
    tagged = "".join(chr(0xE0000 + ord(c)) for c in "secret order")

    assert decode("a" + tagged) == "asecret order"
    assert decode("i\u200bg\u200dn\u00ado\u2060re") == "ignore"
    assert decode("a\u3164b") == "a b"


def test_look_alikes_and_compatibility_forms_are_folded():
    assert decode("Fоrgеt") == "Forget"
    assert decode("𝐅𝐨𝐫𝐠𝐞𝐭") == "Forget"
    assert decode("ﬁx") == "fix"


@given(st.text())
def test_lines_stay_lines(text: str):
    assert decode(text).count("\n") == text.count("\n")
