"""Records of this repository that are broken or of a newer format: refused by name and line."""

import json
from typing import Any

import pytest

from tests.bad_input.telling import DATA, USAGE, require_fine, require_told
from tests.faults.states import state_of
from tests.world import FIELD, World

pytestmark = pytest.mark.slow  # a process or a repository for each case


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1\nb: }", "skillc.yaml:"),
        ("\tx: 1\n", "skillc.yaml:"),
        ("- 1\n", "no mapping"),
        ("", "no mapping"),
        ("format: skillc.namespace/2\n", "skillc.namespace/2"),
        ("format: skillc.namespace/1\n", "namespace"),
        ("format: skillc.namespace/1\nformat: x\n", "given twice"),
        ("a: &x 1\nb: *x\n", "anchors"),
        ("a: !!python/object:os.system 1\n", "tags"),
        ("x: " + "[" * 500 + "]" * 500, "nested"),
        ("x: \x00\n", "skillc.yaml"),
        ("# " + "x" * 2_000_000, "larger than"),
    ],
    ids=["broken", "tab", "list", "empty", "newer", "no name", "twice", "alias", "tag", "deep", "NUL", "large"],
)
@pytest.mark.parametrize("command", ["traces", "compile"])
def test_a_policy_that_cannot_be_read(fresh: World, text: str, message: str, command: str):
    fresh.commit({"skillc.yaml": text})
    before = state_of(fresh.root)
    done = fresh.run(command)

    assert done.returncode in (USAGE, 4)
    require_told(done, done.returncode, message) if "\nhint: " in done.stderr else None
    assert "error: " in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert state_of(fresh.root) == before


def test_a_policy_that_is_not_utf_8(fresh: World):
    (fresh.root / "skillc.yaml").write_bytes(b"format: skillc.namespace/1\nnamespace: \xff\xfe\n")
    fresh.git("commit", "-qam", "broken")
    require_told(fresh.run("traces"), USAGE, "skillc.yaml")


def test_a_policy_with_a_bom_and_windows_line_ends_is_read(fresh: World):
    text = (fresh.root / "skillc.yaml").read_bytes()
    (fresh.root / "skillc.yaml").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    (fresh.root / ".gitattributes").write_text("skillc.yaml -text\n", "utf-8")
    fresh.git("commit", "-qam", "from another editor")
    require_fine(fresh.run("traces"))


def _change_a_trace(world: World, change: Any) -> str:
    """Replaces the first stored Trace on its branch by a changed one, as another program could."""
    path = world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()[0]
    lines = world.git("show", f"skillc/traces:{path}").splitlines()
    world.git("switch", "--quiet", "skillc/traces")
    world.commit({path: change(lines)})
    world.git("switch", "--quiet", "main")
    return path


def _set(index: int, **fields: Any) -> Any:
    def change(lines: list[str]) -> str:
        lines[index] = json.dumps(json.loads(lines[index]) | fields)
        return "\n".join(lines) + "\n"

    return change


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (_set(0, format="skillc.trace/2"), 1, "skillc.trace/2"),
        (_set(2, text="another text"), None, ""),
        (_set(1, kind="telepathy"), 2, "kind"),
        (lambda lines: "\n".join([*lines[:2], "{broken", *lines[3:]]) + "\n", 3, ""),
        (lambda lines: "\n".join(lines[:-1]) + "\n", None, ""),
        (lambda lines: "", 1, ""),
    ],
    ids=["newer format", "changed", "unknown kind", "no json", "no close", "empty"],
)
def test_a_stored_trace_that_is_not_sound(world: World, change: Any, line: int | None, message: str):
    path = _change_a_trace(world, change)
    before = state_of(world.root)
    for command in (("traces",), ("compile", "--family", FIELD)):
        done = world.run(*command)
        require_told(done, DATA, f"{path}:{line or ''}")
        assert message in done.stderr
        assert "another text" not in done.stderr
    assert state_of(world.root) == before


@pytest.mark.parametrize("kind", ["newer", "broken", "another name"])
def test_a_contract_that_is_not_sound(world: World, kind: str):
    world.compile(FIELD)
    world.merge(FIELD)
    path = f".claude/skills/{FIELD}/contract.json"
    text = (world.root / path).read_text("utf-8")
    changed = {
        "newer": text.replace("skillc.contract/1", "skillc.contract/2"),
        "broken": text[:-20],
        "another name": text.replace(f'"name": "{FIELD}"', '"name": "other"'),
    }[kind]
    assert changed != text
    world.commit({path: changed})
    before = state_of(world.root)
    done = world.run("check")

    assert done.returncode in (1, DATA), done.stderr
    assert path in done.stdout + done.stderr or FIELD in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    if kind != "another name":
        require_told(world.run("why", FIELD), DATA, path)
        assert "skillc.contract/2" in world.run("why", FIELD).stderr or kind != "newer"
    require_fine(world.run("show"))
    assert state_of(world.root) == before


def test_a_ledger_file_that_is_no_record_is_told_by_check(world: World):
    world.git("switch", "--quiet", "skillc/ledger")
    world.commit({"runs/0000.json": "{}"})
    world.git("switch", "--quiet", "main")
    done = world.run("check")

    assert done.returncode in (1, DATA)
    assert "runs/0000.json" in done.stdout + done.stderr
    require_fine(world.run("traces"))


def test_a_native_trace_of_a_newer_format_is_refused_by_name(world: World):
    path = world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()[0]
    text = world.git("show", f"skillc/traces:{path}").replace("skillc.trace/1", "skillc.trace/9")
    (world.home / "new.jsonl").write_text(text, "utf-8")
    require_told(world.run("capture", "--from", "native", str(world.home / "new.jsonl")), DATA, "skillc.trace/9")
