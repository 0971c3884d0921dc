"""Two namespaces of one security domain: the shop, whose approver publishes, and another repository beside it."""

from pathlib import Path

import pytest

from skillc.lifecycle.init import init
from tests.approvers import key_that_asks, public_of, register_person
from tests.repositories import run_git
from tests.world import World


def another_namespace(home: Path, root: Path, *, security_domain: str) -> World:
    """A repository with skillc.yaml on main and nobody registered."""
    made = World(home, root)
    root.mkdir(parents=True)
    run_git(root, "init", "--quiet", "--initial-branch=main")
    init(root)
    text = (root / "skillc.yaml").read_text("utf-8")
    lines = [f"security_domain: {security_domain}" if x.startswith("security_domain:") else x for x in text.split("\n")]
    (root / "skillc.yaml").write_text("\n".join(lines), "utf-8")
    run_git(root, "add", "-A")
    run_git(root, "commit", "--quiet", "-m", "namespace")
    return made


def domain_of(world: World) -> str:
    return world.context().policy.security_domain


def with_approver(shop: World, folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Registers alice as an approver of the shop; returns her key."""
    key = key_that_asks(folder, patch)
    register_person(shop, public_of(key))
    return key
