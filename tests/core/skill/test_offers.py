"""What a file offers by its text; None where the text cannot tell."""

import pytest

from skillc.core.skill.named import Interface
from skillc.core.skill.offers import is_lost, make_targets, node_scripts

MAKE = "CC := gcc\n.PHONY: all docs\nall: docs\n\techo 50%: x\ndocs build::\n\ttrue\n"
SCRIPT = 'p.add_argument("--fast")\np.add_argument("-v", "--dry-run")\n'


def test_targets_are_the_words_before_the_colon():
    assert make_targets(MAKE) == {".PHONY", "all", "docs", "build"}


@pytest.mark.parametrize("text", ["include rules.mk\n", "%.o: %.c\n", "$(NAMES): x\n", "$(eval $(call f))\n"])
def test_a_makefile_that_makes_its_targets_tells_nothing(text: str):
    assert make_targets(text + "all:\n") is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": 3}', "[" * 5000])
def test_no_package_file_tells_nothing(text: str):
    assert node_scripts(text) is None


def test_scripts_of_a_package():
    assert node_scripts('{"scripts": {"build": "x"}}') == {"build"}
    assert node_scripts("{}") == frozenset()


@pytest.mark.parametrize(
    ("interface", "key", "before", "after", "lost"),
    [
        (Interface.MAKE_TARGET, "docs", MAKE, "all:\n", True),
        (Interface.MAKE_TARGET, "docs", MAKE, "include x.mk\n", False),
        (Interface.MAKE_TARGET, "other", MAKE, "all:\n", False),
        (Interface.NODE_SCRIPT, "a", '{"scripts": {"a": ""}}', '{"scripts": {"b": ""}}', True),
        (Interface.NODE_SCRIPT, "a", '{"scripts": {"a": ""}}', "{ merge conflict", False),
        (Interface.OPTION, "--fast", SCRIPT, 'p.add_argument("--dry-run")\n', True),
        (Interface.OPTION, "-v", SCRIPT, 'p.add_argument("--fast")\n', True),
        (Interface.OPTION, "--fast", SCRIPT, 'p.add_argument("--faster")\n', True),
        (Interface.OPTION, "--dry-run", SCRIPT, "def main(dry_run: bool = Option(False)): ...\n", False),
        (Interface.OPTION, "--fast", SCRIPT, "from options import parser\n", False),
        (Interface.OPTION, "--fast", SCRIPT, 'ArgumentParser(parents=[base])\np.add_argument("-v")\n', False),
        (Interface.OPTION, "--slow", SCRIPT, 'p.add_argument("-v")\n', False),
        (Interface.FILE, "", "a", "b", False),
    ],
)
def test_a_name_is_lost_only_when_the_texts_tell(interface: Interface, key: str, before: str, after: str, lost: bool):
    assert is_lost(interface, key, before, after) is lost
