"""The table of formats is whole."""

import re
from pathlib import Path

from skillc.core.scan.detectors import gate
from skillc.core.scan.formats import DETECTORS, formats_page, providers
from tests.core.scan.test_detectors import SAMPLES


def test_every_row_has_a_name_of_its_own_and_a_sample():
    kinds = [detector.kind for detector in DETECTORS]

    assert len(set(kinds)) == len(kinds)
    assert set(kinds) == set(SAMPLES)


def test_every_gate_and_pattern_can_be_read():
    for detector in DETECTORS:
        re.compile(detector.pattern)
        assert not gate(detector.gate)("nothing here")


def test_a_password_variable_of_an_env_file_is_found_whatever_its_name():
    from skillc.core.scan.detectors import find_spans

    for text in ("SMTP_PASS=hunter2hunter", "PGPASSWORD=hunter2hunter", "X-Api-Key: Zx9Qw8Er7Ty6Ui5Op4As3Df2"):
        assert find_spans(text), text


def test_the_page_of_providers_is_generated_from_the_tables():
    """To write it again: python -c "from skillc.core.scan.formats import *; print(formats_page(), end='')" """
    page = Path(__file__).parents[3] / "docs" / "credential-formats.md"

    assert len(providers()) >= 70
    assert page.read_text("utf-8") == formats_page()
