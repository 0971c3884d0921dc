"""`verify --as`: a registered person with a key that needs the person."""

import subprocess
from pathlib import Path

import pytest

from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError
from skillc.lifecycle.verify_person import verify_by_person
from tests.world import World


class TestPerson:
    """`--as NAME`: a registered person with a key that needs the person."""

    @pytest.fixture
    def keyed(self, world: World, tmp_path: Path) -> tuple[World, Path]:
        key = tmp_path / "alice"
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "a passphrase", "-f", str(key)]
        subprocess.run(argv, check=True, capture_output=True)
        public = (tmp_path / "alice.pub").read_text("utf-8").strip()
        line = f'people:\n  - {{id: alice, roles: [verifier], key: "{public}", key_class: attended}}'
        world.set_policy("people: []", line)
        return world, key

    def test_a_key_without_a_passphrase_is_refused(self, keyed, tmp_path: Path):
        world, key = keyed
        argv = ["ssh-keygen", "-q", "-p", "-P", "a passphrase", "-N", "", "-f", str(key)]
        subprocess.run(argv, check=True, capture_output=True)
        with pytest.raises(PolicyError, match="without the person"):
            verify_by_person(world.context(), "alice", Outcome.SUCCESS, ["t-"], key_path=key)

    def test_another_key_than_the_registered_one_is_refused(self, keyed, tmp_path: Path):
        world, _ = keyed
        other = tmp_path / "other"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "x", "-f", str(other)], check=True)
        with pytest.raises(PolicyError, match="not the registered key"):
            verify_by_person(world.context(), "alice", Outcome.SUCCESS, ["t-"], key_path=other)

    def test_an_unregistered_person_is_refused(self, keyed):
        world, key = keyed
        with pytest.raises(PolicyError, match="no registered verifier"):
            verify_by_person(world.context(), "mallory", Outcome.SUCCESS, ["t-"], key_path=key)

    def test_a_persons_verdict_against_the_tool_makes_a_conflict(self, keyed, tmp_path: Path, monkeypatch):
        """The passphrase comes from an askpass program, as it would from a dialog."""
        world, key = keyed
        askpass = tmp_path / "askpass"
        askpass.write_text("#!/bin/sh\necho a passphrase\n", "utf-8")
        askpass.chmod(0o755)
        monkeypatch.setenv("SSH_ASKPASS", str(askpass))
        monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
        target = next(t for t, a in world.attempts().items() if a.standing.is_verified_success)
        verify_by_person(world.context(), "alice", Outcome.FAILURE, [target], key_path=key)
        standing = world.attempts()[target].standing

        assert standing.conflicted
        assert not standing.is_verified_success
        assert standing.assurance.label == "attended"


def test_the_command_needs_a_terminal_and_no_agent_host(world: World):
    done = world.run("verify", "--as", "alice", "--outcome", "success", "t-1")
    assert done.returncode == 2
    assert "terminal" in done.stderr
    done = world.run("trust", "unit-tests", CLAUDECODE="1")
    assert done.returncode == 2
    assert "CLAUDECODE" in done.stderr
