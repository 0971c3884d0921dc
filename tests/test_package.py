"""The stable API: small, sorted, true, and free of cost until it is used."""

import subprocess
import sys
from importlib import metadata

import pytest

import skillc


def test_all_is_sorted_and_true():
    assert skillc.__all__ == sorted(skillc.__all__)
    for name in skillc.__all__:
        assert getattr(skillc, name) is not None


def test_a_name_is_the_one_of_its_home():
    from skillc.core.trace.codec import parse_trace

    assert skillc.parse_trace is parse_trace


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'gone'"):
        skillc.gone


def test_a_star_import_gives_the_stable_api():
    names: dict[str, object] = {}
    done = subprocess.run(
        [sys.executable, "-c", "from skillc import *; print(sorted(n for n in dir() if n[0] != '_'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str([n for n in skillc.__all__ if n[0] != "_"])
    assert names == {}


def test_the_version_is_the_one_of_the_installed_package():
    try:
        installed = metadata.version("skillc")
    except metadata.PackageNotFoundError:
        pytest.skip("skillc runs from its source here")
    assert installed == skillc.__version__
