"""Pitfalls of the whole tool, as rules of this one: influence, writing, caches, documents, samples, crashes."""

import json
import re
from pathlib import Path

import pytest
import typer.main

from skillc.core.compile.select import select_evidence
from skillc.core.skill.contract import Contract, parse_contract
from skillc.errors import RepoError
from skillc.lifecycle import candidates as writing
from skillc.lifecycle.check import check
from skillc.lifecycle.reject import reject
from skillc.lifecycle.run_inputs import evidence_of, run_id_of
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.upkeep import Upkeep
from tests.reward_world import FAMILY, copy_reward_world, new_reward_world, refund_run, take
from tests.world import World, manifest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "skillc"
CANARY = "canary-7f3a"


@pytest.fixture
def empty_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A shop that knows two attempts, and nothing was compiled."""
    world = new_reward_world(tmp_path / "empty", monkeypatch)
    take(world, "first", *(refund_run(n) for n in range(2)))
    return world


def evidence(world: World):
    context = world.context()
    attempts = [a for a in world.attempts().values() if a.task_family == FAMILY]
    selection = select_evidence(attempts, cited=frozenset(), consumed=frozenset())
    own = [s for s in current_skills(context).values() if s.contract is not None]
    return evidence_of(context, FAMILY, selection, own)


def candidate_contract(world: World) -> Contract:
    data = world.git("show", f"skillc/candidate/{FAMILY}:.claude/skills/{FAMILY}/contract.json")
    return parse_contract(data.encode(), path="c")


def test_pitfall_01_the_reflector_sees_admitted_skills_and_a_labelled_history_and_no_proposal(empty_shop: World):
    world = empty_shop
    world.compile(FAMILY)
    words = [c.text for c in candidate_contract(world).use_when]
    reject(world.context(), FAMILY, None, reason=CANARY, by="ada")
    given = evidence(world)
    assert given.current == ()
    assert [past.outcome for past in given.history] == ["human-rejected"]
    rest = given.model_copy(update={"history": ()}).model_dump_json()
    assert CANARY not in rest
    assert all(text not in rest for text in words)
    assert all(text not in given.model_dump_json() for text in words)  # the history holds digests only


def without_names(contract: Contract) -> str:
    """The contract without the ids that name the run: those cover the labelled history."""
    fields = json.loads(contract.model_dump_json())
    return json.dumps(fields | {"origin": None, "skill_id": None}, sort_keys=True)


def test_pitfall_02_what_was_rejected_has_no_influence(
    empty_shop: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """compile(A rejected, then A and B) gives what compile(A and B) gives, byte for byte but for the run's names."""
    made = []
    for name in ("with", "without"):
        world = copy_reward_world(empty_shop, tmp_path / name, monkeypatch)
        if name == "with":
            world.compile(FAMILY)
            reject(world.context(), FAMILY, None, reason="no", by="ada")
        take(world, "second", *(refund_run(n) for n in range(2, 4)))
        assert world.compile_one(FAMILY).group.state == "candidate"
        made.append(without_names(candidate_contract(world)))
    assert made[0] == made[1]


def test_pitfall_08_the_checked_way_out_answers_yes_or_no_and_never_with_a_traceback(shop: World):
    good = shop.run("check")
    assert (good.returncode, "Traceback" in good.stdout + good.stderr) == (0, False)
    path = shop.root / ".claude" / "skills" / FAMILY / "contract.json"
    shop.commit({str(path.relative_to(shop.root)): path.read_text("utf-8").replace('"e3"', '"e99"')}, "invented")
    bad = shop.run("check")
    assert (bad.returncode, "Traceback" in bad.stdout + bad.stderr) == (1, False)


def test_pitfall_09_one_place_writes_skill_folders_and_an_edit_by_hand_is_seen(shop: World):
    writers = {
        str(path.relative_to(SRC))
        for path in SRC.rglob("*.py")
        if re.search(r"Put\(f\"\{folder\}/\{name\}\"|skill_files\(contract\)\.items\(\)\)\]", path.read_text("utf-8"))
    }
    assert writers == {"lifecycle/candidates.py"}
    path = f".claude/skills/{FAMILY}/SKILL.md"
    shop.commit({path: (shop.root / path).read_text("utf-8") + "\nAlso this.\n"}, "by hand")
    assert "render-mismatch" in {p.code for p in check(shop.context()).problems}


def test_pitfall_23_another_version_of_an_engine_is_another_run(shop: World):
    given = evidence(shop)
    one, two = (run_id_of(shop.context(), given, Upkeep(), "offline", version) for version in ("1", "2"))
    assert one != two


def command_options() -> dict[str, set[str]]:
    from skillc.cli.app import app

    found = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for word, one in {"": command, **(getattr(command, "commands", None) or {})}.items():
            found[f"{name} {word}".strip()] = {o for p in one.params for o in (*p.opts, *p.secondary_opts)}
    return found


def test_pitfall_24_every_option_that_a_document_names_is_accepted():
    known = command_options()
    wrong = []
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "templates").glob("*.yaml")]:
        for words in re.findall(r"skillc ((?:[a-z-]+ ){1,2})([^`\n]*)", path.read_text("utf-8")):
            command = words[0].strip()
            command = command if command in known else command.split(" ")[0]
            options = re.findall(r"(?<![\w-])--[a-z][a-z-]+", words[1].split("#")[0]) if command in known else []
            wrong += [(path.name, command, o) for o in options if o not in known[command] | {"--help", "--json"}]
    assert wrong == []


def test_pitfall_25_every_shipped_sample_is_read_by_the_shipped_reader(verified_world: World):
    assert len(verified_world.attempts()) >= len({s["file"] for s in manifest()["sessions"]})


def test_pitfall_26_every_command_exists_and_answers():
    from typer.testing import CliRunner

    from skillc.cli.app import app

    runner = CliRunner()
    for name in command_options():
        done = runner.invoke(app, [*name.split(), "--help"])
        assert (done.exit_code, bool(done.output.strip())) == (0, True), name


def test_pitfall_29_a_new_trace_of_one_family_makes_nothing_again_of_another(shop: World):
    before = shop.git("rev-parse", f"main:.claude/skills/{FAMILY}")
    take(shop, "other", *(refund_run(n) for n in range(70, 72)), family="give-back")
    report = {f.task_family: f for f in shop.compile().families}
    assert report["give-back"].group.state == "candidate"
    assert "nothing new" in report[FAMILY].note
    assert shop.git("rev-parse", f"main:.claude/skills/{FAMILY}") == before


def test_pitfall_30_every_proposal_stays_on_the_ledger_with_its_reason(empty_shop: World):
    world = empty_shop
    world.compile(FAMILY)
    reject(world.context(), FAMILY, None, reason="too narrow", by="ada")
    ledger = world.context().ledger
    told = {(p.id, p.outcome.value) for r in ledger.runs for p in r.proposals}
    assert {(o.proposal, o.outcome.value, o.reason) for o in ledger.outcomes} == {
        (next(iter(told))[0], "human-rejected", "too narrow")
    }
    assert all(r.read and all(s.key for s in r.read) for r in ledger.runs)


def test_pitfall_31_a_group_becomes_visible_by_one_move_or_not_at_all(
    empty_shop: World, monkeypatch: pytest.MonkeyPatch
):
    """Killed at random points: tests/faults. Here the one move is refused, and nothing of the group is seen."""
    before = empty_shop.git("for-each-ref", "refs/heads")

    def refused(*given, **more):
        raise RepoError("no")

    monkeypatch.setattr(writing, "update_refs", refused)
    with pytest.raises(RepoError):
        empty_shop.compile(FAMILY)
    monkeypatch.undo()
    assert empty_shop.git("for-each-ref", "refs/heads") == before
    assert (ROOT / "tests" / "faults" / "test_kill.py").is_file()


def test_pitfall_17_what_one_process_deleted_no_other_process_shows(world: World):
    """No tombstone, and loaded retrievers keep deleted text: here every command reads the commits of its moment."""
    trace_id = sorted(world.attempts())[0]
    words = world.attempts()[trace_id].trace.header.objective
    context = world.context()  # opened before the deletion, as a process that goes on would have it
    assert words in world.run("show", trace_id).stdout
    assert world.run("forget", trace_id, "--yes").returncode == 0
    assert context.traces.read(trace_id) is None
    assert words not in world.run("show", trace_id).stdout
    assert words not in world.run("traces", "--json").stdout
    assert trace_id in world.context().ledger.tombstones
