"""Private places: found by their ends and ranges; what is the same everywhere, and what only looks like it, stays."""

import re

import pytest
from pydantic_core import to_json

from skillc.core.scan.detectors import find_spans, gate, gate_text
from skillc.core.scan.places import PLACES
from skillc.core.scan.private_values import passed_gates

FOUND = [
    ("private_url", "See http://build.lan/job/pix first"),
    ("private_url", "curl https://wiki.acmecorp.internal/x/AbC1"),
    ("private_url", "open http://10.1.2.3:3000/d/meter"),
    ("private_url", "https://shopteam.atlassian.net/browse/NET-1"),
    ("git_remote", "git remote add origin git@github.com:someorg/private-repo.git"),
    ("private_url", "open http://admin@10.3.4.5/x"),
    ("private_url", "see https://confluence.lagosgrid.internal/x/AbC1."),
    ("private_url", "https://docs.google.com/document/d/1aB2cD3eF4gH5iJ6kL7mN8/edit"),
    ("private_url", "https://files.shop.dev/a.pdf?X-Amz-Signature=0f1e2d3c4b5a69788796"),
    ("private_host", "ssh git.fjall.corp uptime"),
    ("private_host", "ping build-7.lan"),
    ("private_host", "scp a.tgz ann@vault.private:/srv"),
    ("private_address", "ssh deploy@10.20.30.40"),
    ("url_user", "git clone https://annlee@github.com/shopteam/shop.git"),
]
CLEAN = [
    "http://localhost:3000 http://127.0.0.1:8000/x https://example.com/a",
    "http://169.254.169.254/latest/meta-data",
    "https://github.com/org/repo https://www.slack.com/help",
    "https://git@github.com/org/repo.git https://x-access-token@github.com/a/b",
    "threading.local() and settings.local.json and com.acme.internal",
    "import jdk.internal.misc; from app.internal import x",
    "host.docker.internal db.default.svc.cluster.local metadata.google.internal",
    "wiki.internal.corp dc.corp.local git.example.internal my-host.local",
    "pip install x==10.2.3.4, version 10.20.30.40, 10.0.0.0/8",
    "root@192.168.1.1",
]


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_a_private_place_is_found_in_prose_and_in_json(kind: str, text: str):
    assert kind in {span.kind for span in find_spans(text, personal=True)}
    assert passed_gates(gate_text(to_json({"text": text})))
    assert kind not in {span.kind for span in find_spans(text)}, "a scan for credentials does not see it"


@pytest.mark.parametrize("text", CLEAN)
def test_what_everybody_may_know_stays(text: str):
    assert find_spans(text, personal=True) == []


def test_every_row_can_be_read_and_has_a_sample():
    assert {row.kind for row in PLACES} == {kind for kind, _ in FOUND}
    for row in PLACES:
        re.compile(row.pattern)
        assert not gate(row.gate)("nothing here")
