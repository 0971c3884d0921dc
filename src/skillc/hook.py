"""The capture hook: one event of an agent host in on standard input, one small file in the spool out.

Standard library only, and nothing else of this package: a host gives a session's end 1.5 seconds. Prints nothing,
never blocks the host, and ends with 0 whatever happens; what went wrong is a line in the spool's log. No text of
the session is kept, only where its transcript lies and which commit stood checked out.
Not here: reading transcripts (lifecycle.drain does, at the next skillc command).
"""

import json
import os
import sys
import time

AGENTS = ("claude-code", "codex", "gemini")
MAX_INPUT_BYTES = 32 * 1024 * 1024
MAX_LOG_BYTES = 64 * 1024
LOG_FILE = "hook.log"
_PATIENCE_S = 5
_KEPT = ("session_id", "transcript_path", "cwd", "hook_event_name", "reason", "source")
_EVENTS = {"SessionStart": "SessionStart", "Stop": "Stop", "AfterAgent": "Stop", "SessionEnd": "SessionEnd"}
_COMMON = "skillc"


def main(arguments: list[str]) -> None:
    """Takes one hook event. `arguments` may hold `--agent NAME`; without it the host is told by the event."""
    try:
        if os.environ.get("SKILLC_OFF", "") not in ("", "0") or sys.stdin is None or sys.stdin.isatty():
            return
        _limit_patience(_PATIENCE_S)
        event = _read_event()
        if event is not None:
            _spool(event, _agent_of(event, arguments))
    except BaseException as error:  # a host must never feel the hook
        _log(f"{type(error).__name__}: {error}")
    _limit_patience(0)


def _limit_patience(seconds: int) -> None:
    """Gives up after some seconds on a host that never closes our input; 0 takes that back."""
    try:
        import signal

        signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, seconds)
    except (ImportError, AttributeError, ValueError):
        return


def _read_event() -> "dict[str, str] | None":
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(data) > MAX_INPUT_BYTES:
        raise ValueError("the event is too large")
    found = json.loads(data)
    if not isinstance(found, dict) or not isinstance(found.get("session_id"), str) or not found["session_id"]:
        raise ValueError("the event names no session")
    event = {name: found[name] for name in _KEPT if isinstance(found.get(name), str)}
    name = _EVENTS.get(event.get("hook_event_name", ""))
    return {**event, "hook_event_name": name} if name else None


def _agent_of(event: "dict[str, str]", arguments: "list[str]") -> str:
    if "--agent" in arguments[:-1]:
        named = arguments[arguments.index("--agent") + 1]
        named = "claude-code" if named == "claude" else named
        if named in AGENTS:
            return named
    path = event.get("transcript_path", "").replace(os.sep, "/")
    if "/rollout-" in path or "/.codex/" in path:
        return "codex"
    return "gemini" if "/.gemini/" in path else "claude-code"


def _spool(event: "dict[str, str]", agent: str) -> None:
    """Writes the event durably, by a temporary neighbour and a rename; nothing where skillc is not at home."""
    top, git_dir, common = find_git(event.get("cwd") or os.getcwd())
    if not common or not (os.path.lexists(os.path.join(top, "skillc.yaml")) or _is_known(common)):
        return
    if os.path.lexists(os.path.join(common, _COMMON, "off")):
        return
    record = {
        **event,
        "agent": agent,
        "common": common,
        "at": time.time(),
        "head": head_of(git_dir, common),
        "log_size": _log_size(git_dir),
        "worktree": "" if git_dir == common else os.path.basename(git_dir),
    }
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in event["session_id"])[:100]
    name = f"{agent}.{name}.{event['hook_event_name']}.json"
    data = json.dumps(record).encode()
    try:
        _write(os.path.join(common, _COMMON, "spool"), name, data)
    except OSError as error:
        _log(f"{error}; kept in the own folder")
        _write(own_spool(), name, data)


def _log_size(git_dir: str) -> int:
    """Returns how long git's log of HEAD is by now, -1 where there is none."""
    try:
        return os.path.getsize(os.path.join(git_dir, "logs", "HEAD"))
    except OSError:
        return -1


def _is_known(common: str) -> bool:
    return os.path.isdir(os.path.join(common, _COMMON))


def _write(folder: str, name: str, data: bytes) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, name)
    if name.endswith(".SessionStart.json") and os.path.lexists(path):
        return  # a resumed session still began where it first began
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, data)
        os.fsync(handle)
        os.close(handle)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    parent = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)


def own_spool() -> str:
    """Returns the spool of this account, for a repository whose git folder takes no files."""
    root = os.environ.get("XDG_STATE_HOME", "")
    if not root.startswith("/"):
        root = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(root, _COMMON, "spool")


def find_git(folder: str) -> "tuple[str, str, str]":
    """Returns (work tree, git folder, git folder that all work trees share) around a folder, else empty texts.

    Reads files only: no git is started, so no configuration of a repository can run anything.
    """
    top = os.path.realpath(folder)
    while True:
        dot_git = os.path.join(top, ".git")
        if os.path.isdir(dot_git):
            return top, dot_git, dot_git
        if os.path.isfile(dot_git):
            words = _first_line(dot_git)
            git_dir = os.path.normpath(os.path.join(top, words[8:])) if words.startswith("gitdir: ") else ""
            if not os.path.isdir(git_dir):
                return "", "", ""
            shared = _first_line(os.path.join(git_dir, "commondir"))
            return top, git_dir, os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
        parent = os.path.dirname(top)
        if parent == top:
            return "", "", ""
        top = parent


def head_of(git_dir: str, common: str) -> "str | None":
    """Returns the commit that stands checked out, as far as plain files tell it."""
    head = _first_line(os.path.join(git_dir, "HEAD"))
    if head.startswith("ref: "):
        ref = head[5:]
        if ".." in ref or not ref.startswith("refs/"):
            return None
        head = _first_line(os.path.join(git_dir, ref)) or _first_line(os.path.join(common, ref))
        head = head or _packed(common, ref)
    return head if len(head) in (40, 64) and not head.strip("0123456789abcdef") else None


def _packed(common: str, ref: str) -> str:
    try:
        with open(os.path.join(common, "packed-refs"), encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.rstrip("\n").endswith(" " + ref):
                    return line.split(" ", 1)[0]
    except OSError:
        pass
    return ""


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096).rstrip("\r\n")
    except OSError:
        return ""


def _log(words: str) -> None:
    try:
        folder = own_spool()
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, LOG_FILE)
        if os.path.exists(path) and os.path.getsize(path) > MAX_LOG_BYTES:
            os.unlink(path)
        with open(path, "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{int(time.time())} {words[:500]!r}\n")
    except BaseException:
        return
