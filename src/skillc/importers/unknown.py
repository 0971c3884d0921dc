"""What a file is that no importer reads: one sentence for the error, from its first bytes.

Results without a run (task, reward), search queries, schemas and Skill texts look like traces and are none. Only field
names are looked at, never values.
Not here: formats that are read (importers.table).
"""

from typing import Any

from skillc.core.words import names
from skillc.importers.documents import head_value
from skillc.importers.lines import head_objects

_OUTCOMES = names("reward rewards score after_score is_success success resolved passed reward_info outcome verified")
_TASKS = names("task_id instance_id name id task attempt")
_EVENTS = names("messages traj trajectory steps turn_history events history")
_ONLY_OUTCOMES = "holds outcomes only, no events of a run: there is nothing to make a Trace of"


def unknown_format(head: bytes) -> tuple[str, str | None]:
    """Returns what to say of a file that no importer knows, and the hint; None as hint where none is special."""
    records = _first_records(head)
    if any(isinstance(record.get("verifier_result"), dict) for record in records):
        return (
            "is the result of a trial, without its events",
            "capture the trial's folder, or its agent/trajectory.json; result.json is read beside it",
        )
    if records and all(_is_outcome(record) for record in records):
        return (
            _ONLY_OUTCOMES,
            "give it as the outcomes of a file of messages: --outcome-file FILE --attempt-key FIELD",
        )
    if records and all("query" in record and "gold" in record for record in records):
        return "holds search queries with their answers, no events of a run", "skillc search --queries reads it"
    if records and all({"description", "headings"} <= record.keys() for record in records):
        return "holds descriptions of Skills, no events of a run", "skillc search --library reads it"
    if records and all(
        {"label", "id"} <= record.keys() and record.keys() & {"text", "text_parts"} for record in records
    ):
        return "holds labelled texts, no events of a run", "skillc scan looks at texts"
    if len(records) == 1 and records[0].keys() & {"$schema", "$defs"}:
        return "is a JSON Schema, no events of a run", None
    if records and all({"messageId", "message"} <= record.keys() for record in records):
        return "is Gemini CLI's list of prompts, no session", "capture chats/session-*.json beside it"
    return "is no format that skillc knows", None


def _first_records(head: bytes) -> list[dict[str, Any]]:
    """Returns the first records of lines, of a list, or of the list of runs in an object."""
    value = head_value(head)
    if isinstance(value, dict) and isinstance(value.get("simulations"), list):
        value = value["simulations"]
    if isinstance(value, dict):
        values = list(value.values())
        keyed = [item for item in values if isinstance(item, dict)]
        value = keyed if len(keyed) == len(values) > 1 and _is_outcome(keyed[0]) else [value]
    if isinstance(value, list):
        found = [item for item in value[:20] if isinstance(item, dict)]
        return found[:-1] if len(found) > 1 else found  # the last may be cut off
    return head_objects(head)


def _is_outcome(record: dict[str, Any]) -> bool:
    has_events = any(isinstance(record.get(name), list | dict) for name in _EVENTS)  # a number only counts them
    return bool(record.keys() & _OUTCOMES and record.keys() & _TASKS) and not has_events
