"""Ids of one case by form: the word before them or the form itself tells, dates and versions do not."""

import time

import pytest

from skillc.core.scan.case_ids import SHAPES
from skillc.core.scan.rules.instance_id import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "Look at shipment 204-9917305-1182640 now.",
    "Read the plan of acct_7719203844.",
    "gcloud config set project loom-prod-552013",
    "The workspace is 7d1f0c22-9b3e-4f6a-8c15-2e90b7a4d1f3; pass it on.",
    "Copy it to loomprd-sql03 and start the job there.",
    "Her booking reference is QX7K2M.",
    "The claim number is CLM-2026-004417.",
    "Resume session run_01HX2ZC5N8K3M7T9X4R1 there.",
    "Serial number C02XK1ZTJGH5.",
    "docker rm -f 9c1f0a77d3be",
    "The printer has 3C:22:FB:4A:91:0E.",
    "Use the card ending 4417.",
    "thread ts 1747412345.678901",
]
CLEAN = [
    "Order 12 items by name and use 3 columns.",
    "Use CVE-2021-44228 and RFC-7231.",
    "UUID 6ba7b810-9dad-11d1-80b4-00c04fd430c8 as namespace",
    "Python 3.11.7 and node-18",
    "utf-8 base64 sha256 ISO-8601",
    "release 2024-05-01 and release 20240501",
    "claude-3-5-sonnet-20241022 and web_search_20250305",
    "order by created_at limit 10000",
    "project-12345 user_123 order_123456",
    "Case 1: 100000 rows",
    "PCI-DSS 4.0, NIST SP-800-53, MS17-010, CIP-004",
    "host server-01 and web-02",
    "run it on us-east-1 or ubuntu-22",
    "GitHub issue #34281",
]


@pytest.mark.parametrize("text", FOUND)
def test_a_value_of_one_case_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_names_dates_versions_and_made_up_numbers_are_clean(text: str):
    check_clean(RULE, text)


@pytest.mark.parametrize("piece", ["A1-", "a_1", "1.", "aa-0", "00:"])
def test_a_long_line_costs_linear_time(piece: str):
    text = piece * (30_000 // len(piece))
    begin = time.process_time()
    for shape in SHAPES:
        assert all(match.end() > 0 for match in shape.pattern.finditer(text))

    assert time.process_time() - begin < 12
