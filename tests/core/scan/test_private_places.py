"""Which addresses are one organisation's own, and which are public or made up."""

import re

import pytest

from skillc.core.scan.private_places import PLACES_OF_SERVICES, is_own_bucket, private_place

OWN = [
    ("drive.google.com", "/file/d/1kRw7Yp3ZsLq9XvTn4BmHc8FdUg/view"),
    ("brickyard.slack.com", "/archives/C04"),
    ("brickyard-my.sharepoint.com", "/:x:/g/personal/ann/EZ"),
    ("www.notion.so", "/brick/Glaze-2f9b7a104c5d4e8f9b210d3c6e7a8b94"),
    ("linear.app", "/brick/issue/KIL-22/foo"),
    ("app.asana.com", "/0/1204/1205"),
    ("us02web.zoom.us", "/j/84711234567?pwd=abc"),
    ("123456780912.signin.aws.amazon.com", "/console"),
    ("gitlab.brickyard.io", "/tools/press"),
    ("brick.postgres.database.azure.com", ""),
    ("brickapp.azurewebsites.net", ""),
    ("brick-cache.x7q2.0001.euw1.cache.amazonaws.com", ""),
    ("cluster0.x7q2a.mongodb.net", "/app"),
    ("jenkins.brick.corp", "/job/x"),
    ("wiki", "/Onboarding"),
    ("10.44.3.7", "/x"),
    ("fd12:3456:789a::1", "/x"),
    ("brick-private.s3.eu-central-1.amazonaws.com", "/x.tar"),
]
PUBLIC = [
    ("docs.google.com", "/forms"),
    ("api.slack.com", "/methods"),
    ("developer.atlassian.com", "/cloud"),
    ("github.com", "/acme/shop"),
    ("linear.app", "/docs"),
    ("zoom.us", "/download"),
    ("example.blob.core.windows.net", "/c"),
    ("mystorageaccount.blob.core.windows.net", "/c"),
    ("<account>.blob.core.windows.net", "/c"),
    ("wiki.archlinux.org", "/title/Git"),
    ("gitlab.gnome.org", "/GNOME"),
    ("staging.example.com", "/login"),
    ("redis", ""),
    ("backend", "/api"),
    ("localhost", "/x"),
    ("host.docker.internal", "/x"),
    ("db.default.svc.cluster.local", "/x"),
    ("192.168.1.1", "/"),
    ("ci.appveyor.com", "/project/x"),
]


@pytest.mark.parametrize(("host", "rest"), OWN)
def test_an_address_of_one_organisation_is_told(host: str, rest: str):
    assert private_place(host, rest, has_scheme=True) is not None


@pytest.mark.parametrize(("host", "rest"), PUBLIC)
def test_a_public_or_made_up_address_is_not(host: str, rest: str):
    assert private_place(host, rest, has_scheme=True) is None


def test_every_row_is_whole_and_asks_for_something():
    assert len(PLACES_OF_SERVICES) > 150
    for place in PLACES_OF_SERVICES:
        re.compile(place.path)
        assert place.tenant or place.path.startswith("/"), place.host


def test_a_store_tells_by_its_name_whose_it_is():
    assert is_own_bucket("brick-prod-backups")
    assert not is_own_bucket("my-bucket")
    assert not is_own_bucket("commoncrawl")
