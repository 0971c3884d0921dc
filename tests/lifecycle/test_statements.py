"""Signed statements: made once, by the registered key, and worth nothing when touched."""

import json

from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind
from skillc.lifecycle.statements import VerificationDraft, record_verifications
from tests.world import CHECK, World


def draft(world: World, trace_id: str, outcome: Outcome, ref: str = "abc") -> VerificationDraft:
    context = world.context()
    trace = world.attempts()[trace_id].trace
    verifier = context.policy.verifier(CHECK)
    assert verifier is not None
    return VerificationDraft(trace_id, trace.digest, outcome, verifier, Basis(kind=BasisKind.CHECK_RUN, ref=ref))


def test_the_same_verdict_is_recorded_once(world: World):
    trace_id = next(iter(world.attempts()))
    item = draft(world, trace_id, Outcome.SUCCESS)
    assert record_verifications(world.context(), [item]).count == 1
    assert record_verifications(world.context(), [item]).count == 0


def test_two_verdicts_that_disagree_make_the_trace_conflicted(world: World):
    trace_id = next(t for t, a in world.attempts().items() if a.standing.is_verified_success)
    record_verifications(world.context(), [draft(world, trace_id, Outcome.FAILURE)])
    standing = world.attempts()[trace_id].standing
    assert standing.conflicted
    assert not standing.is_verified_success
    assert "disagree" in standing.reasons[0]


def test_a_forged_payload_under_a_true_signature_counts_for_nothing(world: World):
    """The signature covers the stored payload; changing the verdict breaks it."""
    trace_id = next(t for t, a in world.attempts().items() if a.standing.is_verified_failure)
    path = next(p for p in world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines() if trace_id in p)
    envelope = json.loads(world.git("show", f"skillc/ledger:{path}"))
    envelope["payload"] = envelope["payload"].replace('"failure"', '"success"')
    data = canonical_json(envelope)
    world.git("switch", "--quiet", "skillc/ledger")
    world.git("rm", "--quiet", path)
    world.commit({f"verifications/{trace_id}/{sha256_hex(data)}.json": data.decode()}, "forged")
    world.git("switch", "--quiet", "main")

    assert world.attempts()[trace_id].standing.strength.value in ("none", "self")


def test_a_record_copied_to_another_trace_counts_for_nothing(world: World):
    attempts = world.attempts()
    good = next(t for t, a in attempts.items() if a.standing.is_verified_success)
    bad = next(t for t, a in attempts.items() if a.standing.is_verified_failure)
    paths = world.git("ls-tree", "-r", "--name-only", "skillc/ledger").splitlines()
    source = next(p for p in paths if good in p)
    world.git("switch", "--quiet", "skillc/ledger")
    world.commit({source.replace(good, bad): (world.root / source).read_text("utf-8")}, "copied")
    world.git("switch", "--quiet", "main")

    assert world.attempts()[bad].standing.outcome is Outcome.FAILURE
    assert not world.attempts()[bad].standing.conflicted
