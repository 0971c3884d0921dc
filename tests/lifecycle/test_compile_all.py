"""Which families one `compile` covers, and admission at once where policy says so."""

import pytest

from skillc.core.compile import select
from skillc.core.compile.evidence import SourceRole
from skillc.errors import RepoError, UsageError
from skillc.lifecycle.check import check
from skillc.lifecycle.skills import current_skills
from tests.world import FIELD, FIX, World, sessions_of

AUTO = ("mode: pr", "mode: auto")
LOCAL = ("minimum_assurance: attended", "minimum_assurance: local")


@pytest.fixture
def auto(world: World) -> World:
    """A namespace that admits by policy, also on local assurance."""
    world.set_policy(*AUTO)
    world.set_policy(*LOCAL)
    return world


def test_auto_admits_when_every_gate_passes_and_brings_the_checkout_along(auto: World):
    auto.write("mine.txt", "not committed")
    auto.write("staged.txt", "staged")
    auto.git("add", "staged.txt")
    report = auto.compile()

    assert {f.group.state for f in report.families} == {"admitted"}
    assert {FIX, FIELD} <= set(current_skills(auto.context()))
    assert (auto.root / ".claude" / "skills" / FIX / "SKILL.md").is_file()
    assert auto.git("status", "--porcelain").splitlines() == ["A  staged.txt", "?? mine.txt"]
    assert auto.git("branch", "--list", "skillc/candidate/*") == ""
    assert check(auto.context()).ok


def test_local_assurance_is_never_admitted_by_default(world: World):
    world.set_policy(*AUTO)
    report = world.compile_one(FIELD)

    assert report.group.state == "candidate"
    holds = {g.gate: g.reason for g in report.group.gates if g.result.value == "hold"}
    assert holds == {"verification": "the weakest assurance of the evidence is local"}


def test_auto_can_be_limited_to_families(auto: World):
    auto.set_policy("auto: {families: null", f"auto: {{families: [{FIX}]")
    states = {f.task_family: f.group.state for f in auto.compile().families}
    assert states == {FIX: "admitted", FIELD: "candidate"}


def test_an_effect_that_policy_keeps_for_a_person_is_held(auto: World):
    auto.set_policy("effects: [money, delete]", "effects: [write]")
    report = auto.compile_one(FIELD)
    assert report.group.state == "candidate"
    assert any(g.gate == "effects" and g.result.value == "hold" for g in report.group.gates)


def test_a_required_evaluation_that_is_missing_holds(auto: World):
    auto.set_policy("  required: {}", f"  required: {{{FIELD}: [sandbox-eval]}}")
    report = auto.compile_one(FIELD)
    assert report.group.state == "candidate"
    assert any("sandbox-eval" in g.reason for g in report.group.gates)


def test_an_ignored_file_in_the_way_stops_the_admission_whole(auto: World):
    auto.commit({".gitignore": ".claude/\n"})
    auto.write(f".claude/skills/{FIELD}/SKILL.md", "mine, and ignored")
    head, refs = auto.git("rev-parse", "HEAD"), auto.git("for-each-ref", "refs/heads/main")

    with pytest.raises(RepoError, match="in the way"):
        auto.compile(FIELD)
    assert auto.git("rev-parse", "HEAD") == head
    assert auto.git("for-each-ref", "refs/heads/main") == refs
    assert (auto.root / f".claude/skills/{FIELD}/SKILL.md").read_text("utf-8") == "mine, and ignored"


def test_an_admission_by_policy_leaves_an_audit_record(auto: World):
    auto.compile(FIELD)
    assert any(p.startswith("audit/") for p in auto.context().ledger.paths)


def test_a_draft_namespace_makes_candidates_only(fresh: World):
    fresh.git("rm", "--quiet", "--cached", "skillc.yaml")
    fresh.git("commit", "--quiet", "-m", "no policy on base")
    text = (fresh.root / "skillc.yaml").read_text("utf-8")
    fresh.write("skillc.yaml", text.replace(*AUTO).replace(*LOCAL))
    context = fresh.context()
    assert context.is_draft
    assert context.notes[0].startswith("draft:")
    fresh.capture(sessions_of(FIX), task_family=FIX)
    fresh.verify()
    report = fresh.compile_one(FIX)

    assert report.group.state == "candidate"
    assert any(g.gate == "approval" and "draft" in g.reason for g in report.group.gates)


def test_without_families_it_lists_the_groups_it_sees(fresh: World):
    fresh.capture([*sessions_of(FIX), *sessions_of(FIELD)])
    fresh.verify()
    report = fresh.compile()

    assert report.families == ()
    assert sum(g.traces for g in report.groups) == 11
    assert all(g.verified_families <= g.attempt_families for g in report.groups)


def test_an_unknown_family_is_a_usage_error(world: World):
    with pytest.raises(UsageError, match="no Trace belongs to the family 'nope'"):
        world.compile("nope")


def test_traces_alone_need_one_family_that_fits(world: World):
    trace_id = next(t for t, a in world.attempts().items() if a.task_family == FIX)
    with pytest.raises(UsageError, match="needs the one family"):
        world.compile(traces=(trace_id,))
    with pytest.raises(UsageError, match="belongs to the family"):
        world.compile(FIELD, traces=(trace_id,))


def test_a_dry_run_over_named_traces_reads_what_the_real_run_reads(world: World):
    trace_id = next(t for t, a in world.attempts().items() if a.task_family == FIELD and a.standing.is_verified_success)
    tried = world.compile(FIELD, traces=(trace_id,), dry_run=True).families[0]
    done = world.compile(FIELD, traces=(trace_id,)).families[0]
    assert tried.read == done.read == (trace_id,)
    assert [p.operation for p in tried.proposals] == [p.operation for p in done.proposals]


def test_over_the_limit_a_second_run_before_review_makes_the_same_candidate(world: World, monkeypatch):
    monkeypatch.setattr(select, "MAX_TRACES", {SourceRole.SUPPORT: 2, SourceRole.CONTRAST: 1})
    first = world.compile_one(FIELD)
    assert first.group.state == "candidate"
    assert "waits for review" in world.compile_one(FIELD).note
