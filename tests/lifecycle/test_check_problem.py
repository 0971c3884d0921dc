"""A problem says what, where and what to do."""

from skillc.lifecycle.check_problem import problem_of


def test_a_problem_names_its_place_and_the_next_step():
    made = problem_of("some-code", "a/path", "a-skill", "is wrong", "mend it")
    assert (made.code, made.path, made.skill, made.message, made.next, made.hold) == (
        "some-code", "a/path", "a-skill", "is wrong", "mend it", False,
    )  # fmt: skip
