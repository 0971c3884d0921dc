"""Rules of joining Traces into attempt families."""

from hypothesis import given
from hypothesis import strategies as st

from skillc.core.trace.attempts import attempt_families
from skillc.core.trace.records import Environment, GitContext, TraceSource
from tests.makers import make_header


def test_same_attempt_key_is_one_family_named_by_its_earliest_trace():
    late = make_header("t-0000000a", attempt_key="7", minutes=5)
    early = make_header("t-0000000b", attempt_key="7", minutes=1)

    assert attempt_families([late, early]) == {"t-0000000a": "t-0000000b", "t-0000000b": "t-0000000b"}


def test_same_attempt_key_of_another_source_kind_or_namespace_is_another_family():
    source = TraceSource(kind="messages", ref="x", sha256="0" * 64)
    headers = [
        make_header("t-0000000a", attempt_key="7"),
        make_header("t-0000000b", attempt_key="7", source=source),
        make_header("t-0000000c", attempt_key="7", namespace="other"),
    ]

    assert len(set(attempt_families(headers).values())) == 3


def test_retry_joins_the_family_of_its_declared_parent():
    first = make_header("t-0000000a")
    retry = make_header("t-0000000b", parent_trace_id="t-0000000a", minutes=3)

    assert set(attempt_families([retry, first]).values()) == {"t-0000000a"}


def test_two_retries_of_a_parent_that_is_not_here_are_one_family():
    headers = [make_header(f"t-0000000{c}", parent_trace_id="t-00000009") for c in "ab"]

    assert set(attempt_families(headers).values()) == {"t-0000000a"}


def test_same_words_of_the_objective_in_one_project_are_one_family():
    one = make_header("t-0000000a", objective="Fix the  failing test", project="shop")
    two = make_header("t-0000000b", objective="fix the failing test", project="shop", minutes=9)
    elsewhere = make_header("t-0000000c", objective="fix the failing test", project="bank")

    found = attempt_families([one, two, elsewhere])

    assert found["t-0000000b"] == "t-0000000a"
    assert found["t-0000000c"] == "t-0000000c"


def test_attempt_key_wins_over_the_same_objective():
    headers = [make_header(f"t-0000000{c}", attempt_key=c, objective="same", project="shop") for c in "ab"]

    assert len(set(attempt_families(headers).values())) == 2


def test_same_objective_without_a_project_does_not_join():
    headers = [make_header(f"t-0000000{c}", objective="hello") for c in "ab"]

    assert len(set(attempt_families(headers).values())) == 2


@given(st.permutations(range(8)))
def test_order_of_headers_does_not_matter(order):
    headers = [
        make_header(f"t-0000000{n}", attempt_key=str(n % 3) if n % 2 else None, project="p", objective=f"o{n % 4}")
        for n in range(8)
    ]

    assert attempt_families([headers[i] for i in order]) == attempt_families(headers)


def test_a_retry_joins_by_objective_only_before_a_verified_success():
    tries = [make_header(f"t-0000000{c}", objective="same", project="shop", minutes=n) for n, c in enumerate("abcd")]
    found = attempt_families(tries, frozenset({"t-0000000b"}))

    assert found == {
        "t-0000000a": "t-0000000a",
        "t-0000000b": "t-0000000a",
        "t-0000000c": "t-0000000c",
        "t-0000000d": "t-0000000c",
    }


def test_a_declared_parent_or_an_attempt_key_joins_after_a_success_too():
    first = make_header("t-0000000a", attempt_key="7")
    second = make_header("t-0000000b", attempt_key="7", minutes=2)
    child = make_header("t-0000000c", parent_trace_id="t-0000000b", minutes=3)

    assert set(attempt_families([first, second, child], frozenset({"t-0000000a"})).values()) == {"t-0000000a"}


def test_parts_of_one_session_count_once():
    def part(trace_id: str, ref: str, kind: str):
        source = TraceSource(kind=kind, ref=ref, sha256="0" * 64)
        return make_header(trace_id, objective=ref, source=source)

    parts = [part("t-0000000a", "s-1", "codex"), part("t-0000000b", "s-1/2", "codex")]
    others = [part("t-0000000c", "k/1", "messages"), part("t-0000000d", "k/2", "messages")]
    assert len(set(attempt_families(parts).values())) == 1
    assert len(set(attempt_families(others).values())) == 2


def test_traces_that_made_the_same_commit_count_once():
    def made(trace_id: str, *commits: str):
        environment = Environment(git=GitContext(commits=commits))
        return make_header(trace_id, objective=trace_id).model_copy(update={"environment": environment})

    found = attempt_families(
        [made("t-0000000a", "a" * 40), made("t-0000000b", "a" * 7, "c" * 9), made("t-0000000c", "b" * 40)]
    )
    assert (found["t-0000000b"], found["t-0000000c"]) == ("t-0000000a", "t-0000000c")
