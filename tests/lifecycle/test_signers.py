"""Whose word a signature is: a registered approver's, for a record as for a commit."""

from pathlib import Path

from skillc.core.policy import Person
from skillc.core.trace.verification import APPROVAL_NAMESPACE, DECISION_NAMESPACE
from skillc.lifecycle.signers import NOBODY, approver_of, approvers, who_signed
from skillc.repo.keys import sign
from skillc.repo.objects import open_reader
from tests.approvers import make_key, public_of, register_person, signing
from tests.world import World


def test_a_record_is_the_word_of_the_approver_whose_key_signed_it(world: World, tmp_path: Path):
    key, other = tmp_path / "alice", tmp_path / "mallory"
    make_key(key)
    make_key(other)
    register_person(world, public_of(key))
    context = world.context()
    people = approvers(context.policy)

    def word(path: Path, namespace: str = APPROVAL_NAMESPACE) -> Person | str:
        envelope = sign(b"{}", namespace=APPROVAL_NAMESPACE, key_path=path)
        return approver_of(envelope, namespace=namespace, people=people, signatures=context.signatures)

    alice = word(key)
    assert isinstance(alice, Person)
    assert alice.id == "alice"
    assert word(other) == NOBODY
    assert word(key, DECISION_NAMESPACE) == "its signature does not hold"


def test_a_key_that_is_registered_as_local_is_nobodys(world: World, tmp_path: Path):
    key = tmp_path / "alice"
    make_key(key)
    register_person(world, public_of(key), key_class="local")
    assert approvers(world.context().policy) == ()
    commit = world.git(*signing(key), "commit", "--quiet", "--allow-empty", "-m", "x") or world.git("rev-parse", "HEAD")
    signer, _, reason = who_signed(world.context(), [commit])
    assert signer is None
    assert "used without the person" in reason


def test_a_reader_gives_the_same_answer_as_git(world: World, tmp_path: Path):
    key = tmp_path / "alice"
    make_key(key)
    register_person(world, public_of(key))
    world.git(*signing(key), "commit", "--quiet", "--allow-empty", "-m", "x")
    context, commit = world.context(), world.git("rev-parse", "HEAD")
    with open_reader(context.repository) as reader:
        assert who_signed(context, [commit], reader) == who_signed(context, [commit])
    assert who_signed(context, [commit])[0] == "alice"
