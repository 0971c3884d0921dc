"""What a deletion does not reach is named: branches, tags, remotes, stashes; derived files go at once."""

from skillc.lifecycle.forget_left import drop_derived, what_is_left
from skillc.repo import layout
from tests.world import FIELD, World


def test_history_tags_and_remote_branches_that_hold_a_version_are_named(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    tree = world.git("rev-parse", f"HEAD:.claude/skills/{FIELD}")
    world.git("tag", "v1")
    world.git("update-ref", "refs/remotes/origin/main", "HEAD")
    left = what_is_left(world.context(), [], [tree])
    assert "main" in left.branches
    assert (left.tags, left.remotes) == (("v1",), ("origin/main",))
    assert any("ask the forge" in note for note in left.notes)


def test_a_trace_that_changed_once_is_held_by_its_history_and_another_is_not(world: World):
    paths = sorted(p.path for p in world.context().traces.stored().values())
    assert what_is_left(world.context(), paths[:1], []).branches == ()


def test_a_link_in_place_of_a_cache_is_not_followed(world: World, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("keep", "utf-8")
    private = world.context().repository.private
    place = private / layout.ANSWER_DIR
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(tmp_path / "mine")
    drop_derived(world.context().repository)
    assert not place.exists()
    assert (tmp_path / "mine" / "file").read_text("utf-8") == "keep"
