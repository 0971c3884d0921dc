"""Names of persons, by how a sentence treats them."""

import time

import pytest

from skillc.core.scan.persons import person_names

FOUND = [
    ("The first buyer, Odalys Ferreira, wanted it in blue.", "Odalys Ferreira"),
    ("Ticket owner: Brandvold, Eirik S.", "Brandvold, Eirik S."),
    ("Approved-by: Sipho Nkosi-Adams", "Sipho Nkosi-Adams"),
    ("Please ask Dr. Halima Yusuf-Brandt before the change.", "Halima Yusuf-Brandt"),
    ("Contact person: Piotr Zieli\u0144ski", "Piotr Zieli\u0144ski"),
    ("Assigned to Farid Haddad.", "Farid Haddad"),
    ("Mrs Ostrova wants the totals in red.", "Ostrova"),
    ("Our accountant Joanna Wilk files it.", "Joanna Wilk"),
    ("the landlord, Tomasz Krol, keeps the key", "Tomasz Krol"),
    ("Interviewed Siobhan O'Dwyer on 3 May.", "Siobhan O'Dwyer"),
    ("My name is Carla Ibarra and I need a refund.", "Carla Ibarra"),
    ("Patient Anneke de Vries (b. 1961)", "Anneke de Vries"),
    ("Use Olumide Fashola's laptop for it.", "Olumide Fashola"),
    ("Ops contact is Rasmus Kjeldsen (ext 44).", "Rasmus Kjeldsen"),
    ("Kind regards,\nIrena Vashti\nHead of Claims", "Irena Vashti"),
    ("Nothing moves until Yuki Tanaka approves it.", "Yuki Tanaka"),
]
CLEAN = [
    "Use Visual Studio Code.",
    "Ask Claude Code for help.",
    "Author: Anthropic",
    "Contact: Customer Support",
    "Reviewed by Security Team.",
    "The speech is Abraham Lincoln's Gettysburg Address of 1863.",
    "Owner: Platform Engineering",
    "Name: Production Cluster",
    "Thanks to Open Source.",
    "The Liskov Substitution Principle by Barbara Liskov",
    "Alice and Bob exchange keys.",
    "John Doe called.",
    "Jakob Nielsen's heuristics are a start.",
    "Use Bayes Theorem and Monte Carlo.",
    "ask the Data Protection Officer",
    "Build payment flows with Stripe Connect.",
    "Works with Jenkins, Alexa, Siri and Hudson.",
    "For Docker Compose, see below.",
]


@pytest.mark.parametrize(("text", "name"), FOUND)
def test_whom_a_sentence_treats_as_a_person_is_found(text: str, name: str):
    assert name in [text[start:end] for start, end in person_names(text)]


@pytest.mark.parametrize("text", CLEAN)
def test_products_roles_and_methods_are_no_persons(text: str):
    assert list(person_names(text)) == []


@pytest.mark.parametrize("before", ["", "so ", "(", "\n", "\u2019", "* "])
def test_a_name_begins_with_a_capital_of_its_own_word(before: str):
    """Whatever stands before it; a part of a longer word, of an address or of a path begins none."""
    for name in ("Mary O'Dwyer", "O'Neill Fashola", "D\u2019Souza Wilk", "McAllister Krol", "MacLeod-Adams Vashti"):
        text = f"{before}{name}'s laptop"
        assert [text[start:end] for start, end in person_names(text)] == [name], text
        for sign in "x_@/.#-7":
            assert name not in [text[start:end] for start, end in person_names(f"{sign}{name}'s laptop")]


@pytest.mark.parametrize("piece", ["Aa ", "Aa Bb, ", "Name: Aa ", "Mr. Aa ", "Aa-Bb'Cc "])
def test_a_long_text_costs_linear_time(piece: str):
    begin = time.process_time()
    list(person_names(piece * (60_000 // len(piece))))

    assert time.process_time() - begin < 18
