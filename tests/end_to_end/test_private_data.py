"""What is private in a session is nowhere afterwards, and what the policy restricts is in no Skill."""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.core.scan.test_detectors import SAMPLES
from tests.core.scan.test_personal import FOUND
from tests.world import FIX, World, sessions_of

SESSION = "0b7a8f52-3a0c-4a2e-9d3f-1c2b3a4d5e6f"
# Those that hold a value that is found in one line of a text, whatever stands before it.
CANARIES = [*SAMPLES.items(), *FOUND]
_OVER_LINES = frozenset(("private_key", "signature_name"))


def telling(sample: str) -> str:
    """Returns the longest run of a sample that has digits: what would give it away."""
    runs = "".join(c if c.isalnum() else " " for c in sample).split()
    return max((run for run in runs if any(c.isdigit() for c in run)), key=len, default="")


def everything(world: World) -> bytes:
    """Returns every object of git, every file of .git/skillc, and the person's configuration."""
    objects = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=world.root, capture_output=True, check=True
    ).stdout
    files = [f for top in (world.root / ".git" / "skillc", world.home) for f in top.rglob("*") if f.is_file()]
    return objects + b"".join(f.read_bytes() for f in files)


def forms_of(text: str) -> set[bytes]:
    raw = text.encode()
    return {raw, raw[::-1], base64.b64encode(raw)[:-4], raw.hex().encode(), quote(text).encode()}


def session(path: Path, *records: dict[str, Any]) -> str:
    """Writes a session whose records are `type`, `content`, and what else a record holds."""
    common = {"sessionId": SESSION, "cwd": "/home/ann/shop", "gitBranch": "main", "version": "2.1.39"}
    lines = []
    for number, record in enumerate(records):
        role, content = record.pop("role"), record.pop("content")
        message = {"role": role, "content": content}
        lines.append({**common, "type": role, "uuid": f"u{number}", "message": message, **record})
    path.mkdir(parents=True, exist_ok=True)
    file = path / f"{SESSION}.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return str(file)


def call(number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": f"c{number}", "name": tool, "input": arguments}],
    }


def result(number: int, text: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": text}]}


def one_turn(field: str, sample: str, number: int) -> list[dict[str, Any]]:
    def value(name: str, other: str) -> str:
        return f"use {sample}\nnow" if field == name else other

    answer = {"role": "assistant", "content": [{"type": "text", "text": value("answer", "Done.")}]}
    command = {"command": value("argument", "ls"), "env": {value("key", "A"): "1"}}
    return [
        {"role": "user", "content": value("prompt", "Go on"), "gitBranch": value("branch", "main")},
        answer,
        call(number, value("tool", "Bash"), command),
        result(number, value("result", "ok")),
    ]


@pytest.mark.parametrize("field", ["prompt", "answer", "argument", "key", "result", "tool", "branch"])
def test_nothing_redacted_is_recoverable_from_the_repository(fresh: World, tmp_path: Path, field: str):
    before = everything(fresh)
    canaries = [(kind, sample) for kind, sample in CANARIES if kind not in _OVER_LINES]
    turns = [record for number, (_, sample) in enumerate(canaries) for record in one_turn(field, sample, number)]
    fresh.capture([session(tmp_path, *turns)], kind="claude-code")
    after = everything(fresh)

    checked = 0
    for kind, sample in canaries:
        found = telling(sample)
        if len(found) >= 6 and found.encode() not in before:
            checked += 1
            for form in forms_of(found):
                assert form not in after, (kind, field)
    assert checked > 30


def test_a_value_of_a_diff_a_file_and_an_environment_is_gone(fresh: World, tmp_path: Path):
    token, password = SAMPLES["github_token"], "zX9hunter2qq"
    report = fresh.capture(
        [
            session(
                tmp_path,
                {"role": "user", "content": "Rotate the token"},
                call(0, "Bash", {"command": "git diff"}),
                result(0, f"diff --git a/.env b/.env\n-TOKEN={token}\n+TOKEN=none\n+DB_PASSWORD={password}\n"),
                call(1, "Write", {"file_path": "a.py", "content": f'KEY = "{token[:20]}" \\\n      "{token[20:]}"\n'}),
                result(1, "ok"),
                call(2, "Bash", {"command": f"env\nDB_PASSWORD={password} ./run --as {password}"}),
                result(
                    2, f"PATH=/usr/bin\nSECRET_B64={base64.b64encode(f'a {password} b'.encode()).decode()}\n{token[:9]}"
                ),
                call(3, "Bash", {"command": "cat more"}),
                result(3, f"{token[9:]}\nend"),
            )
        ],
        kind="claude-code",
    )
    after = everything(fresh)

    for secret in (token, token[10:30], password, base64.b64encode(password.encode()).decode()[2:-4]):
        assert secret.encode() not in after
    assert report.sources[0].redacted["github_token"] >= 3
    assert report.sources[0].redacted["assigned_secret"] >= 4


def citations(value: object) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if isinstance(value, dict):
        if "trace_id" in value and "events" in value:
            found.extend((value["trace_id"], event) for event in value["events"])
        for item in value.values():
            found.extend(citations(item))
    elif isinstance(value, list):
        for item in value:
            found.extend(citations(item))
    return found


@pytest.mark.parametrize(
    "rule", ['{tool: Edit}, {path: "tests/**"}', '{path: "*.py"}', '{tool: "B*", path: "tests/**"}']
)
def test_restricted_events_are_read_by_no_later_stage_and_carried_by_no_skill(fresh: World, rule: str):
    """5.3: an event of a restricted resource is a reference with no content, and no Skill can contain its content."""
    whole = {t: a.trace for t, a in captured(fresh).items()}
    fresh.git("update-ref", "-d", "refs/heads/skillc/traces")
    fresh.set_policy("restricted: []", f"restricted: [{rule}]")
    fresh.trust()
    attempts = captured(fresh)
    hidden = {(t, e.id) for t, a in attempts.items() for e in a.trace.events if e.restricted is not None}
    assert hidden
    held: set[str] = set()
    for trace_id, attempt in attempts.items():
        only_there = lines_only_in(whole[trace_id], attempt.trace)
        held |= only_there
        for event in attempt.trace.events:
            if event.restricted is not None:
                assert (event.text, event.arguments, event.operation, event.truncated) == (None,) * 4
            assert not [line for line in only_there if line in (event.text or "")]
    assert held

    fresh.verify(*attempts)
    shown = "".join(event.text or "" for attempt in attempts.values() for event in attempt.trace.events)
    for version in fresh.compile_one(FIX).group.versions:
        if version.commit is not None:
            folder = f"{version.commit}:.claude/skills/{version.skill}"
            contract = json.loads(fresh.git("show", f"{folder}/contract.json"))
            assert not set(citations(contract)) & hidden
            body = fresh.git("show", f"{folder}/SKILL.md")
            assert not [line for line in held if line in body and line not in shown]


def captured(world: World) -> dict[str, Any]:
    world.capture(sessions_of(FIX), task_family=FIX)
    return world.attempts()


def lines_only_in(whole: Any, stored: Any) -> set[str]:
    """Returns the lines that a restricted event held and no event before it showed."""
    shown, held = "", set()
    for was, now in zip(whole.events, stored.events, strict=True):
        text = (was.text or "") + "\n" + "\n".join(map(str, (was.arguments or {}).values()))
        if now.restricted is None:
            shown += text
            continue
        lines = (line.strip() for line in text.split("\n"))
        held |= {line for line in lines if len(line) >= 24 and " " in line and line not in shown}
    return held


def test_what_an_agent_repeats_of_a_restricted_file_is_not_stored(fresh: World, tmp_path: Path):
    fresh.set_policy("restricted: []", 'restricted: [{path: "hr/**"}, {host: "*.corp.example"}]')
    report = fresh.capture(
        [
            session(
                tmp_path,
                {"role": "user", "content": "What does E-44710 earn?"},
                call(0, "Bash", {"command": "cd hr && cat pay.csv"}),
                result(0, "E-44710,Jane Doe,83512.50"),
                call(1, "Bash", {"command": "curl -s https://pay.corp.example/v1"}),
                result(1, '{"grade": "L7-4411"}'),
                call(2, "Bash", {"command": "grep -rn E-44710 ."}),
                result(2, "hr/pay.csv:3:E-44710,Jane Doe,83512.50"),
                {"role": "assistant", "content": [{"type": "text", "text": "Jane Doe earns 83512.50 at L7-4411."}]},
            )
        ],
        kind="claude-code",
    )
    trace = next(iter(fresh.attempts().values())).trace
    stored = everything(fresh)

    assert report.sources[0].restricted == 6
    assert [bool(e.restricted) for e in trace.events] == [False, True, True, True, True, True, True, False]
    for secret in (b"Jane", b"83512", b"L7-4411", b"pay.csv", b"pay.corp"):
        assert secret not in stored
    assert trace.events[-1].text.count("<restricted:") == 3
