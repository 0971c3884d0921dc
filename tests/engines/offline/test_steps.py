"""Rules of steps."""

from skillc.core.compile.checks import check_proposal
from skillc.core.policy import Thresholds
from skillc.engines.offline.induction import induce
from skillc.engines.offline.reflect import propose
from skillc.engines.offline.steps import placeholders_in, steps_of
from tests.makers import bash, call, fails, gives, make_evidence, make_source, user


def steps(*lists):
    sources = [make_source(*d, trace_id=f"t-0000000{n}") for n, d in enumerate(lists)]
    return steps_of(induce(make_evidence(*sources), Thresholds()))


RED_GREEN = [
    bash("pytest -q"), fails("1 failed"), call("Edit", {"file_path": "src/a.py"}), gives("updated"),
    bash("pytest -q"), gives("1 passed"), bash("git commit -am 'Fix a'"), gives(""),
]  # fmt: skip


def test_steps_are_plain_instructions():
    assert [s.text for s in steps(RED_GREEN)] == [
        "Run `pytest -q` first and read what fails and where.",
        "Change `<source_file>`.",
        "Run `pytest -q` and see it pass.",
        "Commit the change with `git commit`.",
    ]


def test_action_has_the_operation_and_no_values():
    actions = [s.action for s in steps(RED_GREEN)]

    assert (actions[0].tool, actions[0].operation, actions[0].arguments) == ("Bash", "pytest", {"command": "pytest -q"})
    assert actions[1].arguments == {"file_path": "<source_file>"}
    assert actions[3].arguments == {"command": "git commit"}


def test_check_that_had_to_fail_is_cited_beside_a_run_that_passed():
    """A step must cite an action of the agent that worked, and the first run of a failing test cannot."""
    evidence = make_evidence(make_source(user("please fix the test"), *RED_GREEN), task_family="fix-test")

    (proposal,) = propose(evidence, run="r-1", thresholds=Thresholds())

    assert proposal.contract.steps[0].citations[0].events == ("e1", "e2", "e5")
    assert check_proposal(proposal, evidence) == ()


def test_step_that_runs_for_several_records_says_for_which():
    def attempt(n):
        return [d for i in (1, 2) for d in (call("get_order", {"order_id": f"ord-{n}{i}"}), gives({}))]

    (step,) = steps(attempt(1), attempt(2))

    assert step.repeat == "every `<order_id>` that the request is about"
    assert placeholders_in((step,)) == {"order_id"}


def test_many_arguments_are_told_in_the_groups_in_which_the_tool_takes_them():
    plain = {f"field_{c}": f"value {c}" for c in "abcdef"}
    legs = [{"number": "HA1", "date": "2026-01-02"}, {"number": "HA2", "date": "2026-01-03"}]
    (step,) = steps([call("book", plain | {"legs": legs, "payer": {"name": "Ann"}}), gives({})])

    assert step.text == (
        "Call `book` with `<field_a>`, `<field_b>`, `<field_c>`, `<field_d>`, `<field_e>` and `<field_f>`;"
        " in `legs` each `<number>` and `<date>`; in `payer` `<name>`."
    )


def test_text_of_a_step_never_ends_inside_a_name():
    (step,) = steps(
        [
            call(
                "book", {f"a_very_long_name_of_an_argument_{a}{b}": f"value {a}" for a in "abcdefgh" for b in "abcdef"}
            ),
            gives({}),
        ]
    )

    assert step.text == "Call `book` with all of the inputs that it takes."
    assert len(step.action.arguments) == 48


def test_step_that_only_half_of_the_families_run_for_several_records_is_no_loop():
    def attempt(n, count):
        return [d for i in range(count) for d in (call("get_order", {"order_id": f"ord-{n}{i}"}), gives({}))]

    assert [s.repeat for s in steps(attempt(1, 1), attempt(2, 2))] == [None]


def test_loop_is_over_the_argument_that_takes_several_values():
    def attempt(n):
        given = [{"user_id": f"u-{n}", "order_id": f"ord-{n}{i}"} for i in (1, 2)]
        return [d for arguments in given for d in (call("get_order", arguments), gives({}))]

    assert [s.repeat for s in steps(attempt(1), attempt(2))] == ["every `<order_id>` that the request is about"]


def test_command_that_mended_the_check_stands_before_it_in_words():
    stale = fails("Exit code 1\nAssertionError: client is stale\n1 failed")
    edit = [call("Edit", {"file_path": "schema.json"}), gives("ok")]
    met = [*edit, bash("pytest"), stale, bash("make gen"), gives(""), bash("pytest"), gives("1 passed")]
    knew = [*edit, bash("make gen && pytest"), gives("1 passed")]

    assert [s.text for s in steps(met, knew)][1:] == [
        "Run `make gen` before `pytest`.",
        "Run `pytest` and mend what fails until it passes.",
    ]


def test_looking_around_is_no_step_beside_real_work():
    looked = [bash("grep -rn total ."), gives("a.py:1"), call("Read", {"file_path": "a.py"}), gives("x")]

    assert steps([*looked, *RED_GREEN])[0].text.startswith("Run `pytest -q` first")
    assert len(steps(looked)) == 2


def test_command_that_only_ever_failed_to_help_is_no_step():
    stale = fails("Exit code 1\nAssertionError: client is stale\n1 failed")
    edit = [call("Edit", {"file_path": "schema.json"}), gives("ok")]
    tried = [bash("pytest"), stale, bash("npm install"), gives(""), bash("pytest"), stale]
    found = [*edit, *tried, bash("make gen"), gives(""), bash("pytest"), gives("1 passed")]

    assert not any("npm install" in s.text for s in steps(found, found))
    assert "Run `make gen` before `pytest`." in [s.text for s in steps(found, found)]


def test_command_that_stood_before_a_test_that_comes_and_goes_is_not_said_to_mend_it():
    late = fails("Exit code 1\nTimeoutError: the worker did not answer\n1 failed")
    edit = [call("Edit", {"file_path": "schema.json"}), gives("ok")]
    found = [
        *edit, bash("pytest"), late, bash("make gen"), gives(""), bash("pytest"), gives("1 passed"),
        bash("pytest"), late, bash("pytest"), gives("1 passed"),
    ]  # fmt: skip

    assert "Run `make gen`." in [s.text for s in steps(found, found)]


def test_optional_step_says_how_usual_it_is():
    def attempt(n, looks):
        look = [call("get_user", {"user_id": f"u-{n}"}), gives({})] if looks else []
        return [*look, call("get_order", {"order_id": f"ord-{n}1"}), gives({})]

    first, second = steps(*(attempt(n, n < 4) for n in range(1, 6)))

    assert (first.optional, first.frequency.families, first.frequency.of) == (True, 3, 5)
    assert second.frequency is None
