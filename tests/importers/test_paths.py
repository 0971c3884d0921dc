"""Paths lose the machine and keep the project, in texts and in encoded lines alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json, to_json

from skillc.importers.paths import PathShortener


def shortener(*roots: str) -> PathShortener:
    paths = PathShortener()
    for root in roots:
        paths.add_root(root)
    return paths


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/ann/shop/src/a.py", "src/a.py"),
        ("cd /home/ann/shop && ls", "cd . && ls"),
        ("ls /home/ann/shop/", "ls ./"),
        ("/home/ann/shop/.env", ".env"),
        ("/home/ann/shop.", ".."),
        ("/home/ann/shop-old/x", "~/shop-old/x"),
        ("/home/ann/shop.git", "~/shop.git"),
        ("/home/bob/x", "~/x"),
        ("see /Users/zoë/x", "see ~/x"),
        ("C:\\Users\\ann\\x", "~\\x"),
        ("https://example.com/home/about", "https://example.com/home/about"),
        ("/mnt/home/ann/shop/x", "/mnt/home/ann/shop/x"),
        ("\x1b[32m/home/ann/shop/x", "\x1b[32mx"),
        ("a\n/home/ann/y\nb", "a\n~/y\nb"),
        ("/home/", "/home/"),
    ],
)
def test_a_path_is_relative_to_the_project_or_to_home(text: str, expected: str):
    paths = shortener("/home/ann/shop")

    assert paths.text(text) == expected
    assert from_json(paths.lines(to_json({"text": text}))[0])["text"] == expected


def test_a_windows_project_is_relative_too():
    paths = shortener("C:\\work\\shop")

    assert paths.text("C:\\work\\shop\\src\\a.py") == "src\\a.py"
    assert from_json(paths.lines(to_json("in C:\\work\\shop\\src"))[0]) == "in src"
    assert from_json(paths.lines(to_json("C:\\work\\shop\nnext"))[0]) == ".\nnext"


def test_a_folder_below_a_known_one_is_no_new_root():
    assert shortener("/w/shop", "/w/shop/sub").text("/w/shop/sub/a") == "sub/a"


@pytest.mark.parametrize("root", ["/", "", "/home/ann", "x", "/a"])
def test_a_root_that_would_eat_everything_is_none(root: str):
    assert shortener(root).text("/usr/bin and x") == "/usr/bin and x"


def test_the_label_is_the_folders_name_and_never_a_user():
    assert shortener("/w/shop").label == "shop"
    assert shortener("/home/ann").label == "~"


_PIECE = st.sampled_from(
    [
        "/home/ann/shop",
        "/home/",
        "/Users/",
        "ann",
        "/",
        ".",
        "shop",
        "\\",
        "\n",
        '"',
        "é",
        " ",
        "n",
        "C:\\Users\\",
        "m",
        "3",
    ]
)


@given(st.lists(_PIECE, max_size=8).map("".join))
def test_a_line_stays_json_and_a_second_pass_finds_no_home(text: str):
    paths = shortener("/home/ann/shop")
    value = from_json(paths.lines(to_json({"text": text}))[0])["text"]

    assert "\n/home/ann/shop" not in "\n" + value
