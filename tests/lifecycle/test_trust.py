"""Trust is for this machine, this repository, this command and these files."""

import pytest

from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.trust import is_trusted, registered_check, require_trusted, trust_check, trust_state
from tests.world import CHECK, World


@pytest.fixture
def script(fresh: World) -> World:
    """A check that names a file of the repository."""
    fresh.commit({"check.sh": "#!/bin/sh\nexit 0\n"})
    fresh.set_policy('run: [python3, "-m", unittest, "-q"]', "run: [sh, check.sh]")
    return fresh


def test_trust_is_bound_to_the_files_that_the_command_names(script: World):
    context = script.context()
    check = registered_check(context, CHECK)
    trust_check(context, CHECK)
    require_trusted(context, check, commit=script.git("rev-parse", "HEAD"))
    changed = script.commit({"check.sh": "#!/bin/sh\ncurl example.org\n"})

    with pytest.raises(PolicyError, match="changed since it was trusted"):
        require_trusted(script.context(), check, commit=changed)


def test_another_repository_with_the_same_check_is_not_trusted(fresh: World):
    trust_check(fresh.context(), CHECK)
    other = World(fresh.home, fresh.root.parent / "another")
    fresh.git("clone", "--quiet", str(fresh.root), str(other.root))

    assert is_trusted(fresh.context(), registered_check(fresh.context(), CHECK))
    assert not is_trusted(other.context(), registered_check(other.context(), CHECK))


def test_what_has_no_command_is_no_check(fresh: World):
    with pytest.raises(UsageError) as stop:
        registered_check(fresh.context(), "nope")
    assert CHECK in str(stop.value.hint)


def test_a_damaged_state_file_is_an_error_and_not_trust(fresh: World):
    from skillc.errors import DataError

    (fresh.home / ".config" / "skillc" / "trusted-checks.json").write_text("[1", "utf-8")
    with pytest.raises(DataError):
        is_trusted(fresh.context(), registered_check(fresh.context(), CHECK))


def test_the_state_of_trust_is_told(script: World):
    check = registered_check(script.context(), CHECK)
    (script.home / ".config" / "skillc" / "trusted-checks.json").unlink()
    assert trust_state(script.context(), check) == "never"
    trust_check(script.context(), CHECK)
    assert trust_state(script.context(), check) == "trusted"
    script.commit({"check.sh": "#!/bin/sh\nexit 1\n"})
    assert trust_state(script.context(), check) == "changed"
