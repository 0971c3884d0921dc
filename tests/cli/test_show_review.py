"""How a review looks on a terminal."""

from skillc.cli.show_review import show_candidate, show_review
from skillc.lifecycle.review import ReviewReport, review
from tests.world import FIELD, World


def test_risks_and_gates_are_told_with_what_to_do(world: World, capsys):
    world.compile(FIELD)
    candidate = review(world.context()).candidates[0].model_copy(update={"risks": ("it deletes things",)})
    show_candidate(candidate)
    said = capsys.readouterr().out
    assert said.index("it deletes things") < said.index("gates:")
    assert "merge the candidate branch" in said


def test_nothing_that_waits_says_so(world: World, capsys):
    show_review(ReviewReport(candidates=()), world.context())
    assert capsys.readouterr().out == "nothing waits for review\n"
