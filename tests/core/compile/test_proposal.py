"""Proposals: the identity of a line is its words, and that of a proposal all its lines."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.compile.proposal import (
    CuratorDecision,
    ProposalOperation,
    ProposalOutcome,
    claim_digest,
    content_key,
)
from tests.makers import make_citation, make_claim, make_contract

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(TEXT, TEXT)
def test_a_line_is_its_field_and_its_words(left: str, right: str):
    same = " ".join(left.split()) == " ".join(right.split())
    assert (claim_digest("steps", left) == claim_digest("steps", right)) == same
    assert claim_digest("steps", left) != claim_digest("outputs", left)


def test_blanks_do_not_make_another_line():
    assert claim_digest("steps", "do  the\nthing ") == claim_digest("steps", "do the thing")


def test_the_same_words_from_other_evidence_are_the_same_proposal():
    """So a rejected proposal is recognised although a retry changed its citations."""
    one = make_contract(use_when=(make_claim("When x", id="u1"),))
    other = make_claim("When x", id="u9", citations=(make_citation("t-00000009", "e7"),))
    two = make_contract(use_when=(other,), skill_id="s-9999999999")
    assert content_key(one) == content_key(two)
    assert content_key(one) != content_key(make_contract(use_when=(make_claim("When y", id="u1"),)))
    assert content_key(one) != content_key(one.model_copy(update={"task_family": "other"}))


def test_the_words_are_those_of_the_paper_and_the_design():
    """Paper: 5.3."""
    assert [o.value for o in ProposalOperation] == ["add", "patch", "merge", "conflict", "none"]
    assert {d.value for d in CuratorDecision} == {"add", "patch", "merge", "replace", "conflict", "reject", "none"}
    assert {"admitted", "superseded", "scanner-rejected", "curator-rejected", "human-rejected", "reverted",
            "evaluation-failed", "call-failed"} <= {o.value for o in ProposalOutcome}  # fmt: skip
