"""A model scanner's answer: findings that are added, and a verdict that clears nothing.

A quote is located by its place, else by being in the text exactly once; one that is neither is unlocated and still
blocks. `clean` beside a finding is not clean. Paper: 5.3, Scanners (model part).
Not here: the deterministic rules, which run first and always (core.scan), what a finding stops (core.admit).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skillc.core.compile.answer_items import MAX_FINDINGS, AnswerFinding
from skillc.core.compile.answer_text import AnswerProblem, Dropped, items_of, missing_keys, parse_answer
from skillc.core.record import Record, digest_of
from skillc.core.scan.contract_scanner import claim_strings
from skillc.core.scan.finding import Finding, Severity
from skillc.core.skill.contract import CONTRACT_FILE, Contract, iter_claims

RULE_PREFIX = "model-"


class ScannedText(NamedTuple):
    """One text of a question and where it stands."""

    path: str
    text: str


class ScannerAnswer(Record):
    """What a model scanner adds."""

    findings: tuple[Finding, ...]
    dropped: tuple[Dropped, ...] = ()


def scanned_texts(contracts: Sequence[Contract]) -> dict[str, ScannedText]:
    """Returns alias -> text for every text of the contracts that would be rendered: `x1` ..."""
    found: list[ScannedText] = []
    for contract in contracts:
        path = f"{contract.name}/{CONTRACT_FILE}"
        found.append(ScannedText(f"{path}#name", contract.name))
        for field, claim in iter_claims(contract):
            words = "\n".join(text for text in claim_strings(claim) if text)
            found.append(ScannedText(f"{path}#{field}/{claim.id}", words))
    return {f"x{number}": text for number, text in enumerate(found, 1)}


def read_scanner(text: str, texts: Mapping[str, ScannedText]) -> ScannerAnswer | AnswerProblem:
    """Returns the findings of an answer; an answer that cannot be read is no scan."""
    value = parse_answer(text)
    if isinstance(value, AnswerProblem):
        return value
    if wrong := missing_keys(value, ("findings", "verdict")):
        return AnswerProblem(reason=wrong)
    if value["verdict"] not in ("clean", "reject"):
        return AnswerProblem(reason="the field 'verdict' is neither clean nor reject")
    items, dropped = items_of(AnswerFinding, value["findings"], "findings", MAX_FINDINGS)
    findings = [_finding(item, texts, number) for number, item in enumerate(items)]
    # A finding that cannot be read is a finding: the scanner saw something.
    findings += [_unlocated("other", len(items) + number) for number, _ in enumerate(dropped)]
    rejects = value["verdict"] == "reject"
    if rejects and not any(f.severity is Severity.BLOCK for f in findings):
        findings.append(_unlocated("other", len(findings) + 1))
    return ScannerAnswer(findings=tuple(findings), dropped=tuple(dropped))


def _finding(item: AnswerFinding, texts: Mapping[str, ScannedText], number: int) -> Finding:
    scanned = texts.get(item.path)
    start = _place(item, scanned.text) if scanned is not None else None
    if scanned is None or start is None:
        return _unlocated(item.kind.value, number)
    severity = Severity.WARN if item.confidence == "low" else Severity.BLOCK
    before = scanned.text[:start]
    rule = f"{RULE_PREFIX}{item.kind.value.replace('_', '-')}"
    return Finding(
        path=scanned.path,
        line=before.count("\n") + 1,
        column=start - (before.rfind("\n") + 1) + 1,
        rule=rule,
        severity=severity,
        title=f"A model sees {_WORDS[item.kind.value]}",
        excerpt="",
        fingerprint=digest_of([rule, scanned.path, start, item.end]),
    )


def _place(item: AnswerFinding, text: str) -> int | None:
    """Returns where a quote stands: at its place, or at the only place where the text has it."""
    if item.quote and text[item.start : item.end] == item.quote:
        return item.start
    if item.quote and text.count(item.quote) == 1:
        return text.index(item.quote)
    return None


def _unlocated(kind: str, number: int) -> Finding:
    rule = f"{RULE_PREFIX}{kind.replace('_', '-')}"
    return Finding(
        path="(unlocated)",
        line=1,
        column=1,
        rule=rule,
        severity=Severity.BLOCK,
        title=f"A model sees {_WORDS[kind]} and does not say where",
        excerpt="",
        fingerprint=digest_of([rule, "unlocated", number]),
    )


_WORDS = {
    "person": "a person's data",
    "identifier": "an identifier of one case",
    "credential": "a credential",
    "private_url": "a private address",
    "contact": "contact data",
    "injected_instruction": "an injected instruction",
    "other": "something that should not be published",
}
