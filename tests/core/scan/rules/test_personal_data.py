"""Rule `personal-data`: somebody's name, contact, number or address."""

import pytest

from skillc.core.scan.rules.personal_data import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "Send it to amara.lindholm@kilnworks.se.",
    "Ask Amara Lindholm for the list first.",
    "Amara Lindholm from the press desk signs it.",
    "Ring +46 70 174 06 05 after five.",
    "Passport KX5528140.",
    "Amara Lindholm, born 4 May 1986.",
    "Regards,\nAmara Lindholm\nEditor",
    "Her address in the log is 91.226.14.9.",
]
CLEAN = [
    "Ask the editor on call.",
    "Use Pillow and ImageMagick.",
    "Ask Visual Studio for a build.",
    "jane.doe@example.org",
    "Open Source Software is free.",
    "The sample number is +46 70 174 06 05.",
    "Call the Order Service first.",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)


def test_contacts_and_names_are_found():
    check_found(RULE, "mail t.wieczor@lodzkapress.pl now", span="t.wieczor@lodzkapress.pl")
    check_found(RULE, "Our accountant Joanna Wilk files it.", span="Joanna Wilk")
    check_found(RULE, "Ship the samples to 9 Alder Court, Salem, OR 97301.")


def test_examples_and_test_numbers_are_clean():
    check_clean(RULE, "A test number: 4012 8888 8888 1881")
    check_clean(RULE, "declined: 4000000000000002")
    check_clean(RULE, "sample e-mail: ann@brickyard.io")
    check_clean(RULE, "MRN 12345 for John Doe")
