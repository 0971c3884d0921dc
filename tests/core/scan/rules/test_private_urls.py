"""Rule `private-url`."""

import pytest

from skillc.core.scan.rules.private_urls import RULE
from tests.core.scan.checking import check_clean, check_found


@pytest.mark.parametrize(
    "text",
    [
        "See https://confluence.lagosgrid.internal/x.",
        "[the runbook](http://172.16.9.4:3000/d/meter)",
        'curl "https://lgp.atlassian.net/browse/NET-1"',
        "https://fjallmedia.slack.com/archives/C1",
        "https://docs.google.com/spreadsheets/d/1DEVF4KEa0s9d8f7g6h5j4k3l2z1/edit",
        "https://git.fjall.corp/pix",
        "https://pix.s3.amazonaws.com/a.png?X-Amz-Signature=fa4e99aabbccddeeff00112233",
        "http://build.lan/job",
        "postgres://db.shop.internal:5432/shop",
    ],
)
def test_an_address_of_one_organisation_is_found(text: str):
    check_found(RULE, text)


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1:8000",
        "http://localhost:3000/x",
        "https://pillow.readthedocs.io/en/stable/",
        "https://github.com/acme/shop",
        "https://wiki.example.com/x",
        "https://your-domain.atlassian.net/x",
        "https://api.slack.com/methods",
        "https://<host>.internal/x",
        "redis.default.svc.cluster.local",
        "10.0.0.0/8",
        "http://203.0.113.5/",
        "https://docs.google.com/forms",
    ],
)
def test_a_public_or_made_up_address_is_clean(text: str):
    check_clean(RULE, text)
