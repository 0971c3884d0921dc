"""The JSON Schemas of the whole answers: what structured output is asked for, role by role.

They are made from the records that read the answers, so that question and check cannot differ. A schema is a
request to the model and no check: trusted code reads every answer as if there were none. Paper: 5.3.
Not here: the records and their limits (core.compile.answer_items).
"""

from functools import cache
from typing import Any

from skillc.core.compile.answer_items import (
    AddAnswer,
    AnswerClaim,
    AnswerComparison,
    AnswerDecision,
    AnswerDescription,
    AnswerFailure,
    AnswerFinding,
    AnswerPlaceholder,
    AnswerStep,
    AnswerVerdict,
    ConflictAnswer,
    DescriptionEdit,
    FailureEdit,
    LineEdit,
    MergeAnswer,
    NoneAnswer,
    PatchAnswer,
    StepEdit,
    SummaryError,
    SummaryLine,
    SummaryStep,
    item_schema,
    list_schema,
    object_schema,
)

_STRING = {"type": "string"}
_NUMBER = {"type": "number"}


@cache
def reflector_schema() -> dict[str, Any]:
    """Returns the schema of a Reflector's answer: up to eight proposals of five kinds."""
    edits = list_schema(
        {
            "anyOf": [
                item_schema(LineEdit, claims=list_schema(item_schema(AnswerClaim))),
                item_schema(StepEdit, claims=list_schema(item_schema(AnswerStep))),
                item_schema(FailureEdit, claims=list_schema(item_schema(AnswerFailure))),
                item_schema(DescriptionEdit, claims=list_schema(item_schema(AnswerDescription))),
            ]
        }
    )
    definitions = {"edits": edits, "placeholders": list_schema(item_schema(AnswerPlaceholder))}
    body = {name: {"$ref": f"#/$defs/{name}"} for name in definitions}  # once, not in each kind of proposal
    proposals = [
        item_schema(AddAnswer, **body),
        item_schema(PatchAnswer, **body),
        item_schema(MergeAnswer, **body),
        item_schema(ConflictAnswer),
        item_schema(NoneAnswer),
    ]
    return object_schema(proposals=list_schema({"anyOf": proposals})) | {"$defs": definitions}


@cache
def summary_schema() -> dict[str, Any]:
    """Returns the schema of a Summarizer's answer."""
    line = item_schema(SummaryLine)
    outcomes = {"type": "string", "enum": ["success", "partial", "failure", "abandoned", "unknown"]}
    return object_schema(
        trace_id=_STRING,
        objective=line,
        approach=line,
        steps=list_schema(item_schema(SummaryStep)),
        errors=list_schema(item_schema(SummaryError)),
        outcome=outcomes,
        tools_used=list_schema(_STRING),
    )


@cache
def curator_schema() -> dict[str, Any]:
    """Returns the schema of a Curator's answer: verdicts, decisions, and at most one comparison a Skill."""
    return object_schema(
        verdicts=list_schema(item_schema(AnswerVerdict)),
        decisions=list_schema(item_schema(AnswerDecision)),
        comparisons=list_schema(item_schema(AnswerComparison)),
    )


@cache
def scanner_schema() -> dict[str, Any]:
    """Returns the schema of a scanner's answer."""
    verdict = {"type": "string", "enum": ["clean", "reject"]}
    return object_schema(findings=list_schema(item_schema(AnswerFinding)), verdict=verdict)


@cache
def family_schema() -> dict[str, Any]:
    """Returns the schema of a family scorer's answer: a family's alias or none, and how sure it is."""
    return object_schema(family=_STRING, confidence=_NUMBER)
