"""Small file systems of their own, where this machine lets a test mount one."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """Gives a file system of a fixed size; skips the test where it cannot be mounted."""
    folder.mkdir(parents=True)
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"cannot mount a file system here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Makes a mounted file system read-only for a while."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)


def fill(folder: Path, *, leave_bytes: int) -> Path:
    """Fills a disk with one file, but for so many bytes."""
    path = folder / "filler"
    with path.open("wb") as file:
        while (left := _free(folder) - leave_bytes) > 0:
            file.write(b"\0" * min(left, 1 << 16))
            file.flush()
    return path


def _free(folder: Path) -> int:
    info = os.statvfs(folder)
    return info.f_bavail * info.f_frsize
