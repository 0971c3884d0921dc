"""The trusted checks: a proposal is what a stranger wrote until every line is cited as its field demands.

Paper: 5.3, Validation. Each test starts from a proposal that passes and breaks one thing.
"""

from typing import Any

import pytest

from skillc.core.compile.checks import check_contract, check_proposal
from skillc.core.compile.evidence import CurrentSkill, Evidence, PastProposal
from skillc.core.compile.history import source_key
from skillc.core.compile.proposal import Proposal, ProposalOperation, claim_digest, content_key
from skillc.core.skill.claim import (
    Action,
    Citation,
    ClaimBasis,
    FailureClaim,
    Frequency,
    InputClaim,
    InputSource,
    StepClaim,
)
from skillc.core.skill.contract import Contract, Support
from skillc.core.trace.records import Outcome, Restricted
from tests.makers import (
    NAMESPACE,
    call,
    fails,
    gives,
    make_citation,
    make_claim,
    make_contract,
    make_evidence,
    make_source,
    says,
    user,
)

ONE, TWO, BAD = "t-00000001", "t-00000002", "t-00000003"


def good_source(trace_id: str, **changes: Any):
    return make_source(
        user("please refund the order"), says("I look it up"), call("search", {"q": "order"}), gives("found"),
        call("refund", {"id": "x"}), gives("done"), trace_id=trace_id, **changes,
    )  # fmt: skip


def evidence(*more: Any, **changes: Any) -> Evidence:
    bad = make_source(
        user("please refund"), call("refund", {"id": "x"}), fails("no"), trace_id=BAD, outcome=Outcome.FAILURE
    )
    return make_evidence(good_source(ONE), good_source(TWO), bad, *more, **changes)


def cite(*events: str, trace: str = ONE) -> Citation:
    return make_citation(trace, *events)


def step(text: str = "Refund it", *, id: str = "step-1", tool: str | None = "refund", **changes: Any) -> StepClaim:
    action = Action(tool=tool, arguments=changes.pop("arguments", {})) if tool else None
    citations = changes.pop("citations", (cite("e4"), cite("e4", trace=TWO)))
    return StepClaim(id=id, text=text, action=action, citations=citations, **changes)


def contract(**changes: Any) -> Contract:
    fields: dict[str, Any] = {
        "description": make_claim("Refunds orders.", id="description", citations=(cite("e0"), cite("e0", trace=TWO))),
        "use_when": (make_claim("Somebody asks for a refund", id="use-1", citations=(cite("e0"),)),),
        "steps": (step(),),
        "support": Support(attempt_families=(ONE, TWO), single_source=False),
    }
    return make_contract(**(fields | changes))


def codes(made: Contract, given: Evidence | None = None) -> set[str]:
    return {failure.code for failure in check_contract(made, given or evidence())}


def proposal_codes(proposal: Proposal, given: Evidence | None = None) -> set[str]:
    return {failure.code for failure in check_proposal(proposal, given or evidence())}


def add(made: Contract | None = None) -> Proposal:
    return Proposal(id="p-1", operation=ProposalOperation.ADD, contract=made or contract())


def test_a_sound_proposal_passes():
    assert check_proposal(add(), evidence()) == ()
    assert check_proposal(Proposal(id="p-1", operation=ProposalOperation.NONE), evidence()) == ()


# Citations


def test_a_claim_without_a_citation_is_never_admitted():
    """The description counts too. Paper: 5.3."""
    assert codes(contract(description=make_claim(id="description", citations=()))) == {"no-citation"}
    assert "no-citation" in codes(contract(outputs=(make_claim(id="o", citations=()),)))


@pytest.mark.parametrize(
    ("citation", "code"),
    [
        (cite("e0", trace="t-99999999"), "unknown-trace"),
        (cite("e99"), "unknown-event"),
        (cite("e0", "e99"), "unknown-event"),
    ],
)
def test_every_citation_resolves(citation: Citation, code: str):
    assert codes(contract(outputs=(make_claim(id="o", citations=(citation,)),))) == {code}


def test_a_restricted_event_is_no_evidence():
    hidden = {"kind": "tool_result", "actor": "tool", "restricted": Restricted(ref="r")}
    source = make_source(user("x"), call("read_hr_record"), hidden, trace_id="t-00000004")
    claim = make_claim(id="o", citations=(cite("e2", trace="t-00000004"),))
    assert codes(contract(outputs=(claim,)), evidence(source)) == {"unknown-event"}


def test_a_trace_of_another_namespace_is_no_evidence():
    foreign = good_source("t-00000004", namespace="other")
    assert foreign.trace.header.namespace != NAMESPACE
    claim = make_claim(id="o", citations=(cite("e0", trace="t-00000004"),))
    assert codes(contract(outputs=(claim,)), evidence(foreign)) == {"other-namespace"}


@pytest.mark.parametrize("basis", [ClaimBasis.PERSON, ClaimBasis.USER, ClaimBasis.PUBLISHED])
def test_an_engine_cannot_claim_a_persons_word(basis: ClaimBasis):
    assert codes(contract(outputs=(make_claim(id="o", citations=(cite("e0"),), basis=basis),))) == {"foreign-basis"}


def test_a_line_that_nobody_can_see_is_no_line():
    assert codes(contract(outputs=(make_claim("\u200b\u2060", id="o", citations=(cite("e0"),)),))) == {"empty-text"}


# The rules of the fields


@pytest.mark.parametrize(
    "field",
    ["use_when", "tools", "environments", "decisions", "expected_observations", "outputs", "completion_criteria"],
)
def test_a_failure_supports_none_of_these_fields(field: str):
    claim = make_claim(id="c", citations=(cite("e0"), cite("e0", trace=BAD)))
    assert "cites-failure" in codes(contract(**{field: (claim,)}))


def test_a_failed_attempt_cannot_support_a_step_or_the_description():
    """Paper: 5.3."""
    assert "cites-failure" in codes(contract(steps=(step(citations=(cite("e4"), cite("e1", trace=BAD))),)))
    assert "cites-failure" in codes(
        contract(description=make_claim(id="description", citations=(cite("e0", trace=BAD),)))
    )


@pytest.mark.parametrize("field", ["do_not_use_when", "preconditions", "stop_conditions"])
def test_a_failure_stands_beside_a_success_as_contrast_and_never_alone(field: str):
    both = make_claim(id="c", citations=(cite("e0"), cite("e0", trace=BAD)))
    alone = make_claim(id="c", citations=(cite("e0", trace=BAD),))
    assert codes(contract(**{field: (both,)})) == set()
    assert codes(contract(**{field: (alone,)})) == {"contrast-alone"}


def test_a_failure_mode_may_rest_on_a_failure_and_its_recovery_may_not():
    symptom = (cite("e2", trace=BAD),)
    alone = FailureClaim(id="f", text="It is refused", citations=symptom)
    assert codes(contract(failure_modes=(alone,))) == set()
    recovered = FailureClaim(id="f", text="x", citations=symptom, recovery="Ask", recovery_citations=(cite("e1"),))
    assert codes(contract(failure_modes=(recovered,))) == set()
    for wrong in ((), (cite("e1", trace=BAD),)):
        claim = FailureClaim(id="f", text="x", citations=symptom, recovery="Ask", recovery_citations=wrong)
        assert codes(contract(failure_modes=(claim,))) == {"unverified-recovery"}


# Steps


@pytest.mark.parametrize("events", [("e0",), ("e1",), ("e3",)])
def test_a_step_rests_on_something_that_the_agent_did(events: tuple[str, ...]):
    """Not on what it was told, said or read: text in a tool result can ask for anything."""
    assert "step-without-action" in codes(contract(steps=(step(citations=(cite(*events),)),)))


def test_an_action_that_ended_in_an_error_supports_no_step():
    source = make_source(user("x"), call("refund"), fails("no"), call("search"), gives("ok"), trace_id="t-00000004")
    claim = step(tool=None, citations=(cite("e1", trace="t-00000004"),))
    assert "step-without-action" in codes(
        contract(steps=(step(), claim.model_copy(update={"id": "b"}))), evidence(source)
    )


def test_a_step_uses_a_tool_that_a_cited_action_used():
    """An engine may not cite a search and write a deletion."""
    assert codes(contract(steps=(step(tool="delete_everything"),))) == {"other-tool"}
    assert codes(contract(steps=(step(tool="search"),))) == {"other-tool"}
    assert codes(contract(steps=(step(tool=None),))) == set()


def test_a_placeholder_of_a_step_has_an_input():
    asks = (step("Refund <order_id>"),)
    assert codes(contract(steps=asks)) == {"undeclared-input"}
    declared = InputClaim(id="i", text="the order", name="order_id", source=InputSource.USER, citations=(cite("e0"),))
    assert codes(contract(steps=asks, inputs=(declared,))) == set()
    deep = (step(arguments={"a": [{"b": "<order_id>"}]}),)
    assert codes(contract(steps=deep)) == {"undeclared-input"}


def test_text_that_nobody_trusted_is_no_evidence_by_itself():
    """A result that answers no call of the agent could have been put there by anybody."""
    stray = gives("obey") | {"call_id": "c99"}
    source = make_source(user("x"), stray, trace_id="t-00000004")
    claim = make_claim(id="o", citations=(cite("e1", trace="t-00000004"),))
    assert codes(contract(outputs=(claim,)), evidence(source)) == {"only-untrusted"}


# The contract as a whole


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"steps": ()}, "no-steps"),
        ({"use_when": ()}, "no-applicability"),
        ({"task_family": "other"}, "other-family"),
        ({"name": "synced"}, "reserved-name"),
        ({"description": make_claim("x" * 1025, id="description", citations=(cite("e0"),))}, "long-description"),
        ({"use_when": (make_claim(id="step-1", citations=(cite("e0"),)),)}, "doubled-claim-id"),
        ({"skill_id": "s-00000000000000ff"}, "false-origin"),
        (
            {"outputs": tuple(make_claim("x" * 1900, id=f"o-{n}", citations=(cite("e0"),)) for n in range(12))},
            "too-long",
        ),
        ({"outputs": tuple(make_claim(id=f"o-{n}", citations=(cite("e0"),)) for n in range(500))}, "too-long"),
    ],
)
def test_a_contract_keeps_its_form(changes: dict[str, Any], code: str):
    assert codes(contract(**changes)) == {code}


@pytest.mark.parametrize(
    ("families", "single", "code"),
    [
        ((), False, "false-support"),
        ((ONE, TWO, "t-00000077"), False, "false-support"),
        ((ONE, BAD), False, "false-support"),
        ((ONE, TWO), True, "false-single-source"),
        ((ONE, ONE), False, "false-single-source"),
    ],
)
def test_the_support_is_what_the_evidence_gives(families: tuple[str, ...], single: bool, code: str):
    assert code in codes(contract(support=Support(attempt_families=families, single_source=single)))


def test_an_attempt_family_that_is_not_cited_is_no_support():
    """Else a Skill could carry the weight of families that it never looked at."""
    third = good_source("t-00000004")
    named = Support(attempt_families=(ONE, TWO, "t-00000004"), single_source=False)
    assert codes(contract(support=named), evidence(third)) == {"false-support"}


def test_attempts_of_one_family_are_one_support():
    retry = good_source(TWO, attempt_family=ONE)
    one_family = make_evidence(good_source(ONE), retry)
    assert "false-support" in codes(contract(), one_family)


# The place among current Skills


def current(made: Contract | None = None, tree: str = "tree-1") -> CurrentSkill:
    return CurrentSkill(contract=made or contract(), tree=tree)


def patch(made: Contract | None = None, base_tree: str | None = "tree-1") -> Proposal:
    return Proposal(
        id="p-1", operation=ProposalOperation.PATCH, contract=made or contract(), fields=("steps",), base_tree=base_tree
    )


def test_a_patch_is_made_against_the_current_version():
    assert proposal_codes(patch(), evidence(current=(current(),))) == set()
    assert proposal_codes(patch(), evidence(current=(current(tree="tree-2"),))) == {"stale-base"}
    assert proposal_codes(patch(base_tree=None), evidence(current=(current(),))) == {"stale-base"}
    assert proposal_codes(patch()) == {"stale-base"}


def test_a_patch_keeps_the_name():
    assert proposal_codes(patch(contract(name="other")), evidence(current=(current(),))) == {"renamed"}


# What was rejected


def rejected(given: Evidence, made: Contract, *, claims: tuple[str, ...] = ()) -> Evidence:
    keys = tuple(source_key(s.trace, s.standing) for s in given.sources)
    past = PastProposal(
        run="r-0", proposal="p-0", outcome="human-rejected", content=content_key(made), claims=claims, sources=keys
    )
    return given.model_copy(update={"history": (past,)})


def test_a_rejected_proposal_is_not_made_again_from_the_same_evidence():
    assert proposal_codes(add(), rejected(evidence(), contract())) == {"closed"}


def test_new_evidence_opens_it_again():
    given = rejected(evidence(), contract())
    more = given.model_copy(update={"sources": (*given.sources, good_source("t-00000004"))})
    assert proposal_codes(add(), more) == set()


def test_a_rejected_line_stays_out_alone():
    made = contract(outputs=(make_claim("A letter", id="o", citations=(cite("e0"),)),))
    given = rejected(evidence(), made, claims=(claim_digest("outputs", "A letter"),))
    assert [(f.code, f.field) for f in check_proposal(add(made), given)] == [("closed-line", "outputs")]
    assert proposal_codes(add(), given) == set()


# A single source


def single(**changes: Any) -> Contract:
    fields = {
        "description": make_claim("Refunds orders.", id="description", citations=(cite("e0"),)),
        "support": Support(attempt_families=(ONE,), single_source=True),
        "steps": (step(citations=(cite("e4"),)),),
    }
    return contract(**(fields | changes))


def alone(*drafts: Any) -> Evidence:
    more = drafts or (user("refund A77B1 for ada@example.org"), says("x"), call("search", {"q": "A77B1"}), gives("found"),
                      call("refund", {"id": "A77B1", "to": "ada@example.org"}), gives("done"))  # fmt: skip
    return make_evidence(make_source(*more, trace_id=ONE))


def test_a_single_source_skill_without_a_trace_of_its_source_passes():
    assert codes(single(), alone()) == set()


@pytest.mark.parametrize(
    "changes",
    [
        {"steps": (step("Refund A77B1", citations=(cite("e4"),)),)},
        {"steps": (step(arguments={"id": ["A77B1"]}, citations=(cite("e4"),)),)},
        {"steps": (step(repeat="A77B1 and the rest", citations=(cite("e4"),)),)},
        {"outputs": (make_claim("A mail to ada@example.org.", id="o", citations=(cite("e0"),)),)},
        {"failure_modes": (FailureClaim(id="f", text="x", citations=(cite("e0"),), recovery="Use A77B1", recovery_citations=(cite("e1"),)),)},
    ],
)  # fmt: skip
def test_a_single_source_skill_keeps_no_identifier_of_its_source(changes: dict[str, Any]):
    assert codes(single(**changes), alone()) == {"source-identifier"}


def test_a_single_source_skill_stays_within_the_tools_of_its_source():
    assert codes(single(steps=(step(tool="ship", citations=(cite("e4"),)),)), alone()) >= {"outside-evidence"}


def test_a_failure_names_the_line_and_shows_no_content():
    made = contract(outputs=(make_claim("sk-secret", id="o", citations=()),))
    (failure,) = check_contract(made, evidence())
    assert (failure.code, failure.field, failure.claim_id) == ("no-citation", "outputs", "o")
    assert "secret" not in failure.message


@pytest.mark.parametrize(("optional", "families", "of"), [(False, 1, 2), (True, 2, 2), (True, 1, 3)])
def test_a_frequency_counts_families_of_the_run_and_belongs_to_an_optional_step(optional: bool, families: int, of: int):
    told = step(optional=optional, frequency=Frequency(families=families, of=of))
    assert codes(contract(steps=(told,))) == {"false-frequency"}
    right = step(optional=True, frequency=Frequency(families=1, of=2))
    assert codes(contract(steps=(right,))) == set()


def test_a_kept_step_keeps_its_frequency_when_a_later_run_reads_less():
    told = step(optional=True, frequency=Frequency(families=7, of=9))
    made = contract(steps=(told,))
    current = (CurrentSkill(contract=made, tree="0" * 40),)
    assert "false-frequency" not in codes(made, evidence(current=current))
