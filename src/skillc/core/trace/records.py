"""The records of a Trace: one header, ordered events, one close.

A Trace is one JSONL file, one record a line, immutable after its close. Paper: 5.1, Table 1. Not here: reading
and writing lines (core.trace.codec), what an outcome is worth (core.trace.verification).
"""

from enum import StrEnum
from typing import Annotated, Any, Literal, NewType

from pydantic import Field

from skillc.core.record import Moment, Record

TraceId = NewType("TraceId", str)
EventId = NewType("EventId", str)

TRACE_FORMAT = "skillc.trace/1"
TRACE_ID_PATTERN = r"^[a-z0-9-]{8,64}$"
EVENT_ID_PATTERN = r"^e(0|[1-9][0-9]{0,9})$"
FAMILY_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"


class Outcome(StrEnum):
    """The result of an attempt, as somebody reports it. Paper: Table 1."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    ABANDONED = "abandoned"
    UNKNOWN = "unknown"


class EventKind(StrEnum):
    """What an event is evidence of."""

    USER_MESSAGE = "user_message"
    MODEL_MESSAGE = "model_message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    DECISION = "decision"
    CHECKPOINT = "checkpoint"
    SKILL_USE = "skill_use"
    ERROR = "error"
    NOTE = "note"


class Origin(StrEnum):
    """How the attempt came about. A simulated Trace never supports a claim."""

    CAPTURED = "captured"
    IMPORTED = "imported"
    SIMULATED = "simulated"


class Agent(Record):
    """The agent that made the attempt."""

    name: str
    model: str | None = None


class GitContext(Record):
    """Where the attempt stood in a git history. Commits are those that the transcript itself shows."""

    branch: str | None = None
    head_start: str | None = None
    head_end: str | None = None
    commits: tuple[str, ...] = ()


class Environment(Record):
    """Where the attempt ran, without anything that names the machine."""

    git: GitContext | None = None
    os: str | None = None
    cwd_label: str | None = None


class TraceSource(Record):
    """The foreign file behind a Trace. `sha256` is taken over the event lines after redaction."""

    kind: str
    ref: str
    sha256: str


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class TraceHeader(Record):
    """The first line of a Trace. `deleted_line` is the hash of what it was before its objective was deleted."""

    record: Literal["trace"] = "trace"
    format: Literal["skillc.trace/1"] = "skillc.trace/1"
    trace_id: Annotated[str, Field(pattern=TRACE_ID_PATTERN)]
    namespace: str
    objective: str
    task_family: Annotated[str, Field(pattern=FAMILY_PATTERN, max_length=64)] | None = None
    parent_trace_id: str | None = None
    attempt_key: str | None = None
    origin: Origin
    agent: Agent
    environment: Environment = Field(default_factory=Environment)
    source: TraceSource
    started_at: Moment | None = None
    salt: str
    deleted_line: Sha256 | None = None


class Restricted(Record):
    """The reference that stands for a restricted event's content. Paper: 5.3, Scanners."""

    ref: str


class Truncated(Record):
    """What was cut from the middle of a long text: size in bytes before the cut, digest after redaction."""

    bytes: int
    sha256: str


class Event(Record):
    """One observable step of a Trace. Order is `seq`, 0-based and dense; `id` is `e<seq>`.

    `untrusted` marks text that somebody other than the user or the agent wrote: tool output, web pages,
    third-party files. `is_error` is None where the format does not say.
    """

    record: Literal["event"] = "event"
    id: str
    seq: Annotated[int, Field(ge=0)]
    kind: EventKind
    actor: str
    at: Moment | None = None
    tool: str | None = None
    operation: str | None = None
    call_id: str | None = None
    arguments: dict[str, Any] | None = None
    text: str | None = None
    is_error: bool | None = None
    restricted: Restricted | None = None
    truncated: Truncated | None = None
    untrusted: bool = False
    salt: str


class Tombstone(Record):
    """What stays of a deleted event: its place, and the hash of its line. Content and salt are gone. Paper: 5.6."""

    record: Literal["tombstone"] = "tombstone"
    id: Annotated[str, Field(pattern=EVENT_ID_PATTERN)]
    seq: Annotated[int, Field(ge=0)]
    line: Sha256


class TraceTombstone(Record):
    """What stays of a deleted Trace: one line in its file, so that the same session is not captured again."""

    record: Literal["tombstone"] = "tombstone"
    format: Literal["skillc.trace/1"] = "skillc.trace/1"
    trace_id: Annotated[str, Field(pattern=TRACE_ID_PATTERN)]
    namespace: str
    digest: str


class Close(Record):
    """The last line of a Trace: what the agent or harness reported, never what it is worth.

    `redacted` says how many values of each kind capture replaced in this Trace. ADR 0013.
    """

    record: Literal["close"] = "close"
    outcome: Outcome
    reported_by: str
    at: Moment | None = None
    redacted: dict[str, int] | None = None
    digest: str
    salt: str
