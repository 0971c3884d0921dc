"""Adding and removing a verifier in skillc.yaml as lines of text, so that the file's comments and order stay.

The change counts once it is merged to base. Paper: 5.1, registered verifiers. Not here: trust on this machine
(lifecycle.trust).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from skillc.core.policy import POLICY_FILE, Policy, Verifier, parse_policy
from skillc.core.record import Record
from skillc.core.yaml_text import MAX_POLICY_BYTES
from skillc.errors import PolicyError, UsageError
from skillc.repo.files import read_small, write_whole
from skillc.repo.keys import make_tool_key, public_half
from skillc.repo.repository import Repository


class VerifierReport(Record):
    """The line that was added to skillc.yaml, or the lines that were taken out."""

    format: Literal["skillc.verifier/1"] = "skillc.verifier/1"
    id: str
    line: str
    replaced: bool = False
    removed: bool = False


def verifier_line(entry: dict[str, Any]) -> str:
    """Returns a registry entry as one flow mapping, every text quoted where YAML could read it otherwise."""
    return "{" + ", ".join(f"{_scalar(str(key))}: {_scalar(value)}" for key, value in entry.items()) + "}"


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


def add_verifier(
    folder: Path, entry: dict[str, Any], *, force: bool = False, key_file: Path | None = None
) -> VerifierReport:
    """Adds or, with `force`, replaces a verifier in the work tree's skillc.yaml.

    Its key is this machine's tool key, or the public half that a file holds.
    """
    entry = {**entry, "key": make_tool_key() if key_file is None else _public_key(key_file)}
    path, data, policy = _policy_file(folder)
    known = policy.verifier(entry["id"]) is not None
    if policy.person(entry["id"]) is not None or (known and not force):
        raise UsageError(
            f"{entry['id']!r} is registered already", hint="give it another name, or replace it with --force"
        )
    _require_entry(entry)
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


def _require_entry(entry: dict[str, Any]) -> None:
    """Raises UsageError with the policy's own words when no policy could hold the entry."""
    try:
        Verifier.model_validate_json(json.dumps(entry))
    except ValidationError as error:
        said = [
            f"{'.'.join(str(part) for part in item['loc']) or 'entry'}: {item['msg']}"
            for item in error.errors(include_input=False, include_url=False, include_context=False)[:20]
        ]
        raise UsageError(f"{entry['id']!r} cannot be registered: {'; '.join(said)}") from error


def remove_verifier(folder: Path, verifier_id: str) -> VerifierReport:
    """Takes a verifier out of the work tree's skillc.yaml; comments, order and all other entries stay."""
    path, data, policy = _policy_file(folder)
    if policy.verifier(verifier_id) is None:
        known = ", ".join(v.id for v in policy.verifiers)
        raise UsageError(f"there is no verifier {verifier_id!r}", hint=f"verifiers: {known or 'none'}")
    lines = data.decode("utf-8-sig").split("\n")
    rest = policy.model_copy(update={"verifiers": tuple(v for v in policy.verifiers if v.id != verifier_id)})
    for start, end in _items(lines):
        kept = lines[:start] + lines[end:]
        for text in (_joined(kept), _joined(kept, empty=True)):
            if _parsed_or_none(text) == rest:
                write_whole(path, text.encode("utf-8"))
                return VerifierReport(id=verifier_id, line="\n".join(lines[start:end]), removed=True)
    raise UsageError(
        f"{POLICY_FILE} is written in a way that skillc cannot shorten",
        hint=f"take the entry of {verifier_id!r} out of `verifiers:` by hand",
    )


def _items(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yields the first line and the one after the last of each list item; comments after an item stay."""
    for start, line in enumerate(lines):
        found = re.match(r"(\s*)- ", line)
        if found is None:
            continue
        end = start + 1
        while end < len(lines) and re.match(rf"{found[1]}\s+[^\s#]", lines[end]):
            end += 1
        yield start, end


def _joined(lines: list[str], *, empty: bool = False) -> str:
    """Joins the lines again; with `empty`, a list without items is written as such."""
    text = "\n".join(lines)
    return (
        re.sub(r"(?m)^verifiers:[ \t]*(#.*)?$", lambda m: f"verifiers: []  {m[1] or ''}".rstrip(), text)
        if empty
        else text
    )


def _policy_file(folder: Path) -> tuple[Path, bytes, Policy]:
    path = Repository.open(folder).root / POLICY_FILE
    data = read_small(path, limit=MAX_POLICY_BYTES)
    if data is None:
        raise PolicyError("there is no skillc.yaml here", hint="run: skillc init")
    return path, data, parse_policy(data)


def _public_key(path: Path) -> str:
    words = public_half(path if path.suffix == ".pub" else path.with_name(path.name + ".pub")).split("\n")
    if len(words) != 1 or not re.fullmatch(r"[a-z0-9@.-]+ [A-Za-z0-9+/=]+( .*)?", words[0]):
        raise UsageError(f"{str(path)!r} holds no OpenSSH public key", hint="make one: ssh-keygen -t ed25519 -f ci")
    return words[0]


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
