"""Suppression: findings that a person looked at and let stand, each with a reason, shown and never dropped.

A comment counts for its own line and the next one; an entry of the policy for a rule below a path. Without a reason
neither counts, and what does not count is told. No comment suppresses what stands in the comment itself.
Paper: 5.3, Scanners. Not here: whose comments count (lifecycle.scan.own_files), known findings (core.scan.baseline).
"""

import re
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from skillc.core.policy import ScanIgnore
from skillc.core.record import Record
from skillc.core.scan.finding import Finding
from skillc.core.scan.redact import Redactor
from skillc.core.trace.edits import matches_glob

MARK = "skillc-scan:"
UNREAD_RULE = "unread"
# A comment cannot vouch for these about the Skill that it stands in; the policy can.
NEVER_BY_COMMENT_IN_SKILL = frozenset({"credential", "hidden-unicode"})
MAX_REASON_CHARS = 200
MAX_COMMENTS = 1_000
MAX_COMMENT_CHARS = 1_000
_COMMENT = re.compile(r"(?:<!--|#|//|/\*|;|--)[ \t]*skillc-scan:[ \t]*([^\n]*)")
_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ORDER = re.compile(rf"ignore\s+({_ID}(?:\s*,\s*{_ID})*)\s*(?:--\s*(.*))?$", re.DOTALL)
_ENTRY_RULE = re.compile(rf"(\brule:[ \t]*[\"']?)({_ID})\b")
_WORD = re.compile(r"[^\W_]{2}")


class Comment(NamedTuple):
    """One comment: its line, its place in the text, the rules it names, its reason; `problem` says what is wrong.

    `order` is the place of its own words, from the mark to the reason; empty where it names no known rules.
    """

    line: int
    start: int
    end: int
    order: tuple[int, int]
    rules: tuple[str, ...]
    reason: str
    problem: str | None


class IgnoreNote(Record):
    """A comment or an entry of the policy as a report tells it: whether it counts, why not, and how often it hit."""

    source: Literal["comment", "policy"]
    path: str
    line: int | None
    rule: str
    reason: str
    counts: bool
    problem: str | None
    hits: int


def comments_of(text: str, known: Collection[str]) -> tuple[Comment, ...]:
    """Returns every suppression comment of a text, the broken ones too, in order. `known` are the ids of all rules."""
    if MARK not in text:
        return ()
    found = []
    line, counted = 1, 0
    for match in _COMMENT.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        found.append(_comment(match, line, known))
        if len(found) == MAX_COMMENTS:
            break
    return tuple(found)


def without_orders(text: str, comments: Iterable[Comment]) -> str:
    """Returns the text with the words of its comments blanked: the name of a rule is no order, a reason is read."""
    parts, at = [], 0
    for start, end in (c.order for c in comments):
        if end > at:
            parts += [text[at:start], " " * (end - start)]
            at = end
    return "".join((*parts, text[at:]))


def without_rule_names(text: str, known: Collection[str]) -> str:
    """Returns the text of a policy with the rules that its entries name blanked: such a name is no order either."""
    return _ENTRY_RULE.sub(lambda m: m[0] if m[2] not in known else m[1] + " " * len(m[2]), text)


def suppressed_by_comments(
    findings: Iterable[Finding], comments: Iterable[Comment], *, never: Collection[str]
) -> tuple[Finding, ...]:
    """Returns the findings, those marked that a comment of their line or the line above names with a reason.

    Args:
        never: rules that no comment suppresses here.
    """
    whole = [c for c in comments if c.problem is None]
    return tuple(_by_comment(finding, whole, never) for finding in findings)


def suppressed_by_policy(
    findings: Iterable[Finding], entries: Iterable[ScanIgnore], *, path: str
) -> tuple[Finding, ...]:
    """Returns the findings of a file, those marked that an entry names; `path` is the file's in the repository."""
    whole = [e for e in entries if covers(e, path)]
    if not whole:
        return tuple(findings)
    return tuple(_by_policy(finding, whole) for finding in findings)


def covers(entry: ScanIgnore, path: str) -> bool:
    """Says whether an entry of the policy names a file: a glob, or a folder above it."""
    return matches_glob(path, (entry.path, entry.path.rstrip("/") + "/**"))


def safe_reason(reason: str) -> str:
    """Returns a reason as it may be shown: one line with nothing private in it, and only then cut."""
    return Redactor().text(" ".join(reason.split()))[:MAX_REASON_CHARS]


def _comment(match: re.Match[str], line: int, known: Collection[str]) -> Comment:
    body = re.split(r"-->|\*/", _beginning(match[1]), maxsplit=1)[0].strip()
    order = _ORDER.match(body)
    if order is None:
        what = "is not of the form: ignore RULE -- reason"
        return Comment(line, match.start(), match.end(), (0, 0), (), "", what)
    rules = tuple(dict.fromkeys(rule.strip() for rule in order[1].split(",")))
    reason = safe_reason(order[2] or "")
    unknown = [rule for rule in rules if rule not in known]
    words = (match.start(1) + match[1].index(body), order.start(2) if order[2] is not None else order.end())
    own = (0, 0) if unknown else (match.string.rindex(MARK, 0, words[0]), words[0] + words[1])
    problem = None
    if unknown:
        problem = f"there is no rule {unknown[0]!r}"
    elif not _WORD.search(reason):
        problem = "has no reason: ignore RULE -- reason"
    return Comment(line, match.start(), match.end(), own, rules, reason, problem)


def _beginning(text: str) -> str:
    """Returns whole words from the beginning of a text: half a word may be half a secret, which nobody knows again."""
    if len(text) <= MAX_COMMENT_CHARS:
        return text
    return text[:MAX_COMMENT_CHARS].rpartition(" ")[0]


def _by_comment(finding: Finding, comments: list[Comment], never: Collection[str]) -> Finding:
    if finding.suppressed or finding.place is not None or finding.rule in never:
        return finding
    for comment in comments:
        is_near = finding.line in (comment.line, comment.line + 1) and finding.rule in comment.rules
        is_inside = finding.span[0] < comment.end and comment.start < max(finding.span[1], finding.span[0] + 1)
        if is_near and not is_inside:
            return _marked(finding, "comment", comment.reason)
    return finding


def _by_policy(finding: Finding, entries: list[ScanIgnore]) -> Finding:
    entry = next((e for e in entries if e.rule == finding.rule), None)
    if entry is None or finding.suppressed:
        return finding
    return _marked(finding, "policy", safe_reason(entry.reason))


def _marked(finding: Finding, by: str, reason: str) -> Finding:
    return finding.model_copy(update={"suppressed": True, "suppressed_by": by, "reason": reason})
