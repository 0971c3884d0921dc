"""The table of importers."""

import pytest

from skillc.errors import UsageError
from skillc.importers.table import IMPORTERS, detect, importer_for


def test_every_importer_is_found_by_its_kind():
    assert [importer_for(importer.kind) for importer in IMPORTERS] == list(IMPORTERS)
    assert {importer.kind for importer in IMPORTERS} == {"claude-code", "messages", "native"}


def test_an_unknown_kind_is_told_with_the_known_ones():
    with pytest.raises(UsageError) as caught:
        importer_for("word")
    assert "claude-code" in caught.value.hint


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'{"record":"trace","format":"skillc.trace/1"}\n', "native"),
        (b'{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user"}}\n', "claude-code"),
        (b'[{"role": "user", "content": "x"}]', "messages"),
        (b"just text", None),
        (b"\xff\xfe\x00", None),
    ],
)
def test_a_file_is_known_by_its_first_bytes(head: bytes, kind: str | None):
    found = detect(head, "file")

    assert (found.kind if found else None) == kind
