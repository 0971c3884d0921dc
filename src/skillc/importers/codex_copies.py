"""Which items of a resumed or forked Codex session are copies of another session's: they would count twice.

An item with an id is a copy when the other file has the same one. Items without an id, as old versions wrote
them, are copies only from the start of the file on, until the first that the other file has not.
Not here: which file the other session lies in (importers.codex).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from skillc.core.record import canonical_json, sha256_hex
from skillc.importers import codex_texts as texts
from skillc.importers.base import Companion, ImportReport
from skillc.importers.codex_lines import iter_items


class Copies:
    """The keys of the items of other sessions' files, which are read once."""

    def __init__(self, companions: Sequence[Companion]) -> None:
        self.found = False
        self.dropped = 0
        self._ids: set[str] = set()
        self._texts: Counter[str] = Counter()
        self._at_start = True
        for companion in companions:
            with companion.open() as stream:
                for item in iter_items(stream, ImportReport(path=companion.name, kind="codex")):
                    if item.type == "response_item":
                        self.found = True
                        key, has_id = _key(item.payload)
                        if has_id:
                            self._ids.add(key)
                        else:
                            self._texts[key] += 1

    def holds(self, payload: dict[str, Any]) -> bool:
        """Says whether an item is a copy. Call it once per item, in file order."""
        key, has_id = _key(payload)
        is_copy = key in self._ids if has_id else self._at_start and self._texts[key] > 0
        if is_copy:
            self._texts[key] -= not has_id
            self.dropped += 1
        elif not _is_by_client(payload):
            self._at_start = False
        return is_copy


def _key(payload: dict[str, Any]) -> tuple[str, bool]:
    kind = payload.get("type")
    name = "call_id" if kind not in ("message", "reasoning") else "id"
    found = payload.get(name)
    if isinstance(found, str) and found:
        return f"{kind}\x00{found}", True
    parts = [payload.get(part) for part in ("type", "role", "content", "summary", "action", "input", "output")]
    return sha256_hex(canonical_json(parts)), False


def _is_by_client(payload: dict[str, Any]) -> bool:
    """Says whether the client may have put this item before the copies: its own texts differ by session."""
    role = payload.get("role")
    if role in ("developer", "system"):
        return True
    return role == "user" and texts.is_injected(texts.message_text(payload.get("content"), ("input_text", "text")))
