"""A Skill in another repository of the same security domain: what arrives, who may send it, and who counts there."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from skillc.core.skill.claim import ClaimBasis
from skillc.core.skill.contract import Contract, iter_claims
from skillc.core.trace.records import Outcome
from skillc.errors import PolicyError, SkillcError, UsageError
from skillc.lifecycle.amend import amend
from skillc.lifecycle.audit import audit as timeline
from skillc.lifecycle.audit_verify import verify_audit
from skillc.lifecycle.check import check
from skillc.lifecycle.publications import published_by
from skillc.lifecycle.publish import publish
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.withdrawal import retire
from tests.approvers import make_key, public_of, register_person
from tests.publishing import another_namespace, domain_of, with_approver
from tests.reward_world import FAMILY, audit, refund_run, take
from tests.skill_folders import put_skill
from tests.world import World

BRANCH = f"skillc/candidate/{FAMILY}"


@dataclass
class Two:
    shop: World
    other: World
    key: Path

    def publish(self, **options: object):
        to = str(options.pop("to", self.other.root))
        return publish(self.shop.context(), FAMILY, to, key_path=self.key, **options)  # type: ignore[arg-type]

    def arrived(self) -> Contract:
        data = self.other.git("show", f"{BRANCH}:.claude/skills/{FAMILY}/contract.json")
        return Contract.model_validate_json(data)

    def codes(self, revision: str = BRANCH) -> set[str]:
        return {p.code for p in check(self.other.context(), revision).problems}


@pytest.fixture
def two(shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    key = with_approver(shop, tmp_path, monkeypatch)
    other = another_namespace(shop.home, tmp_path / "other", security_domain=domain_of(shop))
    return Two(shop, other, key)


def test_what_arrives_is_the_text_with_its_origin_and_no_trace_or_citation(two: Two):
    register_person(two.other, public_of(two.key))
    head = two.other.git("rev-parse", "HEAD")
    report = two.publish()
    assert (report.state, report.branch, report.by, report.counts) == ("published", BRANCH, "alice", True)
    source = current_skills(two.shop.context())[FAMILY].contract
    made = two.arrived()
    assert source is not None
    assert made.skill_id == source.skill_id
    assert [(f, c.text) for f, c in iter_claims(made)] == [(f, c.text) for f, c in iter_claims(source)]
    assert {c.basis for _, c in iter_claims(made)} == {ClaimBasis.PUBLISHED}
    published = made.origin.published
    assert published is not None
    assert (published.contract, published.commit) == (source.content_digest(), two.shop.git("rev-parse", "main"))
    everything = two.other.git("log", "--all", "-p")
    assert not any(trace_id in everything for trace_id in two.shop.attempts())
    assert two.other.git("for-each-ref", "--format=%(refname)", "refs/heads").split() == [
        "refs/heads/main", f"refs/heads/{BRANCH}", "refs/heads/skillc/ledger",
    ]  # fmt: skip
    assert two.other.git("rev-parse", "HEAD") == head
    assert two.other.git("status", "--porcelain") == ""


def test_check_there_passes_when_the_signer_is_registered_there_and_a_merge_admits(two: Two):
    register_person(two.other, public_of(two.key))
    two.publish()
    assert two.codes() == set()
    two.other.git("merge", "--quiet", "--no-ff", "-m", "ok", BRANCH)
    assert two.codes("HEAD") == set()
    assert current_skills(two.other.context())[FAMILY].contract == two.arrived()


@pytest.mark.parametrize("side", ["here", "there"])
def test_a_publication_that_was_killed_halfway_is_ended_by_the_same_command(two: Two, side: str):
    """A push that is killed while the other git moves its refs can leave the candidate without its records."""
    register_person(two.other, public_of(two.key))
    before = two.shop.git("rev-parse", "skillc/ledger")
    two.publish()
    if side == "here":
        two.shop.git("update-ref", "refs/heads/skillc/ledger", before)
    else:
        two.other.git("update-ref", "-d", "refs/heads/skillc/ledger")
        assert two.codes() != set()
    assert two.publish().state == "known"
    assert two.codes() == set()
    ledgers = [world.git("rev-parse", "skillc/ledger") for world in (two.shop, two.other)]
    two.publish()
    assert [world.git("rev-parse", "skillc/ledger") for world in (two.shop, two.other)] == ledgers
    for world, words in ((two.shop, "out other"), (two.other, "in shop")):
        (event,) = [e for e in timeline(world.context()).events if e.event == "publication"]
        assert event.detail.startswith(words)


def test_an_approver_there_amends_it_and_check_counts_exactly_that(two: Two):
    register_person(two.other, public_of(two.key))
    two.publish()
    two.other.git("merge", "--quiet", "--no-ff", "-m", "ok", BRANCH)
    path = f".claude/skills/{FAMILY}/SKILL.md"
    text = (two.other.root / path).read_text("utf-8")
    two.other.write(path, text.replace("## When to use\n\n", "## When to use\n\n- Our shop is open.\n", 1))
    assert (two.other.root / path).read_text("utf-8") != text
    amend(two.other.context(), FAMILY, by="Ada", key_path=two.key)
    assert two.codes("HEAD") == set()
    contract = json.loads((two.other.root / path).with_name("contract.json").read_text("utf-8"))
    contract["steps"][0]["text"] = "Do what nobody signed for."
    two.other.git("switch", "--quiet", "-C", "forged")
    put_skill(two.other, Contract.model_validate(contract))
    assert "unsigned-publication" in two.codes("forged")


def test_a_signer_whom_nobody_registers_there_is_held_until_somebody_does(two: Two):
    assert two.publish().counts is False
    (problem,) = check(two.other.context(), BRANCH).problems
    assert (problem.code, problem.hold) == ("unsigned-publication", True)
    register_person(two.other, public_of(two.key))
    two.other.git("rebase", "--quiet", "main", BRANCH)
    assert two.codes() == set()


def test_a_local_key_there_counts_for_nothing(two: Two):
    register_person(two.other, public_of(two.key), key_class="local")
    assert two.publish().counts is False
    assert two.codes() == {"unsigned-publication"}


def test_a_contract_that_only_says_that_it_was_published_is_held(two: Two):
    register_person(two.other, public_of(two.key))
    two.publish()
    made = two.arrived()
    assert not isinstance(published_by(two.other.context(), made), str)
    text = made.description.model_copy(update={"text": "Does something else. Use when asked."})
    forged = made.model_copy(update={"description": text})
    assert isinstance(published_by(two.other.context(), forged), str)
    put_skill(two.other, forged)
    assert "unsigned-publication" in two.codes("HEAD")
    plain = made.model_copy(update={"origin": made.origin.model_copy(update={"published": None})})
    put_skill(two.other, plain)
    assert "foreign-basis" in two.codes("HEAD")


def test_both_ledgers_say_it_signed_and_both_audits_hold(two: Two):
    register_person(two.other, public_of(two.key))
    two.publish()
    for world, words in ((two.shop, "out other"), (two.other, "in shop")):
        (event,) = [e for e in timeline(world.context()).events if e.event == "publication"]
        assert (event.by, event.is_signed, event.detail.startswith(words)) == ("alice", True, True)
    assert verify_audit(two.other.context()).problems == ()


def test_publishing_again_changes_nothing_and_a_new_version_is_a_patch_there(two: Two):
    register_person(two.other, public_of(two.key))
    tip = two.publish().commit
    assert two.publish().state == "known"
    assert two.other.git("rev-parse", BRANCH) == tip
    two.other.git("merge", "--quiet", "--no-ff", "-m", "ok", BRANCH)
    with pytest.raises(UsageError, match="exactly this version"):
        two.publish()
    old = current_skills(two.shop.context())[FAMILY].contract
    assert old is not None
    step = old.use_when[0].model_copy(update={"text": "A customer asks for it."})
    put_skill(two.shop, old.model_copy(update={"use_when": (step, *old.use_when[1:])}))
    report = two.publish()
    assert (report.change, report.state) == ("patch", "published")
    assert two.codes() == set()


def test_a_record_that_a_killed_command_owes_is_written_by_the_next_one(two: Two):
    two.publish()
    two.shop.git("update-ref", "refs/heads/skillc/ledger", "refs/heads/skillc/ledger^")
    assert [e for e in timeline(two.shop.context()).events if e.event == "publication"] == []
    assert two.publish().state == "known"
    assert len([e for e in timeline(two.shop.context()).events if e.event == "publication"]) == 1


def test_another_security_domain_is_refused_by_name(two: Two, tmp_path: Path):
    strange = another_namespace(two.shop.home, tmp_path / "strange", security_domain="elsewhere")
    with pytest.raises(PolicyError, match="'elsewhere'"):
        two.publish(to=strange.root)
    assert strange.git("for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main"


def test_a_name_that_another_skill_has_there_is_refused(two: Two):
    two.other.commit({f".claude/skills/{FAMILY}/SKILL.md": "---\nname: x\ndescription: by hand\n---\n"})
    with pytest.raises(UsageError, match="another Skill named"):
        two.publish()


def test_a_skill_out_of_service_or_with_weak_evidence_is_refused(two: Two):
    trace = sorted(two.shop.attempts())[0]
    audit(two.shop, trace, Outcome.FAILURE)
    with pytest.raises(PolicyError, match="support it no longer"):
        two.publish()


def test_a_withdrawn_skill_is_refused_here_and_one_that_was_withdrawn_there(two: Two):
    register_person(two.other, public_of(two.key))
    two.publish()
    two.other.git("merge", "--quiet", "--no-ff", "-m", "ok", BRANCH)
    retire(two.other.context(), FAMILY, reason="not here", by="bob")
    with pytest.raises(PolicyError, match="took this Skill out of service: retired"):
        two.publish()
    retire(two.shop.context(), FAMILY, reason="no more", by="alice")
    two.shop.git("revert", "--no-edit", "HEAD")
    with pytest.raises(PolicyError, match="out of service: retired"):
        two.publish()


def test_another_candidate_that_waits_there_is_never_replaced(two: Two):
    register_person(two.other, public_of(two.key))
    tip = two.publish().commit
    old = current_skills(two.shop.context())[FAMILY].contract
    assert old is not None
    put_skill(two.shop, old.model_copy(update={"use_when": (old.use_when[0].model_copy(update={"text": "New."}),)}))
    with pytest.raises(UsageError, match="another candidate"):
        two.publish()
    assert two.other.git("rev-parse", BRANCH) == tip


def test_a_key_of_nobody_publishes_nothing(two: Two, tmp_path: Path):
    make_key(tmp_path / "mallory")
    with pytest.raises(PolicyError, match="no registered approver"):
        publish(two.shop.context(), FAMILY, str(two.other.root), key_path=tmp_path / "mallory")
    assert two.other.git("for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main"


def test_a_dry_run_and_a_place_that_is_no_repository_write_nothing(two: Two, tmp_path: Path):
    assert two.publish(dry_run=True).state == "planned"
    for place in ("--upload-pack=touch x", "ext::sh -c 'touch x'", str(tmp_path / "nothing")):
        with pytest.raises(SkillcError):
            two.publish(to=place)
    assert two.other.git("for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main"
    assert [e for e in timeline(two.shop.context()).events if e.event == "publication"] == []


def test_a_bare_remote_by_its_name_gets_the_candidate_by_push(two: Two, tmp_path: Path):
    two.other.git("clone", "--quiet", "--bare", str(two.other.root), str(tmp_path / "bare.git"))
    two.shop.git("remote", "add", "web", str(tmp_path / "bare.git"))
    report = two.publish(to="web")
    assert two.shop.git("ls-remote", "web", BRANCH).split()[0] == report.commit


def test_new_attempts_there_leave_a_published_skill_as_it_is(two: Two):
    """Its lines rest on the publication: a run there neither rewrites them nor takes it out of service."""
    register_person(two.other, public_of(two.key))
    text = (two.shop.root / "skillc.yaml").read_text("utf-8")
    start = text.index("verifiers:")
    mine = (two.other.root / "skillc.yaml").read_text("utf-8")
    block = text[start : text.index("\n\n", start)]
    old = mine[mine.index("verifiers:") : mine.index("\n\n", mine.index("verifiers:"))]
    two.other.commit({"skillc.yaml": mine.replace(old, block)}, "verifiers")
    two.publish()
    two.other.git("merge", "--quiet", "--no-ff", "-m", "ok", BRANCH)
    before = two.arrived()
    take(two.other, "own", *(refund_run(n) for n in range(3)))
    two.other.compile(FAMILY)
    assert current_skills(two.other.context())[FAMILY].contract == before
    assert two.codes("HEAD") == set()


def test_the_report_has_its_named_fields(two: Two):
    told = json.loads(two.publish(dry_run=True).model_dump_json())
    assert (told["format"], told["skill"], told["namespace"]) == ("skillc.publish/1", FAMILY, "other")
