"""Rules of paths and their roles."""

import pytest

from skillc.engines.offline.places import is_inside, path_argument, project_root, relative_path, role_of


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("tests/test_a.py", "test_file"),
        ("src/app.test.ts", "test_file"),
        ("conftest.py", "test_file"),
        ("src/app.py", "source_file"),
        ("README.md", "doc_file"),
        ("pyproject.toml", "config_file"),
        ("data/items.csv", "data_file"),
        ("src/latest.py", "source_file"),
    ],
)
def test_role_follows_place_and_suffix(path, role):
    assert role_of(path) == role


def test_root_is_found_by_the_label_of_the_project():
    paths = ["/home/a/shop/src/a.py", "/home/a/shop/tests/b.py"]

    assert project_root(paths, "shop") == "/home/a/shop/"
    assert project_root(paths, None) == "/home/a/shop/"
    assert project_root(["src/a.py"], "shop") == ""


def test_relative_path_has_no_root_and_no_selector():
    assert relative_path("/x/shop/tests/test_a.py::test_b", "/x/shop/") == "tests/test_a.py"
    assert relative_path("./src/a.py", "") == "src/a.py"


def test_paths_out_of_the_project_are_outside():
    assert is_inside("src/a.py")
    assert not any(is_inside(p) for p in ("/etc/x", "~/x", "../x", "a/../../x", ""))


def test_file_of_a_patch_is_read_from_its_text():
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n"

    assert path_argument({"input": patch}) == ("input", "src/a.py")
