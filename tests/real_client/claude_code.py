"""Drives the real Claude Code in a project, offline, against scripted model turns on a loopback port.

Finds the program by SKILLC_CLAUDE; `.ci/run` installs it from npm. The host really lists Skills, runs tools and
writes transcripts.
"""

import http.server
import json
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_S = 120


def require_claude() -> str:
    """Returns the path of the program, or skips with the reason."""
    path = os.environ.get("SKILLC_CLAUDE") or shutil.which("claude")
    if not path:
        pytest.skip("the real Claude Code is not here: set SKILLC_CLAUDE to its program (.ci/run installs it)")
    return path


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def tool(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number:02d}", "name": name, "input": arguments}


@dataclass
class Played:
    """What the host did: its requests to the model and the transcript that it wrote."""

    requests: list[dict[str, Any]]
    transcripts: list[Path]
    output: str

    def skill_listing(self) -> dict[str, str]:
        """Returns name -> description of the Skills that the host told the model about."""
        found: dict[str, str] = {}
        for request in self.requests:
            for message in request.get("messages", []):
                content = message["content"]
                for block in [{"text": content}] if isinstance(content, str) else content:
                    words = block.get("text", "")
                    if "skills are available" in words:
                        for line in words.split("skills are available", 1)[1].splitlines():
                            name, colon, description = line.removeprefix("- ").partition(": ")
                            if line.startswith("- ") and colon:
                                found[name] = description
        return found


@dataclass
class ScriptedModel:
    """A Messages API on loopback that answers with the given turns; the last one is repeated."""

    turns: list[list[dict[str, Any]]]
    requests: list[dict[str, Any]] = field(default_factory=list)

    def start(self) -> http.server.ThreadingHTTPServer:
        lock, model, count = threading.Lock(), self, [0]

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_GET(self) -> None:
                self._json({"data": []})

            do_HEAD = do_GET

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                with lock:
                    model.requests.append(body)
                    blocks = [text("ok")]
                    if body.get("tools"):
                        blocks = model.turns[min(count[0], len(model.turns) - 1)]
                        count[0] += 1
                if "count_tokens" in self.path:
                    self._json({"input_tokens": 10})
                else:
                    self._message(body, blocks)

            def _json(self, value: Any) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _message(self, body: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
                stop = "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn"
                usage = {
                    "input_tokens": 1,
                    "output_tokens": 1,
                    "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": 0,
                }
                head = {
                    "id": f"msg_{len(model.requests)}",
                    "type": "message",
                    "role": "assistant",
                    "model": body.get("model"),
                    "content": [],
                    "stop_reason": None,
                    "stop_sequence": None,
                    "usage": usage,
                }
                if not body.get("stream"):
                    self._json(head | {"content": blocks, "stop_reason": stop})
                    return
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                self.close_connection = True
                self._event({"type": "message_start", "message": head})
                for index, block in enumerate(blocks):
                    if block["type"] == "text":
                        opened, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
                    else:
                        opened = block | {"input": {}}
                        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
                    self._event({"type": "content_block_start", "index": index, "content_block": opened})
                    self._event({"type": "content_block_delta", "index": index, "delta": delta})
                    self._event({"type": "content_block_stop", "index": index})
                end = {"stop_reason": stop, "stop_sequence": None}
                self._event({"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}})
                self._event({"type": "message_stop"})

            def _event(self, value: dict[str, Any]) -> None:
                self.wfile.write(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n".encode())

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


def play(project: Path, home: Path, turns: list[list[dict[str, Any]]], prompt: str, *more: str) -> Played:
    """Runs one headless session of the real host in a project with a home of its own."""
    program = require_claude()
    model = ScriptedModel(turns)
    server = model.start()
    home.mkdir(parents=True, exist_ok=True)
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm",
        "IS_SANDBOX": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}",
        "ANTHROPIC_API_KEY": "stub-key",
        "GIT_CONFIG_GLOBAL": os.environ.get("GIT_CONFIG_GLOBAL", ""),
    }
    argv = [program, "-p", prompt, "--output-format", "json", "--permission-mode", "acceptEdits"]
    argv += ["--allowedTools", "Bash,Write,Edit,Read,Skill", *more]
    try:
        done = subprocess.run(
            argv,
            cwd=project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    finally:
        server.shutdown()
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    transcripts = sorted((home / ".claude" / "projects").glob("*/*.jsonl"))
    return Played(model.requests, transcripts, done.stdout.decode("utf-8", "replace"))
