"""A decision of a person counts by their signature, where somebody is registered who could give one."""

import json
from pathlib import Path

import pytest

from skillc.core.compile.conflict import open_conflicts
from skillc.core.compile.withdrawal import WithdrawalReason
from skillc.core.record import canonical_json
from skillc.core.trace.verification import DECISION_NAMESPACE, VERIFICATION_NAMESPACE, Envelope
from skillc.errors import PolicyError, UsageError
from skillc.lifecycle.decisions import approvers
from skillc.lifecycle.resolve import resolve
from skillc.lifecycle.restore import restore
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.status import status
from skillc.lifecycle.upkeep import withdrawals
from skillc.lifecycle.withdrawal import retire
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import make_key, register_person
from tests.reward_world import FAMILY, refund_run, take
from tests.terminals import in_terminal
from tests.world import World

WORDS = "a passphrase"


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key with a passphrase, which a dialog asks the person for."""
    path = tmp_path / "alice"
    make_key(path, passphrase=WORDS)
    askpass = tmp_path / "askpass"
    askpass.write_text(f"#!/bin/sh\necho {WORDS}\n", "utf-8")
    askpass.chmod(0o755)
    monkeypatch.setenv("SSH_ASKPASS", str(askpass))
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    return path


def public(key: Path) -> str:
    return key.with_name(key.name + ".pub").read_text("utf-8").strip()


@pytest.fixture
def conflicted(shop: World, key: Path) -> World:
    """A Skill in conflict, in a namespace with one registered approver."""
    register_person(shop, public(key))
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    return shop


def open_in(world: World) -> int:
    ledger = world.context().ledger
    return len(open_conflicts(ledger.conflicts, ledger.resolutions))


def files_of(world: World, folder: str) -> list[str]:
    return world.git("ls-tree", "-r", "--name-only", "skillc/ledger", f"{folder}/").splitlines()


def stored(world: World, folder: str) -> list[Envelope]:
    texts = (world.git("show", f"skillc/ledger:{path}") for path in files_of(world, folder))
    return [Envelope.model_validate_json(text) for text in texts]


def test_a_resolution_is_signed_by_the_registered_approver_and_counts(conflicted: World, key: Path):
    report = resolve(conflicted.context(), FAMILY, "A", reason="vouchers ended", by="somebody", key_path=key)
    assert report.in_service
    assert (open_in(conflicted), withdrawals(conflicted.context())) == (0, {})
    assert [r.by for r in conflicted.context().ledger.resolutions] == ["alice"]
    assert len(stored(conflicted, "resolutions")) == len(stored(conflicted, "lifts")) == 1
    assert status(conflicted.context()).uncounted == ()


def test_an_unsigned_decision_silences_nothing_where_an_approver_is_registered(shop: World, key: Path):
    """It is what a record of anybody with write access to the ledger would be."""
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    resolve(shop.context(), FAMILY, "A", reason="r", by="mallory")
    assert (open_in(shop), withdrawals(shop.context())) == (0, {})  # nobody is registered who could sign it
    register_person(shop, public(key))
    assert open_in(shop) == 1
    assert list(withdrawals(shop.context())) == [current_skills(shop.context())[FAMILY].tree]
    told = status(shop.context())
    assert [c.skill for c in told.conflicts] == [FAMILY]
    assert len(told.uncounted) == 2
    assert "waits for a person" in shop.compile_one(FAMILY).note
    resolve(shop.context(), FAMILY, "A", reason="r", by="x", key_path=key)
    assert (open_in(shop), withdrawals(shop.context())) == (0, {})


def forge(world: World, envelope: Envelope, folder: str = "resolutions") -> None:
    context = world.context()
    append_to_ledger(context.repository, [ledger_file(folder, envelope)], message="forged\n", at=context.now)


def test_a_decision_that_a_stranger_signed_or_somebody_changed_counts_for_nothing(
    conflicted: World, key: Path, tmp_path: Path
):
    (made,) = conflicted.context().ledger.conflicts
    record = {
        "format": "skillc.resolution/1", "conflict": made.conflict, "namespace": made.namespace,
        "skill_id": made.skill_id, "keep": "A", "reason": "r", "by": "alice", "at": "2026-12-01T12:00:00Z",
    }  # fmt: skip
    payload = json.dumps(record).encode()
    make_key(tmp_path / "mallory")
    good = sign(payload, namespace=DECISION_NAMESPACE, key_path=key)
    other = json.dumps(record | {"namespace": "another"}).encode()
    theirs = json.dumps(record | {"by": "bob"}).encode()
    for forged in (
        sign(payload, namespace=DECISION_NAMESPACE, key_path=tmp_path / "mallory"),
        sign(payload, namespace=VERIFICATION_NAMESPACE, key_path=key),
        good.model_copy(update={"payload": json.dumps(record | {"keep": "B"})}),
        sign(other, namespace=DECISION_NAMESPACE, key_path=key),
        sign(theirs, namespace=DECISION_NAMESPACE, key_path=key),
        sign(canonical_json(made), namespace=DECISION_NAMESPACE, key_path=key),
    ):
        forge(conflicted, forged)
    forge(conflicted, good, "lifts")  # a resolution is no end of a withdrawal
    assert open_in(conflicted) == 1
    assert len(withdrawals(conflicted.context())) == 1
    assert len(status(conflicted.context()).uncounted) == 7
    forge(conflicted, good)
    assert open_in(conflicted) == 0


def test_a_key_that_needs_nobody_or_is_a_strangers_signs_no_decision(conflicted: World, tmp_path: Path):
    make_key(tmp_path / "mallory", passphrase="x")
    before = conflicted.git("for-each-ref")
    with pytest.raises(PolicyError, match="not the registered key"):
        resolve(conflicted.context(), FAMILY, "A", reason="r", by="x", key_path=tmp_path / "mallory")
    with pytest.raises(UsageError, match="of a registered approver"):
        resolve(conflicted.context(), FAMILY, "A", reason="r", by="x")
    assert conflicted.git("for-each-ref") == before


def test_an_approver_whose_key_needs_nobody_is_none_that_could_sign(shop: World, key: Path):
    register_person(shop, public(key), key_class="local")
    assert approvers(shop.context().policy) == ()


def test_the_end_of_a_retirement_is_signed_and_a_dry_run_signs_nothing(shop: World, key: Path):
    register_person(shop, public(key))
    tree = retire(shop.context(), FAMILY, reason="not now", by="anybody").tree  # out of service needs no signature
    assert withdrawals(shop.context())[tree].reason is WithdrawalReason.RETIRED
    assert restore(shop.context(), FAMILY, "1", dry_run=True).ends_withdrawal
    with pytest.raises(UsageError, match="of a registered approver"):
        restore(shop.context(), FAMILY, "1")
    assert FAMILY not in current_skills(shop.context())
    restore(shop.context(), FAMILY, "1", key_path=key)
    assert (withdrawals(shop.context()), current_skills(shop.context())[FAMILY].tree) == ({}, tree)
    assert len(stored(shop, "lifts")) == 1


def test_the_commands_need_a_terminal_and_refuse_under_a_hosts_mark(shop: World, key: Path):
    register_person(shop, public(key))
    retire(shop.context(), FAMILY, reason="not now", by="anybody")
    done = shop.run("restore", FAMILY, "1", "--key", str(key))
    assert (done.returncode, "needs a terminal" in done.stderr) == (2, True)
    undone = shop.run("undo", FAMILY, "--key", str(key))  # it would take the retirement back
    assert (undone.returncode, "needs a terminal" in undone.stderr) == (2, True)
    code, said = in_terminal(shop, "restore", FAMILY, "1", "--key", str(key), CLAUDECODE="1")
    assert (code, "CLAUDECODE is set" in said) == (2, True)
    assert FAMILY not in current_skills(shop.context())
    code, said = in_terminal(shop, "restore", FAMILY, "1", "--key", str(key))
    assert (code, "restored" in said) == (0, True)
    assert FAMILY in current_skills(shop.context())
