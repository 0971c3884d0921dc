"""A dry run writes nothing: no ref, no record, no entry of the spool, no cache, no file of the person."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillc.core.compile.proposal import ConflictSide, SkillConflict
from skillc.core.skill.contract import all_citations
from skillc.core.trace.records import Outcome
from skillc.lifecycle.skills import current_skills
from skillc.lifecycle.withdrawal import conflict_record
from skillc.repo.ledger import append_to_ledger, ledger_file
from tests.approvers import make_key, register_evaluator, register_person, session, writes
from tests.lifecycle.test_drain import ended
from tests.makers import user
from tests.publishing import another_namespace, domain_of
from tests.terminals import in_terminal
from tests.world import CHECK, FIELD, FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case


def everything(world: World) -> dict[str, bytes]:
    """Every file below the home and the repository, git's own ones too."""
    found = {}
    for top in (world.home, world.root):
        for path in sorted(top.rglob("*")):
            if path.is_file() and not path.is_symlink():
                found[str(path)] = path.read_bytes()
    return found


def require_nothing_written(before: dict[str, bytes], world: World) -> None:
    after = everything(world)
    assert sorted(set(after) ^ set(before)) == []
    assert [path for path in before if after[path] != before[path]] == []


def dry_commands() -> Iterator[str]:
    """The names of all commands that have --dry-run, as the command line itself tells."""
    import typer.main

    from skillc.cli.app import app

    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        for word, one in (getattr(command, "commands", None) or {"": command}).items():
            if any("--dry-run" in parameter.opts for parameter in one.params):
                yield f"{name} {word}".strip()


# For each command the ways to start it; what it says must show that it came to the end.
CASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "init": (
        (), ("--host", "claude-code", "--deny-rules"), ("--host", "codex", "--shared"), ("--remove-host", "claude-code"),
        ("--plugin", "plugin"),
    ),
    "capture": (("SESSION",), ("--all",), ("--drain",), ("--off",), ("--on",)),
    "verify": (
        ("--run", CHECK), ("--from-git",), ("--from-events",), ("--all",),
        ("--ci", "--commit", "HEAD", "--result", "success", "--verifier", CHECK, "--key", "KEY"),
    ),
    "compile": ((), ("--family", FIX), ("--trace", "TRACE", "--family", FIX)),
    "families accept": (("--minimum", "1"),),
    "families assign": (("TRACE", "other"), ("other", "TRACE")),
    "families suggest": ((),),
    "undo": ((FIX,),),
    "restore": ((FIX, "1"),),
    "retire": ((FIX, "--reason", "r"),),
    "amend": ((FIX, "--from", "edited"),),
    "resolve": ((FIX, "--keep", "A", "--reason", "r"),),
    "approve": ((FIELD,),),
    "evaluation request": ((FIELD,),),
    "evaluation record": (
        (FIELD, "--evaluator", "sandbox-eval", "--verdict", "failed", "--evaluator-version", "1", "--environment", "e",
         "--evidence", "l", "--key", "KEY"),
    ),
    "forget": (("TRACE",), ("EVENT",)),
    "maintain": ((),),
    "publish": ((FIX, "--to", "ELSEWHERE"),),
}  # fmt: skip


@pytest.fixture
def compiled(world: World) -> World:
    """A Skill on base, Traces, a hook of a host, and a session that waits in the spool."""
    world.compile(FIX)
    world.merge(FIX)
    world.run("init", "--host", "claude-code")
    transcript = ended(world, sessions_of(FIX)[0])
    own = transcript.parents[1] / re.sub("[^A-Za-z0-9]", "-", str(world.root))
    own.mkdir()
    shutil.copy(sessions_of(FIX)[1], own)  # where `capture --all` looks
    return world


def record_conflict(world: World) -> None:
    """Both sides cite Traces that the Skill cites: what they say does not matter here."""
    context = world.context()
    skill = current_skills(context)[FIX]
    assert skill.contract is not None
    one, two = [*all_citations(skill.contract.steps[0]), *all_citations(skill.contract.steps[-1])][:2]
    conflict = SkillConflict(
        skill_id=skill.contract.skill_id, field="steps", kind="value",
        sides=(ConflictSide(text="a", citations=(one,)), ConflictSide(text="b", citations=(two,))),
    )  # fmt: skip
    record = conflict_record(context, skill, conflict, run="r-1", at=context.now)
    append_to_ledger(context.repository, [ledger_file("conflicts", record)], message="conflict\n", at=context.now)


def test_every_command_with_a_dry_run_is_held_to_it():
    assert sorted(CASES) == sorted(dry_commands())


@pytest.mark.parametrize(("name", "options"), [(name, ways) for name, all_ways in CASES.items() for ways in all_ways])
def test_a_dry_run_writes_nothing(compiled: World, name: str, options: tuple[str, ...]):
    values = {
        "SESSION": sessions_of(FIX)[1],
        "TRACE": min(compiled.attempts()),
        "ELSEWHERE": str(compiled.root.parent / "elsewhere"),
        "EVENT": f"{min(compiled.attempts())}#e1",
        "HEAD": compiled.git("rev-parse", "HEAD"),
        "KEY": str(compiled.home / ".config" / "skillc" / "keys" / "tool"),
    }
    if options == ("--on",):
        compiled.run("capture", "--off")
    if name in ("families accept", "families suggest"):
        session(compiled, user("x"), *writes("a.py", "x"))  # it belongs to no family
    if name == "resolve":
        record_conflict(compiled)
    if name == "restore":
        compiled.run("undo", FIX)
    if name == "publish":
        other = compiled.root.parent / "elsewhere"
        another_namespace(compiled.home, other, security_domain=domain_of(compiled))
        register_person(compiled, make_key(compiled.root.parent / "alice", passphrase="x"))
    if name.split()[0] in ("approve", "evaluation"):
        key = (compiled.home / ".config" / "skillc" / "keys" / "tool.pub").read_text("utf-8").strip()
        register_evaluator(compiled, key, required_of=FIELD)
        compiled.compile(FIELD)
    if name == "amend":
        compiled.git("switch", "--quiet", "-c", "edited")
        path = f".claude/skills/{FIX}/SKILL.md"
        text = (compiled.root / path).read_text("utf-8")
        compiled.commit({path: text.replace("## When to use\n\n", "## When to use\n\n- A test fails.\n")})
        compiled.git("switch", "--quiet", "main")
    before = everything(compiled)
    done = compiled.run(*name.split(), *(values.get(word, word) for word in options), "--dry-run")
    assert done.returncode == 0, done.stderr
    require_nothing_written(before, compiled)


def test_a_dry_run_on_a_new_machine_makes_no_secret_and_no_key(fresh: World):
    for path in (fresh.home / ".config" / "skillc").rglob("*"):
        if path.is_file():
            path.unlink()
    (fresh.root / "skillc.yaml").unlink()
    before = everything(fresh)
    assert fresh.run("init", "-n").returncode == 0
    assert fresh.run("capture", "-n", sessions_of(FIX)[0]).returncode == 0
    require_nothing_written(before, fresh)


def test_a_dry_run_of_a_persons_verdict_signs_and_records_nothing(world: World, tmp_path: Path):
    register_person(world, make_key(tmp_path / "alice", passphrase="x"))  # a signature would need the passphrase
    trace_id = min(world.attempts())
    before = everything(world)
    one = ("verify", "-n", "--as", "alice", "--outcome", "failure", trace_id, "--key", str(tmp_path / "alice"))
    code, said = in_terminal(world, *one)
    assert (code, "dry run: nothing was written" in said) == (0, True), said
    walk = ("verify", "-n", "--as", "alice", trace_id, "--key", str(tmp_path / "alice"))
    code, said = in_terminal(world, *walk, answers="f\n")
    assert (code, "dry run: nothing was written" in said) == (0, True), said
    require_nothing_written(before, world)
    assert world.attempts()[trace_id].standing.outcome is not Outcome.FAILURE


def test_a_dry_drain_says_what_it_would_take(fresh: World):
    transcript = ended(fresh)
    done = fresh.run("capture", "--drain", "--dry-run")
    assert f"claude-code {transcript.stem}: would be captured" in done.stdout
    assert "1 Traces, 1 new" in fresh.run("capture", "--drain").stdout
