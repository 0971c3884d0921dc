"""An agent that tries to verify itself: each way is worth nothing, or is shown as `local`. docs/THREATS.md."""

import json
from pathlib import Path

import pytest
from tests.approvers import make_key, register_person, session, ssh_agent
from tests.authenticator import Authenticator
from tests.makers import bash, call, gives, user
from tests.terminals import in_terminal
from tests.world import CHECK, NOW, World

from skillc.core.record import canonical_json, sha256_hex
from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind, Envelope, Standing, Verification
from skillc.lifecycle.registry import remove_verifier
from skillc.lifecycle.statements import VerificationDraft, record_verifications
from skillc.lifecycle.verify_events import verify_by_events
from skillc.repo.home import tool_key_path
from skillc.repo.keys import sign
from skillc.repo.ledger import append_to_ledger, ledger_file

pytestmark = pytest.mark.slow  # a process or a repository for each case

ID = "t-00000001"
LINE = "python3 -m unittest -q"
PERSON = Basis(kind=BasisKind.PERSON, ref="alice")


@pytest.fixture
def agent(fresh: World) -> World:
    """A session that claims success, and nobody who verified it."""
    session(fresh, user("x"), outcome=Outcome.SUCCESS)
    return fresh


def payload(world: World, **changes: object) -> bytes:
    fields = {
        "namespace": world.context().policy.namespace, "trace_id": ID, "trace_digest": world.attempts()[ID].trace.digest,
        "outcome": "success", "verifier_id": CHECK, "basis": Basis(kind=BasisKind.CHECK_RUN, ref="0" * 40), "at": NOW,
    } | changes  # fmt: skip
    return canonical_json(Verification.model_validate(fields))


def put(world: World, envelope: Envelope, *, trace_id: str = ID, folder: str = "verifications") -> Standing:
    """Puts an envelope on the ledger as anybody with a shell can, and returns what the Trace is worth then."""
    file = ledger_file(f"{folder}/{trace_id}", envelope)
    append_to_ledger(world.context().repository, [file], message="mine\n", at=NOW)
    return world.attempts()[trace_id].standing


def by_tool_key(data: bytes, namespace: str = "skillc-verification") -> Envelope:
    return sign(data, namespace=namespace, key_path=tool_key_path())


def require_nothing(standing: Standing, why: str = "") -> None:
    assert not standing.strength.is_strong, standing
    assert not standing.is_verified_success
    assert why in " ".join(standing.reasons)


def test_a_strength_that_a_record_states_is_no_record_and_it_says_so(agent: World):
    data = json.loads(payload(agent)) | {"strength": "external", "assurance": "isolated"}
    require_nothing(put(agent, by_tool_key(canonical_json(data))), "what it signs is no verification")


def test_a_record_by_an_unregistered_key_is_worth_nothing_and_says_so(agent: World, tmp_path: Path):
    make_key(tmp_path / "mine")
    envelope = sign(payload(agent), namespace="skillc-verification", key_path=tmp_path / "mine")
    require_nothing(put(agent, envelope), "another key than the registered one")


def test_a_record_for_another_digest_is_worth_nothing_and_says_so(agent: World):
    require_nothing(put(agent, by_tool_key(payload(agent, trace_digest="sha256:" + "0" * 64))), "other bytes")


def test_a_record_for_another_trace_is_worth_nothing_and_says_so(agent: World):
    session(agent, user("y"), trace_id="t-00000002")
    require_nothing(put(agent, by_tool_key(payload(agent)), trace_id="t-00000002"), "for another Trace")


def test_a_record_for_another_namespace_is_worth_nothing_and_says_so(agent: World):
    require_nothing(put(agent, by_tool_key(payload(agent, namespace="other"))), "another namespace")


def test_a_record_of_another_kind_is_worth_nothing_and_says_so(agent: World):
    """An approval is no verification: each kind has its own SSH namespace."""
    for namespace in ("skillc-approval", "skillc-audit", "git", "file"):
        require_nothing(put(agent, by_tool_key(payload(agent), namespace)), "its signature does not hold")


def test_an_outcome_that_the_verifier_may_not_assert_is_worth_nothing_and_says_so(agent: World):
    require_nothing(put(agent, by_tool_key(payload(agent, outcome="partial"))), "may not assert 'partial'")


def test_a_flipped_outcome_breaks_the_signature_and_it_says_so(agent: World):
    true = by_tool_key(payload(agent, outcome="failure"))
    flipped = true.model_copy(update={"payload": true.payload.replace('"failure"', '"success"')})
    require_nothing(put(agent, flipped), "its signature does not hold")


def test_a_signature_that_is_used_again_under_another_payload_is_worth_nothing_and_says_so(agent: World):
    old = by_tool_key(payload(agent, outcome="failure"))
    require_nothing(
        put(agent, old.model_copy(update={"payload": payload(agent).decode()})), "its signature does not hold"
    )


def test_a_record_that_is_replayed_on_a_session_that_went_on_is_worth_nothing_and_says_so(agent: World):
    """A continued session is another Trace with another digest; the old verdict does not come along."""
    old = by_tool_key(payload(agent))
    assert put(agent, old).is_verified_success
    session(agent, user("x"), user("and more"), trace_id="t-00000002", parent_trace_id=ID)
    require_nothing(put(agent, old, trace_id="t-00000002"))
    stale = json.loads(old.payload) | {"trace_id": "t-00000002"}
    require_nothing(put(agent, by_tool_key(canonical_json(stale)), trace_id="t-00000002"), "other bytes")


def test_a_registry_that_was_changed_on_a_feature_branch_does_not_count(agent: World, tmp_path: Path):
    key = make_key(tmp_path / "mine")
    agent.git("switch", "--quiet", "-c", "feature")
    register_person(agent, key)
    envelope = sign(
        payload(agent, verifier_id="alice", basis=PERSON), namespace="skillc-verification", key_path=tmp_path / "mine"
    )
    require_nothing(put(agent, envelope), "not a registered verifier")


def test_a_policy_file_that_was_edited_in_the_work_tree_does_not_count(agent: World, tmp_path: Path):
    key = make_key(tmp_path / "mine")
    text = (agent.root / "skillc.yaml").read_text("utf-8")
    line = f'people:\n  - {{id: alice, roles: [verifier], key: "{key}"}}'
    agent.write("skillc.yaml", text.replace("people: []", line))
    envelope = sign(
        payload(agent, verifier_id="alice", basis=PERSON), namespace="skillc-verification", key_path=tmp_path / "mine"
    )
    require_nothing(put(agent, envelope), "not a registered verifier")


def test_an_own_key_that_is_registered_on_a_branch_signs_no_merge(agent: World, tmp_path: Path):
    """`git` takes any registered key: on base, where a person reviewed it."""
    key = make_key(tmp_path / "mine")
    agent.git("switch", "--quiet", "-c", "feature")
    text = (agent.root / "skillc.yaml").read_text("utf-8")
    own = next(v.key for v in agent.context().policy.verifiers if v.key)
    agent.commit({"skillc.yaml": text.replace(own, key)}, "mine")
    data = payload(agent, verifier_id="git", basis=Basis(kind=BasisKind.GIT, ref="0" * 40))
    envelope = sign(data, namespace="skillc-verification", key_path=tmp_path / "mine")
    require_nothing(put(agent, envelope), "its key is not registered")


def test_a_merge_that_a_record_invents_is_worth_nothing_and_says_so(agent: World):
    data = payload(agent, verifier_id="git", basis=Basis(kind=BasisKind.GIT, ref=agent.git("rev-parse", "HEAD")))
    require_nothing(put(agent, by_tool_key(data)), "base does not hold its work")


def test_the_verifier_of_merges_says_nothing_else(agent: World):
    data = payload(agent, verifier_id="git")
    require_nothing(put(agent, by_tool_key(data)), "merges and reverts only")
    data = payload(agent, basis=Basis(kind=BasisKind.GIT, ref="0" * 40))
    require_nothing(put(agent, by_tool_key(data)), "only 'git' speaks of merges")


def test_events_that_a_record_invents_are_worth_nothing_and_say_so(agent: World):
    data = payload(agent, basis=Basis(kind=BasisKind.EVENTS, ref="e0 e1"))
    require_nothing(put(agent, by_tool_key(data)), "never ran")


def test_weakened_protected_tests_are_held_in_the_events_too(fresh: World):
    test_file = str(sorted((fresh.root / "tests").glob("test_*.py"))[0].relative_to(fresh.root))
    edit = call("Edit", {"file_path": test_file, "old_string": "x", "new_string": "y"})
    start = fresh.git("rev-parse", "HEAD")
    session(fresh, user("x"), edit, gives("ok"), bash(LINE), gives("Ran 1 test\nOK", is_error=False), start=start)
    report = verify_by_events(fresh.context())
    assert (report.results[0].state, report.recorded) == ("held", 0)
    assert "tests changed" in report.results[0].reason


@pytest.mark.parametrize("mask", ["{} || true", "{}; true", "{} | tail -1", "set +e; {}; exit 0", "({}; :)", "{} &"])
def test_a_masked_exit_code_is_held(fresh: World, mask: str):
    session(fresh, user("x"), bash(mask.format(LINE)), gives("FAILED", is_error=False))
    assert verify_by_events(fresh.context()).recorded == 0
    require_nothing(fresh.attempts()[ID].standing)


@pytest.mark.parametrize("marker", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "GEMINI_CLI", "CI"])
def test_a_faked_terminal_under_a_hosts_mark_is_refused(agent: World, marker: str):
    arguments = ("verify", "--as", "alice", "--outcome", "success", ID)
    code, said = in_terminal(agent, *arguments, **{marker: "1"})
    assert (code, marker in said) == (2, True)


def test_a_faked_terminal_does_not_make_a_key_need_the_person(agent: World, tmp_path: Path):
    """A pty passes every test for a terminal. The key has to need somebody: this one does not."""
    register_person(agent, make_key(tmp_path / "alice"))
    arguments = ("verify", "--as", "alice", "--outcome", "success", "--key", str(tmp_path / "alice"), ID)
    code, said = in_terminal(agent, *arguments)
    assert (code, "without the person" in said) == (2, True), said
    agent.set_policy("key_class: attended}", "key_class: local}")
    envelope = sign(
        payload(agent, verifier_id="alice", basis=PERSON), namespace="skillc-verification", key_path=tmp_path / "alice"
    )
    require_nothing(put(agent, envelope), "needs a key that needs the person")


def test_whoever_reads_the_tool_key_makes_records_that_are_local(agent: World):
    """Not prevented: the account is the boundary. It is shown, and never enough for automatic admission."""
    standing = put(agent, by_tool_key(payload(agent)))
    assert (standing.strength.value, standing.assurance.label) == ("tool", "local")


@pytest.mark.parametrize(
    ("key_class", "strength", "assurance"), [("attended", "human", "attended"), ("local", "self", "none")]
)
def test_a_key_in_the_ssh_agent_is_what_the_registry_says(
    agent: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key_class: str, strength: str, assurance: str
):
    """Nothing in such a signature tells whether the agent asked somebody. Not held: see docs/THREATS.md."""
    public = make_key(tmp_path / "alice")
    register_person(agent, public, key_class=key_class)
    with ssh_agent(monkeypatch, tmp_path / "alice"):
        data = payload(agent, verifier_id="alice", basis=PERSON)
        standing = put(agent, sign(data, namespace="skillc-verification", key_path=tmp_path / "alice.pub"))
    assert (standing.strength.value, standing.assurance.label) == (strength, assurance)


@pytest.mark.parametrize(("flags", "counts"), [(1, True), (5, True), (0, False), (4, False)])
def test_hardware_that_saw_nobody_needs_nobody(agent: World, flags: int, counts: bool):
    """The registry says attended; the signature says whether somebody touched the key."""
    device = Authenticator()
    register_person(agent, device.key)
    data = payload(agent, verifier_id="alice", basis=PERSON)
    text = device.sign(data, namespace="skillc-verification", flags=flags)
    standing = put(agent, Envelope(payload=data.decode(), signature=text, key=device.key))
    if counts:
        assert (standing.strength.value, standing.assurance.label) == ("human", "attended")
    else:
        require_nothing(standing, "needs a key that needs the person")


def test_what_a_removed_verifier_verified_counts_no_more_and_says_so(world: World):
    assert [a for a in world.attempts().values() if a.standing.is_verified_success]
    remove_verifier(world.root, CHECK)
    assert [a for a in world.attempts().values() if a.standing.is_verified_success]  # not merged yet
    world.git("commit", "--quiet", "-am", "remove")
    for attempt in world.attempts().values():
        require_nothing(attempt.standing, "not a registered verifier")
    lines = json.loads(world.run("traces", "--json").stdout)["traces"]
    assert {line["can_support"] for line in lines} == {False}
    assert all("not a registered verifier" in line["reasons"][1] for line in lines)


def test_a_person_against_a_merge_makes_a_conflict_that_supports_nothing(agent: World, tmp_path: Path):
    key = make_key(tmp_path / "alice")
    register_person(agent, key)
    context = agent.context()
    check = context.policy.verifier(CHECK)
    assert check is not None
    basis = Basis(kind=BasisKind.CHECK_RUN, ref="0" * 40)
    draft = VerificationDraft(ID, agent.attempts()[ID].trace.digest, Outcome.FAILURE, check, basis)
    record_verifications(context, [draft])
    data = payload(agent, verifier_id="alice", basis=PERSON)
    standing = put(agent, sign(data, namespace="skillc-verification", key_path=tmp_path / "alice"))
    assert standing.conflicted
    assert "conflicted" in agent.run("traces").stdout
    line = json.loads(agent.run("traces", "--json").stdout)["traces"][0]
    assert (line["can_support"], line["reasons"][0]) == (False, "its verifications disagree")


def test_a_file_that_is_not_named_by_its_digest_is_worth_nothing(agent: World):
    data = canonical_json(by_tool_key(payload(agent)))
    agent.git("switch", "--quiet", "--orphan", "skillc/ledger")
    agent.commit({f"verifications/{ID}/{sha256_hex(b'other')}.json": data.decode()}, "mine")
    agent.git("switch", "--quiet", "main")
    require_nothing(agent.attempts()[ID].standing)
