"""The table of importers."""

import json

import pytest

from skillc.errors import UsageError
from skillc.importers.table import FOLDER_GLOBS, IMPORTERS, detect, importer_for
from tests.importers.rollouts import Rollout

HEADS = [
    (b'{"record":"trace","format":"skillc.trace/1"}\n', "native"),
    (b'{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user"}}\n', "claude-code"),
    (Rollout().user("x").data(), "codex"),
    (
        json.dumps(Rollout().user("x").bare()[0]).encode() + b'\n{"type":"message","role":"user","content":[]}\n',
        "codex",
    ),
    (b'{"sessionId":"s","projectHash":"h","messages":[{"type":"user","content":"x"}]}', "gemini"),
    (b'{"sessionId":"s","projectHash":"h"}\n{"id":"a","type":"user","content":"x"}\n', "gemini"),
    (b'{"schema_version":"ATIF-v1.5","agent":{"name":"a"},"steps":[{"role":"user"}]}', "atif"),
    (b'{"trajectory":[{"action":"ls","observation":"a"}],"history":[{"role":"user"}]}', "swe-agent"),
    (b'{"0":{"query":"x","turn_history":{"actions":[]}}}', "intercode"),
    (b'[{"role": "user", "content": "x"}]', "messages"),
]


def test_every_importer_is_found_by_its_kind():
    kinds = {"native", "claude-code", "codex", "gemini", "atif", "swe-agent", "intercode", "messages"}

    assert [importer_for(importer.kind) for importer in IMPORTERS] == list(IMPORTERS)
    assert {importer.kind for importer in IMPORTERS} >= kinds
    assert FOLDER_GLOBS.keys() <= {importer.kind for importer in IMPORTERS}


def test_an_unknown_kind_is_told_with_the_known_ones():
    with pytest.raises(UsageError) as caught:
        importer_for("word")
    assert "claude-code" in caught.value.hint


@pytest.mark.parametrize(("head", "kind"), [*HEADS, (b"just text", None), (b"\xff\xfe\x00", None), (b"", None)])
def test_a_file_is_known_by_its_first_bytes(head: bytes, kind: str | None):
    found = detect(head, "file")

    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(("head", "kind"), HEADS)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_no_two_importers_of_a_host_know_the_same_file(head: bytes, kind: str, bom: bytes):
    """So the order of the table decides nothing between them; `messages` alone takes what others may take."""
    knows = {importer.kind for importer in IMPORTERS if importer.detect(bom + head, "file")}

    assert knows - {"messages"} == {kind} - {"messages"}
