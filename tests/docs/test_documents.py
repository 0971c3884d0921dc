"""The documents are true: what they name exists."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
PARTS = ("Status: ", "Question: ", "Decision: ", "Because", "Instead of", "Costs: ", "Would change our mind: ")


@cache
def known_tests() -> frozenset[str]:
    texts = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return frozenset(name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE))


def test_every_row_of_the_threat_model_names_a_test_that_exists_or_says_not_held():
    rows = [r for r in (ROOT / "docs" / "THREATS.md").read_text("utf-8").splitlines() if r.startswith("| ")]
    rows = [r for r in rows if not re.match(r"\| (?:-|what it |what they |what could )", r)]
    assert len(rows) > 40
    for row in rows:
        proof = row.rstrip(" |").rsplit("|", 1)[1].strip()
        names = re.findall(r"`(test_\w+)`", proof)
        assert names or proof == "not held", row
        assert not set(names) - known_tests(), row


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_path_and_link_of_a_document_leads_somewhere(document: Path):
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:\s]+)\)", text):
        assert (document.parent / target).exists(), target
    for path in re.findall(r"`((?:src|tests|docs|templates)/[\w/.-]+)`", text):
        if "NNNN" not in path:
            assert (ROOT / path).exists(), path
    for path in re.findall(r"`((?:core|repo|lifecycle|engines|importers|cli)/[\w/]+(?:\.py|/))`", text):
        assert (ROOT / "src" / "skillc" / path).exists() or (ROOT / "tests" / path).exists(), path


@pytest.mark.parametrize("path", ADRS, ids=lambda p: p.stem[:4])
def test_a_decision_has_its_form_and_fits_on_a_page(path: Path):
    text = path.read_text("utf-8")
    number = path.name[:4]
    assert text.startswith(f"# {number} ")
    assert [part for part in PARTS if not re.search(f"^{part}", text, re.MULTILINE)] == []
    assert len(text.splitlines()) <= 60


def test_decisions_are_numbered_without_a_gap():
    assert [p.name[:4] for p in ADRS] == [f"{n:04d}" for n in range(1, len(ADRS) + 1)]


def test_every_decision_that_the_code_names_exists():
    known = {p.name[:4] for p in ADRS}
    for path in (ROOT / "src").rglob("*.py"):
        assert set(re.findall(r"ADR (\d{4})", path.read_text("utf-8"))) <= known, path


def test_the_changelog_has_a_heading_for_what_is_not_released():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## Unreleased" in text
    assert "### Added" in text
