"""tests/ mirrors src/skillc/: a module with rules has the file that proves them."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "skillc"
TESTS = ROOT / "tests"

# Modules without a rule of their own: what they hold is proved where it is used.
EXEMPT = {
    "version.py": "one constant, read by tests/test_package.py",
    "__main__.py": "one call of the entry point",
}


def test_every_module_has_its_test_file():
    missing = [
        str(expected.relative_to(ROOT))
        for path in sorted(SRC.rglob("*.py"))
        if path.name != "__init__.py"
        and str(path.relative_to(SRC)) not in EXEMPT
        and not (expected := TESTS / path.relative_to(SRC).parent / f"test_{path.stem}.py").exists()
    ]
    assert not missing, "missing test files:\n" + "\n".join(missing)


def test_every_exemption_is_still_needed():
    assert [name for name in EXEMPT if not (SRC / name).exists()] in ([], ["__main__.py"])
    assert [name for name in EXEMPT if (TESTS / Path(name).parent / f"test_{Path(name).stem}.py").exists()] == []


def test_every_test_file_of_a_room_has_its_module():
    """A renamed module takes its test file along. Above these rooms, a test may be about several modules."""
    rooms = ("core", "repo", "engines", "importers")
    orphans = [
        str(path.relative_to(ROOT))
        for room in rooms
        for path in sorted((TESTS / room).rglob("test_*.py"))
        if not (SRC / path.relative_to(TESTS).parent / f"{path.stem.removeprefix('test_')}.py").exists()
    ]
    assert not orphans
