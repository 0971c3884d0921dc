"""The Skills of a namespace as base has them: contracts, folders, and the versions of each.

Reads the base tip, never the work tree. A folder without contract.json is hand-written: skillc lists it and
never changes it. Paper: 5.2, 5.4. Not here: candidates (lifecycle.candidates).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from skillc.core.compile.duplicates import are_twins
from skillc.core.compile.group import skill_files
from skillc.core.skill.contract import CONTRACT_FILE, SKILL_FILE, Contract, parse_contract
from skillc.errors import DataError, UsageError
from skillc.lifecycle.context import Context
from skillc.repo import layout
from skillc.repo.history import FolderChange, current_trees, folder_changes
from skillc.repo.objects import open_reader


@dataclass(frozen=True)
class StoredSkill:
    """One Skill folder at a revision. `contract` is None for a hand-written Skill, `problem` says what is wrong."""

    name: str
    tree: str
    contract: Contract | None
    problem: str | None = None


@dataclass(frozen=True)
class Version:
    """The k-th change of a Skill folder on base. `restores` is the number of the version with the same bytes."""

    number: int
    commit: str
    at: datetime
    tree: str | None
    restores: int | None


def skill_trees(context: Context, revision: str | None) -> dict[str, str]:
    """Returns the name and the identity of every Skill's folder at a revision, without reading one."""
    return current_trees(context.repository, revision, context.policy.skills_dir)


def skills_at(context: Context, revision: str | None, names: Collection[str] | None = None) -> dict[str, StoredSkill]:
    """Returns the Skills in the tree of a revision, by name; all of them, or those with these names."""
    if revision is None:
        return {}
    found = {}
    with open_reader(context.repository) as reader:
        for name, tree in sorted(skill_trees(context, revision).items()):
            if names is not None and name not in names:
                continue
            path = f"{layout.skill_folder(context.policy.skills_dir, name)}/{CONTRACT_FILE}"
            data = reader.read(f"{tree}:{CONTRACT_FILE}")
            if data is None:
                found[name] = StoredSkill(name, tree, None)
                continue
            try:
                found[name] = StoredSkill(name, tree, parse_contract(data, path=path))
            except DataError as error:
                found[name] = StoredSkill(name, tree, None, error.message)
    return found


def current_skills(context: Context) -> dict[str, StoredSkill]:
    """Returns the admitted Skills, by name."""
    return skills_at(context, context.base.commit)


def contract_at(context: Context, tree: str | None) -> Contract | None:
    """Returns the contract in a folder by its identity; None where the folder has none that can be read."""
    if tree is None:
        return None
    with open_reader(context.repository) as reader:
        data = reader.read(f"{tree}:{CONTRACT_FILE}")
    try:
        return None if data is None else parse_contract(data, path=CONTRACT_FILE)
    except DataError:
        return None


def edited_by_hand(context: Context, skill: StoredSkill) -> bool:
    """Says whether a person changed a compiled Skill's files, so that they are not what its contract renders."""
    if skill.contract is None:
        return False
    with open_reader(context.repository) as reader:
        return any(reader.read(f"{skill.tree}:{name}") != data for name, data in skill_files(skill.contract).items())


def near_duplicates_of(contract: Contract, skills: Iterable[StoredSkill]) -> tuple[str, ...]:
    """Returns the names of admitted Skills of other families that do what a new contract does.

    A Skill that it takes the place of is none.
    """
    replaced = {r.skill_id for r in contract.origin.replaces or ()}
    others = (s for s in skills if s.contract is not None and s.contract.skill_id not in replaced)
    return tuple(s.name for s in others if s.contract is not None and are_twins(s.contract, contract))


def skill_text(context: Context, skill: StoredSkill) -> str | None:
    """Returns SKILL.md as it is committed: what a host really loads."""
    with open_reader(context.repository) as reader:
        data = reader.read(f"{skill.tree}:{SKILL_FILE}")
    return None if data is None else data.decode("utf-8", "replace")


@dataclass
class SkillHistory:
    """The changes of every Skill folder on base, from one pass over the history."""

    context: Context

    @cached_property
    def changes(self) -> dict[str, list[FolderChange]]:
        self.context.repository.require_full_history()
        if self.context.base.commit is None:
            return {}
        return folder_changes(self.context.repository, self.context.base.commit, self.context.policy.skills_dir)

    def versions(self, skill: str) -> list[Version]:
        """Returns the versions of a Skill, oldest first. A removal is a version without a tree."""
        first: dict[str, int] = {}
        found = []
        for number, change in enumerate(self.changes.get(skill, []), 1):
            restores = first.get(change.tree) if change.tree else None
            if change.tree:
                first.setdefault(change.tree, number)
            found.append(Version(number, change.commit, change.at, change.tree, restores))
        return found

    def admitted_trees(self) -> set[str]:
        """Returns the identity of every version that was ever admitted."""
        return {c.tree for changes in self.changes.values() for c in changes if c.tree}


def require_skill(context: Context, name: str) -> StoredSkill:
    """Returns a compiled Skill of base by name or id. Raises UsageError for an unknown or hand-written one."""
    skills = current_skills(context)
    for skill in skills.values():
        if skill.contract is not None and name in (skill.name, skill.contract.skill_id):
            return skill
    if name in skills:
        if skills[name].problem:
            raise DataError(str(skills[name].problem), hint="run: skillc check")
        raise UsageError(f"{name!r} is written by hand: it has no contract.json, so there is no evidence to show")
    raise UsageError(
        f"there is no Skill {name!r} on {context.base.branch}",
        hint="run: skillc show, or skillc review for candidates",
    )
