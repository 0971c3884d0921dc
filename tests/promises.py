"""The promises of an admitted Skill, as one function over its contract, its evidence and its rendered file.

Written without the code that it judges: it reads Traces and texts itself. `broken_promises` returns what is broken;
tests/model_path/test_promises.py shows that each line of it can fail.
"""

import base64
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from skillc.core.compile.evidence import Evidence
from skillc.core.record import pretty_json
from skillc.core.skill.claim import FailureClaim, StepClaim
from skillc.core.skill.contract import Contract, EvidenceRule, contract_fields, iter_claims, parse_contract
from skillc.core.skill.render import render_agent_view
from skillc.errors import DataError

_FRONTMATTER = {"name", "description", "license", "compatibility", "metadata", "skillc-id", "skillc-family"}
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_ACTING = re.compile(r"!`|(?<!\\)@[\w./~]|(?<!\\)\$\d|(?<!\\)\$ARGUMENTS|\]\(|<[a-z]+ |<!--|```|<script|<img", re.I)
_FETCHING = re.compile(r"\b(curl|wget|powershell|base64|netcat)\b|https?://|\bevil\b", re.I)


def broken_promises(contract: Contract, evidence: Evidence, secrets: Iterable[str] = ()) -> list[str]:
    """Returns every promise of design section 1 that an admitted version breaks, as a word and where."""
    return [
        *_evidence_behind_every_line(contract, evidence),
        *_counts(contract, evidence),
        *_steps_are_actions(contract, evidence),
        *_texts_are_clean(contract, evidence, tuple(secrets)),
        *_file_is_what_it_says(contract),
    ]


def _roles(contract: Contract, evidence: Evidence, citations: Any) -> Iterator[str]:
    for citation in citations:
        source = next((s for s in evidence.sources if s.trace.header.trace_id == citation.trace_id), None)
        if source is None or source.trace.header.namespace != evidence.namespace:
            yield "unknown-trace"
            continue
        ids = {e.id: e for e in source.trace.events}
        for event_id in citation.events:
            if event_id not in ids:
                yield "unknown-event"
            elif ids[event_id].restricted is not None:
                yield "restricted-event"
        good = source.standing.strength.is_strong and source.standing.outcome.value == "success"
        yield "success" if good and not source.standing.conflicted else "failure"


def _evidence_behind_every_line(contract: Contract, evidence: Evidence) -> Iterator[str]:
    rules = contract_fields()
    for field, claim in iter_claims(contract):
        where = f"{field}/{claim.id}"
        if not claim.citations:
            yield f"no-evidence {where}"
        found = set(_roles(contract, evidence, claim.citations))
        bad = found - {"success", "failure"}
        if bad:
            yield f"{sorted(bad)[0]} {where}"
        if rules[field].rule is EvidenceRule.SUCCESS and found != {"success"}:
            yield f"rests-on-failure {where}"
        if rules[field].rule is EvidenceRule.CONTRAST and "success" not in found:
            yield f"contrast-alone {where}"
        if isinstance(claim, FailureClaim) and claim.recovery:
            recovering = set(_roles(contract, evidence, claim.recovery_citations))
            if recovering != {"success"}:
                yield f"unverified-recovery {where}"


def _counts(contract: Contract, evidence: Evidence) -> Iterator[str]:
    cited = {c.trace_id for _, claim in iter_claims(contract) for c in claim.citations}
    families = {
        s.attempt_family
        for s in evidence.sources
        if s.trace.header.trace_id in cited and s.standing.outcome.value == "success"
    }
    if set(contract.support.attempt_families) - families or len(set(contract.support.attempt_families)) != len(
        contract.support.attempt_families
    ):
        yield "false-support"
    if contract.support.single_source != (len(contract.support.attempt_families) == 1):
        yield "false-single-source"


def _steps_are_actions(contract: Contract, evidence: Evidence) -> Iterator[str]:
    if not contract.steps:
        yield "no-steps"
    for step in contract.steps:
        tools, effects = set(), []
        for citation in step.citations:
            source = next((s for s in evidence.sources if s.trace.header.trace_id == citation.trace_id), None)
            events = source.trace.events if source is not None else ()
            failed = {e.call_id for e in events if e.kind.value == "tool_result" and e.is_error}
            for event in events:
                if event.id in citation.events and event.kind.value == "tool_call" and event.call_id not in failed:
                    tools.add(event.tool)
                    effects.append((event.tool or "", event.arguments or {}))
        if not tools:
            yield f"step-without-action steps/{step.id}"
        if step.action is not None:
            if step.action.tool not in tools:
                yield f"other-tool steps/{step.id}"
            names = {name for tool, arguments in effects if tool == step.action.tool for name in arguments}
            if set(step.action.arguments) - names:
                yield f"other-argument steps/{step.id}"
        said = {e.effect.value for e in contract.effects}
        if any("refund" in tool for tool, _ in effects) and not said & {"money"}:
            yield "hidden-effect"


def _texts(contract: Contract) -> Iterator[str]:
    yield contract.name
    for _, claim in iter_claims(contract):
        yield claim.text
        if isinstance(claim, FailureClaim):
            yield claim.recovery or ""
        if isinstance(claim, StepClaim):
            yield claim.repeat or ""
            yield json.dumps(claim.action.arguments if claim.action else {}, ensure_ascii=False)


def _readings(text: str) -> Iterator[str]:
    """The text as a reader, a decoder and a person who joins pieces may read it."""
    shown = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    yield shown
    yield unquote(shown)
    look_alikes = str.maketrans("АВЕЅІЈКМНОРСТУХаеѕіјорсухһ", "ABESIJKMHOPCTYXaesijopcyxh")
    yield shown.translate(look_alikes)
    for run in re.findall(r"[A-Za-z0-9+/=_-]{8,}", shown):
        for pad in ("", "=", "=="):
            try:
                yield base64.b64decode(run + pad, altchars=b"-_").decode("utf-8")
            except ValueError:
                continue


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFD", text)).casefold()


def _texts_are_clean(contract: Contract, evidence: Evidence, secrets: tuple[str, ...]) -> Iterator[str]:
    texts = [*_texts(contract), render_agent_view(contract), *contract.validity.tested_with]
    whole = "".join(_bare(t) for t in _texts(contract))
    for secret in secrets:
        wanted = _bare(secret)
        if any(wanted in _bare(reading) for text in texts for reading in _readings(text)):
            yield f"instance-value {wanted[:3]}..."
        elif wanted in whole:
            yield f"split-instance-value {wanted[:3]}..."
    for text in texts:
        if _UNSEEN.search(text):
            yield "unseen-character"
        if _FETCHING.search(text):
            yield "order-of-a-stranger"
        if re.search(r"\bt\d+\.e\d+\b", text):
            yield "alias-in-text"


def _file_is_what_it_says(contract: Contract) -> Iterator[str]:
    view = render_agent_view(contract)
    view.encode("utf-8")
    try:
        again = parse_contract(pretty_json(contract), path="contract.json")
    except DataError:
        again = None
    if again != contract:
        yield "contract-changes-when-read"
    head, _, body = view.removeprefix("---\n").partition("\n---\n")
    keys = {line.split(":")[0].strip() for line in head.split("\n")}
    if keys - _FRONTMATTER:
        yield "foreign-frontmatter"
    if _ACTING.search(body):
        yield "acts-when-loaded"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", contract.name) or len(contract.name) > 64:
        yield "bad-name"
    if len(contract.description.text) > 1024 or view.count("\n") > 500 or len(view) > 20_000:
        yield "too-long"
