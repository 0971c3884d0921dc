"""Where the transcript of a session lies that the hook told about: at the path that the host gave, else by its id.

Only regular files of this user below the host's own folder count. Gemini CLI names a file by the beginning of the
session's id, so the id inside decides. Not here: the spool itself (repo.session_spool), taking sessions
(lifecycle.drain).
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from skillc.repo.host_folders import transcript_roots
from skillc.repo.session_spool import SpooledSession, is_own_file

NO_TRANSCRIPT = "its transcript is not among the host's own files"
_HEAD_BYTES = 64 * 1024
_GEMINI_ID_CHARS = 8


def find_transcripts(sessions: Sequence[SpooledSession]) -> list[Path | None]:
    """Returns the transcript of each session, None where there is none. The files of a host are listed once."""
    listings: dict[str, list[Path]] = {}
    found = []
    for session in sessions:
        if session.transcript is not None:
            is_own = is_own_file(session.transcript, transcript_roots(session.agent))
            found.append(session.transcript if is_own else None)
            continue
        if session.agent not in listings:
            listings[session.agent] = sorted(_files_of(session.agent))
        found.append(_by_id(session, listings[session.agent]))
    return found


def _files_of(host: str) -> Iterator[Path]:
    for root in transcript_roots(host):
        for folder, _, names in os.walk(root):
            yield from (Path(folder, name) for name in names if ".json" in name)


def _by_id(session: SpooledSession, files: Sequence[Path]) -> Path | None:
    """Returns the first file of the name; for Gemini CLI the newest one, for a resumed session is written on there."""
    roots = transcript_roots(session.agent)
    if session.agent == "gemini":
        begin = session.session_id[:_GEMINI_ID_CHARS]
        named = [p for p in reversed(files) if p.name.startswith("session-") and begin in p.name]
        return next((p for p in named if is_own_file(p, roots) and _is_of(p, session.session_id)), None)
    named = [p for p in files if f"{session.session_id}.json" in p.name]
    return next((p for p in named if is_own_file(p, roots)), None)


def _is_of(path: Path, session_id: str) -> bool:
    from skillc.importers.documents import head_object
    from skillc.importers.lines import head_objects

    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return False
    return any(one.get("sessionId") == session_id for one in (head_object(head), *head_objects(head, 1)))
