"""Session files that are broken, huge or hostile: imported as far as they are sound, or refused by name."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bad_input.telling import DATA, GIT, USAGE, require_fine, require_told
from tests.faults.states import state_of
from tests.world import FIX, World, sessions_of

pytestmark = pytest.mark.slow  # a process or a repository for each case

SESSION = "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f"
NAME = f"{SESSION}.jsonl"


def line(kind: str, text: str, number: int = 0, **more: Any) -> bytes:
    record = {
        "type": kind,
        "message": {"role": kind, "content": text},
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "timestamp": f"2026-01-05T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        "sessionId": SESSION,
        "cwd": "/home/ann/shop",
        "version": "2.1.39",
        **more,
    }
    return json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n"


def session(text: str = "Please fix it") -> bytes:
    answer = {"id": "msg_1", "role": "assistant", "model": "claude-x", "content": [{"type": "text", "text": "Done."}]}
    return line("user", text) + line("assistant", "", 1, message=answer)


def put(world: World, data: bytes, name: str = NAME) -> str:
    path = world.home / name
    path.write_bytes(data)
    return str(path)


def captured(world: World, path: str, *options: str) -> dict[str, Any]:
    done = world.run("capture", "--json", *options, path)
    require_fine(done)
    return json.loads(done.stdout)


def stored(world: World) -> str:
    names = world.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()
    return "".join(world.git("show", f"skillc/traces:{name}") for name in names)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the source is empty"),
        (b"\n \n", "the source is empty"),
        (b"no json at all\n", "no format that skillc knows"),
        (b"\x00" * 4096, "no format that skillc knows"),
        (b"\x1f\x8b\x08\x00" + bytes(range(256)) * 8, "no format that skillc knows"),
        (b"[" * 100_000, "no format that skillc knows"),
    ],
    ids=["empty", "blank", "no json", "NUL bytes", "compressed", "nested"],
)
def test_a_file_that_is_no_session_is_refused(fresh: World, data: bytes, message: str):
    before = state_of(fresh.root)
    require_told(fresh.run("capture", put(fresh, data)), DATA, message)
    assert state_of(fresh.root) == before


def test_a_file_that_is_not_there(fresh: World):
    done = fresh.run("capture", "/nowhere/session.jsonl")
    require_told(done, USAGE, "there is no file '/nowhere/session.jsonl'")


@pytest.mark.parametrize("kind", ["pipe", "device", "empty folder"])
def test_something_else_than_a_file(fresh: World, kind: str):
    path = fresh.home / "x.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    else:
        path.mkdir()
    require_told(fresh.run("capture", str(path)), USAGE, str(path))


def test_a_file_that_may_not_be_read(fresh: World):
    path = fresh.home / "loop.jsonl"
    path.symlink_to(path)
    require_told(fresh.run("capture", str(path)), GIT, "cannot read")


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (b"\xef\xbb\xbf" + session(), "Please fix it"),
        (session().replace(b"\n", b"\r\n"), "Please fix it"),
        (session().replace(b"fix it", b"fix \xff\xfe it"), "Please fix"),
        (session("Please \x00 fix \u202e it"), "fix"),
        (session() + b'{"type":"user","mess', "Please fix it"),
        (session() + b"\n\n" + line("hologram", "?", 3), "Please fix it"),
        (session().replace(b"Please", b"\\ud800 Please"), "Please fix it"),
    ],
    ids=["BOM", "CRLF", "invalid UTF-8", "NUL", "truncated", "unknown type", "lone surrogate"],
)
def test_a_damaged_session_is_read_as_far_as_it_goes(fresh: World, data: bytes, kept: str):
    report = captured(fresh, put(fresh, data))

    assert report["totals"]["new"] == 1
    assert kept in stored(fresh)
    assert "\x00" not in stored(fresh)
    require_fine(fresh.run("traces"))
    require_fine(fresh.run("show", report["sources"][0]["traces"][0]["trace_id"]))
    assert captured(fresh, put(fresh, data))["totals"]["new"] == 0


def test_one_bad_file_among_several_does_not_hold_the_others_back(fresh: World):
    bad = put(fresh, b"nothing\n", "bad.jsonl")
    done = fresh.run("capture", bad, sessions_of(FIX)[0])

    assert done.returncode == DATA
    assert "bad.jsonl" in done.stdout + done.stderr
    assert len(stored(fresh)) > 100


NAMES = [
    "-rf.jsonl",
    "a b\tc.jsonl",
    "line\nbreak.jsonl",
    "..jsonl",
    "x;touch y.jsonl",
    "ünïcödé-\u202e.jsonl",
    "%s.jsonl",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_that_are_not_safe_file_names(fresh: World, name: str):
    """The name of a source is never the name of a file of ours, and is never sent to a terminal as it is."""
    folder = fresh.home / "odd"
    folder.mkdir()
    (folder / name).write_bytes(session())
    done = fresh.run("capture", "--", str(folder / name))

    require_fine(done)
    assert "\u202e" not in done.stdout + done.stderr
    paths = fresh.git("ls-tree", "-r", "-z", "--name-only", "skillc/traces").split("\0")
    assert all(p.isascii() and p.endswith(".jsonl") for p in paths if p)


@pytest.mark.parametrize("session_id", ["../../../../etc/passwd", "a/b", "\u0000", "x" * 5000, "-n", "con"])
def test_session_ids_that_are_not_safe_file_names(fresh: World, session_id: str):
    data = session().replace(SESSION.encode(), json.dumps(session_id)[1:-1].encode())
    captured(fresh, put(fresh, data, "s.jsonl"))
    paths = fresh.git("ls-tree", "-r", "--name-only", "skillc/traces").splitlines()

    assert len(paths) == 1
    assert paths[0].startswith("traces/2026/01/t-")
    assert not (fresh.home / "etc").exists()


@pytest.mark.parametrize("family", ["../evil", "a b", "-x", "", "Ä", "x" * 300, "a..b", "refs/heads/main", "a.lock"])
def test_family_names_that_are_not_safe(fresh: World, family: str):
    done = fresh.run("capture", f"--family={family}", sessions_of(FIX)[0])
    require_told(done, USAGE, "")
    assert "skillc/traces" not in fresh.git("for-each-ref")


def test_a_link_out_of_the_repository_is_not_followed(world: World):
    """A Skill folder, a policy and our own private folder that lead elsewhere."""
    outside = world.home / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text("---\nname: x\n---\nsecret\n", "utf-8")
    (world.root / ".claude").mkdir()
    (world.root / ".claude" / "skills").symlink_to(outside)
    done = world.run("scan", ".claude/skills")
    assert "secret" not in done.stdout
    world.set_policy("mode: pr", "mode: auto")
    world.set_policy("minimum_assurance: attended", "minimum_assurance: local")
    done = world.run("compile")
    require_told(done, GIT, "is no folder")
    assert sorted(p.name for p in outside.iterdir()) == ["SKILL.md"]


def test_a_policy_that_is_a_link_is_not_followed(fresh: World):
    fresh.git("rm", "-q", "skillc.yaml")
    fresh.git("commit", "-q", "-m", "no policy")
    (fresh.root / "skillc.yaml").symlink_to("/etc/passwd")
    done = fresh.run("traces")
    require_told(done, GIT, "skillc.yaml", "a link is not followed here")
    assert "root:" not in done.stderr


def test_a_lock_that_is_a_link_is_not_followed(fresh: World):
    private = fresh.root / ".git" / "skillc"
    private.mkdir(exist_ok=True)
    (private / "write.lock").unlink(missing_ok=True)
    (private / "write.lock").symlink_to(fresh.home / "made-by-link")
    require_told(fresh.run("capture", sessions_of(FIX)[0]), GIT, "write.lock")
    assert not (fresh.home / "made-by-link").exists()


# The kernel's peak of this process: getrusage would tell the peak of the process that started it.
_MEASURED = """
import sys
from skillc.entry import main
try:
    main()
finally:
    peak = next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1]
    print("peak_kb", peak, file=sys.stderr)
"""


def peak_mb(world: World, *arguments: str) -> tuple[float, str]:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments], cwd=world.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split("peak_kb ")[1]) / 1024, done.stdout


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_line_of_ten_megabytes(fresh: World):
    start, _ = peak_mb(fresh, "traces")
    path = put(fresh, session() + line("user", "word " * 2_000_000, 2))
    peak, out = peak_mb(fresh, "capture", path)

    print(f"\n10 MB line: {peak - start:.0f} MB over start")
    assert "1 new" in out
    assert peak - start < 150


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_a_transcript_of_a_hundred_megabytes(fresh: World):
    start, _ = peak_mb(fresh, "traces")
    path = Path(put(fresh, b""))
    text = "A line of output that a tool printed, with a number in it. " * 160
    with path.open("wb") as file:
        number = 0
        while file.tell() < 100_000_000:
            result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
            call = {
                "type": "tool_use",
                "id": f"toolu_{number}",
                "name": "Read",
                "input": {"file_path": f"m{number}.py"},
            }
            answer = {"id": f"msg_{number}", "role": "assistant", "model": "claude-x", "content": [call]}
            file.write(line("assistant", "", number, message=answer))
            file.write(line("user", "", number, message={"role": "user", "content": [result]}))
            number += 1
    peak, _ = peak_mb(fresh, "capture", str(path))

    print(f"\n{path.stat().st_size / 1e6:.0f} MB transcript: {number * 2} lines, {peak - start:.0f} MB over start")
    assert peak - start < 150
    require_fine(fresh.run("traces"))
