"""The agent view read back: what was rendered is what is read, and a person's text is rendered as it was written."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillc.core.skill.claim import (
    Action,
    ClaimBasis,
    Effect,
    EffectClaim,
    FailureClaim,
    InputClaim,
    InputSource,
    StepClaim,
)
from skillc.core.skill.contract import Contract
from skillc.core.skill.parse import LineState, ReadView, read_agent_view
from skillc.core.skill.render import render_agent_view
from skillc.errors import DataError
from tests.core.skill.contracts import TEXT, contracts
from tests.makers import make_citation, make_claim, make_contract

SLOW = settings(
    max_examples=35, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def refunds() -> Contract:
    """A contract with a line of every form."""
    return make_contract(
        description=make_claim("Refund an order. Use when a customer asks for money back.", id="description"),
        use_when=(make_claim("A customer asks for a refund", id="use-1"), make_claim("The order is paid", id="use-2")),
        inputs=(InputClaim(id="in-1", text="The user states it.", name="order_id", source=InputSource.USER, citations=(make_citation(),)),),
        steps=(
            StepClaim(id="s-1", text="Call `get_order` with order_id = <order_id>.", citations=(make_citation(),), action=Action(tool="get_order", arguments={"order_id": "<order_id>"})),
            StepClaim(id="s-2", text="Run `pytest -q`.", citations=(make_citation(),), optional=True, action=Action(tool="Bash", operation="pytest", arguments={"command": "pytest -q"})),
            StepClaim(id="s-3", text="Refund the item.", citations=(make_citation(),), repeat="each item", action=Action(tool="refund", arguments={"order_id": "<order_id>"})),
        ),
        failure_modes=(
            FailureClaim(id="f-1", text="The order is not found", citations=(make_citation(),), recovery="Ask for its number.", recovery_citations=(make_citation("t-00000002"),)),
            FailureClaim(id="f-2", text="The service is down", citations=(make_citation(),)),
        ),
        effects=(EffectClaim(id="e-1", text="Moves money", effect=Effect.MONEY, citations=(make_citation(),)),),
    )  # fmt: skip


def edited(old: str, new: str, *more: tuple[str, str], person: str | None = "alice") -> tuple[str, ReadView]:
    text = render_agent_view(refunds())
    for before, after in ((old, new), *more):
        assert before in text
        text = text.replace(before, after)
    return text, read_agent_view(text, refunds(), person=person)


def states(read: ReadView) -> dict[str, LineState]:
    return {line.claim.id: line.state for line in read.lines if line.state is not LineState.KEPT}


def refused(text: str) -> list[str]:
    with pytest.raises(DataError) as error:
        read_agent_view(text, refunds())
    assert "nothing was changed" in (error.value.hint or "")
    return error.value.message.split("\n")


def read_or_refusal(text: str, contract: Contract) -> ReadView | None:
    """Reads a page as bob's; None where it is refused, which names a line."""
    told = ""
    try:
        return read_agent_view(text, contract, person="bob")
    except DataError as error:
        told = error.message
    assert told.startswith("SKILL.md:")
    return None


@SLOW
@given(contracts())
def test_what_was_rendered_is_read_as_the_claims_that_it_came_from(contract: Contract):
    read = read_agent_view(render_agent_view(contract), contract, person="alice")
    assert read.contract == contract
    assert states(read) == {}


@SLOW
@given(contracts(), contracts(), st.randoms(use_true_random=False))
def test_a_text_in_the_form_of_the_rendering_is_rendered_again_byte_for_byte(one: Contract, other: Contract, random):
    """Any lines may come, go, move and change, also to those of another contract; the page stays as it was written."""
    fields = {}
    for name in ("use_when", "inputs", "steps", "decisions", "failure_modes", "description"):
        mixed = getattr(one, name), getattr(other, name)
        if name == "description":
            fields[name] = random.choice(mixed)
            continue
        lines = [*mixed[0], *mixed[1]]
        random.shuffle(lines)
        fields[name] = tuple(lines[: random.randint(0, len(lines))])
    text = render_agent_view(one.model_copy(update=fields))
    read = read_or_refusal(text, one)
    if read is None:
        return
    assert render_agent_view(read.contract) == text
    for line in read.lines:
        if line.state in (LineState.CHANGED, LineState.NEW):
            assert (line.claim.basis, line.claim.person, line.claim.citations) == (ClaimBasis.PERSON, "bob", ())


@SLOW
@given(TEXT)
def test_any_line_is_either_written_again_as_it_stands_or_refused_with_its_number(words: str):
    text = render_agent_view(refunds()).replace("- The order is paid", f"- {words}")
    read = read_or_refusal(text, refunds())
    assert read is None or render_agent_view(read.contract) == text


def test_a_changed_line_keeps_its_id_and_field_and_loses_its_evidence():
    _, read = edited("- The order is paid", "- The order is paid in full")
    (line,) = [line for line in read.lines if line.state is LineState.CHANGED]
    assert (line.field, line.claim.id, line.claim.text) == ("use_when", "use-2", "The order is paid in full")
    assert (line.claim.basis, line.claim.person, line.claim.citations) == (ClaimBasis.PERSON, "alice", ())
    assert line.before == refunds().use_when[1]


def test_lines_that_did_not_change_keep_their_claims_where_they_moved():
    one, two = "- A customer asks for a refund", "- The order is paid"
    text = render_agent_view(refunds()).replace(f"{one}\n{two}", f"{two}\n{one}")
    read = read_agent_view(text, refunds())
    assert read.contract.use_when == refunds().use_when[::-1]
    assert states(read) == {}


def test_a_new_line_and_a_removed_one_are_told_apart_from_a_changed_one():
    _, read = edited("- The order is paid", "- Nobody else works on it")
    assert sorted(states(read).values()) == ["new", "removed"]
    assert states(read)["use-2"] is LineState.REMOVED


def test_steps_that_are_put_between_others_keep_those_as_they_are():
    _, read = edited(
        "1. Call", "1. Read the whole request.\n2. Call", ("2. If needed", "3. If needed"), ("3. Refund", "4. Refund")
    )
    assert [s.basis for s in read.contract.steps] == ["person", "events", "events", "events"]
    assert read.contract.steps[1:] == refunds().steps


def test_a_changed_step_keeps_its_form_and_what_it_does():
    _, read = edited(
        "If needed: run `pytest -q`.", "If needed: run `pytest -q` once more.", ("each item", "every item")
    )
    two, three = read.contract.steps[1:]
    assert (two.optional, two.text, two.action) == (True, "run `pytest -q` once more.", refunds().steps[1].action)
    assert (three.repeat, three.action) == ("every item", refunds().steps[2].action)
    assert read.contract.effects == refunds().effects


def test_a_command_that_a_person_changed_is_what_the_step_does():
    _, read = edited("`pytest -q`", "`npm test`")
    assert read.contract.steps[1].action == Action(tool="Bash", operation="npm test", arguments={"command": "npm test"})
    assert edited("`get_order`", "`find_order`")[1].contract.steps[0].action == Action(tool="get_order")


def test_a_step_uses_no_placeholder_whose_input_went():
    gone = "## Inputs\n\n- `<order_id>`: The user states it.\n\n"
    _, read = edited(
        gone, "", ("Call `get_order` with order_id = <order_id>.", "Call `get_order`."), ("Refund the", "Pay the")
    )
    assert [s.action.arguments for s in read.contract.steps if s.is_persons and s.action] == [{}, {}]


def test_a_persons_step_from_before_is_changed_too_where_its_input_went():
    action = Action(tool="refund", arguments={"order_id": "<order_id>"})
    mine = StepClaim(id="s-9", text="Pay.", basis=ClaimBasis.PERSON, person="bob", action=action)
    before = refunds().model_copy(update={"steps": (mine,)})
    text = render_agent_view(before).replace("## Inputs\n\n- `<order_id>`: The user states it.\n\n", "")
    read = read_agent_view(text, before, person="alice")
    (step,) = read.contract.steps
    assert (step.action, step.person) == (Action(tool="refund"), "alice")
    assert states(read) == {"s-9": LineState.CHANGED, "in-1": LineState.REMOVED}
    assert render_agent_view(read.contract) == text


def test_an_input_with_the_same_name_is_the_same_line_and_a_new_one_is_read():
    _, read = edited("`<order_id>`: The user states it.", "`<order_id>`: On the invoice.\n- `<item>`: From the order.")
    one, two = read.contract.inputs
    assert (one.id, one.name, one.text, one.source) == ("in-1", "order_id", "On the invoice.", "user")
    assert (two.name, two.basis) == ("item", "person")


def test_symptom_and_recovery_are_parted_where_they_were():
    _, read = edited("Ask for its number.", "Ask: is it an old one?")
    assert (read.contract.failure_modes[0].text, read.contract.failure_modes[0].recovery) == (
        "The order is not found",
        "Ask: is it an old one?",
    )
    _, read = edited("No verified recovery is known.", "Wait. Try again.")
    assert (read.contract.failure_modes[1].text, read.contract.failure_modes[1].recovery) == (
        "The service is down",
        "Wait. Try again.",
    )
    _, read = edited("The service is down: No", "The service hangs: No")
    assert (read.contract.failure_modes[1].text, read.contract.failure_modes[1].recovery) == ("The service hangs", None)


def test_a_description_is_a_line_too():
    text, read = edited('"Refund an order. Use', '"Refund \\"an\\" order. Use')
    assert read.contract.description.text.startswith('Refund "an" order')
    assert states(read) == {"description": LineState.CHANGED}
    assert render_agent_view(read.contract) == text


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("skillc-id", "skillc-ix", "nothing in the frontmatter but the description"),
        ('name: "', 'name: "x', "nothing in the frontmatter but the description"),
        ("metadata:", "allowed-tools: Bash\nmetadata:", "nothing in the frontmatter"),
        ("## Steps", "## How", "is no heading of a Skill"),
        ("## Steps", "Read this first.\n\n## Steps", "is no line of its section"),
        ("## When to use", "Read this.\n\n## When to use", "belongs to no field"),
        ("- The order is paid", "- The order is paid\n```sh\nrm -rf x\n```", "a code block has no place"),
        ("- The order is paid", "- The order\n  is paid", "a line of a Skill is one line"),
        ("- The order is paid", "- The order <b>is</b> paid", "what a host acts on"),
        ("- The order is paid", "- The order is paid ", "blanks at its end"),
        ("- The order is paid\n", "- The order is paid\n\n- Two\n", "a blank line stands above it"),
        ("- The order is paid\n", "- The order is paid\n\n", "one blank line too many"),
        ("3. Refund", "7. Refund", "its number should be 3"),
        ("`<order_id>`: The", "The", "`<name>`: where its value comes from"),
        ("The service is down: No verified recovery is known.", "Wait", "a symptom, a colon, and what to do"),
        ("## Steps\n\n", "## Steps\n", "a blank line is missing above it"),
        ("- The order is paid\n", "- The order is paid\r\n", "carriage return"),
    ],
)  # fmt: skip
def test_what_has_no_place_in_a_contract_is_named_with_its_line(old: str, new: str, wanted: str):
    text = render_agent_view(refunds()).replace(old, new)
    told = refused(text)
    assert any(wanted in line for line in told), told
    number = int(told[0].split(":")[1])
    assert (
        text.split("\n")[number - 1] not in render_agent_view(refunds()).split("\n")[number - 1 : number]
        or "blank" in wanted
    )


def test_every_wrong_line_is_named_at_once_and_none_of_its_words():
    text = render_agent_view(refunds()).replace("- The order is paid", "- secret </b>\n- secret [a](b)")
    told = refused(text)
    assert len(told) == 2
    assert not any("secret" in line for line in told)
    many = text.replace("- A customer", "\n".join(f"- </b>{n}" for n in range(40)) + "\n- A customer")
    assert len(refused(many)) == 21


@pytest.mark.parametrize("text", ["", "\n", "x", "---\n---\n", "---\n", "# Title\n", "---\nname: x\n---\n\n# A\n"])
def test_a_file_that_is_no_agent_view_is_refused(text: str):
    assert refused(text)
