"""A namespace whose attempts come with a score: small, verified by a registered mapping, and made to measure.

`refund_run` is one attempt: the words of the user, and the calls with their results in order.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from skillc.core.trace.records import Outcome
from skillc.core.trace.verification import Basis, BasisKind
from skillc.importers.base import MessagesOptions
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.capture import CaptureOptions, capture
from skillc.lifecycle.families import assign_traces
from skillc.lifecycle.init import init
from skillc.lifecycle.registry import add_verifier
from skillc.lifecycle.statements import VerificationDraft, record_verifications
from tests.world import World

FAMILY = "refund-order"
OPTIONS = CaptureOptions(kind="messages", messages=MessagesOptions("messages", "task"), verifier_id="reward")
_CONFIG = "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"


def new_reward_world(folder: Path, patch: pytest.MonkeyPatch) -> World:
    made = World(folder / "home", folder / "shop")
    made.home.mkdir(parents=True)
    made.root.mkdir()
    (made.home / ".gitconfig").write_text(_CONFIG, "utf-8")
    made.set_environment(patch)
    subprocess.run(["git", "init", "--quiet"], cwd=made.root, check=True, capture_output=True)
    init(made.root)
    add_verifier(made.root, {"id": "reward", "kind": "external", "mapping": {"field": "reward", "success_at": 1.0}})
    add_verifier(made.root, {"id": "audit", "kind": "external", "mapping": {"field": "audited", "success_at": 0.5}})
    made.git("add", "-A")
    made.git("commit", "--quiet", "-m", "namespace")
    return made


def run(task: str, said: str, *calls: tuple[str, dict[str, Any], Any], reward: float = 1.0) -> dict[str, Any]:
    """One attempt as chat messages; a result is JSON, and a text that starts with `Error` is one."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": said}]
    for number, (tool, arguments, result) in enumerate(calls):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        messages.append(
            {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": function}]}
        )
        text = result if isinstance(result, str) else json.dumps(result)
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    messages.append({"role": "assistant", "content": "Done."})
    return {"task": task, "reward": reward, "messages": messages}


def refund_run(
    number: int, *, method: str = "original", status: str = "delivered", reward: float = 1.0
) -> dict[str, Any]:
    order = f"#W{4_000_017 + 7919 * number}"
    return run(
        f"refund {number}",
        f"Hello, please refund my order {order}, it came broken.",
        ("get_order", {"order_id": order}, {"order_id": order, "status": status, "total": 40 + number}),
        ("refund_order", {"order_id": order, "method": method}, {"order_id": order, "state": "refunded"}),
        reward=reward,
    )


def take(world: World, name: str, *runs: dict[str, Any], family: str = FAMILY) -> list[str]:
    """Captures attempts with their scores and puts them into a family; returns the ids of the new Traces."""
    known = set(world.attempts())
    path = world.home / f"{name}.json"
    path.write_text(json.dumps(list(runs)), "utf-8")
    capture(world.context(), [str(path)], OPTIONS)
    context = world.context()
    new = [a for a in load_attempts(context) if a.trace.trace_id not in known]
    assign_traces(context, new, family)
    return sorted(a.trace.trace_id for a in new)


def audit(world: World, trace_id: str, outcome: Outcome) -> None:
    """A second registered system judges a stored Trace."""
    context = world.context()
    verifier = context.policy.verifier("audit")
    assert verifier is not None
    assert verifier.mapping is not None
    draft = VerificationDraft(
        trace_id=trace_id,
        trace_digest=world.attempts()[trace_id].trace.digest,
        outcome=outcome,
        verifier=verifier,
        basis=Basis(kind=BasisKind.MAPPING, ref=verifier.mapping.ref, detail="audited"),
    )
    record_verifications(context, [draft])


def copy_reward_world(source: World, folder: Path, patch: pytest.MonkeyPatch) -> World:
    shutil.copytree(source.root.parent, folder, symlinks=True, dirs_exist_ok=True)
    made = World(folder / "home", folder / "shop")
    made.set_environment(patch)
    return made
