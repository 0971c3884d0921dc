"""The guard of commands that a person must give: a terminal, and no host that runs an agent around us.

A guard for careless agents, not a wall; docs/THREATS.md says what holds against others.
"""

import os
import sys

from skillc.errors import PolicyError

_HOST_MARKERS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_CLI", "GEMINI_CLI")
_CI_MARKERS = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "BUILDKITE")


def require_person(action: str) -> None:
    """Raises PolicyError without a terminal, inside CI, or under an agent host's environment markers."""
    marker = next((name for name in (*_HOST_MARKERS, *_CI_MARKERS) if os.environ.get(name)), None)
    if marker is not None:
        raise PolicyError(
            f"{action} is for a person, and {marker} is set: an agent host or CI runs this",
            hint="run it in a terminal of your own",
        )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise PolicyError(f"{action} is for a person and needs a terminal", hint="run it in a terminal of your own")


def confirm(question: str) -> bool:
    """Asks on the terminal; anything but yes is no."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
