"""Canaries are false by their own citations, and the same question has the same ones."""

from skillc.core.compile.canaries import MAX_CANARIES, MIN_CANARIES, canaries_for
from skillc.core.compile.grounding import shown_text
from skillc.core.skill.contract import iter_claims
from tests.makers import bash, gives, make_citation, make_claim, make_evidence, make_source, user
from tests.model_case import judge, refunds

PAIRS = list(iter_claims(judge().changes[0].contract))


def test_there_are_always_some_and_they_are_always_the_same():
    found = canaries_for(PAIRS, refunds())
    assert MIN_CANARIES <= len(found) <= MAX_CANARIES
    assert found == canaries_for(PAIRS, refunds())
    assert canaries_for(PAIRS * 10, refunds())[0] is not None
    assert len(canaries_for(PAIRS * 20, refunds())) == MAX_CANARIES
    assert canaries_for([], refunds()) == ()


def test_no_canary_is_shown_by_the_events_that_it_cites():
    for pairs in (PAIRS, PAIRS[3:], [p for p in PAIRS if p[0] == "steps"]):
        for canary in canaries_for(pairs, refunds()):
            shown = shown_text(canary.citations, refunds())
            words = [w for w in canary.text.replace("`", " ").split() if "_" in w and "<" not in w]
            assert words
            assert not all(word in shown for word in words)


def test_a_line_without_steps_has_canaries_too():
    source = make_source(user("do it"), bash("make"), gives("ok"))
    claims = [("use_when", make_claim("Do it.", citations=(make_citation("t-00000001", "e0"),)))]
    found = canaries_for(claims, make_evidence(source))
    assert len(found) == MIN_CANARIES
    assert len({c.text for c in found}) == MIN_CANARIES
