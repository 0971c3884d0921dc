"""Adding a verifier to skillc.yaml: one line of text, so that the file's comments and order stay.

The change counts once it is merged to base. Paper: 5.1, registered verifiers. Not here: trust on this machine
(lifecycle.trust).
"""

import json
import re
from pathlib import Path
from typing import Any, Literal

from skillc.core.policy import POLICY_FILE, Policy, parse_policy
from skillc.core.record import Record
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import PolicyError, UsageError
from skillc.repo.files import read_small, write_whole
from skillc.repo.keys import make_tool_key
from skillc.repo.repository import Repository


class VerifierReport(Record):
    """The line that was added to skillc.yaml."""

    format: Literal["skillc.verifier/1"] = "skillc.verifier/1"
    id: str
    line: str
    replaced: bool


def verifier_line(entry: dict[str, Any]) -> str:
    """Returns a registry entry as one flow mapping, every text quoted where YAML could read it otherwise."""
    return "{" + ", ".join(f"{key}: {_scalar(value)}" for key, value in entry.items()) + "}"


def _scalar(value: Any) -> str:
    if isinstance(value, dict):
        return verifier_line(value)
    if isinstance(value, list):
        return "[" + ", ".join(_scalar(item) for item in value) + "]"
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", value):
        reserved = value.lower() in ("true", "false", "null", "yes", "no", "on", "off")
        return json.dumps(value) if reserved else value
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]", lambda m: f"\\u{ord(m[0]):04x}", text)


def add_verifier(folder: Path, entry: dict[str, Any], *, force: bool = False) -> VerifierReport:
    """Adds or, with `force`, replaces a verifier in the work tree's skillc.yaml, with this machine's tool key."""
    repository = Repository.open(folder)
    entry = {**entry, "key": make_tool_key()}
    path = repository.root / POLICY_FILE
    data = read_small(path, limit=MAX_POLICY_BYTES)
    if data is None:
        raise PolicyError("there is no skillc.yaml here", hint="run: skillc init")
    policy = parse_policy(data)
    known = policy.verifier(entry["id"]) is not None
    if policy.person(entry["id"]) is not None or (known and not force):
        raise UsageError(
            f"{entry['id']!r} is registered already", hint="give it another name, or replace it with --force"
        )
    line = verifier_line(entry)
    text = _with_line(data.decode("utf-8-sig"), entry["id"], line, replace=known)
    changed = _parsed_or_none(text)
    if changed is None or changed.verifier(entry["id"]) is None:
        raise UsageError(
            f"{POLICY_FILE} is written in a way that skillc cannot extend",
            hint=f"add this under `verifiers:`\n  - {line}",
        )
    write_whole(path, text.encode("utf-8"))
    return VerifierReport(id=entry["id"], line=line, replaced=known)


def _parsed_or_none(text: str) -> Policy | None:
    try:
        return parse_policy(text.encode("utf-8"))
    except PolicyError:
        return None


def _with_line(text: str, verifier_id: str, line: str, *, replace: bool) -> str:
    """Puts the entry below the top-level key `verifiers`, after its last item."""
    lines = text.split("\n")
    start = next((i for i, one in enumerate(lines) if re.match(r"verifiers:\s*(\[\s*\])?\s*(#.*)?$", one)), None)
    if start is None:
        return text.rstrip("\n") + f"\nverifiers:\n  - {line}\n"
    lines[start] = re.sub(r"\[\s*\]", "", lines[start]).rstrip()
    end = start + 1
    last = start
    while end < len(lines) and (not lines[end].strip() or lines[end][0] in " -#"):
        if lines[end].strip() and not lines[end].lstrip().startswith("#"):
            last = end
        if lines[end].startswith("#"):
            break
        end += 1
    if replace:
        mark = re.compile(rf"^\s*- \{{\s*id: [\"']?{re.escape(verifier_id)}[\"']?[,}}]")
        kept = [i for i in range(start + 1, last + 1) if mark.match(lines[i])]
        if len(kept) == 1:
            lines[kept[0]] = f"  - {line}"
        return "\n".join(lines)
    indent = next((m.group(1) for i in range(start + 1, last + 1) if (m := re.match(r"(\s*)- ", lines[i]))), "  ")
    lines.insert(last + 1, f"{indent}- {line}")
    return "\n".join(lines)
