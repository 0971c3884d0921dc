"""`check` of stored Traces: a closed one never changes, lines go only by a signed deletion, nothing comes back."""

import pytest

from skillc.core.remove import delete_events
from skillc.lifecycle.check import check
from skillc.lifecycle.check_traces import signed_tombstones
from skillc.lifecycle.forget import forget
from skillc.repo import layout
from skillc.repo.commits import Delete, NewCommit, Put, RefUpdate, update_refs, write_commits
from skillc.repo.ledger import append_to_ledger, ledger_file
from skillc.repo.objects import open_reader
from tests.world import NOW, World


@pytest.fixture
def stored(world: World) -> tuple[World, str, str, bytes]:
    """A namespace, one of its Traces, the path of it, and its bytes."""
    context = world.context()
    trace_id, place = sorted(context.traces.stored().items())[0]
    with open_reader(context.repository) as reader:
        return world, trace_id, place.path, reader.read(place.object_id) or b""


def put(world: World, path: str, data: bytes | None) -> None:
    """Commits to the branch of Traces, as anybody with push rights can."""
    repository = world.context().repository
    tip = world.git("rev-parse", layout.TRACES_BRANCH)
    change = Delete(path) if data is None else Put(path, data)
    written = write_commits(repository, [NewCommit("x\n", [change], NOW)], parent=tip, label="test")
    update_refs(repository, [RefUpdate(layout.TRACES_REF, tip, written.ids[-1])], drop=[written.tmp_ref])


def problems(world: World) -> list[tuple[str, str]]:
    return [(p.code, p.message) for p in check(world.context()).problems if p.code != "unrecorded-version"]


def test_traces_that_nobody_touched_are_right(stored):
    assert problems(stored[0]) == []


def test_a_removed_trace_is_found(stored):
    world, _, path, _ = stored
    put(world, path, None)
    ((code, message),) = problems(world)
    assert (code, "was removed" in message) == ("trace-changed", True)


def test_a_trace_that_was_sealed_anew_is_found(stored):
    from skillc.core.trace.codec import encode_record, parse_trace, seal

    world, _, path, data = stored
    trace = parse_trace(data, path=path)
    header, lines, close = seal(trace.header, [encode_record(e) for e in trace.events[:-1]], trace.close)
    put(world, path, b"".join(line + b"\n" for line in (header, *lines, close)))
    ((code, message),) = problems(world)
    assert (code, "a closed Trace never changes" in message) == ("trace-changed", True)


def test_lines_that_went_without_a_signed_record_are_found(stored):
    from skillc.core.trace.codec import parse_trace

    world, _, path, data = stored
    put(world, path, delete_events(parse_trace(data, path=path), data, ["e2"]).data)
    assert problems(world) == [("deleted-content", "line 4 was deleted without a signed record")]


def test_a_signed_deletion_is_right_and_its_content_is_refused_when_it_comes_back(stored):
    world, trace_id, path, data = stored
    forget(world.context(), [f"{trace_id}#e2"], by="Ada")
    assert problems(world) == []
    put(world, path, data)
    assert problems(world) == [("deleted-content", "line 4 is content that was deleted")]


def test_a_deletion_that_a_stranger_signed_counts_for_nothing(stored, tmp_path):
    from skillc.core.audit import AUDIT_NAMESPACE
    from skillc.repo.keys import sign
    from tests.approvers import make_key

    world, trace_id, _, _ = stored
    forget(world.context(), [f"{trace_id}#e2"], by="Ada")
    context = world.context()
    assert [r.trace_id for r in signed_tombstones(context)] == [trace_id]
    ((_, envelope),) = context.ledger.tombstones[trace_id]
    make_key(tmp_path / "mallory")
    forged = sign(
        envelope.payload.replace("Ada", "Bob").encode(), namespace=AUDIT_NAMESPACE, key_path=tmp_path / "mallory"
    )
    file = ledger_file(f"tombstones/{trace_id}", forged)
    append_to_ledger(context.repository, [file], message="x\n", at=NOW)
    assert [r.by for r in signed_tombstones(world.context())] == ["Ada"]


def test_a_change_that_was_taken_back_is_no_problem(stored):
    world, _, path, data = stored
    put(world, path, None)
    put(world, path, data)
    assert problems(world) == []


def test_in_the_tree_a_pull_request_that_removes_a_trace_is_found(world: World):
    world.set_policy("location: branch", "location: tree")
    world.git("read-tree", f"--prefix={layout.TRACES_DIR}/", f"{layout.TRACES_BRANCH}:{layout.TRACES_DIR}")
    world.git("checkout-index", "--all", "--force")
    world.git("commit", "--quiet", "-m", "traces in the tree")
    path = next(iter(world.context().traces.stored().values())).path
    world.git("switch", "--quiet", "-c", "pr")
    world.git("rm", "--quiet", path)
    world.git("commit", "--quiet", "-m", "less")
    assert "trace-changed" in {p.code for p in check(world.context(), "pr").problems}
