"""Rule `home-path`."""

import pytest

from skillc.core.scan.rules.home_paths import RULE
from tests.core.scan.checking import check_clean, check_found


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("cd /home/ngozi/shop", "ngozi"),
        ("open /Users/mia.li/x", "mia.li"),
        ("C:\\Users\\Ngozi\\x", "Ngozi"),
        ('"C:\\\\Users\\\\Ngozi"', "Ngozi"),
    ],
)
def test_a_persons_folder_is_found(text: str, span: str):
    check_found(RULE, text, span=span)


@pytest.mark.parametrize(
    "text",
    [
        "~/shop",
        "/home/user/shop",
        "/home/<name>/x",
        "/Users/$USER/x",
        "/home/runner/work",
        "https://example.com/home/about",
        "/usr/home/x",
        "the /home/ folder",
        "/Users/Shared/x",
    ],
)
def test_anybodys_folder_is_clean(text: str):
    check_clean(RULE, text)
