"""Skill folders on base without a compilation, for tests of what stands on an admitted Skill."""

from skillc.core.compile.group import skill_files
from skillc.core.skill.contract import Contract
from tests.world import World


def put_skill(world: World, contract: Contract, message: str = "skill") -> str:
    """Commits the folder of a contract on the checked-out branch; returns the commit."""
    folder = f".claude/skills/{contract.name}"
    files = {f"{folder}/{name}": data.decode("utf-8") for name, data in skill_files(contract).items()}
    return world.commit(files, message)
