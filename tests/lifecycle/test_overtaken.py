"""What a run that another command overtook starts again for, and what it does not."""

import pytest

from skillc.lifecycle.context import Context
from skillc.lifecycle.forget import forget
from skillc.lifecycle.overtaken import ATTEMPTS, require_still_so, until_not_overtaken
from skillc.lifecycle.reject import reject
from skillc.repo.commits import RefMovedError, moved
from tests.reward_world import FAMILY, refund_run, take
from tests.world import World


def read(world: World) -> Context:
    """A context that has read base and ledger."""
    context = world.context()
    assert context.ledger.commit
    return context


def test_work_is_done_again_from_what_is_there_now(shop: World):
    context = read(shop)
    seen: list[str | None] = []

    def work() -> str:
        seen.append(context.base.commit)
        if len(seen) == 1:
            shop.commit({"other.txt": "x\n"})
            raise moved(context.base.ref)
        return "done"

    assert until_not_overtaken(context, work) == "done"
    assert seen[1] == shop.git("rev-parse", "HEAD") != seen[0]


def test_work_that_is_overtaken_every_time_says_so(shop: World):
    tries = []

    def work() -> None:
        tries.append(1)
        raise moved("refs/heads/main")

    with pytest.raises(RefMovedError, match="moved while this command ran"):
        until_not_overtaken(shop.context(), work)
    assert len(tries) == ATTEMPTS


def test_only_a_deletion_in_what_was_read_counts(shop: World):
    context = read(shop)
    one, other = sorted(shop.attempts())[:2]
    forget(shop.context(), [f"{one}#e1"], by="Ada")
    shop.git("update-ref", "refs/heads/main", str(context.base.commit))
    require_still_so(context, [other])
    with pytest.raises(RefMovedError):
        require_still_so(context, [one, other])


def test_a_rejection_counts(shop: World):
    take(shop, "more", *(refund_run(n) for n in range(20, 24)))
    shop.compile(FAMILY)
    context = read(shop)
    require_still_so(context, [])
    reject(shop.context(), FAMILY, None, reason="too long", by="Ada")
    with pytest.raises(RefMovedError):
        require_still_so(context, [])


@pytest.mark.parametrize(("path", "counts"), [("skillc.yaml", True), ("notes.txt", False)])
def test_base_counts_where_skills_or_policy_changed(shop: World, path: str, counts: bool):
    context = read(shop)
    place = shop.root / path
    shop.commit({path: (place.read_text("utf-8") if place.exists() else "") + "# a line\n"})
    if not counts:
        require_still_so(context, [])
        return
    with pytest.raises(RefMovedError):
        require_still_so(context, [])
