"""Rule `instance-id`: the id of one case."""

import pytest

from skillc.core.scan.rules.instance_id import RULE
from tests.core.scan.checking import check_clean, check_found

FOUND = [
    "Find order #W5512098 first.",
    "Load amara_lindholm_4471.",
    "Change reservation 7QK3ZD to Friday.",
    "Follow OPS-3318.",
    "Use account 663920471180.",
    "Tenant 7c1e9a40-5b2d-4f7e-8c31-2a9d5e6b7f08.",
    "`kubectl logs photo-sync-7d9c5f6b8d-x2k9q`",
    "See INV-77310.",
    "`DELETE FROM jobs WHERE id = 48210937;`",
    "Log in to kiln-batch-07.",
]
CLEAN = [
    "The order has an id such as #W5512098.",
    "Follow RFC-2119 and CVE-2021-44228.",
    "The namespace is 6ba7b810-9dad-11d1-80b4-00c04fd430c8 in RFC 9562.",
    "Use account 123456789012.",
    "Wait 30000 ms.",
    "Python 3.11.7 on x86-64",
    "`git switch main`",
]


@pytest.mark.parametrize("text", FOUND)
def test_it_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_is_clean(text: str):
    check_clean(RULE, text)


def test_an_id_of_one_case_is_found_with_its_span():
    check_found(RULE, "Change reservation 8C8K4E to Tuesday.", span="8C8K4E")
    check_found(RULE, "Follow PRX-2207 first.", span="PRX-2207")
    check_found(RULE, "DELETE FROM jobs WHERE id = 55120917;", span="55120917")


def test_standards_examples_and_dates_are_clean():
    check_clean(RULE, "Follow ISO-27001 and RFC-2119.")
    check_clean(RULE, "An id such as PRX-2207 is enough.")
    check_clean(RULE, "build 20240501 of the docs")
    check_clean(RULE, "match `PRX-20[0-9]-[0-9]{4}`")
