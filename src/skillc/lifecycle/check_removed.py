"""`check` of what a revision takes away: Skills whose folder goes are told, and the notes that stay must be true.

Taking a Skill away needs nobody's word, for a revert is how a person takes one back; it must not go unseen.
Paper: 5.4; 5.6. Not here: a folder that only loses its contract (lifecycle.check_unmanaged, lifecycle.check_skill).
"""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from skillc.core.compile.withdrawal import WithdrawnNote
from skillc.core.record import Record
from skillc.core.skill.contract import CONTRACT_FILE
from skillc.lifecycle.check_problem import Problem, problem_of
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import contract_at
from skillc.repo import layout
from skillc.repo.objects import TooLargeError, list_tree, open_reader

_MAX_NOTE_BYTES = 1 << 16
_TAKE_AWAY = "leave the file to skillc: take it out of the change"


class RemovedSkill(Record):
    """A compiled Skill that base has and a revision has not. `tree` is the version that goes."""

    skill: str
    tree: str


def removed_skills(
    context: Context, here: Mapping[str, str], at_fork: Mapping[str, str], there: Mapping[str, str]
) -> tuple[RemovedSkill, ...]:
    """Returns the compiled Skills that a revision takes away: they were there where it left base, and are there now."""
    gone = [n for n in at_fork if n not in here and n in there]
    with open_reader(context.repository) as reader:
        return tuple(
            RemovedSkill(skill=name, tree=there[name])
            for name in sorted(gone)
            if reader.read(f"{there[name]}:{CONTRACT_FILE}") is not None
        )


def note_problems(context: Context, commit: str, fork: str | None, here: Mapping[str, str]) -> Iterator[Problem]:
    """Yields the notes of withdrawal that a revision adds or changes and that say what is not so."""
    before = {e.path: e.object_id for e in list_tree(context.repository, fork, layout.WITHDRAWN_DIR)} if fork else {}
    with open_reader(context.repository) as reader:
        for entry in list_tree(context.repository, commit, layout.WITHDRAWN_DIR):
            if before.get(entry.path) == entry.object_id:
                continue
            try:
                data = reader.read(entry.object_id, limit=_MAX_NOTE_BYTES) if entry.kind == "blob" else None
            except TooLargeError:
                data = None
            name = entry.path.rsplit("/", 1)[-1].removesuffix(".json")
            wrong = _why_untrue(context, name, data, here)
            if wrong is not None:
                yield problem_of("false-note", entry.path, name, wrong, _TAKE_AWAY)


def _why_untrue(context: Context, name: str, data: bytes | None, here: Mapping[str, str]) -> str | None:
    try:
        note = WithdrawnNote.model_validate_json(data or b"")
    except ValidationError:
        return "is no note of a withdrawal"
    if name in here:
        return "says that a Skill is out of service whose folder is there"
    contract = contract_at(context, note.tree)
    if contract is None or (contract.skill_id, contract.name) != (note.skill_id, name):
        return "names a version that this repository never had"
    return None
