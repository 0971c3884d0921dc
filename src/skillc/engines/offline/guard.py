"""The guard against instance values: a last look at every line before it is proposed.

A name, number or address that only one attempt family shows has no place in a Skill; with a single family, no
literal of its arguments and results has, but for tools, operations, flags and the check. Paper: 5.3.
Not here: the scanner, which looks again (core.scan).
"""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from skillc.core.compile.evidence import Evidence
from skillc.core.record import json_text, strings_in
from skillc.core.scan.contract_scanner import Part, scan_contract, scan_parts
from skillc.core.scan.finding import Severity
from skillc.core.scan.values import TraceValues, trace_values
from skillc.core.skill.claim import PLACEHOLDER, Claim, FailureClaim, InputClaim, StepClaim
from skillc.core.skill.contract import Contract, cited_events, iter_claims
from skillc.core.trace.operation import commands_of, is_check, operation_name
from skillc.core.trace.records import Event, EventKind
from skillc.engines.offline.checks import verification_command
from skillc.engines.offline.lines import names_in, variables_of
from skillc.engines.offline.places import COMMON_FILES
from skillc.engines.offline.values import has_identifier_keys

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@:/-]*[A-Za-z0-9]")
_FIELD = re.compile(r'"([A-Za-z_][A-Za-z_-]*\d{0,2})"\s*:')
_JOINTS = frozenset("_.@:-")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MAX_KEY_DEPTH = 12


# What a tool printed is quoted in failure modes; a quote that says where to fetch something is no symptom.
_FETCHING_QUOTE = re.compile(r"“[^”]*(?:\w+://|\bcurl\b|\bwget\b|\bpip3? install\b|\bnpm i(?:nstall)?\b)[^”]*”", re.I)


class OrderGuard:
    """Knows which lines repeat text of a tool that the scanner would block, or that send the reader elsewhere.

    Hostile text in tool output must cost its own line, not the whole proposal. Each text is looked at once.
    """

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def lines_with_an_order(self, contract: Contract) -> set[tuple[str, str]]:
        """Returns field and id of the lines that carry an order."""
        told = {(field, claim.id): _told(claim) for field, claim in iter_claims(contract)}
        self._look_at([text for text in dict.fromkeys(told.values()) if text not in self._known])
        return {line for line, text in told.items() if self._known[text]}

    def _look_at(self, texts: list[str]) -> None:
        parts = [Part(str(number), text) for number, text in enumerate(texts)]
        findings = scan_parts(parts, path="", values=TraceValues({}))
        blocked = {f.path.removeprefix("#") for f in findings if f.severity is Severity.BLOCK}
        for place, text in parts:
            self._known[text] = place in blocked or _FETCHING_QUOTE.search(text) is not None


def _told(claim: Claim) -> str:
    return f"{claim.text}\n{claim.recovery or ''}" if isinstance(claim, FailureClaim) else claim.text


def blocked_claims(contract: Contract, evidence: Evidence) -> set[str]:
    """Returns the ids of claims that the scanner would block for a value of the Traces that the contract cites."""
    cited = cited_events(contract)
    sources = [s for s in evidence.sources if s.trace_id in cited]
    families = {s.trace_id: s.attempt_family for s in sources}
    values = trace_values([s.trace for s in sources], attempt_family_of=lambda t: families[t.trace_id])
    findings = scan_contract(contract, path="", values=values)
    return {f.path.rsplit("/", 1)[-1] for f in findings if f.severity is Severity.BLOCK and "/" in f.path}


class InstanceGuard:
    """Knows which literals of the events belong to one attempt family only; looks when it is asked."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._known: dict[str, bool] = {}

    def keeps_instance_value(self, claim: Claim) -> bool:
        """Says whether a line holds a literal that looks like an instance value of one attempt family."""
        texts = [claim.text]
        if isinstance(claim, StepClaim) and claim.action is not None:
            texts += strings_in(claim.action.arguments)
        if isinstance(claim, FailureClaim) and claim.recovery:
            texts.append(claim.recovery)
        if isinstance(claim, InputClaim):
            texts = [t.replace(claim.name, " ") for t in texts]
        return any(self._is_instance(t.lower()) for t in _tokens([PLACEHOLDER.sub(" ", t) for t in texts]))

    def _is_instance(self, token: str) -> bool:
        if not (any(c.isdigit() or c in "_@/:" for c in token) or "." in token[1:-1]):
            return False
        if token not in self._known:
            self._known[token] = self._families_with(token) == 1 and token not in self._names
        return self._known[token]

    def _families_with(self, token: str) -> int:
        """Returns how many attempt families hold the token as a whole, or as the end of a path: 0, 1 or 2 for more."""
        found = 0
        for text in self._texts.values():
            found += holds_whole(text, token)
            if found > 1:
                break
        return found

    @cached_property
    def _texts(self) -> dict[str, str]:
        """All literals of each attempt family, in lower case."""
        parts: dict[str, list[str]] = {}
        for source in self._evidence.sources:
            own = parts.setdefault(source.attempt_family, [])
            for event in source.trace.events:
                own.extend(_literals(event))
        return {family: "\n".join(texts).lower() for family, texts in parts.items()}

    @cached_property
    def _names(self) -> set[str]:
        """Names of tools, operations, flags, variables and fields: the tools' own words, the same in every case."""
        names = {name.lower() for name in COMMON_FILES}
        for source in self._evidence.sources:
            names.update(word.removeprefix("./").lower() for word in verification_command(source).split())
            for event in source.trace.events:
                names.update(_field_names(event))
                if event.tool:
                    names.add(event.tool.lower())
                    for command in commands_of(event.tool, event.arguments):
                        names.update(operation_name(command).lower().split())
                        names.update(f.split("=")[0].lower() for f in command.flags)
                        names.update(n.lower() for n in names_in((*command.assignments, *variables_of(command))))
                        if is_check(command.operation):
                            names.update(f.lower() for f in command.flags)
        return names


def holds_whole(text: str, token: str) -> bool:
    """Says whether a text holds a token that is no part of a longer one; a path may go before it."""
    at = text.find(token)
    while at >= 0:
        first, last = at, at + len(token)
        while first > 0 and text[first - 1] in _JOINTS:
            first -= 1
        while last < len(text) and (text[last] in _JOINTS or text[last] == "/"):
            last += 1
        before, after = text[first - 1 : first], text[last : last + 1]
        if not (before in _LETTERS or after in _LETTERS):
            return True
        at = text.find(token, at + 1)
    return False


def _literals(event: Event) -> Iterator[str]:
    if event.arguments:
        yield json_text(event.arguments)
    if event.text and event.kind in (EventKind.TOOL_RESULT, EventKind.USER_MESSAGE):
        yield event.text[:100_000]


def _field_names(event: Event) -> Iterator[str]:
    """Names of arguments and of JSON fields."""
    yield from _keys(event.arguments, 0)
    text = event.text or ""
    if event.kind is EventKind.TOOL_RESULT and text.lstrip()[:1] in ("{", "[") and len(text) <= 100_000:
        yield from (name.lower() for name in _FIELD.findall(text))


def _keys(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and depth < MAX_KEY_DEPTH and not has_identifier_keys(value):
        for key, item in value.items():
            yield from (name.lower() for name in _WORD.findall(str(key)))
            yield from _keys(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _keys(item, depth)


def _tokens(texts: list[str]) -> Iterator[str]:
    for text in texts:
        for token in _TOKEN.findall(text):
            if len(token) >= 3:
                yield token
