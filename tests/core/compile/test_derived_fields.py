"""Tools and effects follow from the calls that the steps cite."""

from skillc.core.compile.derived_fields import computed_lines, effects_of_steps, tools_of_steps
from skillc.core.skill.claim import Action, Effect, StepClaim
from tests.makers import bash, gives, make_citation, make_contract, make_evidence, make_source
from tests.model_case import refunds


def step(tool: str, *events: str, trace_id: str = "t-00000001") -> StepClaim:
    return StepClaim(
        id=f"s-{tool.lower().replace('_', '-')}",
        text="x",
        citations=(make_citation(trace_id, *events),),
        action=Action(tool=tool),
    )


def test_money_cannot_be_left_out():
    steps = (step("get_order", "e1"), step("refund_order", "e4"))
    effects = effects_of_steps(steps, refunds())
    assert [e.effect for e in effects] == [Effect.READ, Effect.MONEY]
    assert [t.text for t in tools_of_steps(steps, refunds())] == ["`get_order`", "`refund_order`"]


def test_every_effect_cites_calls_that_show_it():
    source = make_source(bash("rm old.txt && ls"), gives(""))
    effects = effects_of_steps((step("Bash", "e0"),), make_evidence(source))
    assert {e.effect for e in effects} == {Effect.READ, Effect.DELETE}
    assert all(e.citations[0].events == ("e0",) for e in effects)


def test_computed_lines_are_those_that_stand_as_computed():
    steps = (step("refund_order", "e4"),)
    effects = effects_of_steps(steps, refunds())
    contract = make_contract(steps=steps, effects=effects, tools=())
    assert computed_lines(contract, refunds()) == {e.id for e in effects}
    changed = contract.model_copy(update={"effects": (effects[0].model_copy(update={"effect": Effect.READ}),)})
    assert computed_lines(changed, refunds()) == frozenset()
