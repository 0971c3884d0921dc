"""Scores of benchmarks and trace stores: which of them may become the outcome of an attempt.

A score of a judge (a model) counts only when the registered mapping names that source type. Nothing is
guessed: no number, a number out of range, or scores that disagree give no verdict, and each is counted.
Paper: 5.1. Not here: what a mapped outcome is worth (core.trace.verification).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from skillc.core.trace.records import Outcome
from skillc.importers.base import ImportReport, MappedVerdict, OutcomeMapping
from skillc.importers.claude_blocks import safe_word
from skillc.importers.verdicts import number_of

CODE = "code"
PERSON = "person"
JUDGE = "judge"

# How the stores call the source of a score, and which of the three it is.
_SOURCES = {
    "api": CODE,
    "code": CODE,
    "app": PERSON,
    "annotation": PERSON,
    "human": PERSON,
    "person": PERSON,
    "model": JUDGE,
    "llm": JUDGE,
    "eval": JUDGE,
    "auto_eval": JUDGE,
    "judge": JUDGE,
    "nl_assertion": JUDGE,
}


@dataclass(frozen=True)
class Score:
    """One score of an attempt. `source` is the store's own word; None when the store does not say.

    `is_whole` is False for a score of a part of the attempt, which says nothing about its end.
    """

    name: str
    value: Any
    source: str | None = None
    is_whole: bool = True


def party_of(source: str | None) -> str | None:
    """Returns who is behind a source: code, a person or a judge; None when it is not said or not known."""
    return _SOURCES.get(source.casefold()) if source is not None else None


def mapped_verdict(
    scores: Iterable[Score],
    mapping: OutcomeMapping | None,
    report: ImportReport,
    *,
    low: float | None = None,
    high: float | None = None,
) -> MappedVerdict | None:
    """Returns what the mapping makes of the scores, or None. Every score that does not count is counted."""
    taken: list[tuple[Outcome, str]] = []
    named = False
    for score in scores:
        if mapping is None:
            report.skipped["score without a registered mapping"] += 1
            continue
        if mapping.field not in (score.name, f"scores.{score.name}", f"feedback.{score.name}"):
            report.skipped["score of another name than the mapping's"] += 1
            continue
        named = True
        why = _why_not(score, mapping, low, high)
        if why is not None:
            report.skipped[why] += 1
            continue
        value = float(score.value)
        outcome = Outcome.SUCCESS if value >= mapping.success_at else Outcome.FAILURE
        said = "" if score.source is None else f" (source {safe_word(score.source)})"
        taken.append((outcome, f"{mapping.field} = {value}{said}"))
    if mapping is not None and not named:
        report.skipped["attempt without the mapped score"] += 1
    if len({outcome for outcome, _ in taken}) > 1:
        report.skipped["attempt whose scores disagree"] += 1
        return None
    return MappedVerdict(outcome=taken[0][0], detail=taken[0][1]) if taken else None


def _why_not(score: Score, mapping: OutcomeMapping, low: float | None, high: float | None) -> str | None:
    if not score.is_whole:
        return "score of a part of the attempt"
    if not _counts(score.source, mapping.source_type):
        is_judge = party_of(score.source) == JUDGE
        return "score of a judge that the mapping does not name" if is_judge else "score of another source type"
    value = number_of(score.value)
    if value is None:
        return "score that is no number"
    if (low is not None and value < low) or (high is not None and value > high):
        return "score out of range"
    return None


def _counts(source: str | None, wanted: str | None) -> bool:
    """Says whether a source counts: the named type or another word for it; else whoever is known as no judge."""
    if wanted is None:
        return source is None or party_of(source) in (CODE, PERSON)
    if source is None:
        return False
    return source.casefold() == wanted.casefold() or (
        party_of(source) is not None and party_of(source) == party_of(wanted)
    )
