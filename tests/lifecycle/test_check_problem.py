"""What a problem says, and at which line."""

from skillc.lifecycle.candidates import candidate_named
from skillc.lifecycle.check_problem import first_difference, line_of_claim, problem_of
from tests.world import FIELD, World


def test_a_problem_waits_only_when_told_so():
    problem = problem_of("scan", "a/SKILL.md", "a", "is wrong", "mend it")
    assert (problem.hold, problem.next, problem.line) == (False, "mend it", None)


def test_the_line_of_a_claim_is_that_of_the_file(world: World):
    world.compile(FIELD)
    contract = candidate_named(world.context(), FIELD).versions[0].contract
    assert contract is not None
    path = f"skillc/candidate/{FIELD}:.claude/skills/{FIELD}/contract.json"
    lines = world.git("show", path).split("\n")
    number = line_of_claim(contract, contract.steps[-1].id)
    assert number is not None
    assert f'"{contract.steps[-1].id}"' in lines[number - 1]
    assert line_of_claim(contract, "nope") is None


def test_the_first_difference_is_a_line():
    assert first_difference(b"a\nb\nc", b"a\nx\nc") == 2
    assert first_difference(b"a\nb\n", b"a\nb\nc\n") == 3
    assert first_difference(b"", b"a") == 1
