"""A compiled Skill that somebody edited by hand: which of its files, and what takes the edit over or back.

SKILL.md is what people edit, and `amend` takes that over. contract.json holds the evidence and is skillc's alone: an
edit of it is taken back. Paper: 5.4. Not here: the amendment (lifecycle.amend).
"""

from dataclasses import dataclass

from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill, edited_by_hand
from skillc.repo import layout
from skillc.repo.objects import open_reader


@dataclass(frozen=True)
class HandEdit:
    """The edited file, what that means, and what to do."""

    file: str
    message: str
    next: str


def hand_edit(context: Context, skill: StoredSkill) -> HandEdit | None:
    """Returns the edit of a compiled Skill whose files are not what its contract renders; None for an honest one."""
    if not edited_by_hand(context, skill):
        return None
    made = _version_with_page(context, skill)
    if made is None:
        return HandEdit(
            SKILL_FILE,
            f"was edited by hand: it is not exactly the rendering of {CONTRACT_FILE}, so its lines have no evidence",
            f"skillc amend {skill.name}, or take the bytes that skillc wrote",
        )
    path = f"{layout.skill_folder(context.policy.skills_dir, skill.name)}/{CONTRACT_FILE}"
    return HandEdit(
        CONTRACT_FILE,
        f"was edited by hand, and {SKILL_FILE} was not: what it says is no run's word any more",
        f"take it back: git cat-file -p {made[:12]}:{CONTRACT_FILE} >{path}; to change the Skill, edit {SKILL_FILE} "
        f"and run skillc amend {skill.name}",
    )


def _version_with_page(context: Context, skill: StoredSkill) -> str | None:
    """Returns the folder of a run's version that has the same SKILL.md: then that file is not the edited one."""
    made = {v.tree: None for r in reversed(context.ledger.runs) for v in r.versions if v.skill == skill.name and v.tree}
    with open_reader(context.repository) as reader:
        page = reader.read(f"{skill.tree}:{SKILL_FILE}")
        return next((tree for tree in made if reader.read(f"{tree}:{SKILL_FILE}") == page), None) if page else None
