"""A Makefile in front of Python: the database must be migrated, a profile named, and one test is flaky."""

from tests.quirks.scripts import Bash, Edit, QuirkRepository, Read, Session, Write

_MAKEFILE = """\
DB = var/ledger.db

migrate:
\t@mkdir -p var
\t@python3 -c "import sqlite3; sqlite3.connect('$(DB)').executescript(open('schema.sql').read())"
\t@echo database is up to date

test:
ifndef PROFILE
\t$(error name a PROFILE, for example ci)
endif
\t@python3 -B -m unittest discover -q -s tests -t .
"""
_REPORTS = """\
import sqlite3


def total(path="var/ledger.db"):
    return sqlite3.connect(path).execute("select coalesce(sum(amount), 0) from entries").fetchone()[0]
"""
_TESTS = """\
import unittest

from ledger import reports


class Reports(unittest.TestCase):
    def test_total(self):
        self.assertEqual(reports.total(), 0)
"""
_FLAKY = """\
import pathlib
import unittest


class Rates(unittest.TestCase):
    def test_rates_are_loaded(self):
        seen = pathlib.Path("var/rate-runs")
        seen.parent.mkdir(exist_ok=True)
        runs = int(seen.read_text()) if seen.exists() else 0
        seen.write_text(str(runs + 1))
        self.assertNotEqual(runs % 3, 0, "rates were not loaded before the deadline")
"""
_CHECK = """\
make migrate
make test PROFILE=ci || make test PROFILE=ci
"""
FILES = {
    ".gitignore": "__pycache__/\nvar/\n",
    "Makefile": _MAKEFILE,
    "ci/check.sh": _CHECK,
    "ledger/__init__.py": "",
    "ledger/reports.py": _REPORTS,
    "schema.sql": "create table if not exists entries (amount integer);\n",
    "tests/__init__.py": "",
    "tests/test_reports.py": _TESTS,
    "tests/test_rates.py": _FLAKY,
}


def _report(name: str, what: str) -> Edit:
    old = "def total("
    new = (
        f'def {name}(path="var/ledger.db"):\n'
        f'    return sqlite3.connect(path).execute("select {what} from entries").fetchone()[0]\n\n\ndef total('
    )
    return Edit("ledger/reports.py", old, new)


def _test(name: str, value: str) -> Write:
    text = (
        f"import unittest\n\nfrom ledger import reports\n\n\nclass {name.capitalize()}(unittest.TestCase):\n"
        f"    def test_{name}(self):\n        self.assertEqual(reports.{name}(), {value})\n"
    )
    return Write(f"tests/test_{name}.py", text)


def _commit(message: str) -> Bash:
    return Bash(f"git add -A && git commit -m '{message}' && git status --short")


_FIRST = Session(
    "first",
    "Write a report that counts the entries of the ledger",
    (
        Bash("cat Makefile"),
        Read("ledger/reports.py"),
        _report("count", "count(*)"),
        _test("count", "0"),
        Bash("make test"),
        Bash("make test PROFILE=ci"),
        Bash("mkdir -p var && touch var/ledger.db"),
        Bash("make test PROFILE=ci"),
        Bash("make migrate"),
        Bash("make test PROFILE=ci"),
        Bash("make test PROFILE=ci"),
        Bash("make test PROFILE=ci"),
        _commit("reports: count"),
    ),
)
_SECOND = Session(
    "second",
    "I need a report with the largest entry",
    (
        Read("ledger/reports.py"),
        _report("largest", "max(amount)"),
        _test("largest", "None"),
        Bash("bash -lc 'make test PROFILE=ci'"),
        Bash("make migrate && timeout 60 make test PROFILE=ci"),
        Bash("make test PROFILE=ci"),
        _commit("reports: largest"),
    ),
)
_THIRD = Session(
    "third",
    "Can we have a report of the smallest entry in the ledger?",
    (
        Read("ledger/reports.py"),
        _report("smallest", "min(amount)"),
        _test("smallest", "None"),
        Bash("make migrate"),
        Bash("make test"),
        Bash("make test PROFILE=ci"),
        Bash("make test PROFILE=ci"),
        Bash("make test PROFILE=ci"),
        _commit("reports: smallest"),
    ),
)
_LOST = Session(
    "lost",
    "a report with the average of all entries, please",
    (
        Read("ledger/reports.py"),
        _report("average", "avg(amount)"),
        _test("average", "0"),
        Bash("make test PROFILE=ci"),
        Bash("mkdir -p var && touch var/ledger.db"),
        Bash("make test PROFILE=ci"),
        Bash("git add -A && git commit -m 'reports: average'"),
    ),
    passes=False,
)
LEDGER = QuirkRepository(
    name="ledger",
    family="add-ledger-report",
    files=FILES,
    check=("sh", "ci/check.sh"),
    sessions=(_FIRST, _SECOND, _THIRD, _LOST),
    task=(_report("spread", "max(amount) - min(amount)"), _test("spread", "None")),
    generator="make migrate",
    variable="PROFILE",
    flaky="rates were not loaded",
)
