"""A loopback double of a forge's API: it answers from a table, writes down what came, and knows only GET."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROTECTED: dict[str, Any] = {
    "": {"default_branch": "main"},
    "/rules/branches/main": [
        {"type": "pull_request", "parameters": {"require_code_owner_review": True}},
        {"type": "required_status_checks", "parameters": {"required_status_checks": [{"context": "check"}]}},
        {"type": "non_fast_forward"},
        {"type": "deletion"},
    ],
    "/rules/branches/skillc%2Fledger": [{"type": "non_fast_forward"}, {"type": "deletion"}],
    "/codeowners/errors": {"errors": []},
    "/actions/permissions/workflow": {"can_approve_pull_request_reviews": True},
}


@dataclass
class ForgeDouble:
    """What it answers: path below the repository -> JSON, (status, JSON), or bytes as they are."""

    answers: dict[str, Any] = field(default_factory=lambda: dict(PROTECTED))
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)
    delay_s: float = 0.0
    address: str = ""

    def answer_to(self, path: str) -> tuple[int, bytes]:
        found = self.answers.get(path, (404, {"message": "Not Found"}))
        status, value = found if isinstance(found, tuple) else (200, found)
        return status, value if isinstance(value, bytes) else json.dumps(value).encode()


@contextmanager
def forge_double(double: ForgeDouble | None = None) -> Iterator[ForgeDouble]:
    """Runs the double in a thread; its address is that of an API."""
    made = double or ForgeDouble()

    class Handler(BaseHTTPRequestHandler):
        def _answered(self) -> None:
            path = self.path.removeprefix("/repos/acme/app")
            made.asked.append((self.command, path, self.headers.get("Authorization")))
            status, data = made.answer_to(path)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", made.address + "/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            for start in range(0, len(data), 4 if made.delay_s else 1 << 20):
                time.sleep(made.delay_s)
                self.wfile.write(data[start : start + (4 if made.delay_s else 1 << 20)])
                self.wfile.flush()

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answered

        def log_message(self, format: str, *args: object) -> None:
            return

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return  # the asking side did not wait

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
