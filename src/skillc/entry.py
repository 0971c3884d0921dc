"""The console script: answers what needs no imports, cleans the environment, then starts the command line.

`skillc --version` imports nothing but the version, and the capture hook nothing but itself. Everything else
starts after GIT_* variables of a surrounding git hook are gone, because git would point us at the wrong repository.
"""

import gc
import os
import sys

_KEPT = frozenset(
    {"GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_TRACE"}
)


def main() -> None:
    """Runs skillc on the arguments of this process and exits."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from skillc.version import __version__

        print(f"skillc {__version__}")
        raise SystemExit(0)
    if sys.argv[1:2] == ["capture"] and "--hook" in sys.argv[2:]:
        from skillc.hook import main as take_event

        take_event(sys.argv[2:])
        raise SystemExit(0)
    if "GIT_INDEX_FILE" in os.environ:
        os.environ["SKILLC_IN_GIT_HOOK"] = "1"  # git is in the middle of something: nothing is written by the way
    for name in [n for n in os.environ if n.startswith("GIT_") and n not in _KEPT]:
        del os.environ[name]
    gc.set_threshold(200_000)  # by default the collector runs a hundred times while modules load
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for plugins reads every package
    from skillc.cli.app import run

    raise SystemExit(run())
