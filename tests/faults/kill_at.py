"""A server of forks that run one skillc command each and kill it at its n-th write or program start.

Started as a process of its own; it imports skillc once and reads one request per line from standard input:
{"point": n, "victim": "group" or "child", "wait_s": 0, "arguments": [...], "folder": ..., "environment": {...},
"output": file}. `wait_s` is how long a program at that point works before the kill; 0: a random moment of 4 ms.
There is no terminal: the guard that asks for one has tests of its own.
The victim is the command with all that it started, or only the program that runs at that point. It answers
{"status": ..., "points": [...]}; point 0 means never. The clock of the command stands still, so that
two runs write the same bytes. Nothing of this is in the product.
"""

import builtins
import importlib
import io
import json
import os
import pkgutil
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import skillc

NOW = "2026-12-01T12:00:00+00:00"
# git calls that write: before, started, running and after are points. The others change nothing.
_WRITING = (
    "fast-import", "update-ref", "update-index", "worktree", "commit-tree", "config", "fetch", "push",
    "bundle", "filter-repo", "reflog", "gc",
)  # fmt: skip

_fork, _killpg, _exit, _waitpid, _open_fd, _dup2 = os.fork, os.killpg, os._exit, os.waitpid, os.open, os.dup2
_pipe, _read_fd, _write_fd, _close_fd = os.pipe, os.read, os.write, os.close


class Points:
    """Counts the points that a process passes, and kills its whole group at the chosen one."""

    def __init__(self, chosen: int, victim: str = "group", wait_s: float = 0.0) -> None:
        self.chosen, self.victim, self.wait_s = chosen, victim, wait_s
        self.names: list[str] = []
        self.pipe = ""  # the program that is being started, while its pipes are made

    def pass_one(self, name: str, child: int | None = None) -> None:
        self.names.append(name)
        if len(self.names) == self.chosen and self.victim == "child":
            assert child is not None, "no program runs at this point"
            os.kill(child, signal.SIGKILL)
        elif len(self.names) == self.chosen:
            _killpg(0, signal.SIGKILL)
            signal.pause()

    @property
    def is_next(self) -> bool:
        return len(self.names) + 1 == self.chosen


class CountedFile:
    """A file opened for writing, whose writes and close are points; a killed write leaves the first half."""

    def __init__(self, file: Any, points: Points, name: str) -> None:
        self._file, self._points, self._name = file, points, name

    def write(self, data: Any) -> Any:
        if self._points.is_next:
            self._file.write(data[: len(data) // 2])
            self._file.flush()
        self._points.pass_one(f"write {self._name}")
        return self._file.write(data)

    def close(self) -> None:
        if not self._file.closed:
            self._points.pass_one(f"before close {self._name}")
            self._file.close()
            self._points.pass_one(f"after close {self._name}")

    def __enter__(self) -> "CountedFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Any:
        return iter(self._file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def count_points(points: Points) -> None:
    """Makes every write, and every start and end of a program, a point of this process."""
    for name in ("replace", "rename", "link", "unlink", "remove", "mkdir", "rmdir", "symlink", "fsync", "chmod"):
        setattr(os, name, _around(getattr(os, name), name, points))
    os.write = _before(os.write, "os.write", points)  # type: ignore[assignment]
    _count_opening(points)
    _count_programs(points)


def _around(call: Callable[..., Any], name: str, points: Points) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        points.pass_one(f"before {name}")
        result = call(*arguments, **options)
        points.pass_one(f"after {name}")
        return result

    return counted


def _before(call: Callable[..., Any], name: str, points: Points) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        points.pass_one(f"before {name}")
        return call(*arguments, **options)

    return counted


def _count_opening(points: Points) -> None:
    open_fd, open_file, fdopen = os.open, io.open, os.fdopen

    def counted_open_fd(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return open_fd(path, flags, *arguments, **options)
        points.pass_one("before os.open")
        handle = open_fd(path, flags, *arguments, **options)
        points.pass_one("after os.open")
        return handle

    def counted_open(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+"):
            return open_file(file, mode, *arguments, **options)
        name = "pipe" if isinstance(file, int) else "file"
        if name == "pipe" and not points.pipe:
            return open_file(file, mode, *arguments, **options)
        if name == "file":
            points.pass_one("before open")
        return CountedFile(open_file(file, mode, *arguments, **options), points, name)

    def counted_fdopen(handle: int, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        file = fdopen(handle, mode, *arguments, **options)
        return CountedFile(file, points, "file") if set(mode) & set("wax+") else file

    os.open, os.fdopen = counted_open_fd, counted_fdopen  # type: ignore[assignment]
    io.open = builtins.open = counted_open  # type: ignore[assignment]


def _count_programs(points: Points) -> None:
    start, wait = subprocess.Popen.__init__, subprocess.Popen.wait

    def counted_start(self: Any, argv: Any, *arguments: Any, **options: Any) -> None:
        self.told = points.pipe = _told(argv)
        if self.told:
            points.pass_one(f"before {self.told}")
        start(self, argv, *arguments, **options)
        points.pipe = ""
        if self.told:
            points.pass_one(f"started {self.told}")
            if points.is_next:  # in the midst of its work, not at its beginning
                time.sleep(points.wait_s or random.random() * 0.004)
            points.pass_one(f"running {self.told}", self.pid)

    def counted_wait(self: Any, *arguments: Any, **options: Any) -> Any:
        was = self.returncode
        code = wait(self, *arguments, **options)
        if was is None and code is not None and getattr(self, "told", ""):
            points.pass_one(f"after {self.told}")
        return code

    subprocess.Popen.__init__ = counted_start  # type: ignore[method-assign]
    subprocess.Popen.wait = counted_wait  # type: ignore[method-assign]


def _told(argv: Any) -> str:
    """Returns the name of a program that writes, "" for one that only reads."""
    words = [str(word) for word in argv]
    if words[0] == "git":
        return next((f"git {word}" for word in words if word in _WRITING), "")
    return words[0]


def _child(request: dict[str, Any], report: int) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    output = _open_fd(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    _dup2(_open_fd(os.devnull, os.O_RDONLY), 0)
    _dup2(output, 1)
    _dup2(output, 2)
    random.seed()  # another moment each time
    sys.argv = ["skillc", *request["arguments"]]
    points = Points(request["point"], request["victim"], request["wait_s"])
    count_points(points)
    from skillc.entry import main

    code = 70
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    sys.stdout.flush()
    sys.stderr.flush()
    answer = json.dumps(points.names).encode()
    while answer:
        answer = answer[_write_fd(report, answer) :]
    _exit(code)


def _load_all() -> None:
    """Imports every module of the product once, so that no killed command spends its time on that."""
    for found in pkgutil.walk_packages(skillc.__path__, "skillc."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    from skillc.core.scan.scanner import scan_text

    scan_text(Path(__file__).read_text("utf-8"), path="SKILL.md")  # patterns are compiled on first use


def _serve() -> None:
    _load_all()
    from skillc.cli import terminal
    from skillc.lifecycle import context

    class StandingClock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.fromisoformat(NOW)

    context.datetime = StandingClock  # type: ignore[misc]
    terminal.require_person = lambda action: None
    for line in sys.stdin:
        request = json.loads(line)
        reading, writing = _pipe()
        child = _fork()
        if child == 0:
            try:
                _child(request, writing)
            finally:
                _exit(99)
        _close_fd(writing)
        parts = []
        while part := _read_fd(reading, 1 << 16):
            parts.append(part)
        _close_fd(reading)
        status = os.waitstatus_to_exitcode(_waitpid(child, 0)[1])
        names = json.loads(b"".join(parts) or b"[]")
        print(json.dumps({"status": status, "points": names}), flush=True)


class KillServer:
    """The server, as a test sees it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._lock = threading.Lock()

    def run(
        self,
        *arguments: str,
        folder: str,
        output: str,
        environment: dict[str, str],
        point: int = 0,
        victim: str = "group",
        wait_s: float = 0.0,
    ) -> tuple[int, list[str]]:
        """Runs one command and kills it at a point; returns its exit code (-9: killed) and the points it passed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {
            "point": point,
            "victim": victim,
            "wait_s": wait_s,
            "arguments": arguments,
            "folder": folder,
            "environment": environment,
            "output": output,
        }
        with self._lock:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        return answer["status"], answer["points"]

    def close(self) -> None:
        self._process.stdin and self._process.stdin.close()
        self._process.wait()


if __name__ == "__main__":
    _serve()
