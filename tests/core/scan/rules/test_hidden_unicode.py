"""Rule `hidden-unicode`."""

import pytest

from skillc.core.scan.rules.hidden_unicode import RULE
from tests.core.scan.checking import check_clean, check_found


@pytest.mark.parametrize(
    "text",
    [
        "Keep it short.\U000e0046\U000e006f",
        "Keep\u200b\u200c\u200bgoing",
        "zero\u200bwidth",
        "\u202etxt.exe\u202c",
        "so\u00adft",
        "a\u3164b",
        "word\u2060joiner",
        "in the middle \ufeff of it",
        "variation\U000e0101",
    ],
)
def test_what_nobody_sees_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "\ufeffa file with a byte order mark",
        "Team: \U0001f9d1\u200d\U0001f680 \U0001f9d1\U0001f3fd\u200d\U0001f52c",
        "heart \u2764\ufe0f\u200d\U0001f525",
        "می\u200cشود",
        "क्\u200dष",
        "flag \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "Grüße aus Köln",
        "你好，世界",
        "check \u2705",
    ],
)
def test_what_scripts_and_emoji_need_is_clean(text: str):
    check_clean(RULE, text)
