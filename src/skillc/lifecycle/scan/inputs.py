"""What a scan reads: files, folders, archives and standard input, each as bytes with two names.

Links are not followed, nothing is unpacked to disk, and whatever is not looked at is reported with its reason.
Not here: what is found in the bytes (lifecycle.scan.texts), archives (lifecycle.scan.archives).
"""

import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from skillc.core.scan.detectors import find_spans
from skillc.core.scan.file_kinds import is_archive_name
from skillc.core.scan.report import Unread
from skillc.core.trace.edits import matches_glob
from skillc.errors import UsageError
from skillc.lifecycle.scan.archives import MAX_ARCHIVE_BYTES, members_of

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_STDIN_BYTES = 64 * 1024 * 1024
MAX_FILES = 50_000
STDIN = "-"
STDIN_NAME = "standard input"
# Folders of packages and caches. Inside a Skill they are told as not looked at: a host could load from them.
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".ruff_cache"})
_SKILL_FILE = "skill.md"


@dataclass(frozen=True)
class Input:
    """Bytes to scan. `shown` is how a person named the file, `path` is the same wherever the scan is started.

    `real` is the file on disk; None for what has none of its own. `archive` is the one that a member lies in.
    """

    shown: str
    path: str
    data: bytes
    real: Path | None
    archive: Path | None = None


@dataclass
class Reading:
    """How to read, and what was not: `keeps` says of a real path whether it is wanted at all."""

    exclude: tuple[str, ...] = ()
    name: str | None = None
    keeps: Callable[[Path], bool] | None = None
    unread: list[Unread] = field(default_factory=list)
    excluded: int = 0
    unchanged: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    _roots: dict[str, str | None] = field(default_factory=dict)

    def inputs(self, paths: Sequence[str]) -> Iterator[Input]:
        """Yields what is to be scanned, in a fixed order. Raises UsageError for a path that is not there."""
        for path in paths:
            if path != STDIN and not os.path.lexists(path):
                raise UsageError(
                    f"there is no file or folder {clean_name(path)!r}",
                    hint="name a file or folder that is here: skillc scan PATH",
                )
        seen: set[str] = set()
        for path in paths:
            yield from self._stdin() if path == STDIN else self._below(path, seen)

    def _stdin(self) -> Iterator[Input]:
        data = sys.stdin.buffer.read(MAX_STDIN_BYTES + 1)
        name = self.name or STDIN_NAME
        if len(data) > MAX_STDIN_BYTES:
            self.unread.append(Unread(path=name, reason=f"what follows {MAX_STDIN_BYTES} bytes was not looked at"))
            data = data[:MAX_STDIN_BYTES]
        real = Path(os.path.abspath(name)) if self.name else None
        path = self._stable(os.path.abspath(name), os.getcwd()) if self.name else name
        yield from self._with_members(Input(clean_name(name), path, data, real))

    def _below(self, path: str, seen: set[str]) -> Iterator[Input]:
        shown_path = path.removeprefix("./") or "."
        is_folder = os.path.isdir(path) and not os.path.islink(path)
        whole = os.path.abspath(path)
        outer = os.path.dirname(whole) if is_folder else os.path.dirname(os.path.dirname(whole))
        count = 0
        for name in self._walk(path, shown_path) if is_folder else (shown_path,):
            real = os.path.abspath(name)
            if real in seen:
                continue
            seen.add(real)
            stable = self._stable(real, outer)
            if matches_glob(stable, self.exclude) or matches_glob(clean_name(name), self.exclude):
                self.excluded += 1
                continue
            if self.keeps is not None and not self.keeps(Path(real)):
                self.unchanged += 1
                continue
            count += 1
            if count > MAX_FILES:
                self._not_read(path, f"has more than {MAX_FILES} files; the rest was not looked at")
                return
            data = self._bytes(name)
            if data is not None:
                yield from self._with_members(Input(clean_name(name), stable, data, Path(real)))

    def _walk(self, path: str, shown: str) -> Iterator[str]:
        def failed(error: OSError) -> None:
            self._not_read(str(error.filename), error.strerror or "cannot be read")

        skills: set[str] = set()
        for root, folders, names in os.walk(path, onerror=failed):
            below = os.path.relpath(root, path)
            here = (shown if below == "." else os.path.join(shown, below)).removeprefix("./")
            here = "" if here == "." else here
            if root.rpartition("/")[0] in skills or any(n.lower() == _SKILL_FILE for n in names):
                skills.add(root)
            for name in list(folders):
                reason = self._skipped(os.path.join(root, name), is_in_skill=root in skills)
                if reason is None:
                    continue
                folders.remove(name)
                if reason and (self.keeps is None or self.keeps(Path(os.path.abspath(os.path.join(root, name))))):
                    self._not_read(os.path.join(here, name), reason)
            folders.sort()
            yield from (os.path.join(here, name) for name in sorted(names) if name != ".git")

    def _skipped(self, folder: str, *, is_in_skill: bool) -> str | None:
        """Returns why a folder is not walked, empty where that is no word worth; None for one that is."""
        name = os.path.basename(folder)
        if os.path.islink(folder):
            return "is a link, which is not followed"
        if name in _SKIPPED_FOLDERS and is_in_skill:
            return "is a folder of packages or caches inside a Skill"
        if name in _SKIPPED_FOLDERS:
            self.skipped[name] += 1
        return "" if name in _SKIPPED_FOLDERS or name == ".git" else None

    def _bytes(self, name: str) -> bytes | None:
        """Returns a regular file's bytes; anything else, and what is too large, is reported."""
        limit = MAX_ARCHIVE_BYTES if is_archive_name(name) else MAX_FILE_BYTES
        try:
            if os.path.islink(name):
                self._not_read(name, "is a link, which is not followed")
                return None
            handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                info = os.fstat(file.fileno())
                if not stat.S_ISREG(info.st_mode):
                    self._not_read(name, "is not a regular file")
                    return None
                data = file.read(limit + 1) if info.st_size <= limit else b""
        except OSError as error:
            self._not_read(name, error.strerror or "cannot be read")
            return None
        if info.st_size > limit or len(data) > limit:
            self._not_read(name, f"is larger than {limit} bytes")
            return None
        return data

    def _with_members(self, item: Input) -> Iterator[Input]:
        """Yields a file as it is, an archive as its members: `archive!/member`."""
        if not is_archive_name(item.shown):
            yield item
            return
        for member in members_of(item.shown, item.data):
            name = clean_name(member.name)
            if member.problem is not None:
                self.unread.append(Unread(path=f"{item.shown}!/{name}" if name else item.shown, reason=member.problem))
            else:
                yield Input(f"{item.shown}!/{name}", f"{item.path}!/{name}", member.data, None, item.real)

    def _not_read(self, name: str, reason: str) -> None:
        self.unread.append(Unread(path=clean_name(name), reason=reason))

    def _stable(self, real: str, outer: str) -> str:
        """Returns the path from the top of the git repository around a file, else from `outer`."""
        return clean_name(os.path.relpath(real, self._root(os.path.dirname(real)) or outer))

    def _root(self, folder: str) -> str | None:
        if folder not in self._roots:
            above = os.path.dirname(folder)
            is_root = os.path.lexists(os.path.join(folder, ".git"))
            self._roots[folder] = folder if is_root else None if above == folder else self._root(above)
        return self._roots[folder]


def clean_name(name: str) -> str:
    """Returns a file name as text that any format can hold: no credential, and bytes that are no UTF-8 replaced."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    shown, at = [], 0
    for span in find_spans(text):
        if span.has_prefix and span.start >= at:
            shown += [text[at : span.start], f"<{span.kind}>"]
            at = span.end
    return "".join((*shown, text[at:]))
