"""The files of a session's subagents, merged into the session by time.

An edit of a subagent then stands before the test that the main line ran after it. Their events carry the
agent's id as actor. A file of another session and the helper of the compaction are left out.
Not here: which files lie beside a session (importers.companions), what a record means
(importers.claude_session).
"""

import re
from collections.abc import Iterator, Sequence

from skillc.importers.base import Companion, ImportReport
from skillc.importers.claude_records import iter_records
from skillc.importers.claude_shapes import ClaudeRecord

_SUBAGENT_FILE = re.compile(r"^agent-([A-Za-z0-9_-]{1,64})$")
_COMPACTION_FILE = re.compile(r"^agent-acompact-")
END_OF_TIME = "~"  # sorts after every ISO time


def stem_of(path: str) -> str:
    """Returns the file name of a path without its folder and its last extension."""
    return path.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]


def subagent_of(stem: str) -> str | None:
    """Returns the agent id in a subagent file's name, or None for a session's."""
    match = _SUBAGENT_FILE.match(stem)
    return match[1] if match else None


def is_compaction(stem: str) -> bool:
    """Says whether a file holds the work of the client's own summarizer, which is nobody's attempt."""
    return _COMPACTION_FILE.match(stem) is not None


class Subagents:
    """The subagents' files of one session, each read one record ahead."""

    def __init__(self, companions: Sequence[Companion], session: str, report: ImportReport) -> None:
        self._files: list[_SubagentFile] = []
        for companion in companions:
            stem = stem_of(companion.name)
            if is_compaction(stem):
                report.skipped["compaction helper file"] += 1
                continue
            file = _SubagentFile(companion, stem.removeprefix("agent-"), report)
            if file.session == session:
                self._files.append(file)
            else:
                file.close()

    def until(self, time: str) -> Iterator[ClaudeRecord]:
        """Yields the records up to a time, oldest first, marked as a subagent's."""
        while True:
            ready = [file for file in self._files if file.record is not None and file.time <= time]
            if not ready:
                return
            file = min(ready, key=lambda item: (item.time, item.name))
            record = file.take()
            record.is_sidechain = True
            if record.agent_id is None:
                record.agent_id = file.name
            yield record


class _SubagentFile:
    """One companion. A record without a time keeps the place of the record before it."""

    def __init__(self, companion: Companion, name: str, report: ImportReport) -> None:
        self.name = name
        self.time = ""
        self.record: ClaudeRecord | None = None
        self._stream = companion.open()
        self._records = iter_records(self._stream, report)
        self._advance()
        self.session = self.record.session_id if self.record else None

    def take(self) -> ClaudeRecord:
        record = self.record
        assert record is not None
        self._advance()
        return record

    def close(self) -> None:
        self._stream.close()

    def _advance(self) -> None:
        self.record = next(self._records, None)
        if self.record is None:
            self.close()
            return
        time = self.record.timestamp
        self.time = max(self.time, time if isinstance(time, str) else "")
