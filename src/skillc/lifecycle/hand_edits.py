"""A compiled Skill that somebody edited by hand: which of its files, and what takes the edit over or back.

SKILL.md is what people edit, and `amend` takes that over. contract.json holds the evidence and is skillc's alone: an
edit of it is taken back. Paper: 5.4. Not here: the amendment (lifecycle.amend).
"""

from dataclasses import dataclass

from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE
from skillc.lifecycle.context import Context
from skillc.lifecycle.skills import StoredSkill, contract_at, edited_by_hand, skill_text
from skillc.repo import layout


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
    """Returns the folder of an honest version with the same SKILL.md: then that file is not the edited one.

    A version that a run made can hold an edit itself: of a group that was amended, the pages that were not.
    """
    page = skill_text(context, skill)
    made = {v.tree: None for r in reversed(context.ledger.runs) for v in r.versions if v.skill == skill.name and v.tree}
    for tree in made:
        version = StoredSkill(skill.name, tree, contract_at(context, tree))
        is_same = version.contract is not None and skill_text(context, version) == page
        if is_same and not edited_by_hand(context, version):
            return tree
    return None
