"""Registered people with real keys, and sessions with real commits, for tests of verification.

Keys have no passphrase, so that tests need nobody; the registry says `attended`, as it would of an agent that asks.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skillc.core.trace.codec import Trace, encode_record
from skillc.core.trace.records import Environment, GitContext
from skillc.lifecycle.capture import CaptureOptions, capture
from skillc.repo import layout
from tests.makers import call, gives, make_trace, user
from tests.world import NOW, World


def make_key(path: Path, *, passphrase: str = "") -> str:
    argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", path.name, "-f", str(path)]
    subprocess.run(argv, check=True, capture_output=True)
    return path.with_name(path.name + ".pub").read_text("utf-8").strip()


def register_person(world: World, key: str, *, name: str = "alice", key_class: str = "attended") -> None:
    line = f'people:\n  - {{id: {name}, roles: [approver, verifier], key: "{key}", key_class: {key_class}}}'
    world.set_policy("people: []", line)


@contextmanager
def ssh_agent(patch: pytest.MonkeyPatch, *keys: Path) -> Iterator[None]:
    """An ssh-agent that holds these keys and asks nobody; their private files are gone."""
    started = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    words = dict(part.split("=", 1) for part in started.replace("\n", "").split(";") if "=" in part)
    for name in ("SSH_AUTH_SOCK", "SSH_AGENT_PID"):
        patch.setenv(name, words[name])
    try:
        for key in keys:
            subprocess.run(["ssh-add", "-q", str(key)], check=True, capture_output=True)
            key.unlink()
        yield
    finally:
        subprocess.run(["ssh-agent", "-k"], check=True, capture_output=True)


def signing(key: Path) -> tuple[str, ...]:
    """Options of git that make it sign with this key."""
    return ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}", "-c", "commit.gpgsign=true")


def edits(path: str, old: str, new: str) -> list[dict[str, Any]]:
    arguments = {"file_path": path, "old_string": old, "new_string": new}
    return [call("Edit", arguments), gives(f"The file {path} has been updated")]


def writes(path: str, text: str) -> list[dict[str, Any]]:
    return [call("Write", {"file_path": path, "content": text}), gives(f"File created at: {path}")]


def store(world: World, *traces: Trace) -> None:
    """Stores Traces as `capture` does."""
    folder = world.home / "native"
    folder.mkdir(exist_ok=True)
    for trace in traces:
        lines = [encode_record(trace.header), *map(encode_record, trace.events), encode_record(trace.close)]
        (folder / f"{trace.trace_id}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    paths = [str(folder / f"{trace.trace_id}.jsonl") for trace in traces]
    capture(world.context(), paths, CaptureOptions(kind="native"))


def session(
    world: World,
    *drafts: dict[str, Any],
    trace_id: str = "t-00000001",
    start: str | None = None,
    commits: tuple[str, ...] = (),
    pin: str | None = None,
    **header: Any,
) -> Trace:
    """Stores a session with these events and commits, pinned where the hook would pin it."""
    git = GitContext(branch="work", head_start=start, head_end=commits[-1] if commits else None, commits=commits)
    header.setdefault("started_at", NOW.replace(year=2020))
    trace = make_trace(
        *(drafts or (user("Do the work."),)),
        trace_id=trace_id,
        namespace=world.context().policy.namespace,
        environment=Environment(git=git, cwd_label="stockroom"),
        **header,
    )
    store(world, trace)
    if pin is not None:
        world.git("update-ref", layout.session_ref(trace_id), pin)
    return trace


def key_that_asks(folder: Path, patch: pytest.MonkeyPatch, name: str = "alice") -> Path:
    """A key with a passphrase, which a dialog asks the person for."""
    path = folder / name
    make_key(path, passphrase="a passphrase")
    askpass = folder / "askpass"
    askpass.write_text("#!/bin/sh\necho a passphrase\n", "utf-8")
    askpass.chmod(0o755)
    patch.setenv("SSH_ASKPASS", str(askpass))
    patch.setenv("SSH_ASKPASS_REQUIRE", "force")
    return path


def public_of(key: Path) -> str:
    return key.with_name(key.name + ".pub").read_text("utf-8").strip()


def register_evaluator(world: World, key: str, *, name: str = "sandbox-eval", required_of: str | None = None) -> None:
    """Registers an evaluator, and requires its pass of a family."""
    world.set_policy("  evaluators: []", f'  evaluators: [{{id: {name}, key: "{key}", key_class: isolated}}]')
    if required_of is not None:
        world.set_policy("  required: {}", f"  required: {{{required_of}: [{name}]}}")
