"""Whether the task ids of a tau2 results file can be believed: a simulation against the task that it names.

The checks of a simulation repeat parts of its task: the ids of the expected actions and the assertions. When they
are another task's, the recorded id is wrong, and attempts at different tasks would count as one family.
Such a simulation is held, never given another id by guess. Nothing compared here is shown or stored.
"""

from collections.abc import Sequence
from typing import Any

from skillc.importers.base import ImportReport
from skillc.importers.claude_blocks import safe_word
from skillc.importers.lines import key_text

_DISAGREES = "simulation whose task id disagrees with its own checks"
_UNKNOWN = "simulation whose task the file does not hold"
_UNCHECKED = "simulation whose task id cannot be checked, in a file whose ids disagree"
_MAX_NAMED = 20


class TaskIds:
    """The verdict on every simulation's task id, by its position; `pairs` are (tasks of its file, simulation)."""

    hint = "mend task_id of these simulations in a copy of the file, and import the copy"

    def __init__(self, pairs: Sequence[tuple[list[dict[str, Any]], dict[str, Any]]]) -> None:
        self._names = [safe_word(key_text(simulation.get("id"))) for _, simulation in pairs]
        agreements = [_agreement(tasks, simulation) for tasks, simulation in pairs]
        self._held: dict[int, str] = {
            position: found for position, found in enumerate(agreements) if found in (_DISAGREES, _UNKNOWN)
        }
        if _DISAGREES in self._held.values():
            self._held |= {position: _UNCHECKED for position, found in enumerate(agreements) if found is None}

    @property
    def any_held(self) -> bool:
        return bool(self._held)

    def why_held(self, position: int) -> str | None:
        """Returns why a simulation is not imported, or None."""
        return self._held.get(position)

    def message(self, path: str) -> str:
        """Returns what is wrong, with the ids of the simulations."""
        named = ", ".join(self._names[position] for position in list(self._held)[:_MAX_NAMED])
        more = f" and {len(self._held) - _MAX_NAMED} more" if len(self._held) > _MAX_NAMED else ""
        return f"{path}:1: the task ids of {len(self._held)} simulations cannot be believed: {named}{more}"

    def tell(self, report: ImportReport) -> None:
        """Notes the held simulations and what to do."""
        if self._held:
            report.notes.append(f"{self.message(report.path)}; {self.hint}")


def _agreement(tasks: list[dict[str, Any]], simulation: dict[str, Any]) -> str | None:
    """Returns a reason to hold, an empty text when the checks are the task's own, None when nothing can tell."""
    if not tasks:
        return None
    task_id = key_text(simulation.get("task_id"))
    task = next((item for item in tasks if key_text(item.get("id")) == task_id), None)
    if task is None:
        return _UNKNOWN if not _checks(simulation) else _DISAGREES
    criteria = task.get("evaluation_criteria")
    expected = criteria if isinstance(criteria, dict) else {}
    wanted = {
        "actions": _texts(expected.get("actions"), "action_id"),
        "assertions": _texts(expected.get("nl_assertions"), None),
        "infos": _texts(expected.get("communicate_info"), None),
    }
    answers = [found == wanted[part] for part, found in _checks(simulation).items()]
    if not answers:
        return None
    return "" if all(answers) else _DISAGREES


def _checks(simulation: dict[str, Any]) -> dict[str, list[str]]:
    """Returns what a simulation's checks repeat of its task; parts that were not checked are left out."""
    info = simulation.get("reward_info")
    if not isinstance(info, dict):
        return {}
    actions = [item.get("action") for item in _dicts(info.get("action_checks"))]
    parts = {
        "actions": _texts(actions, "action_id"),
        "assertions": _texts(info.get("nl_assertions"), "nl_assertion"),
        "infos": _texts(info.get("communicate_checks"), "info"),
    }
    return {part: found for part, found in parts.items() if found}


def _texts(value: Any, field: str | None) -> list[str]:
    items = value if isinstance(value, list) else []
    if field is not None:
        items = [item.get(field) for item in _dicts(items)]
    return [item for item in items if isinstance(item, str)]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
