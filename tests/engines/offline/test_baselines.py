"""Rules of the baselines: simple methods, and fair to them."""

from skillc.core.policy import Thresholds
from skillc.engines.offline.baselines import Ngram, Sequences, copied_value, in_last_result, latest_same_name
from skillc.engines.offline.calls import attempts_of
from skillc.engines.offline.slots import record_uses, slots_of
from skillc.engines.offline.symbols import alphabet_of
from skillc.engines.offline.turns import END, turns_of
from tests.makers import call, gives, make_source, user


def attempt(number, request, *tools):
    drafts = [d for t in tools for d in (call(t, {"n": f"{number}55"}), gives({"n": f"{number}66"}))]
    return make_source(user(request), *drafts, trace_id=f"t-000000{number}")


def turns_by_trace(*sources):
    attempts = attempts_of(sources)
    slots, alphabet = slots_of(attempts), alphabet_of(attempts, Thresholds())
    return {a.trace_id: turns_of(a, alphabet, slots) for a in attempts}


TRAINING = turns_by_trace(
    attempt(11, "cancel the order", "a", "b", "c"),
    attempt(12, "cancel the order", "a", "b", "c"),
    attempt(13, "return the parcel", "x", "b", "d"),
)
FLAT = [t for turns in TRAINING.values() for t in turns]
ASKED = turns_by_trace(attempt(21, "return my parcel", "x", "b", "d"))["t-00000021"]


def test_longer_history_parts_what_a_shorter_one_joins():
    after_b = next(t for t in ASKED if t.last == "tool b")

    assert Ngram(FLAT, 1)(after_b, 2) == "tool c"
    assert Ngram(FLAT, 2)(after_b, 2) == "tool d"


def test_unknown_history_backs_off():
    unknown = turns_by_trace(attempt(22, "hello", "z", "z"))["t-00000022"][1]

    assert Ngram(FLAT, 2)(unknown, 1) == Ngram(FLAT, 0)(unknown, 1)


def test_whole_sequences_are_the_usual_one_and_the_nearest():
    sequences = Sequences(FLAT)

    assert [sequences.whole(t, n) for n, t in enumerate(ASKED)] == ["tool a", "tool b", "tool c", END]
    assert [sequences.by_request(t, n) for n, t in enumerate(ASKED)] == ["tool x", "tool b", "tool d", END]
    assert sequences.by_prefix(ASKED[2], 2, ["tool x", "tool b"]) == "tool d"


def test_values_are_copied_from_the_latest_field_or_the_nearest_attempt():
    source = make_source(
        user("cancel the order"), call("a", {"n": "2155"}), gives({"n": "77"}), call("b", {"n": "77"}), gives({}),
    )  # fmt: skip
    use = list(record_uses(attempts_of((source,))[0]))[-1]

    assert latest_same_name(use) == "77"
    assert in_last_result(use)
    assert copied_value(use, Sequences(FLAT).nearest(use.attempt)) == "1155"
    assert copied_value(use, None) is None
