"""The namespace that races are run on: two small families with verified runs, and a base that the forge protects."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.approvers import make_key, public_of, register_evaluator
from tests.races.together import CANCEL, cancel_run, protect_base
from tests.reward_world import FAMILY, copy_reward_world, new_reward_world, refund_run, take
from tests.world import World


@pytest.fixture(scope="session")
def guarded_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        made = new_reward_world(tmp_path_factory.mktemp("guarded"), patch)
        make_key(made.home / "eval-key")
        register_evaluator(made, public_of(made.home / "eval-key"))
        protect_base(made)
        made.set_policy("location: tree", "location: branch")
        take(made, "refunds", *(refund_run(n) for n in range(3)))
        take(made, "cancels", *(cancel_run(n) for n in range(3)), family=CANCEL)
        yield made


@pytest.fixture
def guarded(guarded_shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A copy of the shop with two families, nothing compiled."""
    return copy_reward_world(guarded_shop, tmp_path / "guarded", monkeypatch)


@pytest.fixture
def merged(guarded: World) -> World:
    """The same with the Skill of one family on base, and more runs of it that no Skill was made from."""
    guarded.compile(FAMILY)
    guarded.merge(FAMILY)
    take(guarded, "more", *(refund_run(n) for n in range(20, 24)))
    return guarded
