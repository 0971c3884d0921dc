"""Files that ship with skillc: templates and the demo's input, from the wheel or from a source checkout."""

from pathlib import Path

from skillc.errors import RepoError


def template(name: str) -> Path:
    """Returns the path of a shipped file or folder. Raises RepoError when the installation lacks it."""
    package = Path(__file__).resolve().parent.parent
    for root in (package / "templates", package.parent.parent / "templates"):
        if (root / name).exists():
            return root / name
    raise RepoError(f"this installation has no {name!r}", hint="install skillc again")
