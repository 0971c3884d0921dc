"""Deletion: content and salt go, the digest still holds, and what was deleted is known when it comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.core.remove import (
    also_holds,
    delete_events,
    delete_trace,
    deletion_problem,
    joined,
    rests_on,
)
from skillc.core.trace.codec import Trace, encode_record, line_hash, parse_trace, parse_trace_tombstone, split_lines
from tests.makers import call, gives, make_citation, make_contract, make_trace, says, user

SECRET = "the customer lives at 4 Elm Street"


def trace() -> Trace:
    return make_trace(user(SECRET), call("get_order", {"id": "W1"}), gives("ok"), says("Done."), user(SECRET + "!"))


def data_of(made: Trace) -> bytes:
    lines = [made.header, *made.events, made.close]
    return b"".join(encode_record(line) + b"\n" for line in lines)


def hashes(*lines) -> frozenset[str]:
    return frozenset(line.line for line in lines)


def test_content_and_salt_of_an_event_go_and_the_digest_still_holds():
    made = trace()
    gone = delete_events(made, data_of(made), ["e0"])
    assert SECRET.encode() not in gone.data.split(b"\n")[1]
    assert made.events[0].salt.encode() not in gone.data
    after = parse_trace(gone.data, path="t.jsonl")
    assert (after.digest, after.deleted) == (made.digest, frozenset({0}))
    assert after.event("e0") is None
    assert after.events[1:] == made.events[1:]


def test_an_objective_that_repeats_a_deleted_text_goes_too():
    made = trace().model_copy(update={"header": trace().header.model_copy(update={"objective": SECRET})})
    from skillc.core.trace.codec import seal

    header, lines, close = seal(made.header, [encode_record(e) for e in made.events], made.close)
    data = b"".join(line + b"\n" for line in (header, *lines, close))
    sealed = parse_trace(data, path="t.jsonl")
    gone = delete_events(sealed, data, ["e0", "e4"])
    assert SECRET.encode() not in gone.data
    after = parse_trace(gone.data, path="t.jsonl")
    assert (after.header.objective, after.digest) == ("", sealed.digest)
    assert [line.id for line in gone.lines] == ["e0", "e4", "header"]


def test_a_whole_trace_leaves_one_line_without_any_of_its_words():
    made = trace()
    gone = delete_trace(made, data_of(made))
    stone = parse_trace_tombstone(gone.data)
    assert stone is not None
    assert (stone.trace_id, stone.digest) == (made.trace_id, made.digest)
    assert SECRET.encode() not in gone.data
    assert len(gone.lines) == len(made.events) + 1


@given(st.sets(st.integers(0, 4)), st.sets(st.integers(0, 4)))
def test_a_deletion_in_parts_is_the_deletion_at_once_and_a_second_one_changes_nothing(first, second):
    made = trace()
    once = delete_events(made, data_of(made), [f"e{n}" for n in first | second])
    half = delete_events(made, data_of(made), [f"e{n}" for n in first])
    whole = delete_events(parse_trace(half.data, path="t"), half.data, [f"e{n}" for n in second])
    assert whole.data == once.data
    again = delete_events(parse_trace(once.data, path="t"), once.data, [f"e{n}" for n in first | second])
    assert (again.data, again.lines) == (once.data, ())


def test_a_changed_line_beside_a_tombstone_breaks_the_digest():
    from skillc.errors import DataError

    made = trace()
    gone = delete_events(made, data_of(made), ["e0"]).data
    with pytest.raises(DataError, match="digest"):
        parse_trace(gone.replace(b"Done.", b"Donx."), path="t.jsonl")


def test_content_that_a_tombstone_names_is_known_when_it_comes_back():
    made = trace()
    data = data_of(made)
    gone = delete_events(made, data, ["e0"])
    named = hashes(*gone.lines) | {f"header:{gone.header}"}
    assert deletion_problem(gone.data, named, stone=False) is None
    assert deletion_problem(data, named, stone=False) == "line 1 is content that was deleted"
    assert deletion_problem(gone.data, hashes(*gone.lines), stone=False) == (
        "the header was changed without a signed record"
    )
    later = delete_events(made, data, ["e3"]).data
    assert deletion_problem(later, frozenset(), stone=False) == "line 5 was deleted without a signed record"


@pytest.mark.parametrize("swap", [False, True])
def test_what_either_of_two_clones_deleted_stays_deleted(swap: bool):
    made = trace()
    data = data_of(made)
    one, two = delete_events(made, data, ["e0"]).data, delete_events(made, data, ["e2"]).data
    sides = (two, one) if swap else (one, two)
    assert parse_trace(joined(*sides), path="t").deleted == frozenset({0, 2})
    whole = delete_trace(made, data).data
    assert joined(*((data, whole) if swap else (whole, data))) == whole


def test_files_that_are_not_the_same_trace_are_not_mixed():
    mine, other = data_of(trace()), data_of(make_trace(user("other"), says("x")))
    assert joined(mine, other) == mine


def test_a_skill_rests_on_what_it_cites_and_on_nothing_else():
    contract, cited = make_contract(), make_citation()
    assert rests_on(contract, cited.trace_id, None)
    assert rests_on(contract, cited.trace_id, frozenset(cited.events))
    assert not rests_on(contract, cited.trace_id, frozenset({"e999"}))
    assert not rests_on(contract, "t-99999999", None)


def test_events_that_repeat_a_deleted_text_are_told_and_short_texts_are_not():
    made = trace()
    assert also_holds([made], [SECRET]) == {made.trace_id: ("e0", "e4")}
    assert also_holds([made], ["ok"]) == {}


def test_a_tombstone_has_the_hash_of_the_line_that_it_stands_for():
    made = trace()
    data = data_of(made)
    gone = delete_events(made, data, ["e1"]).data
    assert [line_hash(a) for a in split_lines(gone)[1:]] == [line_hash(a) for a in split_lines(data)[1:]]
