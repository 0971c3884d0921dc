"""Edits: which files a session really wrote, and whether a commit still shows them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.edits import edits_of, matches_content, matches_glob, normal_path
from tests import makers
from tests.makers import call, fails, gives


def write(path: str, content: str = "text"):
    return call("Write", {"file_path": path, "content": content})


def edit(path: str, old: str = "old", new: str = "new"):
    return call("Edit", {"file_path": path, "old_string": old, "new_string": new})


def edited(*drafts) -> list[str]:
    return [e.path for e in edits_of(makers.make_trace(*drafts))]


def test_a_successful_write_and_edit_are_seen_in_order():
    found = edits_of(makers.make_trace(write("a.py", "whole"), gives(), edit("b.py", "x", "y"), gives()))
    assert [(e.path, e.text, e.removed, e.whole, e.event_id) for e in found] == [
        ("a.py", "whole", "", True, "e0"),
        ("b.py", "y", "x", False, "e2"),
    ]


def test_a_failed_or_unanswered_write_is_no_edit():
    assert edited(write("a.py"), fails("denied")) == []
    assert edited(write("a.py")) == []


def test_a_call_without_an_id_is_not_answered_by_a_result_without_one():
    call_without = write("a.py") | {"call_id": None}
    result_without = gives() | {"call_id": None}
    assert edited(call_without, result_without) == []


def test_every_part_of_a_multiple_edit_is_seen():
    parts = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}, "junk", {"new_string": 1}]
    found = edits_of(makers.make_trace(call("MultiEdit", {"file_path": "a", "edits": parts}), gives()))
    assert [(e.removed, e.text) for e in found] == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    "draft",
    [call("Write", {"content": "x"}), call("Write", {"file_path": 1, "content": "x"}), call("Write", {"file_path": "a"}),
     call("MultiEdit", {"file_path": "a", "edits": "x"}), call("Read", {"file_path": "a"}), call("Edit", {"path": "a"})],
)  # fmt: skip
def test_a_call_of_another_shape_is_no_edit(draft):
    assert edited(draft, gives()) == []


@pytest.mark.parametrize(
    ("path", "normal"),
    [("./a/b", "a/b"), ("././a", "a"), ("a/../tests/test_x.py", "tests/test_x.py"), ("a//b", "a/b"), ("a/./b", "a/b"),
     ("../x", "../x"), ("/abs/../x", "/x"), ("", ""), ("tests", "tests")],
)  # fmt: skip
def test_a_detour_does_not_hide_a_path(path: str, normal: str):
    assert normal_path(path) == normal
    if path:
        assert edited(write(path), gives()) == [normal]


PATCH = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** Delete File: old.py\n*** End Patch"


@pytest.mark.parametrize(
    ("draft", "paths"),
    [
        (call("apply_patch", {"input": PATCH}), ["a.py", "old.py"]),
        (call("apply_patch", {"_raw": PATCH}), ["a.py", "old.py"]),
        (call("shell", {"command": ["apply_patch", PATCH], "workdir": "api"}), ["api/a.py", "api/old.py"]),
        (call("exec_command", {"cmd": f"cd web && apply_patch <<'EOF'\n{PATCH}\nEOF"}), ["web/a.py", "web/old.py"]),
        (call("shell", {"command": ["bash", "-lc", f"apply_patch '{PATCH}'"]}), ["a.py", "old.py"]),
        (call("shell", {"command": f"cat > notes <<'EOF'\n{PATCH}\nEOF"}), []),
        (call("read_file", {"input": PATCH}), []),
        (call("apply_patch", {"input": "no patch"}), []),
        (call("apply_patch", {"input": 7}), []),
    ],
)
def test_a_patch_is_an_edit_where_it_is_applied(draft, paths: list[str]):
    assert edited(draft, gives()) == paths
    assert edited(draft, fails("rejected")) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("write_file", {"file_path": "a", "content": "x"}, ("x", "", True)),
        ("replace", {"file_path": "a", "old_string": "o", "new_string": "n"}, ("n", "o", False)),
        ("str_replace_editor", {"command": "create", "path": "a", "file_text": "x"}, ("x", "", True)),
        (
            "str_replace_editor",
            {"command": "str_replace", "path": "a", "old_str": "o", "new_str": "n"},
            ("n", "o", False),
        ),
        ("mcp__fs__write_file", {"path": "a", "content": "x"}, ("x", "", True)),
    ],
)
def test_the_edits_of_every_host_are_seen(tool: str, arguments: dict[str, str], expected: tuple[str, str, bool]):
    found = edits_of(makers.make_trace(call(tool, arguments), gives()))
    assert [(e.text, e.removed, e.whole) for e in found] == [expected]


def test_looking_with_an_editor_is_no_edit():
    assert edited(call("str_replace_editor", {"command": "view", "path": "a"}), gives()) == []


# The content of a commit


def shown(edits, files: dict[str, str]) -> tuple[int, int]:
    return matches_content(edits_of(makers.make_trace(*edits)), files.get)


def test_the_last_edit_of_a_file_counts():
    edits = [write("a", "one\n"), gives(), write("a", "two\n"), gives()]
    assert shown(edits, {"a": "two\n"}) == (1, 1)
    assert shown(edits, {"a": "one\n"}) == (0, 1)


def test_a_whole_file_may_differ_in_its_last_newline_only():
    assert shown([write("a", "one"), gives()], {"a": "one\n"}) == (1, 1)
    assert shown([write("a", "one"), gives()], {"a": "one\nmore"}) == (0, 1)


def test_a_part_is_shown_when_the_file_holds_it():
    assert shown([edit("a", "x", "new line"), gives()], {"a": "before\nnew line\nafter"}) == (1, 1)
    assert shown([edit("a", "x", "new line"), gives()], {"a": "else"}) == (0, 1)


def test_a_removal_is_shown_when_the_text_is_gone():
    assert shown([edit("a", "gone", ""), gives()], {"a": "rest"}) == (1, 1)
    assert shown([edit("a", "gone", ""), gives()], {"a": "not gone"}) == (0, 1)


def test_a_file_that_is_not_there_is_not_shown():
    assert shown([write("a"), gives(), write("b"), gives()], {"b": "text"}) == (1, 2)
    assert shown([], {}) == (0, 0)


def test_a_deletion_is_shown_when_the_file_is_gone():
    patch = [call("apply_patch", {"input": PATCH}), gives()]
    assert shown(patch, {"a.py": "x = 1\n"}) == (2, 2)
    assert shown(patch, {"a.py": "x = 1\n", "old.py": "still"}) == (1, 2)


# Globs


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("tests/**", "tests/a.py", True),
        ("tests/**", "tests/a/b.py", True),
        ("tests/**", "tests", False),
        ("tests/**", "mytests/a.py", False),
        ("**/test_*.py", "test_a.py", True),
        ("**/test_*.py", "a/b/test_a.py", True),
        ("**/test_*.py", "a/test_b/c.py", False),
        ("*.toml", "pyproject.toml", True),
        ("*.toml", "a/pyproject.toml", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("a.c", "abc", False),
        ("[ab]", "a", False),
        ("[ab]", "[ab]", True),
        ("pyproject.toml", "pyproject.toml\n", False),
        ("*", "new\nline", True),
        ("**", "any/thing", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("", "", True),
    ],
)
def test_a_glob_crosses_folders_only_where_it_says_so(pattern: str, path: str, matches: bool):
    assert matches_glob(path, [pattern]) is matches


def test_one_of_several_globs_is_enough():
    assert matches_glob("b", ["a", "b"])
    assert not matches_glob("c", ["a", "b"])
    assert not matches_glob("c", [])


@given(st.text(), st.lists(st.text(st.sampled_from("a*?/.[]()+\\")), max_size=3))
def test_a_pattern_is_never_read_as_a_regular_expression(path: str, patterns: list[str]):
    literal = [p for p in patterns if not set(p) & set("*?")]
    assert matches_glob(path, literal) == (path in literal)
    matches_glob(path, patterns)


@given(st.lists(st.from_regex(r"[a-z]{1,3}", fullmatch=True), min_size=1, max_size=4))
def test_two_stars_match_every_path_below(parts: list[str]):
    path = "/".join(parts)
    assert matches_glob(path, ["**"])
    assert matches_glob(path, ["**/" + re.sub("[a-z]", "?", parts[-1])])
    assert matches_glob("x/" + path, ["x/**"])
