"""Files outside git: written whole or not at all, and never through a link that leads elsewhere."""

import contextlib
import os
import re
import stat
from pathlib import Path

from skillc.errors import RepoError


def write_whole(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Writes a file by a temporary neighbour, fsync and rename, so that it is old or new, never half."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        drop_leftovers(path)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)  # left by a killed process that had our number
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise unwritable(path, error) from error


def drop_leftovers(path: Path) -> None:
    """Removes the temporary neighbours of a file that killed processes left behind."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.([0-9]+)\.tmp")
    with contextlib.suppress(OSError):
        for name in os.listdir(path.parent):
            found = pattern.fullmatch(name)
            if found and not is_running(int(found.group(1))):
                os.unlink(path.parent / name)


def is_running(pid: int) -> bool:
    """Says whether a process with this number runs, of whatever user."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def unwritable(path: Path, error: OSError) -> RepoError:
    """Returns the RepoError for a file that cannot be written."""
    hint = "free some space and run the command again" if error.errno == 28 else "check the folder's owner and mode"
    return RepoError(f"cannot write {str(path)!r}: {error.strerror or error}", hint=hint)


def read_small(path: Path, *, limit: int) -> bytes | None:
    """Returns the bytes of a regular file up to `limit`, or None when it does not exist.

    Raises RepoError for a link, a device, or a larger file.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise RepoError(f"cannot read {str(path)!r}: {error.strerror}", hint="a link is not followed here") from error
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise RepoError(f"{str(path)!r} is not a regular file")
        if info.st_size > limit:
            raise RepoError(f"{str(path)!r} is larger than {limit} bytes")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(limit)
    finally:
        os.close(handle)
