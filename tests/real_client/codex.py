"""Drives the real Codex in a project, offline, against scripted model turns on a loopback port.

Finds the program by SKILLC_CODEX; `.ci/run` installs it from npm. The host really runs tools and hooks, and
writes rollouts. Hooks run without the person's trust here, because nobody can give it in a test.
"""

import http.server
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

TIMEOUT_S = 120


def require_codex() -> str:
    """Returns the path of the program, or skips with the reason."""
    path = os.environ.get("SKILLC_CODEX") or shutil.which("codex")
    if not path:
        pytest.skip("the real Codex is not here: set SKILLC_CODEX to its program (.ci/run installs it)")
    return path


def says(words: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": words}]
    return {"type": "message", "role": "assistant", "id": "msg_stub", "content": content}


def runs(number: int, command: str) -> dict[str, Any]:
    call = f"call_{number:02d}"
    arguments = json.dumps({"cmd": command})
    return {
        "type": "function_call",
        "id": f"fc_{call}",
        "call_id": call,
        "name": "exec_command",
        "arguments": arguments,
    }


def play_codex(project: Path, home: Path, turns: list[list[dict[str, Any]]], prompt: str) -> list[Path]:
    """Runs one headless session of the real host and returns its rollouts."""
    program = require_codex()
    server = _start(turns)
    (home / ".codex").mkdir(parents=True, exist_ok=True)
    (home / ".codex" / "config.toml").write_text(
        'model = "gpt-5"\nmodel_provider = "stub"\n[model_providers.stub]\nname = "stub"\n'
        f'base_url = "http://127.0.0.1:{server.server_address[1]}/v1"\nwire_api = "responses"\nenv_key = "STUB_KEY"\n',
        "utf-8",
    )
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm",
        "STUB_KEY": "x",
        "GIT_CONFIG_GLOBAL": os.environ.get("GIT_CONFIG_GLOBAL", ""),
    }
    flags = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
    try:
        done = subprocess.run(
            [program, "exec", "--json", "--skip-git-repo-check", *flags, prompt],
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
    return sorted((home / ".codex" / "sessions").rglob("rollout-*.jsonl"))


def _start(turns: list[list[dict[str, Any]]]) -> http.server.ThreadingHTTPServer:
    lock, taken = threading.Lock(), [0]

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            data = b'{"data": [], "models": []}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            with lock:
                items = turns[min(taken[0], len(turns) - 1)]
                taken[0] += 1
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            answer = {"id": f"resp_{taken[0]}"}
            usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
            self._event({"type": "response.created", "response": answer})
            for index, item in enumerate(items):
                self._event({"type": "response.output_item.done", "output_index": index, "item": item})
            self._event({"type": "response.completed", "response": answer | {"usage": usage}})

        def _event(self, value: dict[str, Any]) -> None:
            self.wfile.write(f"event: {value['type']}\ndata: {json.dumps(value)}\n\n".encode())
            self.wfile.flush()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
