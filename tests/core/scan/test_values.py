"""Values of source Traces are leaks; names of tools, fields and constants are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillc.core.scan.finding import Finding
from skillc.core.scan.scanner import scan_text
from skillc.core.scan.value_shapes import compact
from skillc.core.scan.values import TraceValues, trace_values
from skillc.core.scan.views import View
from tests import makers


def found_values(text: str, path: str, values: TraceValues) -> list[Finding]:
    return [f for f in scan_text(text, path=path, values=values) if f.rule == "trace-value"]


BOOKING = makers.make_trace(
    makers.user("I am Mia Li Chen, cancel 8JX2WO for me, my mail is mia.chen9@shop.test, order #W2378156"),
    makers.call("get_reservation_details", {"reservation_id": "8JX2WO"}),
    makers.gives(
        {
            "reservation_id": "8JX2WO",
            "user_id": "sofia_kim_7287",
            "cabin": "economy",
            "flight_type": "round_trip",
            "payment_methods": {"gift_card_7250692": {"amount": 4321}},
            "first_name": "Ngozi",
            "total": 55120917,
            "address": "281 Spruce Street",
        }
    ),
    makers.bash("cd x && python -m pytest -q tests/test_cart.py"),
    makers.gives("== 3 passed in 0.12s == commit 9ccedcc15c"),
    makers.call("Edit", {"file_path": "src/shop/cart_totals.py", "old_string": "a", "new_string": "b"}),
    trace_id="t-00000001",
)
VALUES = trace_values([BOOKING])


def found(text: str, values: TraceValues = VALUES) -> list[str]:
    return [f.excerpt for f in found_values(text, "SKILL.md", values)]


@pytest.mark.parametrize(
    "text",
    [
        "Change 8JX2WO",
        "Change 8jx2wo",
        "Change 8JX-2WO",
        "Change 8J X2 WO",
        "Load sofia_kim_7287",
        "Load Sofia-Kim-7287",
        "Load sofia kim 7287",
        "Write to mia.chen9@shop.test",
        "Order #W2378156 and W2378156",
        "Use gift_card_7250692",
        "Ask Ngozi",
        "It costs 4321",
        "row 55120917",
        "Ask Mia Li Chen",
        "at 281 Spruce Street",
        "commit 9ccedcc15c",
        "Edit src/shop/cart_totals.py",
        "8JX\u200b2WO",
    ],
)
def test_an_instance_value_is_found_in_any_spelling(text: str):
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Run `python -m pytest`",
        "Call get_reservation_details with reservation_id",
        "Get the reservation details of the reservation",
        "Look at payment_methods and first_name",
        "Book economy, round_trip",
        "Edit the file with old_string and new_string",
        "Check that 3 tests passed",
        "Ask the user to confirm",
        "Use <reservation_id> from the user",
        "Port 8080, year 2026, 1000 rows, 1024 bytes",
        "utf-8, python3, sha256, v1.2.3",
    ],
)
def test_names_words_and_constants_are_clean(text: str):
    assert not found(text)


def test_a_finding_never_shows_the_value():
    text = "Change 8JX2WO of sofia_kim_7287 now"
    for finding in found_values(text, "SKILL.md", VALUES):
        masked = finding.excerpt.replace("sofia_kim_7287", "", 1) if "id of a source" in finding.excerpt else ""
        assert "8JX2WO" not in masked or "sofia" not in finding.excerpt


def test_a_plain_value_of_two_families_is_a_constant_and_an_id_never_is():
    def trace(name: str):
        return makers.make_trace(
            makers.call("Read", {"file_path": "src/settings_main.py", "city": "Denver", "order_id": "W2378156"}),
            makers.gives("ok"),
            trace_id=name,
        )

    one = trace_values([trace("t-00000001")])
    two = trace_values([trace("t-00000001"), trace("t-00000002")])
    same = trace_values([trace("t-00000001"), trace("t-00000002")], attempt_family_of=lambda t: "one")

    assert found("Read src/settings_main.py in Denver", one)
    assert not found("Read src/settings_main.py in Denver", two)
    assert found("Read src/settings_main.py in Denver", same)
    assert found("Order W2378156", two)


def test_a_constant_that_the_caller_knows_is_no_value():
    assert not found("Change 8JX2WO", trace_values([BOOKING], constants=["8JX2WO"]))


def test_line_numbers_and_sizes_of_shell_output_are_no_values():
    trace = makers.make_trace(makers.bash("wc -l x"), makers.gives("  1090 x\n 15934 total"), trace_id="t-00000001")

    assert not found("About 1090 of 15934 lines", trace_values([trace]))


def test_no_traces_have_no_values():
    assert trace_values([]).kinds == {}
    assert not found("anything", trace_values([]))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str):
    from skillc.core.scan.values import value_hits

    view = View("raw", text)
    for hit in value_hits(view, VALUES):
        assert 0 <= hit.start < hit.end <= len(text)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers(), max_size=4))
def test_values_of_any_trace_are_found_again(text: str, arguments: dict):
    trace = makers.make_trace(
        makers.user(text or "x"), makers.call("t", arguments), makers.gives("y"), trace_id="t-00000001"
    )
    values = trace_values([trace])

    assert all(len(key) >= 4 and key == compact(key) for key in values.kinds)


def test_a_machine_of_one_attempt_is_a_value_and_one_of_every_attempt_is_none():
    kiln = makers.make_trace(makers.bash("ssh kiln-batch-07 uptime"), trace_id="t-00000001")
    again = makers.make_trace(makers.bash("ssh kiln-batch-07 df"), trace_id="t-00000002")

    assert found("Log in to kiln-batch-07", trace_values([kiln]))
    assert not found("Log in to kiln-batch-07", trace_values([kiln, again]))
    assert not found(
        "Use ubuntu-22 in us-east-10", trace_values([makers.make_trace(makers.bash("run ubuntu-22 us-east-10"))])
    )
