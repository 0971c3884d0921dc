"""The ledger's history: additions in their order, every other change a break, and pins that outlive a cut."""

from datetime import UTC, datetime

from skillc.repo import layout
from skillc.repo.ledger import LedgerFile, append_to_ledger
from skillc.repo.ledger_history import pin_ledger, pinned_ledgers, read_ledger_history
from skillc.repo.repository import Repository
from tests.repositories import run_git

AT = datetime(2026, 1, 1, tzinfo=UTC)


def append(repository: Repository, text: str) -> str:
    file = LedgerFile("outcomes", text.encode())
    commit = append_to_ledger(repository, [file], message="x\n", at=AT)
    assert commit is not None
    return file.path


def tip(repository: Repository) -> str:
    return run_git(repository.root, "rev-parse", layout.LEDGER_BRANCH).strip()


def test_records_come_in_the_order_of_their_commits(repository: Repository):
    first, second = append(repository, "a"), append(repository, "b")
    history = read_ledger_history(repository, tip(repository))
    assert history.breaks == ()
    assert history.order[first] < history.order[second]


def test_two_histories_that_were_joined_break_nothing(repository: Repository):
    append(repository, "a")
    run_git(repository.root, "branch", "other", layout.LEDGER_BRANCH)
    append(repository, "b")
    mine = tip(repository)
    run_git(repository.root, "update-ref", layout.LEDGER_REF, "other")
    append(repository, "c")
    theirs = tip(repository)
    tree = run_git(repository.root, "merge-tree", "--write-tree", mine, theirs).strip()
    joined = run_git(repository.root, "commit-tree", tree, "-p", mine, "-p", theirs, "-m", "join").strip()
    history = read_ledger_history(repository, joined)
    assert history.breaks == ()
    assert len(history.order) == 3


def test_a_record_that_went_is_a_break_with_its_commit(repository: Repository):
    path = append(repository, "a")
    before = tip(repository)
    empty = run_git(repository.root, "rev-parse", f"{before}~1^{{tree}}").strip()
    gone = run_git(repository.root, "commit-tree", empty, "-p", before, "-m", "gone").strip()
    history = read_ledger_history(repository, gone)
    assert [(b.commit, b.path, b.what) for b in history.breaks] == [(gone, path, "removed")]


def test_a_pin_is_what_was_last_pinned(repository: Repository):
    assert pinned_ledgers(repository) == {}
    append(repository, "a")
    pin_ledger(repository, tip(repository))
    assert list(pinned_ledgers(repository).values()) == [tip(repository)]


def dated(repository: Repository, folder: str, text: str, day: int) -> str:
    file = LedgerFile(folder, text.encode())
    append_to_ledger(repository, [file], message="x\n", at=datetime(2026, 3, day, tzinfo=UTC))
    return file.path


def test_a_run_comes_between_the_records_before_and_after_it_whatever_date_it_has(repository: Repository):
    """Its commit is dated by the newest source that it read."""
    dated(repository, "verifications", "a", 10)
    run = dated(repository, "runs", "b", 2)
    dated(repository, "outcomes", "c", 14)
    dates = read_ledger_history(repository, tip(repository)).dates[run]
    assert (dates.at.day, dates.until and dates.until.day) == (10, 14)


def test_of_the_last_run_nobody_can_tell_until_when(repository: Repository):
    dated(repository, "verifications", "a", 10)
    run = dated(repository, "runs", "b", 2)
    assert read_ledger_history(repository, tip(repository)).dates[run].until is None


def test_a_record_with_a_clock_has_its_own_time(repository: Repository):
    path = dated(repository, "outcomes", "a", 10)
    dates = read_ledger_history(repository, tip(repository)).dates[path]
    assert (dates.at.day, dates.until and dates.until.day) == (10, 10)


def test_a_clock_that_went_back_gives_no_end_before_the_beginning(repository: Repository):
    dated(repository, "outcomes", "a", 20)
    path = dated(repository, "outcomes", "b", 10)
    dates = read_ledger_history(repository, tip(repository)).dates[path]
    assert dates.until is not None
    assert dates.until >= dates.at
