"""Personal data: found by shape and by a test of their own; what only looks like it stays."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from skillc.core.scan.detectors import find_spans, gate, gate_text
from skillc.core.scan.personal import PERSONAL, is_iban, passes_luhn
from skillc.core.scan.private_values import passed_gates
from skillc.core.scan.redact import Redactor

FOUND = [
    ("email", "mail t.wieczorek@lodzkafabryka.pl now"),
    ("email", "Author: Ada <ada.l@shop-team.io>"),
    ("iban", "Pay PL49109024020000000612345678."),
    ("iban", "DE89 3704 0044 0532 0130 00"),
    ("payment_card", "Charge 4000-0017-0519-6988."),
    ("payment_card", "3782 822463 10005"),
    ("ssn", "it reads 987-65-4321 there"),
    ("ssn", "SSN: 987-65-4321"),
    ("phone", "Ring +61 491 570 156 after five"),
    ("phone", "Phone 415-555-0133."),
    ("phone", "(415) 555-0133"),
    ("phone", "Call: 020 7946 0018"),
    ("personal_id", "Passport EK4417083."),
    ("personal_id", "MRN 7741902."),
    ("personal_id", "Plate WA 44170."),
    ("birth_date", "born 2 June 1990"),
    ("street_address", "Deliver to 90 Calle Olmos, Toluca 50120."),
    ("street_address", "12 Old Mill Road, Leeds"),
    ("ip_address", "Her address in the log is 91.224.18.7."),
    ("signature_name", "Regards,\nLena Sundqvist\nPicture editor"),
    ("personal_id", "driver's license D1234567"),
    ("personal_id", '{"passport_number": "EK44170835"}'),
    ("personal_id", "nationalId: 88213441"),
    ("birth_date", '{"date_of_birth": "1990-06-02"}'),
    ("birth_date", "dateOfBirth=1990-06-02"),
    ("phone", '{"phone": "0171 2345678"}'),
    ("ip_address", '"client_ip": "91.224.18.7"'),
    ("signature_name", "Thanks,\n\n  Lena Sundqvist"),
    ("street_address", "Ship to 12 Elm Street"),
    ("street_address", "live at 5 Rue de la Paix"),
    ("personal_id", "Passport no: EK4417083"),
    ("personal_id", "PATIENT ID: 88213-A4"),
    ("phone", "TEL: 0171 2345678"),
    ("ip_address", "CLIENT at 91.224.18.7"),
]
CLEAN = [
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "npm i react@18.2.0 icon@2x.png actions/checkout@v4",
    "@pytest.fixture def ada@x",
    "mail you@example.com or ada@example.org",
    "version 10.4.2.1 and 1.2.3.4",
    "2026-01-05T09:00:00.000Z 1796012680.6033869",
    "1a410efbd13591db07496601ebc7a059dd55cfe9 e3b0c44298fc1c149afbf4c8996fb924",
    "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f",
    "+20-30% above, +10-20%, 1234567890",
    "+    12 345 67",
    "diff --git a/x b/x\n@@ -12,5 +12,7 @@ def total(xs):",
    "http://localhost:3000 http://127.0.0.1:8000/x https://example.com/a",
    "http://169.254.169.254/latest/meta-data",
    "https://github.com/org/repo https://www.slack.com/help",
    "order 4000001705196987 and 1234567812345678",
    "XX00 1234 5678 9012",
    "ran 987 tests in 65.4321 s, 123-45-678",
    "the boilerplate 12345 holds",
    "3 Way merge on Main Street view",
]


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_personal_data_is_found_in_prose_and_in_json(kind: str, text: str):
    assert kind in {span.kind for span in find_spans(text, personal=True)}
    escaped = to_json({"text": text})
    assert passed_gates(gate_text(escaped))
    assert find_spans(text) == [], "a scan for credentials does not see it"


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_it_stays(text: str):
    assert find_spans(text, personal=True) == []


def test_every_row_can_be_read_and_has_a_sample():
    kinds = [row.kind for row in PERSONAL]
    assert set(kinds) == {kind for kind, _ in FOUND}
    for row in PERSONAL:
        re.compile(row.pattern)
        assert not gate(row.gate)("nothing here")


@given(st.sampled_from([text for _, text in FOUND]), st.text(max_size=20), st.text(max_size=20))
def test_the_cheap_gate_never_hides_a_find(text: str, before: str, after: str):
    whole = f"{before}{text}{after}"
    if find_spans(whole, personal=True):
        assert passed_gates(gate_text(whole.encode()))
        assert passed_gates(gate_text(to_json({"t": whole})))


@given(st.sampled_from([text for _, text in FOUND]), st.text(max_size=30))
def test_redacting_the_result_again_changes_nothing(text: str, more: str):
    redactor = Redactor()
    once = redactor.text(f"{text} {more}")
    assert redactor.text(once) == once


def test_the_same_value_is_the_same_placeholder_in_a_trace():
    redactor = Redactor()
    assert redactor.text("from ada@shop-team.io to bob@shop-team.io") == "from <email:1> to <email:2>"
    assert redactor.text("ada@shop-team.io again") == "<email:1> again"
    assert redactor.counts["email"] == 3


@given(st.text(alphabet="0123456789", min_size=12, max_size=18))
def test_one_digit_in_ten_ends_a_card_number(digits: str):
    assert sum(passes_luhn(digits + last) for last in "0123456789") == 1


@given(st.text(alphabet="ABCXYZ0123456789 ", max_size=40))
def test_an_iban_needs_its_length_and_its_check(text: str):
    assert not is_iban(text) or (len(text) >= 15 and text[:2].isalpha())


def test_hostile_text_takes_linear_time():
    for piece in ("1 ", "+1 2", "a@b.", "A1 ", "://", "Regards,\n", "12 Aa ", "1-", "born ", "ip 1.1.1."):
        costs = []
        for size in (20_000, 80_000):
            text = piece * (size // len(piece))
            start = time.perf_counter()
            find_spans(text, personal=True)
            costs.append(time.perf_counter() - start)
        assert costs[1] < 12 * max(costs[0], 0.02), piece  # quadratic is 16 times, and seconds
