"""Python with pytest: a module is generated from a list of fields, a region must be set, one test is flaky."""

from tests.quirks.scripts import Bash, Edit, QuirkRepository, Read, Session, Write

_GENERATOR = """\
import json
import pathlib

fields = json.loads(pathlib.Path("parcels/fields.json").read_text())
for name, kind in fields.items():
    if kind not in ("text", "number"):
        raise SystemExit(f"unknown kind {kind!r} of field {name}")
pathlib.Path("parcels/record_gen.py").write_text(f"FIELDS = {sorted(fields)!r}\\n")
print(f"wrote parcels/record_gen.py with {len(fields)} fields")
"""
_STORE = """\
import os

from parcels.record_gen import FIELDS

REGION = os.environ["PARCELS_REGION"]


def blank():
    return {name: None for name in FIELDS} | {"region": REGION}
"""
_TESTS = """\
import json
import pathlib

from parcels.store import blank


def test_every_field_is_in_a_blank_parcel():
    names = json.loads(pathlib.Path("parcels/fields.json").read_text())
    assert set(blank()) == set(names) | {"region"}
"""
_FLAKY = """\
import pathlib


def test_queue_answers():
    seen = pathlib.Path(".cache/queue-runs")
    seen.parent.mkdir(exist_ok=True)
    runs = int(seen.read_text()) if seen.exists() else 0
    seen.write_text(str(runs + 1))
    if runs % 4 == 0:
        raise TimeoutError("the queue worker did not answer in time")
"""
_CHECK = """\
python tools/gen.py
export PARCELS_REGION=eu
python -m pytest -q -p no:cacheprovider || python -m pytest -q -p no:cacheprovider
"""
_FIELDS = '{\n  "weight": "number",\n  "street": "text"\n}\n'
FILES = {
    ".gitignore": "__pycache__/\n.cache/\n.pytest_cache/\nparcels/record_gen.py\n",
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "ci/check.sh": _CHECK,
    "parcels/__init__.py": "",
    "parcels/fields.json": _FIELDS,
    "parcels/store.py": _STORE,
    "tests/test_store.py": _TESTS,
    "tests/test_queue.py": _FLAKY,
    "tools/gen.py": _GENERATOR,
}


def _field(name: str, kind: str = "text") -> Edit:
    return Edit("parcels/fields.json", '"street": "text"\n', f'"street": "text",\n  "{name}": "{kind}"\n')


def _test(name: str) -> Write:
    text = f'from parcels.store import blank\n\n\ndef test_{name}():\n    assert "{name}" in blank()\n'
    return Write(f"tests/test_{name}.py", text)


def _commit(message: str) -> Bash:
    return Bash(f"git add -A && git commit -m '{message}'")


_WANDERS = Session(
    "wanders",
    "Please add a field gift_note to the parcel record, it is a text",
    (
        Bash("ls"),
        Read("parcels/fields.json"),
        _field("gift_note"),
        _test("gift_note"),
        Bash("python -m pytest -q"),
        Write("conftest.py", "import sys\n\nsys.path.insert(0, 'parcels')\n"),
        Bash("python -m pytest -q"),
        Bash("rm conftest.py && grep -rn record_gen --include=*.py ."),
        Bash("python tools/gen.py"),
        Bash("python -m pytest -q"),
        Bash("PARCELS_REGION=eu python -m pytest -q"),
        Bash("PARCELS_REGION=eu python -m pytest -q"),
        _commit("parcels: gift_note"),
    ),
)
_GENERATES_FIRST = Session(
    "generates-first",
    "We need a new field for parcels: fragile, a number from 0 to 3. Add it to the record.",
    (
        Read("parcels/fields.json"),
        _field("fragile", "number"),
        _test("fragile"),
        Bash("python tools/gen.py && python -m pytest -q"),
        Bash("grep -n environ -r parcels"),
        Bash("export PARCELS_REGION=eu && python -m pytest -q 2>&1 | tail -15"),
        Bash("export PARCELS_REGION=eu && python -m pytest -q 2>&1 | tail -15"),
        _commit("parcels: fragile"),
    ),
)
_FORGETS_TO_GENERATE = Session(
    "forgets-to-generate",
    "add the field sender to our parcel record",
    (
        Bash("cat parcels/store.py"),
        Read("parcels/fields.json"),
        _field("sender"),
        Bash("env PARCELS_REGION=eu python -m pytest -q"),
        Bash("ls tools && cat tools/gen.py"),
        Bash("python tools/gen.py"),
        _test("sender"),
        Bash("env PARCELS_REGION=eu python -m pytest -q"),
        Bash("env PARCELS_REGION=eu timeout 60 python -m pytest -q"),
        _commit("parcels: sender"),
    ),
)
_KNOWS = Session(
    "knows",
    "The record of a parcel lacks a field insured_value (number). Can you add it?",
    (
        Read("parcels/fields.json"),
        _field("insured_value", "number"),
        _test("insured_value"),
        Bash("python tools/gen.py"),
        Bash("PARCELS_REGION=eu python -m pytest -q"),
        Bash("cat tests/test_queue.py"),
        Bash("PARCELS_REGION=eu python -m pytest -q"),
        _commit("parcels: insured_value"),
    ),
)
_GIVES_UP = Session(
    "gives-up",
    "please put a field colour into the parcel record",
    (
        Read("parcels/fields.json"),
        _field("colour"),
        Bash("python -m pytest -q"),
        Read("parcels/store.py"),
        Edit("parcels/store.py", "from parcels.record_gen import FIELDS", 'FIELDS = ["street", "weight"]'),
        Bash("PARCELS_REGION=eu python -m pytest -q"),
        _commit("parcels: colour"),
    ),
    passes=False,
)
PARCELS = QuirkRepository(
    name="parcels",
    family="add-parcel-field",
    files=FILES,
    check=("sh", "ci/check.sh"),
    sessions=(_WANDERS, _GENERATES_FIRST, _FORGETS_TO_GENERATE, _KNOWS, _GIVES_UP),
    task=(_field("pickup_code"), _test("pickup_code")),
    generator="python tools/gen.py",
    variable="PARCELS_REGION",
    flaky="the queue worker did not answer",
)
