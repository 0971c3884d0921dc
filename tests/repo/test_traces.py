"""Stored Traces: added once, read at a tip, and never taken for another."""

import io
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skillc.core.policy import TracesLocation
from skillc.core.trace.codec import Trace, encode_record
from skillc.errors import DataError, RepoError
from skillc.repo import layout
from skillc.repo.repository import Repository
from skillc.repo.traces import NewTrace, TraceStore
from tests import makers
from tests.repositories import commit_files, put_commit, run_git, seen_by_a_person
from tests.world import World

BRANCH, TREE = TracesLocation.BRANCH, TracesLocation.TREE


def encoded(trace: Trace) -> bytes:
    return b"".join(encode_record(r) + b"\n" for r in (trace.header, *trace.events, trace.close))


def make(trace_id: str = "t-00000001") -> Trace:
    return makers.make_trace(makers.user("do it"), makers.says("done"), trace_id=trace_id)


def new(trace: Trace) -> NewTrace:
    data = encoded(trace)
    started = trace.header.started_at
    path = layout.trace_path(trace.trace_id, started.isoformat() if started else None)
    return NewTrace(trace.trace_id, path, io.BytesIO(data), len(data), started)


def open_store(repository: Repository, location: TracesLocation = BRANCH) -> TraceStore:
    return TraceStore.open(repository, location, repository.base())


def ids(repository: Repository, location: TracesLocation = BRANCH) -> list[str]:
    return [trace.trace_id for trace in open_store(repository, location).read_all()]


def test_a_stored_trace_comes_back_whole(repository: Repository):
    trace = make()
    commit = open_store(repository).add([new(trace)])
    store = open_store(repository)
    assert store.tip == commit
    assert store.read(trace.trace_id) == trace
    assert store.read("t-00000002") is None
    assert list(store.read_all()) == [trace]


def test_without_a_branch_nothing_is_stored(repository: Repository):
    store = open_store(repository)
    assert (store.tip, store.stored(), list(store.read_all())) == (None, {}, [])
    assert store.add([]) is None


def test_the_branch_is_an_orphan_and_the_work_tree_sees_nothing(root: Path, repository: Repository):
    before = seen_by_a_person(root)
    open_store(repository).add([new(make())])
    open_store(repository).add([new(make("t-00000002"))])
    after = seen_by_a_person(root)
    before.pop(":branches"), after.pop(":branches")
    assert after == before
    assert run_git(root, "rev-list", "--count", layout.TRACES_REF) == "2"
    assert ids(repository) == ["t-00000001", "t-00000002"]


def test_a_store_reads_the_tip_that_it_opened(repository: Repository):
    open_store(repository).add([new(make())])
    store = open_store(repository)
    open_store(repository).add([new(make("t-00000002"))])
    assert list(store.stored()) == ["t-00000001"]


def test_a_clone_reads_origins_traces_and_adds_on_top(root: Path, tmp_path: Path, repository: Repository):
    first = open_store(repository).add([new(make())])
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    clone = Repository.open(tmp_path / "clone")
    assert ids(clone) == ["t-00000001"]
    second = open_store(clone).add([new(make("t-00000002"))])
    assert run_git(clone.root, "rev-parse", f"{second}^") == first


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_traces_of_a_repository_of_their_own_lie_in_its_tree(new_repository, object_format: str):
    root = new_repository(object_format=object_format, files={"skillc.yaml": "x\n"})
    repository = Repository.open(root)
    open_store(repository, TREE).add([new(make())])
    assert (root / "traces" / "2026" / "01" / "t-00000001.jsonl").exists()
    assert run_git(root, "status", "--porcelain") == ""
    assert ids(repository, TREE) == ["t-00000001"]


@pytest.mark.parametrize("state", ["topic", "detached", "unborn", "merge"])
def test_the_tree_is_written_only_where_base_is_checked_out_and_quiet(new_repository, state: str):
    root = new_repository(files=None if state == "unborn" else {"a": "1\n"})
    if state == "topic":
        run_git(root, "switch", "-q", "-c", "topic")
    elif state == "detached":
        run_git(root, "switch", "-q", "--detach")
    elif state == "merge":
        run_git(root, "switch", "-q", "-c", "topic")
        commit_files(root, {"a": "2\n"})
        run_git(root, "switch", "-q", "main")
        commit_files(root, {"a": "3\n"})
        with pytest.raises(AssertionError):
            run_git(root, "merge", "topic")
    repository = Repository.open(root)
    with pytest.raises(RepoError) as caught:
        open_store(repository, TREE).add([new(make())])
    assert caught.value.hint
    assert not (root / "traces").exists()


def test_what_is_no_trace_file_is_not_read(repository: Repository):
    put_commit(
        repository, layout.TRACES_REF,
        {"README.md": b"x", "traces/x.jsonl": b"x", "traces/2026/01/UPPER-00.jsonl": b"x", "other/t-00000001.jsonl": b"x"},
    )  # fmt: skip
    assert open_store(repository).stored() == {}


def test_a_link_in_place_of_a_trace_is_not_followed(root: Path, repository: Repository):
    blob = run_git(root, "hash-object", "-w", "--stdin", stdin=b"/etc/passwd")
    tree = run_git(root, "mktree", stdin=f"120000 blob {blob}\tt-00000001.jsonl\n".encode())
    for name in ("undated", "traces"):
        tree = run_git(root, "mktree", stdin=f"040000 tree {tree}\t{name}\n".encode())
    run_git(root, "update-ref", layout.TRACES_REF, run_git(root, "commit-tree", tree, "-m", "x"))
    assert open_store(repository).stored() == {}


def test_a_trace_under_another_name_is_refused(repository: Repository):
    """Else one file could stand for the evidence of another."""
    put_commit(repository, layout.TRACES_REF, {"traces/2026/01/t-00000002.jsonl": encoded(make("t-00000001"))})
    with pytest.raises(DataError, match=r"traces/2026/01/t-00000002\.jsonl:1: holds the Trace 't-00000001'"):
        ids(repository)


def test_a_trace_that_is_stored_twice_is_refused(repository: Repository):
    data = encoded(make())
    put_commit(
        repository, layout.TRACES_REF,
        {"traces/2026/01/t-00000001.jsonl": data, "traces/2026/02/t-00000001.jsonl": data},
    )  # fmt: skip
    with pytest.raises(DataError, match="is stored at"):
        open_store(repository).stored()


def test_a_changed_trace_is_refused_with_its_place(repository: Repository):
    data = encoded(make()).replace(b"do it", b"do me")
    put_commit(repository, layout.TRACES_REF, {"traces/2026/01/t-00000001.jsonl": data})
    with pytest.raises(DataError, match=r"traces/2026/01/t-00000001\.jsonl:4: the digest"):
        ids(repository)


def test_the_commit_names_the_traces_and_shows_none_of_their_text(root: Path, repository: Repository):
    commit = open_store(repository).add([new(make()), new(make("t-00000002"))])
    message = run_git(root, "show", "-s", "--format=%B", str(commit))
    assert message == "traces: 2 Traces\n\nt-00000001\nt-00000002\n".rstrip("\n")


def test_an_undated_trace_is_stored_at_a_fixed_time(root: Path, repository: Repository):
    trace = makers.make_trace(makers.user("x"), started_at=None)
    commit = open_store(repository).add([new(trace)])
    shown = datetime.fromisoformat(run_git(root, "show", "-s", "--format=%aI", str(commit)))
    assert shown == datetime(2026, 1, 1, tzinfo=UTC)
    assert ids(repository) == [trace.trace_id]


def test_a_trace_whose_content_git_lost_is_gits_trouble_and_no_empty_file(world: World):
    stored = next(iter(world.context().traces.stored().values()))
    lost = world.root / ".git" / "objects" / stored.object_id[:2] / stored.object_id[2:]
    for pack in list((world.root / ".git" / "objects" / "pack").glob("*.pack")):
        kept = pack.rename(world.home / pack.name)
        subprocess.run(["git", "unpack-objects", "-q"], input=kept.read_bytes(), cwd=world.root, check=True)
    lost.unlink()
    with pytest.raises(RepoError, match="does not have the content") as raised:
        list(world.context().traces.read_all())
    assert "git fsck" in (raised.value.hint or "")
