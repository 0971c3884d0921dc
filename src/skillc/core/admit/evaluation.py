"""Evaluations: what an evaluator outside found when it ran a candidate in an environment of its own.

skillc runs no candidate. A record counts for the digest of one result group, by one registered evaluator, and what
failed once stays failed. Paper: 5.4, Evaluations. Not here: signing and storing (lifecycle.evaluation).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from skillc.core.admit.approval import GroupDigest
from skillc.core.record import Moment, Record

EVALUATION_FORMAT = "skillc.evaluation/1"
EVALUATION_NAMESPACE = "skillc-evaluation"
Words = Annotated[str, Field(min_length=1, max_length=400, pattern=r"^[^\x00-\x1f\x7f]+$")]


class EvaluationVerdict(StrEnum):
    """How an evaluation ended."""

    PASSED = "passed"
    FAILED = "failed"


class EvaluationRecord(Record):
    """The payload that an evaluator signs: who, with which version, where, on which candidate, and how it ended.

    `evidence` is a reference, such as the address of a log; nothing is read from there.
    """

    format: Literal["skillc.evaluation/1"] = "skillc.evaluation/1"
    namespace: str
    group: GroupDigest
    run: str
    task_family: str
    evaluator: str
    evaluator_version: Words
    environment: Words
    verdict: EvaluationVerdict
    evidence: Words
    at: Moment
    previous: tuple[str, ...] = ()


class EvaluationRequest(Record):
    """Somebody asked an evaluator to look at a candidate. It admits nothing, so nobody signs it."""

    format: Literal["skillc.evaluation-request/1"] = "skillc.evaluation-request/1"
    namespace: str
    group: GroupDigest
    run: str
    task_family: str
    evaluator: str
    by: str
    at: Moment
    previous: tuple[str, ...] = ()


def verdicts_of(records: Iterable[EvaluationRecord], *, group: str) -> dict[str, EvaluationRecord]:
    """Returns evaluator -> the record that counts for a group: a failed one for good, else the newest.

    What failed once is rejected: other content is another group.
    """
    own = [r for r in records if r.group == group]
    own.sort(key=lambda r: (r.verdict is EvaluationVerdict.FAILED, r.at))
    return {r.evaluator: r for r in own}
