"""What is killed: each command on a repository prepared for it, with a person's own work lying around."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from skillc.core.admit.evaluation import EvaluationVerdict
from skillc.core.skill.contract import Validity
from skillc.core.trace.codec import trace_id_of
from skillc.lifecycle.evaluation import record_evaluation
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.withdrawal import retire
from skillc.repo.home import capture_secret
from tests.approvers import key_that_asks, make_key, public_of, register_evaluator, register_person
from tests.faults.states import OWN_FILES
from tests.model_server import serving
from tests.publishing import another_namespace, domain_of
from tests.reward_world import FAMILY, copy_reward_world, refund_run, take
from tests.skill_folders import put_skill
from tests.world import FIELD, FIX, NOW, World, copy_world, sessions_of

OTHER = "other"  # the folder of a second repository, where a command writes into two


@dataclass(frozen=True)
class Scenario:
    """One command. `again` is false where running it a second time would do something else.

    `start` is a session-wide repository; `person`: an approver is registered, whose key is `{key}` in the arguments.
    The sampled ones are in every run of the tests: together they have every way of writing.
    """

    name: str
    start: str
    prepare: Callable[[World], None]
    arguments: tuple[str, ...]
    again: bool = True
    person: bool = False
    sampled: bool = False


def _nothing(_: World) -> None:
    return None


def _tree_placement(world: World) -> None:
    world.set_policy("location: branch", "location: tree")


def _auto(world: World) -> None:
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")


def _captured(world: World) -> None:
    world.capture(sessions_of(FIELD, passes=True)[:1], task_family=FIELD)


def _compiled(world: World) -> None:
    world.compile(FIELD)


def _rejected_before(world: World) -> None:
    """A candidate waits, and newer evidence replaces it."""
    world.compile(FIX)
    world.set_policy("minimum_assurance: attended", "minimum_assurance: isolated")


def _two_versions(world: World) -> None:
    first, *rest = sessions_of(FIX, passes=True)
    for sessions in ([first], rest):
        world.capture(sessions, task_family=FIX)
        world.verify()
        world.compile(FIX)
        world.merge(FIX)


def _edited(world: World) -> None:
    """A person edited SKILL.md in the work tree and did not commit it."""
    world.compile(FIELD)
    world.merge(FIELD)
    _edit(world)


def _edited_candidate(world: World) -> None:
    """A reviewer committed an edit of SKILL.md on a candidate branch that is checked out nowhere."""
    world.compile(FIELD)
    world.git("switch", "--quiet", f"skillc/candidate/{FIELD}")
    _edit(world)
    world.git("commit", "--quiet", "-am", "reviewer")
    world.git("switch", "--quiet", "main")


def _edit(world: World) -> None:
    path = f".claude/skills/{FIELD}/SKILL.md"
    text = (world.root / path).read_text("utf-8")
    assert "## When to use\n\n" in text
    world.write(path, text.replace("## When to use\n\n", "## When to use\n\n- The field is agreed on.\n"))


def _spooled(world: World) -> None:
    """Two sessions ended, as the hook tells it at each place where a copy of this repository will lie."""
    folder = world.root / ".git" / "skillc" / "spool"
    folder.mkdir(parents=True, exist_ok=True)
    projects = world.home / ".claude" / "projects" / "-stockroom"
    projects.mkdir(parents=True)
    for source in _PATHS:
        transcript = Path(shutil.copy(source, projects))
        for number in range(MAX_PLACES):
            place = world.root.parent.parent / f"place-{number}"
            event = {
                "agent": "claude-code",
                "session_id": transcript.stem,
                "hook_event_name": "SessionEnd",
                "transcript_path": str(place / transcript.relative_to(world.root.parent)),
                "common": str(place / "stockroom" / ".git"),
                "at": 5.0,
            }
            (folder / f"claude-code.{transcript.stem}-{number}.SessionEnd.json").write_text(json.dumps(event), "utf-8")


def _answered(world: World) -> None:
    """A model was asked and its answers are kept; what the run wrote is taken back."""
    ledger = world.git("rev-parse", "skillc/ledger")
    with pytest.MonkeyPatch.context() as patch, serving() as server:
        patch.setenv("ANTHROPIC_BASE_URL", server.url)
        patch.setenv("ANTHROPIC_API_KEY", "stub")
        assert world.compile_one(FIELD, engine="claude").group.state == "candidate"
    world.git("update-ref", "-d", f"refs/heads/skillc/candidate/{FIELD}")
    world.git("update-ref", "refs/heads/skillc/ledger", ledger)


def _merged(world: World) -> None:
    world.compile(FIELD)
    world.merge(FIELD)


def _merged_with_the_tree(world: World) -> None:
    """A Skill on base that rests on Traces in the tree."""
    _merged(world)
    world.set_policy("location: branch", "location: tree")
    world.git("read-tree", "--prefix=traces/", "skillc/traces:traces")
    world.git("checkout-index", "--all", "--force")
    world.git("commit", "--quiet", "-m", "traces in the tree")


def _evaluated(world: World) -> None:
    """A candidate waits for an evaluation; the evaluator's key lies in the work tree."""
    make_key(world.root / "eval-key")
    register_evaluator(world, public_of(world.root / "eval-key"), required_of=FIELD)
    world.compile(FIELD)


def _passed_meanwhile(world: World) -> None:
    """Policy admits automatically, and the evaluation that held the candidate passed since."""
    _auto(world)
    _evaluated(world)
    context = world.context()
    record_evaluation(
        context, FIELD, evaluator="sandbox-eval", version="1", environment="x", evidence="x",
        verdict=EvaluationVerdict.PASSED, key_path=world.root / "eval-key",
    )  # fmt: skip


def _expired(world: World) -> None:
    """A Skill on base whose validity is past."""
    _merged(world)
    contract = current_skills(world.context())[FIELD].contract
    assert contract is not None
    put_skill(world, contract.model_copy(update={"validity": Validity(valid_until=NOW)}))


def _retired(world: World) -> None:
    _merged(world)
    retire(world.context(), FIELD, reason="x", by="Ada")


def _merged_on_a_protected_base(world: World) -> None:
    _merged(world)
    world.set_policy("protected_base: false", "protected_base: true")


def _waits_for_a_person(world: World) -> None:
    """Policy admits automatically, and keeps what writes for a person."""
    _auto(world)
    world.set_policy("person_for: {effects: [money, delete], tools: []}", "person_for: {effects: [write], tools: []}")
    _compiled(world)


def _another_namespace(world: World) -> None:
    """A second repository beside this one, of the same security domain."""
    _merged(world)
    another_namespace(world.home, world.root.parent / OTHER, security_domain=domain_of(world))


def _conflicted(world: World) -> None:
    """Newer attempts speak against the Skill: its removal waits as a candidate."""
    take(world, "vouchers", *(refund_run(n, method="voucher") for n in range(10, 13)))
    assert len(world.compile_one(FAMILY).conflicts) == 1


def _removed_for_a_conflict(world: World) -> None:
    _conflicted(world)
    world.merge(FAMILY)


def _trace_of(path: str) -> str:
    return trace_id_of("stockroom", "claude-code", Path(path).stem)


MAX_PLACES = 4
_CITED = _trace_of(sessions_of(FIELD, passes=True)[0])
_RECORD = (
    "evaluation", "record", FIELD, "--evaluator", "sandbox-eval", "--evaluator-version", "1", "--environment", "x",
    "--evidence", "x", "--key", "eval-key",
)  # fmt: skip
_PATHS = tuple(sessions_of(FIELD)[:2])
_RETIRE = ("retire", FIELD, "--reason", "x")
_RESOLVE = ("resolve", FAMILY, "--keep", "A", "--reason", "vouchers ended")
SCENARIOS = (
    Scenario("capture to a branch", "fresh", _nothing, ("capture", "--family", FIELD, *_PATHS)),
    Scenario("capture to the tree", "fresh", _tree_placement, ("capture", "--family", FIELD, *_PATHS), sampled=True),
    Scenario("drain of the hook's spool", "fresh", _spooled, ("capture", "--drain")),
    Scenario("verify by a check", "fresh", _captured, ("verify", "--run", "unit-tests")),
    Scenario("compile to a candidate", "world", _nothing, ("compile", "--family", FIELD)),
    Scenario("compile over a candidate", "world", _rejected_before, ("compile", "--family", FIX)),
    Scenario("compile from kept answers", "world", _answered, ("compile", "--family", FIELD, "--engine", "recorded")),
    Scenario("compile with admission", "world", _auto, ("compile", "--family", FIELD), sampled=True),
    Scenario("reject", "world", _compiled, ("reject", FIELD, "--reason", "too long"), again=False, sampled=True),
    Scenario("undo", "fresh", _two_versions, ("undo", FIX), again=False),
    Scenario("amend in the work tree", "world", _edited, ("amend", FIELD), again=False, sampled=True),
    Scenario(
        "amend on a candidate",
        "world",
        _edited_candidate,
        ("amend", FIELD, "--from", f"skillc/candidate/{FIELD}"),
        again=False,
    ),
    Scenario("restore", "fresh", _two_versions, ("restore", FIX, "1"), again=False),
    Scenario("retire", "world", _merged, _RETIRE, again=False),
    Scenario("forget", "world", _merged, ("forget", _CITED, "--yes"), sampled=True),
    Scenario("forget from the tree", "world", _merged_with_the_tree, ("forget", _CITED, "--yes")),
    Scenario("evaluation that failed", "world", _evaluated, (*_RECORD, "--verdict", "failed"), again=False),
    Scenario("retire on a protected base", "world", _merged_on_a_protected_base, _RETIRE, again=False),
    Scenario("restore of what was retired", "world", _retired, ("restore", FIELD, "1"), again=False),
    Scenario("maintain", "world", _expired, ("maintain",)),
    Scenario("resolve", "shop", _conflicted, _RESOLVE, again=False),
    Scenario("resolve that brings back", "shop", _removed_for_a_conflict, _RESOLVE, again=False),
    Scenario("approve", "world", _compiled, ("approve", FIELD, "--key", "{key}"), person=True),
    Scenario(
        "approve with admission",
        "world",
        _waits_for_a_person,
        ("approve", FIELD, "--key", "{key}"),
        again=False,
        person=True,
        sampled=True,
    ),
    Scenario(
        "publish",
        "world",
        _another_namespace,
        ("publish", FIELD, "--to", f"../{OTHER}", "--key", "{key}"),
        person=True,
        sampled=True,
    ),
    Scenario("admission of what waited", "world", _passed_meanwhile, ("compile", "--family", FIELD)),
)


@dataclass
class Prepared:
    """A scenario's repository, to copy; `places` are where the copies live, `arguments` those with the key."""

    scenario: Scenario
    template: Path
    places: tuple[World, ...]
    arguments: tuple[str, ...]

    def reset(self, place: World) -> None:
        shutil.rmtree(place.root.parent, ignore_errors=True)
        shutil.copytree(self.template, place.root.parent, symlinks=True)


def prepare(scenario: Scenario, source: World, folder: Path, patch: pytest.MonkeyPatch, *, places: int) -> Prepared:
    """Prepares the repository once, trusted at each of the places where it will lie."""
    world = (copy_reward_world if scenario.start == "shop" else copy_world)(source, folder / "template", patch)
    arguments = scenario.arguments
    if scenario.person:
        key = key_that_asks(folder, patch)
        register_person(world, public_of(key))
        arguments = tuple(a.replace("{key}", str(key)) for a in arguments)
    scenario.prepare(world)
    for path, text in OWN_FILES.items():
        world.write(path, text)
    world.git("add", "staged.txt")
    capture_secret()  # made on first use, and random: with it, two captures write the same bytes
    world.attempts()  # signatures are checked once, as on the second command of a day
    homes = []
    for number in range(places):
        place = World(folder / f"place-{number}" / "home", folder / f"place-{number}" / world.root.name)
        shutil.copytree(folder / "template", place.root.parent, symlinks=True)
        place.set_environment(patch)
        if scenario.start != "shop":
            place.trust()
            state = place.home / ".config" / "skillc" / "trusted-checks.json"
            shutil.copy(state, world.home / ".config" / "skillc" / state.name)
        homes.append(place)
    return Prepared(scenario, folder / "template", tuple(homes), arguments)
