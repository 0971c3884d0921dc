"""Grounding: names, hosts, commands and values of a model's line must stand in the events that it cites.

A model may word a line as it likes; what it names it must have read in the cited events. This needs no
understanding: whatever looks like a name, an address, a program or code is looked up. Paper: 5.3, Validation.
Not here: whether the events support what is said (the Curator), values of one case (core.scan.values).
"""

import base64
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from skillc.core.compile.evidence import Evidence
from skillc.core.scan.views import decode
from skillc.core.skill.claim import PLACEHOLDER, Action, Citation, Claim, FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.trace.operation import commands_of, is_failed, is_shell, operation_name, operations_of
from skillc.core.trace.records import Event, EventKind
from skillc.core.words import names

_CODE = re.compile(r"`([^`]{1,400})`")
_WORD = re.compile(r"[^\s\"'`“”‘’()\[\]{},;<>|&]+")
_EDGE = ".,:;!?*~#"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{4,400}={0,2}")
_HUMPS = re.compile(r"[a-z][A-Z]")
_ENCODED = "names an encoded value that its cited events do not show"
MIN_ENCODED_CHARS = 8
_BARE = re.compile(r"[^a-z0-9]+")
MIN_SPLIT_CHARS = 7
# Programs that fetch, send, install or take rights: a line that names one must have seen it used.
_PROGRAMS = names(
    "curl wget nc ncat netcat socat ssh scp sftp rsync ftp telnet sudo su doas chmod chown eval exec powershell "
    "iwr irm certutil bitsadmin npx npm pnpm yarn pip pip3 pipx uvx gem cargo brew apt apt-get yum dnf apk docker "
    "podman kubectl bash sh zsh dash python perl ruby node osascript base64 xxd openssl gpg crontab systemctl "
    "nslookup dig"
)
_OWN_KINDS = (EventKind.USER_MESSAGE, EventKind.TOOL_CALL, EventKind.SKILL_USE)
_HOST = re.compile(
    r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.(?:com|org|net|io|dev|app|ai|co|info|biz|me|xyz|top|site|online|cloud|"
    r"example|test|invalid|local|internal|eu|de|uk|fr|ru|cn|in|br|jp|us|onion)(?:[/:?#]|$)"
)
_PLAIN_DOTTED = names("e.g i.e etc a.m p.m vs and/or he/she his/her n/a")


class Haystack(NamedTuple):
    """What cited events show, folded. `said` is the part that no stranger wrote: calls, and what people said."""

    whole: str
    said: str


def why_ungrounded(claim: Claim, evidence: Evidence) -> str:
    """Returns what a line names that its cited events do not show; empty when they show all of it."""
    citations = claim.citations
    if isinstance(claim, FailureClaim) and claim.recovery:
        # A symptom may be that something was left out; only the recovery can show its name.
        citations += claim.recovery_citations
    texts = [claim.text]
    if isinstance(claim, FailureClaim):
        texts.append(claim.recovery or "")
    if isinstance(claim, StepClaim):
        if claim.repeat and (reason := why_not_shown(claim.repeat, _whole_traces(citations, evidence))):
            return reason
        if claim.action is not None and (reason := _why_not_that_call(claim.action, claim.citations, evidence)):
            return reason
    haystack = haystack_of(citations, evidence)
    return next((reason for text in texts if (reason := why_not_shown(text, haystack))), "")


def why_not_shown(text: str, haystack: Haystack) -> str:
    """Returns what a text names that does not stand in the haystack, as a kind and never as the word itself.

    A program or an address must stand in a call or in what people said: a tool's output may name any.
    """
    folded = decode(text)
    seen = PLACEHOLDER.sub(" ", folded.casefold())
    for code in _CODE.findall(seen):
        if any(word not in haystack.whole for word in code.split()):
            return "names code that its cited events do not show"
    for raw in _WORD.findall(seen):
        word = raw.strip(_EDGE)
        if word in _PROGRAMS or "://" in word or "@" in word or _HOST.match(word):
            if word not in haystack.said:
                return f"names {'a program' if word in _PROGRAMS else 'an address'} that no cited action has"
        elif word and word not in haystack.whole and (kind := _kind(word)):
            return f"names {kind} that its cited events do not show"
    return next((_ENCODED for raw in _WORD.findall(folded) if is_encoded(raw, haystack.whole)), "")


def is_encoded(word: str, shown: str) -> bool:
    """Says whether a word that no event shows reads as text in base64, or changes case like an encoding does."""
    bare = word.strip(_EDGE)
    if len(bare) < MIN_ENCODED_CHARS or bare.casefold() in shown or not _BASE64.fullmatch(bare):
        return False
    if len(_HUMPS.findall(bare)) > 1:
        return True
    try:
        text = base64.b64decode(bare.rstrip("=") + "=" * (-len(bare.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return False
    return text.isascii() and text.decode().isprintable()


def _kind(word: str) -> str:
    """Returns what a word looks like, or nothing for a plain one."""
    if word in _PLAIN_DOTTED or not any(c.isalnum() for c in word):
        return ""
    if "%" in word and re.search(r"%[0-9a-f]{2}", word):
        return "an encoded value"
    if "_" in word or "\\" in word or word.startswith(("/", "~/", "./", "--")):
        return "a name"
    if "." in word[1:-1] and not re.fullmatch(r"\d+(\.\d+)?%?", word):
        return "a host or file"
    digits = sum(c.isdigit() for c in word)
    if digits and any(c.isalpha() for c in word) and len(word) >= 4:
        return "an identifier"
    if digits >= 4:
        return "a number"
    if len(word) >= 24 and "-" not in word and "/" not in word:
        return "an opaque value"
    return ""


def shown_text(citations: Iterable[Citation], evidence: Evidence) -> str:
    """Returns everything that the cited events show, folded for looking things up."""
    return haystack_of(citations, evidence).whole


def haystack_of(citations: Iterable[Citation], evidence: Evidence) -> Haystack:
    """Returns what the cited events show; a call stands with its operations spelled out, a result with its tool."""
    whole: list[str] = []
    said: list[str] = []
    for event in cited(citations, evidence):
        parts = [event.tool or "", event.operation or "", event.text or ""]
        if event.arguments:
            parts += [json.dumps(event.arguments, ensure_ascii=False), *_leaves(event.arguments)]
        if event.tool and is_shell(event.tool):
            for command in commands_of(event.tool, event.arguments):
                parts += [operation_name(command), " ".join(command.words)]
        whole += parts
        if event.kind in _OWN_KINDS and not event.untrusted:
            said += parts
    return Haystack(decode("\n".join(whole)).casefold(), decode("\n".join(said)).casefold())


def _whole_traces(citations: Iterable[Citation], evidence: Evidence) -> Haystack:
    """What the cited Traces show as a whole: a step is repeated for what an earlier call gave."""
    whole = []
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is not None and source.trace.events:
            whole.append(Citation(trace_id=citation.trace_id, events=tuple(e.id for e in source.trace.events)))
    return haystack_of(whole, evidence)


def cited(citations: Iterable[Citation], evidence: Evidence) -> Iterator[Event]:
    """Yields the cited events that are stored and readable."""
    for citation in citations:
        source = evidence.source(citation.trace_id)
        for event_id in citation.events if source is not None else ():
            event = source.trace.event(event_id) if source is not None else None
            if event is not None and event.restricted is None:
                yield event


def worked_calls(citations: Iterable[Citation], evidence: Evidence) -> Iterator[tuple[Citation, Event]]:
    """Yields the cited calls of the agent whose result was no error, each with its citation alone."""
    for citation in citations:
        source = evidence.source(citation.trace_id)
        if source is None:
            continue
        results = [e for e in source.trace.events if e.kind is EventKind.TOOL_RESULT and e.call_id is not None]
        failed = {e.call_id for e in results if is_failed(e)}
        for event_id in citation.events:
            event = source.trace.event(event_id)
            if event is None or event.restricted is not None or not event.tool:
                continue
            if event.kind in (EventKind.TOOL_CALL, EventKind.SKILL_USE) and event.call_id not in failed:
                yield Citation(trace_id=citation.trace_id, events=(event_id,)), event


def _why_not_that_call(action: Action, citations: Iterable[Citation], evidence: Evidence) -> str:
    """The step's call is one that the cited events made: its tool, operation, arguments and constants."""
    calls = [event for _, event in worked_calls(citations, evidence) if event.tool == action.tool]
    if not calls:
        return "is the call of a tool that no cited action used with success"
    if action.operation is not None:
        calls = [e for e in calls if action.operation in (*operations_of(action.tool, e.arguments), e.operation)]
        if not calls:
            return "is an operation that no cited action did"
    known = {name for e in calls for name in (e.arguments or {})}
    if not set(action.arguments) <= known:
        return "has an argument that no cited action had"
    shown = decode("\n".join(json.dumps(e.arguments, ensure_ascii=False) for e in calls)).casefold()
    values = decode("\n".join(_leaves([e.arguments for e in calls]))).casefold()
    if any(decode(key).casefold() not in shown for key in _keys(action.arguments)):
        return "has an argument that no cited action had"
    for value in _leaves(action.arguments):
        rest = PLACEHOLDER.sub(" ", decode(value).casefold())
        if any(word not in shown and word not in values for word in rest.split()):
            return "has an argument value that no cited action had"
    return ""


def split_value(contract: Contract, values: Iterable[str]) -> bool:
    """Says whether a value of a source stands in pieces over the lines of a contract, next to each other.

    `values` are compact (core.scan.values). Looked for in what is left when everything but letters and digits goes.
    """
    texts: list[str] = []
    for _, claim in iter_claims(contract):
        texts.append(claim.text)
        if isinstance(claim, FailureClaim):
            texts.append(claim.recovery or "")
        if isinstance(claim, StepClaim) and claim.action is not None:
            texts += _leaves(claim.action.arguments)
    pieces = [_BARE.sub("", _folded(text)) for text in texts]
    ends = "|".join(a[-40:] + b[:40] for a, b in pairwise(pieces))
    inside = "|".join(pieces)
    return any(
        len(value) >= MIN_SPLIT_CHARS and any(c.isdigit() for c in value) and (value in ends or value in inside)
        for value in (_BARE.sub("", _folded(v)) for v in values)
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", decode(text)).casefold()


def _leaves(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _leaves(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _leaves(item)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [key for name, item in value.items() for key in (name, *_keys(item))]
    return [key for item in value for key in _keys(item)] if isinstance(value, list | tuple) else []
