"""Which files below a folder are sessions: every format is known by its content, and parts of a session are none.

A part is what an importer joins to a session by itself: the files of subagents, the simulations beside a results
file, scores, and what lies in the folder of a trial's agent beside its trajectory.
Not here: walking (lifecycle.walk), joining (importers.companions), reading (importers).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from skillc.lifecycle import walk

HEAD_BYTES = 64 * 1024
_TRAJECTORY = "trajectory.json"


@dataclass(frozen=True)
class SourceFile:
    """A file to capture. `kind` is None where nobody looked, or nothing knows it; `is_found`: nobody named it."""

    path: str
    kind: str | None = None
    is_found: bool = False


@dataclass(frozen=True)
class FolderSessions:
    """The sessions below a folder, by name, and the folders that lie too deep to be looked into."""

    files: tuple[SourceFile, ...]
    too_deep: tuple[str, ...]


def sessions_in(folder: Path) -> FolderSessions:
    """Returns the sessions below a folder. Each file is looked at once, by its head.

    Lines of JSON in the folder itself that no importer knows are kept, so that capture says what they are.
    """
    too_deep: list[Path] = []
    looked = {file: look for file in walk.files_below(folder, too_deep) if (look := _look(file)) is not None}
    kinds: dict[Path, set[str]] = {}
    for file, look in looked.items():
        if look.kind is not None:
            kinds.setdefault(file.parent, set()).add(look.kind)
    known = {file: look.kind for file, look in looked.items() if look.kind is not None}
    parts = set(_parts(known))
    strange = {
        file: None
        for file, look in looked.items()
        if look.kind is None and file.parent == folder and _may_be_lines(file) and not _is_beside(file, look, kinds)
    }
    chosen = sorted({**{f: k for f, k in known.items() if f not in parts}, **strange}.items())
    return FolderSessions(
        files=tuple(SourceFile(str(file), kind, is_found=True) for file, kind in chosen),
        too_deep=tuple(str(one) for one in too_deep),
    )


@dataclass(frozen=True)
class _Look:
    kind: str | None
    beside: frozenset[str]  # the kinds of sources beside which the file belongs


def _look(file: Path) -> _Look | None:
    """Returns what the head of a file tells, None for a file whose name is no session's."""
    from skillc.importers.table import SESSION_SUFFIXES, detect, kinds_beside

    if not file.name.endswith(SESSION_SUFFIXES):
        return None
    try:
        with file.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return _Look(None, frozenset())  # capture says what is wrong with it
    importer = detect(head, file.name)
    return _Look(importer.kind, frozenset()) if importer else _Look(None, kinds_beside(head))


def _may_be_lines(file: Path) -> bool:
    return file.suffix == ".jsonl" and not file.name.startswith("agent-")


def _is_beside(file: Path, look: _Look, kinds: dict[Path, set[str]]) -> bool:
    return not look.beside.isdisjoint(kinds.get(file.parent, ()))


def _parts(known: dict[Path, str]) -> Iterator[Path]:
    """Yields the files that another session takes in."""
    from skillc.importers.claude_subagents import subagent_of

    atif = {file.parent for file, kind in known.items() if kind == "atif" and file.name == _TRAJECTORY}
    trials = {folder for folder in atif if folder.name == "agent"}
    results = {file.parent for file, kind in known.items() if kind == "tau2"}
    for file, kind in known.items():
        is_head = file.name == _TRAJECTORY and file.parent in atif
        in_trial = any(above in trials for above in (file.parents if not is_head else file.parent.parents))
        if (
            in_trial
            or (kind == "claude-code" and subagent_of(file.stem) is not None)
            or (kind == "atif" and not is_head and not {file.parent, file.parent.parent}.isdisjoint(atif))
            or (kind == "tau2" and file.parent.name == "simulations" and file.parent.parent in results)
        ):
            yield file
