"""The catalogue: every rule that can report, as people read it: lists, explanations and the reference page.

Beside the table of rules (core.scan.rules) there are rules that need Traces or a contract. What they say of
themselves is here. Not here: where a rule hits.
"""

from functools import cache

from skillc.core.record import Record
from skillc.core.scan.finding import Severity
from skillc.core.scan.rule import ScanRule
from skillc.core.scan.rules import RULES
from skillc.core.scan.suppression import UNREAD_RULE
from skillc.core.scan.tainted_origin import ORDER_RULE, TAINTED_RULE
from skillc.core.scan.values import value_rule
from skillc.core.scan.verifier_text import VERIFIER_RULE


class RuleDescription(Record):
    """What a person may know of a rule. `severity_when_compiled` is for texts that were compiled from Traces."""

    id: str
    family: str
    title: str
    severity: Severity
    severity_when_compiled: Severity
    needs: str | None = None
    meaning: str
    fix: str
    references: tuple[str, ...] = ()


_WITH_TRACES = "the Traces that a compiled Skill cites"
_BESIDE_THE_TABLE = (
    RuleDescription(
        id=TAINTED_RULE,
        family="instance data",
        title="First seen in untrusted output",
        severity=Severity.WARN,
        severity_when_compiled=Severity.WARN,
        needs=_WITH_TRACES,
        meaning="A host, package or command came first from untrusted output; no user and no file of base named it.",
        fix="Let a person look where it came from; name it in the project if it is right.",
    ),
    RuleDescription(
        id=ORDER_RULE,
        family="injection",
        title="Order of an untrusted text",
        severity=Severity.BLOCK,
        severity_when_compiled=Severity.BLOCK,
        needs=_WITH_TRACES,
        meaning="A line rests on untrusted text alone and repeats an order that the text gives.",
        fix="Drop the line, or let it rest on what the user or the agent did.",
    ),
    RuleDescription(
        id=VERIFIER_RULE,
        family="verifier leakage",
        title="What only a verifier knows",
        severity=Severity.BLOCK,
        severity_when_compiled=Severity.BLOCK,
        needs=_WITH_TRACES,
        meaning="A line repeats a check's own words, which the agent could only know from the judge.",
        fix="Say what the task wants, not how it is judged.",
    ),
)  # fmt: skip


@cache
def catalogue() -> tuple[RuleDescription, ...]:
    """Returns every rule, in the order in which they report."""
    rows = [_described(rule) for rule in RULES]
    compiled = _described(value_rule()).model_copy(update={"needs": _WITH_TRACES})
    return (*rows, compiled, *_BESIDE_THE_TABLE)


@cache
def rule_ids() -> frozenset[str]:
    """Returns the ids that a suppression may name: of every rule, and of files that are not read."""
    return frozenset({rule.id for rule in catalogue()} | {UNREAD_RULE})


def rule_named(rule_id: str) -> RuleDescription | None:
    """Returns the rule with this id, or None."""
    return next((rule for rule in catalogue() if rule.id == rule_id), None)


def help_text(rule: RuleDescription) -> str:
    """Returns what a rule means and how to mend a finding, in plain text."""
    return f"{rule.meaning} {rule.fix}"


def rules_page() -> str:
    """Returns docs/scan-rules.md: one section a family, one entry a rule."""
    families: dict[str, list[RuleDescription]] = {}
    for rule in catalogue():
        families.setdefault(rule.family, []).append(rule)
    lines = list(_HEAD)
    lines += [f"| {_cell(rule)} |" for rule in catalogue()]
    for family, rules in families.items():
        lines += ["", f"## {family[0].upper()}{family[1:]}"]
        for rule in rules:
            lines += ["", *_entry(rule)]
    return "\n".join(lines) + "\n"


_HEAD = (
    "# The rules of `skillc scan`",
    "",
    "This page is generated from the rules; `skillc scan --explain RULE` prints one of them.",
    "`block` rejects a candidate and ends a scan with exit code 1; `warn` waits for a person; `info` is told.",
    "A text that was compiled from Traces is held to more than one that a person wrote.",
    "",
    "| rule | severity | in a compiled text | what it finds |",
    "| --- | --- | --- | --- |",
)


def _cell(rule: RuleDescription) -> str:
    return f"`{rule.id}` | {rule.severity.value} | {rule.severity_when_compiled.value} | {rule.title}"


def _entry(rule: RuleDescription) -> list[str]:
    lines = [f"### `{rule.id}`", "", f"{rule.title}.", rule.meaning, "", f"To mend it: {rule.fix}"]
    if rule.needs:
        lines += ["", f"It needs {rule.needs}."]
    if rule.references:
        lines += ["", f"See also: {'; '.join(rule.references)}."]
    return lines


def _described(rule: ScanRule) -> RuleDescription:
    return RuleDescription(
        id=rule.id,
        family=rule.family,
        title=rule.title,
        severity=rule.severity,
        severity_when_compiled=rule.severity_in_artifact or rule.severity,
        meaning=rule.meaning,
        fix=rule.fix,
        references=rule.references,
    )
