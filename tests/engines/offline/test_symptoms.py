"""Rules of the telling lines of a failed run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillc.engines.offline.symptoms import MAX_SYMPTOMS, symptoms_of

PYTEST = """\
==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_store.py ____________________
ImportError while importing test module '/srv/app/tests/test_store.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
app/store.py:3: in <module>
    from app.record_gen import FIELDS
E   ModuleNotFoundError: No module named 'app.record_gen'
=========================== short test summary info ============================
ERROR tests/test_store.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.71s
"""
NODE = """\
TAP version 13
# file:///srv/app/src/client.js:4
# if (!base) throw new Error('BASE is not set')
# Error: BASE is not set
#     at file:///srv/app/src/client.js:4:18
# Node.js v20.20.2
not ok 1 - /srv/app/test/client.test.js
  ---
  failureType: 'testCodeFailure'
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
# tests 1
# fail 1
"""
UNITTEST = """\
======================================================================
ERROR: test_total (tests.test_reports.Reports.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/app/ledger/reports.py", line 9, in total
sqlite3.OperationalError: no such table: entries
======================================================================
FAIL: test_rates (tests.test_rates.Rates.test_rates)
----------------------------------------------------------------------
AssertionError: 1 == 1 : rates were not loaded in time
----------------------------------------------------------------------
Ran 2 tests in 0.003s

FAILED (failures=1, errors=1)
make: *** [Makefile:12: test] Error 1
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PYTEST, ["ModuleNotFoundError: No module named 'app.record_gen'"]),
        (NODE, ["BASE is not set"]),
        (UNITTEST, ["sqlite3.OperationalError: no such table: entries", "rates were not loaded in time"]),
        ("bash: line 1: protoc: command not found", ["bash: line 1: protoc: command not found"]),
        ("src/a.ts(3,1): error TS2339: Property is missing", ["src/a.ts(3,1): error TS2339: Property is missing"]),
        ('npm error Missing script: "gen"\nnpm error\nsomething else', ["something else"]),
        ("fatal: not a git repository", ["not a git repository"]),
        ("E   TimeoutError: no answer within 2.03 s", ["TimeoutError: no answer within … s"]),
        ("", []),
    ],
)
def test_lines_that_name_the_error_are_found(text, expected):
    assert list(symptoms_of(text)) == expected


def test_root_of_the_project_is_left_out():
    line = "Error: Cannot find module '/srv/app/src/gen.js' imported from /srv/app/src/a.js"

    assert symptoms_of(line, "/srv/app/") == ("Cannot find module '…src/gen.js' imported from …src/a.js",)


@given(st.text(max_size=400), st.sampled_from(["", "/srv/app/"]))
def test_any_output_is_read_and_gives_few_plain_lines(text, root):
    found = symptoms_of(text, root)

    assert len(found) <= MAX_SYMPTOMS
    assert all(line and "\n" not in line and "`" not in line for line in found)
