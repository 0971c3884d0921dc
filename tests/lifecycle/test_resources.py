"""What ships with skillc is there, in a checkout and in the wheel."""

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.resources import template


@pytest.mark.parametrize(
    "name", ["skillc.yaml", "demo/manifest.json", "demo/project.bundle", "github/skillc-check.yml"]
)
def test_a_shipped_file_is_found(name: str):
    assert template(name).is_file()


def test_a_missing_file_says_install_again():
    with pytest.raises(RepoError) as stop:
        template("nothing-like-it")
    assert stop.value.hint == "install skillc again"
