"""The guard against instance values: a last look at every line before it is proposed.

A name, number or address that only one attempt family shows has no place in a Skill; with a single family, no
literal of its arguments and results has, but for tools, operations, flags and the check. Paper: 5.3.
Not here: the scanner, which looks again (core.scan).
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from skillc.core.compile.evidence import Evidence
from skillc.core.scan.finding import Severity
from skillc.core.scan.scanner import scan_text, worst
from skillc.core.scan.values import TraceValues
from skillc.core.skill.claim import Claim, FailureClaim, InputClaim, StepClaim
from skillc.core.trace.operation import commands_of, is_check, operation_name
from skillc.core.trace.records import Event, EventKind
from skillc.engines.offline.lines import names_in, variables_of
from skillc.engines.offline.places import COMMON_FILES
from skillc.engines.offline.values import leaves, scalar

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:/-]*[A-Za-z0-9]")
_SLASH = re.compile(r"/+")
MAX_PATH_CHARS = 300
MAX_PATH_DEPTH = 12
_PLACEHOLDER = re.compile(r"<[a-z][a-z0-9_]*>")


# What a tool printed is quoted in failure modes; a quote that says where to fetch something is no symptom.
_FETCHING_QUOTE = re.compile(r"“[^”]*(?:\w+://|\bcurl\b|\bwget\b|\bpip3? install\b|\bnpm i(?:nstall)?\b)[^”]*”", re.I)


def carries_an_order(claim: Claim) -> bool:
    """Says whether a line repeats text of a tool that the scanner would block, or that sends the reader elsewhere.

    Hostile text in tool output must cost its own line, not the whole proposal.
    """
    text = f"{claim.text}\n{claim.recovery or ''}" if isinstance(claim, FailureClaim) else claim.text
    findings = scan_text(text, path="", values=TraceValues({}))
    return worst(findings) is Severity.BLOCK or _FETCHING_QUOTE.search(text) is not None


class InstanceGuard:
    """Knows which literals of the events belong to one attempt family only."""

    def __init__(self, evidence: Evidence) -> None:
        self._families: dict[str, set[str]] = {}
        self._names: set[str] = {name.lower() for name in COMMON_FILES}
        for source in evidence.sources:
            for event in source.trace.events:
                for token in _with_ends(_tokens(list(_literals(event.arguments, event.text, event.kind)))):
                    self._families.setdefault(token.lower(), set()).add(source.attempt_family)
                self._names.update(_field_names(event))
                if event.tool:
                    self._names.add(event.tool.lower())
                    for command in commands_of(event.tool, event.arguments):
                        self._names.update(operation_name(command).lower().split())
                        self._names.update(f.split("=")[0].lower() for f in command.flags)
                        self._names.update(n.lower() for n in names_in((*command.assignments, *variables_of(command))))
                        if is_check(command.operation):
                            self._names.update(f.lower() for f in command.flags)

    def keeps_instance_value(self, claim: Claim) -> bool:
        """Says whether a line holds a literal that looks like an instance value of one attempt family."""
        texts = [claim.text]
        if isinstance(claim, StepClaim) and claim.action is not None:
            texts += _strings(claim.action.arguments)
        if isinstance(claim, FailureClaim) and claim.recovery:
            texts.append(claim.recovery)
        if isinstance(claim, InputClaim):
            texts = [t.replace(claim.name, " ") for t in texts]
        return any(self._is_instance(token) for token in _tokens([_PLACEHOLDER.sub(" ", t) for t in texts]))

    def _is_instance(self, token: str) -> bool:
        families = self._families.get(token.lower())
        if families is None or len(families) >= 2 or token.lower() in self._names:
            return False
        return any(c.isdigit() for c in token) or any(c in token for c in "_@/:") or "." in token[1:-1]


def _literals(arguments: dict[str, Any] | None, text: str | None, kind: EventKind) -> Iterator[str]:
    for leaf in leaves(arguments or {}):
        yield leaf.value
    for value in (arguments or {}).values():
        if isinstance(value, str):
            yield scalar(value)
    if text and kind in (EventKind.TOOL_RESULT, EventKind.USER_MESSAGE):
        yield text[:100_000]


def _field_names(event: Event) -> Iterator[str]:
    """Names of arguments and of JSON fields: the tool's own words, the same in every case."""
    text = (event.text or "").lstrip()
    try:
        result = json.loads(text) if text[:1] in ("{", "[") and len(text) <= 100_000 else None
    except ValueError:
        result = None
    for value in (event.arguments, result):
        for leaf in leaves(value or {}, cut=True):
            if "{key}" not in leaf.path:
                yield from (name.lower() for name in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", leaf.path))


def _tokens(texts: list[str]) -> Iterator[str]:
    for text in texts:
        for token in _TOKEN.findall(text):
            if len(token) >= 3:
                yield token


def _with_ends(tokens: Iterator[str]) -> Iterator[str]:
    """Yields the tokens, and of a path also what is left without its first folders: a path inside the project."""
    for token in tokens:
        yield token
        if "/" in token and len(token) < MAX_PATH_CHARS:
            for match in list(_SLASH.finditer(token))[:MAX_PATH_DEPTH]:
                if len(token) - match.end() >= 3:
                    yield token[match.end() :]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for item in value.values() for s in _strings(item)]
    if isinstance(value, list):
        return [s for item in value for s in _strings(item)]
    return []
