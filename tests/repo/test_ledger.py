"""The ledger: records named by their content, only ever added, and merged by union."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.audit import AUDIT_NAMESPACE
from skillc.core.compile.history import FamilyRecord, RunRecord
from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import VERIFICATION_NAMESPACE, Basis, BasisKind, Envelope, Verification
from skillc.errors import DataError
from skillc.repo import layout, ledger
from skillc.repo.home import tool_key_path
from skillc.repo.keys import SignatureCache, make_tool_key, sign
from skillc.repo.ledger import (
    LedgerFile,
    append_to_ledger,
    checked_verifications,
    ledger_commit,
    ledger_file,
    read_ledger,
    require_sound,
    unsound_verifications,
)
from skillc.repo.objects import list_tree
from skillc.repo.repository import Repository
from tests.repositories import AT, put_commit, run_git

TRACE = "t-00000001"


def family(slug: str = "refunds", *, minutes: int = 0) -> FamilyRecord:
    return FamilyRecord(namespace="acme", slug=slug, at=AT + timedelta(minutes=minutes))


def append(repository: Repository, *records: FamilyRecord) -> str | None:
    files = [ledger_file("families", record) for record in records]
    return append_to_ledger(repository, files, message="families\n", at=AT)


def signed(trace_id: str = TRACE, **changes: object) -> Envelope:
    make_tool_key()
    fields = {
        "namespace": "acme", "trace_id": trace_id, "trace_digest": "sha256:0", "outcome": Outcome.SUCCESS,
        "verifier_id": "unit-tests", "basis": Basis(kind=BasisKind.CHECK_RUN, ref="0" * 40), "at": AT,
    } | changes  # fmt: skip
    payload = canonical_json(Verification.model_validate(fields))
    return sign(payload, namespace=VERIFICATION_NAMESPACE, key_path=tool_key_path())


def slugs(repository: Repository) -> list[str]:
    return [record.slug for record in read_ledger(repository).families]


def test_an_empty_repository_has_an_empty_ledger(repository: Repository):
    assert ledger_commit(repository) is None
    assert read_ledger(repository) == ledger.Ledger()


def test_a_record_is_read_back_and_named_by_its_content(root: Path, repository: Repository):
    record = family()
    commit = append(repository, record)
    found = read_ledger(repository)
    assert (found.commit, found.families, found.problems) == (commit, (record,), ())
    assert f"families/{sha256_hex(canonical_json(record))}.json" in found.paths
    assert run_git(root, "status", "--porcelain") == ""


def test_the_same_record_twice_is_one_record_and_no_commit(repository: Repository):
    tip = append(repository, family(), family())
    assert append(repository, family()) is None
    assert ledger_commit(repository) == tip
    assert slugs(repository) == ["refunds"]


def test_nothing_to_append_makes_no_ledger(repository: Repository):
    assert append(repository) is None
    assert ledger_commit(repository) is None


def test_appending_keeps_everything_before(repository: Repository):
    append(repository, family("a", minutes=1))
    append(repository, family("b", minutes=0))
    assert slugs(repository) == ["b", "a"], "by time"


def test_ledgers_that_were_made_apart_share_their_root(new_repository):
    """So two clones that both began a ledger can merge."""
    one = Repository.open(new_repository("one", files={"a": "a\n"}))
    two = Repository.open(new_repository("two", files={"b": "b\n"}))
    append(one, family("a"))
    append(two, family("b"))
    roots = [run_git(r.root, "rev-list", "--max-parents=0", layout.LEDGER_REF) for r in (one, two)]
    assert roots[0] == roots[1]


def test_two_clones_merge_by_union_without_a_conflict(root: Path, tmp_path: Path, repository: Repository):
    append(repository, family("common"))
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    clone = Repository.open(tmp_path / "clone")
    assert slugs(clone) == ["common"], "a clone reads origin's ledger before it has its own"
    append(repository, family("here", minutes=1))
    append(clone, family("there", minutes=2))

    run_git(clone.root, "fetch", "-q", "origin")
    run_git(clone.root, "switch", "-q", layout.LEDGER_BRANCH)
    run_git(clone.root, "merge", "-q", "--no-edit", f"origin/{layout.LEDGER_BRANCH}")

    assert slugs(clone) == ["common", "here", "there"]
    assert read_ledger(clone).problems == ()


def test_the_first_record_of_a_clone_stands_on_origins_ledger(root: Path, tmp_path: Path, repository: Repository):
    old = append(repository, family("a"))
    run_git(tmp_path, "clone", "-q", str(root), "clone")
    clone = Repository.open(tmp_path / "clone")
    new = append(clone, family("b", minutes=1))
    assert old is not None
    assert new is not None
    assert clone.is_ancestor(old, new)


def test_writers_at_the_same_time_lose_nothing(repository: Repository):
    errors: list[BaseException] = []

    def write(number: int) -> None:
        try:
            append(repository, family(f"f{number}"))
        except BaseException as error:
            errors.append(error)

    append(repository, family("first"))
    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(slugs(repository)) == 5


@settings(max_examples=10, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=4), max_size=4))
def test_the_ledger_is_the_union_of_all_appends_in_any_grouping(tmp_path_factory, groups: list[list[str]]):
    root = tmp_path_factory.mktemp("union")
    run_git(root, "init", "-q")
    repository = Repository.open(root)
    for group in groups:
        append(repository, *(family(slug) for slug in group))
    assert slugs(repository) == sorted({slug for group in groups for slug in group})


# What is no record


def plant(repository: Repository, path: str, data: bytes) -> None:
    put_commit(repository, layout.LEDGER_REF, {path: data})


def test_a_file_that_is_not_named_by_its_digest_counts_for_nothing(repository: Repository):
    plant(repository, "families/" + "0" * 64 + ".json", canonical_json(family()))
    found = read_ledger(repository)
    assert found.families == ()
    assert found.problems == (("families/" + "0" * 64 + ".json", "is not named by its digest"),)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b'{"format":"skillc.family/2"}', b"\xff", b"[" * 100_000,
        b'{"at":"2026-01-01T00:00:00","format":"skillc.family/1","namespace":"acme","slug":"x"}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_record_is_a_problem_and_stops_nothing(repository: Repository, data: bytes):
    """The last one has a time without a zone, which could not be put in order with the others."""
    append(repository, family())
    plant(repository, f"families/{sha256_hex(data)}.json", data)
    found = read_ledger(repository)
    assert [f.slug for f in found.families] == ["refunds"]
    assert len(found.problems) == 1


def test_a_problem_never_shows_the_content(repository: Repository):
    data = b'{"sk-secret-field":"sk-secret-value"}'
    plant(repository, f"families/{sha256_hex(data)}.json", data)
    assert "secret" not in str(read_ledger(repository).problems)


def test_a_huge_file_is_not_read_as_a_record(repository: Repository, monkeypatch):
    monkeypatch.setattr(ledger, "_MAX_RECORD_BYTES", 100)
    data = b"x" * 200
    plant(repository, f"families/{sha256_hex(data)}.json", data)
    assert [what for _, what in read_ledger(repository).problems] == ["is too large for a record"]


def test_problems_stop_a_caller_that_wants_a_sound_ledger(repository: Repository):
    plant(repository, "families/x.json", b"x")
    found = read_ledger(repository)
    with pytest.raises(DataError, match=r"skillc/ledger:families/x\.json:1:"):
        require_sound(found)
    seen: list[str] = []
    require_sound(found, lambda path, what: seen.append(path))
    assert seen == ["families/x.json"]
    require_sound(ledger.Ledger())


# Verifications


def add(repository: Repository, folder: str, data: bytes) -> None:
    append_to_ledger(repository, [LedgerFile(folder, data)], message="x\n", at=AT)


def verifications(repository: Repository, trace_id: str = TRACE) -> list[str]:
    cache = SignatureCache(repository)
    found = checked_verifications(read_ledger(repository), trace_id, cache)
    return [checked.verification.verifier_id for checked in found]


def wrong(repository: Repository, trace_id: str = TRACE) -> list[str]:
    return [what for _, what in unsound_verifications(read_ledger(repository), trace_id, SignatureCache(repository))]


def test_a_signed_verification_comes_back_with_its_key(repository: Repository):
    envelope = signed()
    append_to_ledger(repository, [ledger_file(f"verifications/{TRACE}", envelope)], message="v\n", at=AT)
    cache = SignatureCache(repository)
    found = checked_verifications(read_ledger(repository), TRACE, cache)
    assert [c.key for c in found] == [envelope.key]
    assert read_ledger(repository).heads(f"verifications/{TRACE}") == (found[0].record_id,)
    assert verifications(repository, "t-00000002") == []


def test_a_verification_counts_only_for_the_trace_that_it_names(repository: Repository):
    """A record that somebody copied into another Trace's folder says nothing about that Trace."""
    append_to_ledger(repository, [ledger_file("verifications/t-00000002", signed())], message="v\n", at=AT)
    assert verifications(repository, "t-00000002") == []
    assert wrong(repository, "t-00000002") == ["it is for another Trace"]


@pytest.mark.parametrize("change", [{"payload": "{}"}, {"signature": ""}, {"key": "ssh-ed25519 AAAA"}])
def test_a_verification_whose_signature_does_not_hold_counts_for_nothing(repository: Repository, change):
    envelope = signed().model_copy(update=change)
    append_to_ledger(repository, [ledger_file(f"verifications/{TRACE}", envelope)], message="v\n", at=AT)
    assert verifications(repository) == []
    assert wrong(repository) == ["its signature does not hold"]


def test_a_well_signed_payload_that_is_no_verification_counts_for_nothing(repository: Repository):
    make_tool_key()
    envelope = sign(b'{"outcome":"success"}', namespace=VERIFICATION_NAMESPACE, key_path=tool_key_path())
    append_to_ledger(repository, [ledger_file(f"verifications/{TRACE}", envelope)], message="v\n", at=AT)
    assert verifications(repository) == []
    assert "what it signs is no verification" in wrong(repository)[0]


def test_a_signed_run_is_a_run_and_keeps_who_signed_it(repository: Repository):
    make_tool_key()
    run = RunRecord(
        run="r-1", namespace="acme", task_family="f", engine="offline", engine_version="1", base_commit=None,
        ledger_commit=None, at=AT, read=(), left_out=(), proposals=(), group=None, versions=(),
    )  # fmt: skip
    envelope = sign(canonical_json(run), namespace=AUDIT_NAMESPACE, key_path=tool_key_path())
    append_to_ledger(repository, [ledger_file("runs", run), ledger_file("runs", envelope)], message="x\n", at=AT)
    found = read_ledger(repository)
    assert found.runs == (run, run)
    assert found.signed_runs == ((run, envelope),)
    assert found.problems == ()


def test_a_signature_over_something_that_is_no_run_is_a_problem(repository: Repository):
    make_tool_key()
    envelope = sign(b"{}", namespace=AUDIT_NAMESPACE, key_path=tool_key_path())
    append_to_ledger(repository, [ledger_file("runs", envelope)], message="x\n", at=AT)
    found = read_ledger(repository)
    assert (found.runs, found.signed_runs) == ((), ())
    ((path, what),) = found.problems
    assert path.startswith("runs/")
    assert "is no RunRecord" in what


def test_heads_are_the_newest_names_to_link_to(repository: Repository):
    append(repository, *(family(f"f{n}") for n in range(12)))
    heads = read_ledger(repository).heads("families")
    assert len(heads) == 8
    assert list(heads) == sorted(heads)
    assert read_ledger(repository).heads("runs") == ()


def test_the_root_of_the_ledger_is_the_same_everywhere(repository: Repository):
    append(repository, family())
    root = run_git(repository.root, "rev-list", "--max-parents=0", layout.LEDGER_REF)
    assert list_tree(repository, root) == []
    assert run_git(repository.root, "show", "-s", "--format=%aI", root) == datetime(2026, 1, 1, tzinfo=UTC).isoformat()
