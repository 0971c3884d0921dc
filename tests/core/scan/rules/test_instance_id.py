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
