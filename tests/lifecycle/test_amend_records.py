"""What an amendment leaves on the ledger: ids and digests, whose word it is, and what stays out."""

from skillc.core.compile.amendment import identities_of, persons_digest
from skillc.core.compile.rejected import line_digest
from skillc.core.skill.contract import Contract, iter_claims
from skillc.lifecycle.amend import amend
from skillc.lifecycle.skills import current_skills
from tests.reward_world import FAMILY
from tests.world import World

PAGE = f".claude/skills/{FAMILY}/SKILL.md"


def contract(world: World) -> Contract:
    found = current_skills(world.context())[FAMILY].contract
    assert found is not None
    return found


def edit(world: World, old: str, new: str) -> None:
    text = (world.root / PAGE).read_text("utf-8")
    assert old in text
    world.write(PAGE, text.replace(old, new, 1))
    amend(world.context(), FAMILY, by="Ada")


def test_the_records_name_the_version_the_lines_and_what_they_stand_for(shop: World):
    before = contract(shop)
    edit(shop, before.steps[0].text, before.steps[0].text.removesuffix(".") + " by hand.")
    ledger, made = shop.context().ledger, contract(shop)
    (record,) = ledger.amendments
    run = next(r for r in ledger.runs if r.engine == "person")
    assert (record.contract, record.run, record.by, record.gone) == (made.content_digest(), run.run, "Ada", None)
    assert [(x.field, x.digest) for x in record.lines] == [("steps", persons_digest("steps", made.steps[0]))]
    assert record.lines[0].instead_of == identities_of("steps", before.steps[0])
    assert [v.change for v in run.versions] == ["amend"]
    assert {s.trace_id for s in run.read} == set(shop.attempts())
    (closed,) = [o for o in ledger.outcomes if o.claims]
    assert closed.claims == (line_digest("steps", before.steps[0]),)
    assert len(closed.sources) == len(record.sources) == 3
    texts = [c.text for _, c in iter_claims(made)]
    assert not any(t in record.model_dump_json() + closed.model_dump_json() for t in texts)


def test_a_line_that_is_changed_again_goes_on_standing_for_the_cited_one(shop: World):
    before = contract(shop).steps[0]
    edit(shop, before.text, before.text.removesuffix(".") + " by hand.")
    first = contract(shop).steps[0]
    edit(shop, "by hand.", "by hand, twice.")
    one, two = shop.context().ledger.amendments
    assert one.at < two.at
    assert two.gone == (persons_digest("steps", first),)
    assert two.lines[0].instead_of == one.lines[0].instead_of
    assert one.previous == ()
    assert len(two.previous) == 1
