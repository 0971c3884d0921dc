"""The items of a model's answers, as records that know their limits, and the JSON Schemas that a model is given.

A record here is one thing that a model may say: a claim, an edit, a verdict, a finding. A field that no record has
refuses the item. Nothing is asked that trusted code can compute: support, effects, tools. Paper: 5.3.
Not here: what an item may do (core.compile.reflector_answer, summary_answer, curator_answer, scanner_answer).
"""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from skillc.core.compile.aliases import MAX_CITE_CHARS
from skillc.core.compile.answer_text import PlainText
from skillc.core.policy import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS
from skillc.core.record import Record

MAX_TEXT_CHARS = 400
MAX_REASON_CHARS = 300
MAX_VERDICT_REASON_CHARS = 200
MAX_CITES = 8
MAX_PROPOSALS = 8
MAX_EDITS = 24
MAX_LINES = 30  # of one edit
MAX_PLACEHOLDERS = 40
MAX_ARGUMENTS = 24
MAX_FINDINGS = 200
MAX_SUMMARY_STEPS = 30
MAX_SUMMARY_ERRORS = 10

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Text = Annotated[PlainText, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
Words = Annotated[PlainText, Field(max_length=MAX_TEXT_CHARS)]  # may be empty: absent
Cite = Annotated[str, Field(min_length=1, max_length=MAX_CITE_CHARS)]
Cites = Annotated[tuple[Cite, ...], Field(min_length=1, max_length=MAX_CITES)]
Reason = Annotated[str, Field(max_length=MAX_REASON_CHARS)]


class AnswerClaim(Record):
    """One line and the aliases of the events that show it."""

    claim_id: Key
    text: Text
    cites: Cites


class AnswerDescription(Record):
    """The description of a Skill: what it does and when to use it."""

    claim_id: Key
    text: Annotated[PlainText, Field(min_length=1, max_length=MAX_DESCRIPTION_CHARS)]
    cites: Cites


class AnswerArgument(Record):
    """One argument of a step's call: `<placeholder>`, a constant of the cited calls, or JSON of a list or object."""

    name: Annotated[PlainText, Field(min_length=1, max_length=100)]
    value: Words


class AnswerStep(AnswerClaim):
    """One step. Empty `tool`, `operation` or `repeat` means that there is none."""

    tool: Annotated[PlainText, Field(max_length=200)]
    operation: Annotated[PlainText, Field(max_length=200)]
    arguments: Annotated[tuple[AnswerArgument, ...], Field(max_length=MAX_ARGUMENTS)]
    optional: bool
    repeat: Words


class AnswerFailure(AnswerClaim):
    """A failure mode: the symptom, and what mended it; an empty recovery means that none is known."""

    recovery: Words
    recovery_cites: Annotated[tuple[Cite, ...], Field(max_length=MAX_CITES)]


class PlaceholderSource(StrEnum):
    """Where the value of a placeholder comes from."""

    USER = "user"
    TOOL_RESULT = "tool_result"
    CONSTANT = "constant"
    AGENT_CHOICE = "agent_choice"


class AnswerPlaceholder(Record):
    """A placeholder; `source_ref` cites a use of it and, where it has one, the event that its value comes from."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    meaning: Text
    source: PlaceholderSource
    source_ref: Cites


class EditAction(StrEnum):
    """What an edit does with a field: all its lines anew, more lines, or some of the current ones out."""

    SET = "set"
    APPEND = "append"
    REMOVE = "remove"


LinePath = Literal[
    "use_when",
    "do_not_use_when",
    "preconditions",
    "environments",
    "decisions",
    "expected_observations",
    "outputs",
    "completion_criteria",
    "stop_conditions",
]


class _Edit(Record):
    action: EditAction
    removes: Annotated[tuple[Key, ...], Field(max_length=MAX_LINES)]  # line aliases of the current Skill
    removal_cites: Annotated[tuple[Cite, ...], Field(max_length=MAX_CITES)]  # what speaks against those lines


class LineEdit(_Edit):
    """An edit of a field of plain lines."""

    path: LinePath
    claims: Annotated[tuple[Any, ...], Field(max_length=MAX_LINES)]


class StepEdit(_Edit):
    """An edit of the steps."""

    path: Literal["steps"]
    claims: Annotated[tuple[Any, ...], Field(max_length=MAX_LINES)]


class FailureEdit(_Edit):
    """An edit of the failure modes."""

    path: Literal["failure_modes"]
    claims: Annotated[tuple[Any, ...], Field(max_length=MAX_LINES)]


class DescriptionEdit(_Edit):
    """A new description."""

    path: Literal["description"]
    claims: Annotated[tuple[Any, ...], Field(max_length=1)]


class Target(Record):
    """A current Skill by its alias, and the version that was offered."""

    skill: Annotated[str, Field(pattern=r"^s[1-9][0-9]{0,2}$")]
    base_version: Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,64}$")]


class AddAnswer(Record):
    """A new Skill."""

    op: Literal["add"]
    proposal_key: Key
    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=MAX_NAME_CHARS)]
    edits: Annotated[tuple[Any, ...], Field(max_length=MAX_EDITS)]
    placeholders: Annotated[tuple[Any, ...], Field(max_length=MAX_PLACEHOLDERS)]
    reason: Reason


class PatchAnswer(Record):
    """A change of a current Skill: only the fields that its edits name."""

    op: Literal["patch"]
    proposal_key: Key
    target: Target
    edits: Annotated[tuple[Any, ...], Field(max_length=MAX_EDITS)]
    placeholders: Annotated[tuple[Any, ...], Field(max_length=MAX_PLACEHOLDERS)]
    reason: Reason


class MergeAnswer(Record):
    """Several current Skills made one: the first target's identity goes on."""

    op: Literal["merge"]
    proposal_key: Key
    targets: Annotated[tuple[Target, ...], Field(min_length=2, max_length=4)]
    edits: Annotated[tuple[Any, ...], Field(max_length=MAX_EDITS)]
    placeholders: Annotated[tuple[Any, ...], Field(max_length=MAX_PLACEHOLDERS)]
    reason: Reason


class ConflictAnswer(Record):
    """Evidence against a line of a current Skill: `line` is what it says, `says` what the events show instead."""

    op: Literal["conflict"]
    proposal_key: Key
    target: Target
    field: Literal[LinePath, "steps", "failure_modes", "description"]
    line: Key
    says: AnswerClaim
    reason: Reason


class NoneAnswer(Record):
    """No change."""

    op: Literal["none"]
    proposal_key: Key
    reason: Reason


class AnswerVerdict(Record):
    """Supported or not, for one claim of the request."""

    claim_id: Key
    verdict: Literal["supported", "unsupported"]
    reason: Annotated[str, Field(max_length=MAX_VERDICT_REASON_CHARS)]


class AnswerDecision(Record):
    """What the Curator does with one proposal. There is no field for a text: a Curator writes none."""

    proposal_key: Key
    decision: Literal["add", "patch", "merge", "replace", "record_conflict", "reject", "no_change"]
    target: Annotated[str, Field(pattern=r"^(s[1-9][0-9]{0,2})?$")]
    similar_to: Annotated[tuple[Key, ...], Field(max_length=8)]


class AnswerComparison(Record):
    """The Curator's view of candidate and current Skill; what was lost is computed, not believed."""

    current_skill: Annotated[str, Field(pattern=r"^s[1-9][0-9]{0,2}$")]
    better: Literal["candidate", "current", "equal"]
    lost_fields: Annotated[tuple[Key, ...], Field(max_length=16)]


class FindingKind(StrEnum):
    """What a model scanner can find."""

    PERSON = "person"
    IDENTIFIER = "identifier"
    CREDENTIAL = "credential"
    PRIVATE_URL = "private_url"
    CONTACT = "contact"
    INJECTED_INSTRUCTION = "injected_instruction"
    OTHER = "other"


class AnswerFinding(Record):
    """A place in one of the texts of the request: text[start:end], which must be the quote."""

    path: Annotated[str, Field(pattern=r"^x[1-9][0-9]{0,4}$")]
    start: Annotated[int, Field(ge=0, le=10_000_000)]
    end: Annotated[int, Field(ge=0, le=10_000_000)]
    kind: FindingKind
    confidence: Literal["low", "medium", "high"]
    quote: Annotated[str, Field(max_length=2000)]


class SummaryStep(Record):
    """One thing that the agent did, and whether it helped."""

    text: Text
    cites: Cites
    kind: Literal["effective", "ineffective"]


class SummaryLine(Record):
    """A line of a summary."""

    text: Text
    cites: Cites


class SummaryError(Record):
    """An error, and the line that says how it was mended; an empty recovery means that it was not."""

    text: Text
    cites: Cites
    recovery: Words
    recovery_cites: Annotated[tuple[Cite, ...], Field(max_length=MAX_CITES)]


_LIMITS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "pattern", "title", "default")


def object_schema(**properties: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of an object that has exactly these fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def list_schema(items: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a list."""
    return {"type": "array", "items": items}


def item_schema(model: type[BaseModel], **replaced: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of an item for structured output: self-contained, every field required.

    Lengths, patterns and ranges are left out, which structured output does not know; the records hold them.
    `replaced` gives the schema of fields that a record takes unchecked, because their items are checked one by one.
    """
    whole = model.model_json_schema()
    schema: dict[str, Any] = _resolved(whole, whole.get("$defs", {}))
    schema["properties"] |= replaced
    schema["required"] = list(schema["properties"])
    return schema


def _resolved(value: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_resolved(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _resolved(definitions[value["$ref"].rsplit("/", 1)[-1]], definitions)
    found = {
        key: {name: _resolved(item, definitions) for name, item in entry.items()}
        if key == "properties"
        else _resolved(entry, definitions)
        for key, entry in value.items()
        if key not in _LIMITS and key not in ("$defs", "description")
    }
    if found.get("type") == "object":
        found["additionalProperties"] = False
        found["required"] = list(found.get("properties", {}))
    if "const" in found:
        found["type"] = "string"
    return found
