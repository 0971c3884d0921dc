"""Telephone numbers, ids and addresses as many countries write them, and numbers that are nobody's."""

import time

import pytest

from skillc.core.scan.personal_numbers import SHAPES, personal_numbers

FOUND = [
    ("phone", "Der Hausmeister ist unter 0176 4417 2093 zu erreichen."),
    ("phone", "Her mobile is 0412 345 678."),
    ("phone", "Dzwo\u0144 na 601 442 918."),
    ("phone", "Appelez le 01 44 17 20 93."),
    ("phone", "Ring the mill on 07700 900 113."),
    ("phone", "\u96fb\u8a71\u306f 03-5510-2211"),
    ("phone", "Ligue para (21) 97731-4402."),
    ("phone", "+46 70 174 06 05"),
    ("personal_id", "PESEL 86031744291"),
    ("personal_id", "CPF 390.533.447-05"),
    ("personal_id", "Codice fiscale RSSMRA85T10A562S"),
    ("personal_id", "Aadhaar 4417 2093 8826"),
    ("personal_id", "Steuer-ID 86 095 742 719"),
    ("personal_id", "DNI 55271904K"),
    ("personal_id", "His passport number is L8K31R55T."),
    ("personal_id", "The chassis number is WVWZZZ1JZXW386752"),
    ("personal_id", "Patient no. 00417218"),
    ("address", "Send it to 22 Calle Mayor, Madrid 28013."),
    ("address", "Via Garibaldi 12, 20121 Milano"),
    ("address", "ul. Piotrkowska 104, 90-926 \u0141\u00f3d\u017a"),
    ("address", "12 rue des Lilas, 75011 Paris"),
    ("address", "Rua das Flores, 123, Lisboa"),
    ("address", "Flat 4, 18 Larkfield Gardens, Leeds LS6 2QT"),
    ("address", "Paket an Rosenweg 9, 50667 K\u00f6ln"),
    ("address", "Ship to 310 Alder Court, Unit 4, Salem, OR 97301"),
    ("birth_date", "Geboren am 17.3.1986 in Kassel"),
    ("birth_date", "n\u00e9e le 4 mai 1979"),
    ("birth_date", "Her birthday is 4 May 1980."),
    ("plate", "The grey van KX19 VDO may enter."),
    ("plate", "Kennzeichen B-MK 4417"),
    ("ip", "Jo logs in from 91.224.18.7 at night."),
    ("ip", "The customer's home IP is 91.224.18.7."),
    ("geo", "She lives at 50.06143, 19.93658."),
    ("profile", "see linkedin.com/in/d-vanter-44"),
    ("card", "The CVV is 417."),
]
CLEAN = [
    "Call 911 for emergencies.",
    "Version 10.4.2.1 from 2026-01-05.",
    "ISBN 978-0-13-468599-1.",
    "See Section 12 of the Apache License, Version 2.0.",
    "Order 12, 1234 items",
    "lat 52.52, lon 13.40",
    "Port 0800-0900 range",
    "from 10 Best Practices, Inc 2024",
    "Bash: 0644 0755 0600",
    "100 Continue, 200 OK",
    "account: 123456",
    "bytes 00 01 02 03 04 05 06",
    "Phase 1 Planning, 2024 Roadmap",
    "Requests come from 10.2.3.4 and 203.0.113.9.",
    "linkedin.com/company/brick and x.com/home",
]


@pytest.mark.parametrize(("kind", "text"), FOUND)
def test_personal_data_is_found_as_people_write_it(kind: str, text: str):
    assert kind in {found for _, _, found in personal_numbers(text)}


@pytest.mark.parametrize("text", CLEAN)
def test_a_number_of_nobody_is_clean(text: str):
    assert list(personal_numbers(text)) == []


def test_every_kind_has_a_case():
    assert {shape.name for shape in SHAPES} == {kind for kind, _ in FOUND}


@pytest.mark.parametrize("piece", ["1 2", "Aa ", "12 Aa ", "0 1-", "Aa-Bb ", "9.9.", "A1-"])
def test_a_long_line_costs_linear_time(piece: str):
    begin = time.process_time()
    list(personal_numbers("\n".join([piece * (8000 // len(piece))] * 12)))

    assert time.process_time() - begin < 12
