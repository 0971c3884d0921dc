"""Which events of one attempt are stored as references without content: restricted calls, and their results.

A result finds its call by id. Where the call of a result is not known it may be a restricted one: then the result is a
reference too. What only a restricted event held is told, so that no later event of the attempt shows it.
Paper: 5.3. Not here: what a pattern matches (core.trace.restriction), writing (importers.writer).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from skillc.core.policy import RestrictedPattern
from skillc.core.trace.operation import is_shell
from skillc.core.trace.restriction import NO_LABELS, Restriction

MAX_SEEN = 200_000
_CALLS = frozenset(("tool_call", "skill_use"))
_RESULTS = frozenset(("tool_result", "error"))
LABEL_KEYS = ("labels", "tags")
# What tells one record from another: numbers and ids, addresses, names in capitals, whole lines.
_TOKEN = re.compile(r"\d{1,3}(?:,\d{3})+|[A-Za-z0-9](?:[\w.@+/-]*\d[\w.@+/-]*\d[\w@+/-]*|[\w.+-]*@[\w.-]+\w)")
_NAME = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+){1,3}\b")
_MIN_TOKEN_CHARS = 5
_MIN_LINE_CHARS = 24


class Restrictor:
    """The calls of one attempt while its events go by. `place` begins every reference."""

    def __init__(self, patterns: Sequence[RestrictedPattern], place: str) -> None:
        self._restriction = Restriction(patterns)
        self._place = place
        self._references: dict[str, str | None] = {}  # of every call that was seen: None where it may be kept
        self._without_id: str | None = None
        self._is_inside = False  # the shell of the session stands in a restricted folder
        self._seen: set[int] = set()  # hashes of the tokens that stored events show

    def reference(
        self,
        kind: str,
        seq: int,
        tool: str | None,
        call_id: str | None,
        arguments: Mapping[str, Any] | None,
        text: str | None,
        labels: frozenset[str] = NO_LABELS,
    ) -> str | None:
        """Returns the reference to store instead of an event's content, or None. Events are asked in their order."""
        ref = f"{self._place}:{call_id or seq}"
        if kind in _CALLS or arguments is not None:
            found = ref if self._touches(tool, arguments, labels) else None
            if call_id is None:
                self._without_id = found
            else:
                found = self._references[call_id] = self._references.get(call_id) or found
            return found
        known = self._references.get(call_id or "")
        if known is not None:
            return known
        if self._restriction.matches(tool, None, labels) and (tool is not None or labels):
            return ref
        if text is not None and self._restriction.matches_text(tool, text, labels):
            return ref
        return ref if kind in _RESULTS and self._may_be_restricted(tool, call_id) else None

    def _touches(self, tool: str | None, arguments: Mapping[str, Any] | None, labels: frozenset[str]) -> bool:
        """Says whether a call is restricted: by itself, or because the shell stands in a restricted folder."""
        leads = self._restriction.leads_into(tool, arguments)
        was_inside = self._is_inside and is_shell(tool)
        self._is_inside = self._is_inside if leads is None else leads
        return self._restriction.matches(tool, arguments, labels) or (was_inside and leads is None)

    def saw(self, text: str) -> None:
        """Takes note of what a stored event shows."""
        if len(self._seen) < MAX_SEEN:
            self._seen.update(map(hash, _tokens(text)))

    def only_here(self, text: str) -> Iterator[str]:
        """Yields the values of a restricted event that no stored event before it showed."""
        yield from (token for token in _tokens(text) if hash(token) not in self._seen)

    def _may_be_restricted(self, tool: str | None, call_id: str | None) -> bool:
        """Says whether a result may belong to a restricted call: its call is not known, or was the one without id."""
        if call_id is None:
            return self._without_id is not None
        return call_id not in self._references and (tool is None or not self._restriction.names_calls_only)


def labels_of(record: Mapping[str, Any]) -> frozenset[str]:
    """Returns the labels of a foreign record: the texts of its list `labels` or `tags`."""
    found: set[str] = set()
    for key in LABEL_KEYS:
        labels = record.get(key)
        if isinstance(labels, list):
            found.update(label for label in labels if isinstance(label, str))
    return frozenset(found)


def _tokens(text: str) -> Iterator[str]:
    yield from (token for token in _TOKEN.findall(text) if len(token) >= _MIN_TOKEN_CHARS)
    yield from _NAME.findall(text)
    yield from (line for line in map(str.strip, text.split("\n")) if len(line) >= _MIN_LINE_CHARS and " " in line)
