"""Rules of routes: what follows what, and which facts may decide."""

from dataclasses import replace

from skillc.core.policy import Thresholds
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.routes import Routes
from skillc.engines.offline.slots import slots_of
from skillc.engines.offline.symbols import alphabet_of
from skillc.engines.offline.turns import AGREED, END, START, turns_of
from tests.makers import call, gives, make_source, says, user


def routes_of(*sources):
    attempts = attempts_of(sources)
    slots, alphabet = slots_of(attempts), alphabet_of(attempts, Thresholds())
    turns = [t for a in attempts for t in turns_of(a, alphabet, slots)]
    return Routes(turns), turns


def asked(number, answer):
    done = [call("pay", {"n": number}), gives({})] if answer == "yes" else [call("hold", {"n": number}), gives({})]
    return make_source(
        user("please"), call("get", {"n": number}), gives({}), says("shall I?"), user(answer), *done,
        trace_id=f"t-000000{number}",
    )  # fmt: skip


def test_most_usual_action_follows_and_equals_go_by_name():
    routes, turns = routes_of(asked(11, "yes"), asked(12, "yes"), asked(13, "rather not"))

    assert [t.action for t in turns if t.last == START] == ["tool get"] * 3
    assert {routes.usual_action(t) for t in turns if t.last == "tool get"} == {"tool pay"}
    assert {routes.next_action(t) for t in turns if t.last == "tool pay"} == {END}


def test_fact_that_pays_decides_the_next_action():
    routes, turns = routes_of(*(asked(n, "yes" if n % 2 else "rather not") for n in range(11, 19)))

    (decision,) = routes.decisions()

    assert (decision.last, decision.then, decision.otherwise) == ("tool get", "tool pay", "tool hold")
    assert decision.fact == AGREED
    assert all(routes.next_action(t) == t.action for t in turns)


def test_fact_with_less_than_three_families_on_a_side_decides_nothing():
    routes, _ = routes_of(*(asked(n, "yes" if n > 12 else "rather not") for n in range(11, 19)))

    assert routes.decisions() == ()


def test_fact_that_holds_by_chance_decides_nothing():
    """One family that goes another way is no reason for a rule."""
    routes, _ = routes_of(*(asked(n, "yes") for n in range(11, 18)), asked(18, "rather not"))

    assert routes.decisions() == ()


def paying(size, broken):
    """Families that pay when the user agrees and hold otherwise, but for one that pays without a word."""
    sources = [asked(n, "yes" if n % 2 else "rather not") for n in range(11, 11 + size)]
    drafts = [
        user("please"),
        call("get", {"n": 99}),
        gives({}),
        says("shall I?"),
        user("hm"),
        call("pay", {"n": 99}),
        gives({}),
    ]
    return [*sources, *(make_source(*drafts, trace_id=f"t-00000{n}99") for n in range(broken))]


def told(sources):
    return len(routes_of(*sources)[0].decisions())


def test_decision_that_the_next_family_may_break_is_not_told():
    """Beside ten families that go one way, two that go the other leave a rule, three leave a habit."""
    assert [told(paying(20, broken)) for broken in (0, 1, 2, 3, 4)] == [1, 1, 1, 0, 0]


def test_unknown_state_gets_the_most_usual_action_of_all():
    routes, _ = routes_of(*(asked(n, "yes") for n in range(11, 14)))
    _, turns = routes_of(make_source(call("other", {}), gives({}), call("more", {}), gives({})))

    assert routes.next_action(turns[1]) == END  # each of three actions is as usual: the first by name


def test_attempt_that_comes_back_to_a_state_is_known():
    twice = make_source(*[d for _ in (1, 2) for d in (call("get", {"n": 1}), gives({}))], trace_id="t-00000031")

    assert routes_of(asked(11, "yes"))[0].comes_back is False
    assert routes_of(twice, asked(11, "yes"))[0].comes_back is True


def test_facts_that_hold_at_the_same_turns_decide_by_the_first_name():
    """What the user has given and that the user agreed stand for the same families here: either decides alike."""
    routes, turns = routes_of(*(asked(n, "yes" if n % 2 else "rather not") for n in range(11, 19)))
    both = [replace(t, facts=t.facts | {"given n"} if AGREED in t.facts else t.facts) for t in turns]

    assert [d.fact for d in routes.decisions()] == [d.fact for d in Routes(both).decisions()] == [AGREED]


def test_only_action_of_a_family_that_is_left_out_is_not_the_most_usual_one():
    """A state that one family alone came to says nothing about it; the next best context does."""
    routes, turns = routes_of(*(asked(n, "yes") for n in range(11, 14)), make_source(call("other", {}), gives({})))

    assert routes.held_out_score() == 3.5
    assert routes.usual_action(next(t for t in turns if t.last == "tool other")) == END
