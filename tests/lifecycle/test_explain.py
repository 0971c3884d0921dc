"""Why: every line leads to its events; log: every version says what it brings back."""

import pytest

from skillc.errors import UsageError
from skillc.lifecycle.explain import MAX_EXCERPT_CHARS, EvidenceReader, excerpt_of, log, why
from tests.makers import bash, make_event
from tests.reward_world import FAMILY, refund_run, take
from tests.world import FIELD, World


def test_why_gives_every_line_with_excerpt_verifier_assurance_and_commit(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    report = why(world.context(), FIELD)

    assert report.version == 1
    fields = {c.field for c in report.claims}
    assert {"description", "steps", "tools", "effects", "completion_criteria"} <= fields
    for claim in report.claims:
        for citation in claim.citations:
            assert citation.verifier == "unit-tests"
            assert (citation.strength, citation.assurance) == ("tool", "local")
            assert citation.commit is not None
            assert all(e.excerpt and len(e.excerpt) <= MAX_EXCERPT_CHARS for e in citation.events)


def test_why_takes_a_field_or_a_line(world: World):
    world.compile(FIELD)
    steps = why(world.context(), FIELD, "steps").claims
    assert {c.field for c in steps} == {"steps"}
    assert why(world.context(), FIELD, steps[0].id).claims == (steps[0],)
    with pytest.raises(UsageError, match="no field or claim"):
        why(world.context(), FIELD, "nonsense")


def test_why_of_a_candidate_says_that_it_is_not_admitted(world: World):
    world.compile(FIELD)
    context = world.context()
    assert why(context, FIELD).version is None
    assert "not admitted yet" in context.notes[-1]


def test_an_excerpt_of_a_deleted_trace_is_none(world: World):
    world.compile(FIELD)
    world.git("update-ref", "-d", "refs/heads/skillc/traces")
    claim = why(world.context(), FIELD).claims[0]
    assert all(e.excerpt is None for x in claim.citations for e in x.events)
    assert {x.strength for x in claim.citations} == {"unknown"}


def test_an_excerpt_is_one_line_and_a_restricted_event_has_none():
    assert excerpt_of(make_event(bash("cd a\n&& make  all"))) == "Bash cd a && make all"
    restricted = make_event({"kind": "tool_result", "actor": "tool"}, restricted={"ref": "r1"})
    assert excerpt_of(restricted) is None


def test_log_names_versions_runs_and_identity(world: World):
    run = world.compile_one(FIELD)
    world.merge(FIELD)
    report = log(world.context(), FIELD)

    assert report.skill_id == run.group.versions[0].skill_id
    assert [(v.version, v.change, v.run, v.tree) for v in report.versions] == [
        (1, "add", run.run, run.group.versions[0].tree)
    ]


def test_log_of_an_unknown_skill_is_a_usage_error(world: World):
    with pytest.raises(UsageError):
        log(world.context(), "nope")


def test_only_the_cited_traces_are_read(world: World):
    world.compile(FIELD)
    context = world.context()
    from skillc.lifecycle.candidates import candidates

    contract = candidates(context)[FIELD].versions[0].contract
    assert contract is not None
    reader = EvidenceReader.of(context, [contract])
    assert {a.task_family for a in reader.attempts.values()} == {FIELD}


def test_an_excerpt_shows_what_the_event_says_and_no_escapes_of_ours():
    event = make_event({"kind": "user_message", "actor": "user", "text": "pay $150 to @ada, # 1 [x](y)"})
    assert excerpt_of(event) == "pay $150 to @ada, # 1 [x](y)"


def test_log_tells_a_persons_edit_from_a_compiled_version(world: World):
    world.compile(FIELD)
    world.merge(FIELD)
    path = f".claude/skills/{FIELD}/SKILL.md"
    world.commit({path: (world.root / path).read_text("utf-8") + "\nMine.\n"}, "by hand")
    assert [v.change for v in log(world.context(), FIELD).versions] == ["add", "edit"]


def test_a_skill_out_of_service_says_so(shop: World):
    take(shop, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    shop.compile(FAMILY)
    context = shop.context()
    why(context, FAMILY)
    assert context.notes == [f"{FAMILY} is out of service: conflict"]
