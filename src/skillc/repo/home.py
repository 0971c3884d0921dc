"""What belongs to this person on this machine, outside every repository.

The capture secret, the tool key for local verification, and what the person trusted. Lives in the XDG
configuration folder. Not here: anything that a repository could carry.
"""

import contextlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

from skillc.errors import DataError, RepoError
from skillc.repo.files import read_small, unwritable, write_whole

_MAX_STATE_BYTES = 4 * 1024 * 1024


def config_home() -> Path:
    """Returns the folder of skillc's own configuration: `$XDG_CONFIG_HOME/skillc` or `~/.config/skillc`."""
    named = os.environ.get("XDG_CONFIG_HOME", "")
    root = Path(named) if named.startswith("/") else Path.home() / ".config"
    return root / "skillc"


def capture_secret(*, is_dry: bool = False) -> bytes:
    """Returns this machine's capture secret, made on first use: 32 bytes that only this account reads.

    A dry run before the first use gets a secret that is not kept.
    """
    path = config_home() / "capture.secret"
    found = read_small(path, limit=64)
    if found is None:
        fresh = secrets.token_bytes(32)
        if is_dry:
            return fresh
        _create_private(path, fresh)
        found = read_small(path, limit=64)  # another process may have been faster
    if found is None or len(found) != 32:
        raise RepoError(
            f"{str(path)!r} does not hold a capture secret",
            hint="move the file away; a new one is made, and later captures get other salts",
        )
    return found


def _create_private(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)  # the first writer wins, and never a half file
        temporary.unlink()
    except OSError as error:
        raise unwritable(path, error) from error


def tool_key_path() -> Path:
    """Returns where the private half of the tool key lies."""
    return config_home() / "keys" / "tool"


def read_state(name: str) -> dict[str, Any]:
    """Returns a small JSON object kept for this account, empty when there is none."""
    path = config_home() / name
    data = read_small(path, limit=_MAX_STATE_BYTES)
    if data is None:
        return {}
    try:
        value = json.loads(data)
    except ValueError as error:
        raise DataError(f"{path}:1: is not JSON", hint="move the file away and trust again what you trust") from error
    if not isinstance(value, dict):
        raise DataError(f"{path}:1: is no JSON object", hint="move the file away and trust again what you trust")
    return value


def write_state(name: str, value: dict[str, Any]) -> None:
    """Replaces a small JSON object kept for this account."""
    data = json.dumps(value, indent=2, sort_keys=True).encode() + b"\n"
    write_whole(config_home() / name, data, mode=0o600)
