"""What is for a person is refused without a terminal, in CI and under a host that runs an agent."""

import io

import pytest

from skillc.cli.terminal import confirm, require_person
from skillc.errors import PolicyError


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(patch: pytest.MonkeyPatch, answer: str = "y\n") -> None:
    """Replaces the streams inside the test, because pytest replaces them between its phases."""
    patch.setattr("sys.stdin", Terminal(answer))
    patch.setattr("sys.stderr", Terminal())


def test_a_person_at_a_terminal_passes(monkeypatch):
    at_terminal(monkeypatch)
    require_person("trust")
    assert confirm("Sure?")
    assert not confirm("Sure?")


@pytest.mark.parametrize(
    "marker", ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CI", "GITHUB_ACTIONS", "TF_BUILD", "JENKINS_URL"]
)
def test_a_host_marker_refuses_even_at_a_terminal(monkeypatch, marker: str):
    at_terminal(monkeypatch)
    monkeypatch.setenv(marker, "1")
    with pytest.raises(PolicyError, match=marker):
        require_person("trust")


def test_a_pipe_is_no_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(PolicyError, match="needs a terminal"):
        require_person("trust")
