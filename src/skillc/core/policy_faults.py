"""What a readable skillc.yaml says that can never work: keys that are none, evaluators that nobody registered.

It is told where a policy is judged, not where it is read: a namespace with such a line goes on working, and what the
line wants stays out. Paper: 5.4. Not here: the form of the file (core.policy).
"""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from skillc.core.policy import Policy

_KEY_TYPES = re.compile(
    r"ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com"
)


@dataclass(frozen=True)
class PolicyFault:
    """One line that cannot work: its setting, what is wrong, and what to do."""

    setting: str
    message: str
    next: str


def policy_faults(policy: Policy) -> Iterator[PolicyFault]:
    """Yields what cannot work, in the order of the file."""
    keys = [(f"people {p.id}", p.key) for p in policy.people]
    keys += [(f"verifiers {v.id}", v.key) for v in policy.verifiers]
    keys += [(f"evaluations.evaluators {e.id}", e.key) for e in policy.evaluations.evaluators]
    for setting, key in keys:
        if key is not None and (what := why_no_key(key)) is not None:
            yield PolicyFault(setting, f"its key {what}, so nobody can sign as it", "put the line of a .pub file there")
    known = {e.id for e in policy.evaluations.evaluators}
    for family, wanted in policy.evaluations.required.items():
        for evaluator in wanted:
            if evaluator not in known:
                message = f"requires the evaluator {evaluator!r} of {family}, and no such evaluator is registered"
                yield PolicyFault("evaluations.required", message, "register its key under evaluations.evaluators")


def why_no_key(text: str) -> str | None:
    """Says why a text is no OpenSSH public key; None for one."""
    parts = text.split()
    if len(parts) < 2:
        return "is no OpenSSH public key"
    kind, body = parts[:2]
    if not _KEY_TYPES.fullmatch(kind):
        return f"has a type that signs nothing here: {kind[:40]!r}"
    try:
        blob = base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return "has a body that is no base64"
    length = int.from_bytes(blob[:4], "big")
    if len(blob) <= 4 + length or blob[4 : 4 + length] != kind.encode("ascii"):
        return "is cut, or its body is of another type"
    return None
