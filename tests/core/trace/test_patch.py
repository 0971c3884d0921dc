"""Patches: what they do to which file, and nothing that breaks the reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.patch import PatchPart, has_patch, patch_parts


def parts(body: str) -> list[PatchPart]:
    return list(patch_parts(f"*** Begin Patch\n{body}\n*** End Patch\n"))


def test_an_added_file_is_whole():
    assert parts("*** Add File: a/b.py\n+x = 1\n+\n+y = 2") == [PatchPart("a/b.py", "x = 1\n\ny = 2\n", whole=True)]


def test_each_hunk_is_a_part_with_its_lines_before_and_after():
    body = "*** Update File: a\n@@ def f\n one\n-two\n+2\n three\n@@\n-gone\n*** End of File"

    assert parts(body) == [PatchPart("a", "one\n2\nthree", "one\ntwo\nthree"), PatchPart("a", "", "gone")]


def test_a_moved_file_is_gone_at_its_old_place_and_changed_at_its_new():
    body = "*** Update File: old\n*** Move to: new\n@@\n-a\n+b"

    assert parts(body) == [PatchPart("old", "", deleted=True), PatchPart("new", "b", "a")]
    assert parts("*** Update File: old\n*** Move to: new") == [PatchPart("old", "", deleted=True)]


def test_a_deleted_file_is_gone():
    assert parts("*** Delete File: a\n*** Add File: b\n+x") == [
        PatchPart("a", "", deleted=True),
        PatchPart("b", "x\n", whole=True),
    ]


def test_a_hunk_without_a_change_is_none():
    assert parts("*** Update File: a\n@@\n one\n two") == []


def test_carriage_returns_and_text_around_do_not_matter():
    text = "apply_patch <<'EOF'\r\n*** Begin Patch\r\n*** Add File: a\r\n+x\r\n*** End Patch\r\nEOF\r\n*** Add File: b\r\n+y"

    assert patch_parts(text) == (PatchPart("a", "x\n", whole=True),)


@pytest.mark.parametrize(
    "text", ["", "*** Begin Patch", "*** Add File: a\n+x", "*** Begin Patch\n+++ b\n*** Add File: "]
)
def test_what_is_no_patch_has_no_parts(text: str):
    assert patch_parts(text) == ()


def test_a_patch_without_its_end_is_read_as_far_as_it_goes():
    assert patch_parts("*** Begin Patch\n*** Add File: a\n+x") == (PatchPart("a", "x\n", whole=True),)
    assert has_patch("x *** Begin Patch")
    assert not has_patch("*** Begin")


_LINE = st.sampled_from(
    ["*** Add File: a", "*** Update File: b", "*** Move to: c", "*** Delete File: d", "@@", "+x", "-y", " z"]
)


@given(st.lists(_LINE | st.text(max_size=8), max_size=12))
def test_no_lines_break_the_reader_and_every_part_has_a_path(lines: list[str]):
    assert all(part.path for part in parts("\n".join(lines)))
