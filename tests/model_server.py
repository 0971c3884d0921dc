"""A model on loopback that plays every behaviour: the Messages API, batches and token counts, answered by a script.

`honest` answers as a careful model would: it takes the draft over and finds the canaries. A behaviour changes one of
its answers, or what the wire does. Nothing here knows skillc's own reading of an answer.
"""

import http.server
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

ROLES = {
    "You read the record": "summarizer",
    "You compile verified": "reflector",
    "You check proposed": "curator",
    "You look for what": "scanner",
    "You say to which": "family_scorer",
}
_BLOCK = re.compile(r"<<<DATA ([0-9a-f]{24})\n(.*?)\nDATA \1>>>", re.S)
_CODE = re.compile(r"`([^`]+)`")
_PLACEHOLDER = re.compile(r"<[a-z][a-z0-9_]*>")


@dataclass
class Reply:
    """One HTTP answer. `text` becomes a message; `raw` is sent as it is; `drip_s` waits between single bytes."""

    text: str = ""
    stop: Any = "end_turn"
    status: int = 200
    raw: bytes | None = None
    content_type: str = "application/json"
    cut_after: int | None = None
    wait_s: float = 0.0
    drip_s: float | None = None
    model: Any = None
    usage: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    without: tuple[str, ...] = ()


@dataclass
class Asked:
    """One request as the server saw it."""

    role: str
    body: dict[str, Any]
    number: int
    path: str = "/v1/messages"
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        content = self.body["messages"][0]["content"]
        return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)

    def block(self, title: str) -> list[Any]:
        """The rows of the data block that follows a title."""
        for match in _BLOCK.finditer(self.prompt):
            if self.prompt[: match.start()].rstrip().endswith(title):
                return [json.loads(line) for line in match.group(2).split("\n") if line]
        return []

    @property
    def rows(self) -> list[Any]:
        match = _BLOCK.search(self.prompt)
        return [json.loads(line) for line in match.group(2).split("\n") if line] if match else []

    @property
    def draft(self) -> dict[str, Any]:
        found = self.block("The draft, in the form of your answer:")
        return found[0] if found else {}


def role_of(body: dict[str, Any]) -> str:
    system = body.get("system", "")
    text = system if isinstance(system, str) else "".join(block.get("text", "") for block in system)
    return next((role for start, role in ROLES.items() if start in text), "unknown")


def honest(asked: Asked) -> Any:
    """The answer of a careful model, as a JSON value."""
    return {
        "summarizer": honest_summary,
        "reflector": lambda a: {"proposals": [a.draft] if a.draft else []},
        "curator": honest_verdicts,
        "scanner": lambda a: {"findings": [], "verdict": "clean"},
        "family_scorer": lambda a: {"family": "f1", "confidence": 0.9},
    }[asked.role](asked)


def honest_summary(asked: Asked) -> dict[str, Any]:
    rows = asked.rows
    events = [row for row in rows if "event" in row]
    said = next((r for r in events if r["kind"] == "user_message"), events[0])
    call = next((r for r in events if r["kind"] == "tool_call"), events[0])
    return {
        "trace_id": rows[0]["trace"],
        "objective": {"text": "Do what was asked for.", "cites": [said["event"]]},
        "approach": {"text": "Looked, changed and checked.", "cites": [call["event"]]},
        "steps": [{"text": "Made a call.", "cites": [call["event"]], "kind": "effective"}],
        "errors": [],
        "outcome": "unknown",
        "tools_used": [],
    }


def honest_verdicts(asked: Asked) -> dict[str, Any]:
    shown = {row["event"]: json.dumps(row, ensure_ascii=False).lower() for row in asked.rows if "event" in row}
    claims = asked.block("Claims:")
    verdicts = []
    for claim in claims:
        seen = " ".join(shown.get(cite, "") for cite in claim["cites"])
        words = [w for code in _CODE.findall(_PLACEHOLDER.sub(" ", claim["text"])) for w in code.lower().split()]
        ok = all(json.dumps(w, ensure_ascii=False)[1:-1] in seen or w in seen for w in words)
        verdicts.append(
            {"claim_id": claim["claim"], "verdict": "supported" if ok else "unsupported", "reason": "looked up"}
        )
    decisions = [
        {"proposal_key": p["proposal"], "decision": p["operation"], "target": "", "similar_to": []}
        for p in asked.block("Proposals:")
    ]
    return {"verdicts": verdicts, "decisions": decisions, "comparisons": []}


def supported_all(asked: Asked) -> dict[str, Any]:
    """A yes-man's verdicts."""
    answer = honest_verdicts(asked)
    for verdict in answer["verdicts"]:
        verdict["verdict"] = "supported"
    return answer


Behaviour = Callable[[Asked], "Reply | Any"]


@dataclass
class ModelServer:
    """Answers every request by `behave`; anything that is no Reply is sent as the JSON text of a message."""

    behave: Behaviour = honest
    asked: list[Asked] = field(default_factory=list)
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    counted: int = 0
    batch_polls: int = 1
    raw_results: bytes | None = None
    url: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, role: str) -> int:
        return sum(a.role == role for a in self.asked)

    def reply(self, body: dict[str, Any], path: str, headers: dict[str, str]) -> Reply:
        with self._lock:
            asked = Asked(role_of(body), body, len(self.asked), path, headers)
            self.asked.append(asked)
        given = self.behave(asked)
        return given if isinstance(given, Reply) else Reply(text=json.dumps(given, ensure_ascii=False))

    def message(self, reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": reply.model or body.get("model"),
            "content": [{"type": "text", "text": reply.text}] if reply.text else [],
            "stop_reason": reply.stop,
            "stop_sequence": None,
            "usage": reply.usage or {"input_tokens": 1000, "output_tokens": 200},
        } | reply.fields
        return {k: v for k, v in whole.items() if k not in reply.without}


@contextmanager
def serving(behave: Behaviour = honest) -> Iterator[ModelServer]:
    """Serves on loopback as long as the block lasts."""
    server = ModelServer(behave)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            name = self.path.rsplit("/", 1)[-1]
            if name == "results":
                self._results(self.path.split("/")[-2])
            elif name in server.batches:
                self._batch(name)
            else:
                self._json({"data": []})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            if "count_tokens" in self.path:
                server.counted += 1
                self._json({"input_tokens": len(json.dumps(body)) // 3})
            elif self.path.split("?")[0].endswith("/batches"):
                name = f"msgbatch_{len(server.batches)}"
                server.batches[name] = body["requests"]
                self._batch(name)
            else:
                headers = {k.lower(): v for k, v in self.headers.items()}
                self._send(server.reply(body, self.path, headers), body)

        def _batch(self, name: str) -> None:
            server.batch_polls -= 1
            ended = server.batch_polls < 0
            self._json(
                {
                    "id": name,
                    "type": "message_batch",
                    "processing_status": "ended" if ended else "in_progress",
                    "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
                    "created_at": "2026-12-01T00:00:00Z",
                    "expires_at": "2026-12-02T00:00:00Z",
                    "results_url": f"{server.url}/v1/messages/batches/{name}/results" if ended else None,
                }
            )

        def _results(self, name: str) -> None:
            if server.raw_results is not None:
                self._bytes(server.raw_results, "application/x-jsonl")
                return
            lines = []
            for entry in reversed(server.batches[name]):
                reply = server.reply(entry["params"], self.path, {})
                result: dict[str, Any] = {
                    "type": "errored",
                    "error": {"type": "error", "error": {"type": "x", "message": "x"}},
                }
                if reply.status == 200:
                    result = {"type": "succeeded", "message": server.message(reply, entry["params"])}
                lines.append(json.dumps({"custom_id": entry["custom_id"], "result": result}))
            self._bytes(("\n".join(lines) + "\n").encode(), "application/x-jsonl")

        def _send(self, reply: Reply, body: dict[str, Any]) -> None:
            time.sleep(reply.wait_s)
            if body.get("stream") and reply.status == 200:
                self._stream(server.message(reply, body), body)
                return
            data = reply.raw
            if data is None and reply.status != 200:
                error = {"type": "error", "error": {"type": "error", "message": reply.text or "no"}}
                data = json.dumps(error).encode()
            if data is None:
                data = json.dumps(server.message(reply, body)).encode()
            self._bytes(data, reply.content_type, reply)

        def _stream(self, message: dict[str, Any], body: dict[str, Any]) -> None:
            """Server-sent events, as Claude Code asks for them; where it offers a tool for the answer, by that tool."""
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            text, stop = "".join(b["text"] for b in message["content"]), message["stop_reason"]
            opened, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": text}
            by_tool = any(t.get("name") == "StructuredOutput" for t in body.get("tools", ()))
            if by_tool and stop == "end_turn" and text.startswith("{"):
                opened = {"type": "tool_use", "id": "toolu_1", "name": "StructuredOutput", "input": {}}
                delta, stop = {"type": "input_json_delta", "partial_json": text}, "tool_use"
            for event in (
                {"type": "message_start", "message": message | {"content": [], "stop_reason": None}},
                {"type": "content_block_start", "index": 0, "content_block": opened},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {
                    "type": "message_delta",
                    "delta": {"stop_reason": stop, "stop_sequence": None},
                    "usage": {"output_tokens": 9},
                },
                {"type": "message_stop"},
            ):
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except ConnectionError:  # a client that ends does not say goodbye
                self.close_connection = True

        def _json(self, value: Any) -> None:
            self._bytes(json.dumps(value).encode(), "application/json")

        def _bytes(self, data: bytes, content_type: str, reply: Reply | None = None) -> None:
            reply = reply or Reply()
            self.send_response(reply.status)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(data)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            try:
                if reply.cut_after is not None:
                    self.wfile.write(data[: reply.cut_after])
                    self.wfile.flush()
                    self.close_connection = True
                    self.connection.close()
                elif reply.drip_s is not None:
                    for place in range(len(data)):
                        self.wfile.write(data[place : place + 1])
                        self.wfile.flush()
                        time.sleep(reply.drip_s)
                else:
                    self.wfile.write(data)
            except OSError:
                return

    http_server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http_server.daemon_threads = True
    server.url = f"http://127.0.0.1:{http_server.server_address[1]}"
    threading.Thread(target=http_server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        http_server.shutdown()
        http_server.server_close()
