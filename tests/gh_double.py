"""A stand-in for gh on PATH: it keeps pull requests in one JSON file and writes down every call."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """#!/usr/bin/env python3
import json, os, sys
from pathlib import Path

place = Path({place!r})
state = json.loads((place / "state.json").read_text("utf-8"))
arguments = sys.argv[1:]


def option(name):
    return arguments[arguments.index(name) + 1] if name in arguments else None


state["calls"].append(arguments)
code, said = 0, ""
if state["fails"] and arguments[:2] == state["fails"][0]:
    code, said = state["fails"][1:]
elif arguments[:2] == ["pr", "list"]:
    wanted = [p for p in state["open"] if p["headRefName"] == option("--head")]
    said = json.dumps([{{k: p[k] for k in option("--json").split(",")}} for p in wanted])
elif arguments[:2] in (["pr", "create"], ["pr", "edit"]):
    text = {{"title": option("--title"), "body": Path(option("--body-file")).read_text("utf-8")}}
    if arguments[1] == "create":
        number = 7 + len(state["open"])
        address = f"https://github.com/acme/app/pull/{{number}}"
        made = {{"number": number, "url": address, "headRefName": option("--head"), "isCrossRepository": False}}
        state["open"].append({{**made, **text}})
        said = address
    else:
        next(p for p in state["open"] if p["number"] == int(arguments[2])).update(text)
elif arguments[:1] == ["api"]:
    said = state["api"].get(arguments[1], "")
elif arguments[:2] == ["auth", "token"]:
    said, code = ("", 1) if state["token"] is None else (state["token"], 0)
else:
    code, said = 1, f"unknown: {{arguments}}"
(place / "state.json").write_text(json.dumps(state), "utf-8")
print(said)
sys.exit(code)
"""


@dataclass
class Gh:
    """One stand-in; `place` holds its program and its state."""

    place: Path

    @property
    def state(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self.place / "state.json").read_text("utf-8"))
        return value

    def set(self, **changes: object) -> None:
        (self.place / "state.json").write_text(json.dumps({**self.state, **changes}), "utf-8")

    @property
    def calls(self) -> list[str]:
        """The first two words of each call."""
        return [" ".join(call[:2]) for call in self.state["calls"]]


def install_gh(place: Path, patch: pytest.MonkeyPatch) -> Gh:
    """Puts a stand-in for gh first on PATH, with no pull request open."""
    place.mkdir(parents=True, exist_ok=True)
    (place / "gh").write_text(_PROGRAM.format(place=str(place)), "utf-8")
    (place / "gh").chmod(0o755)
    state = {"calls": [], "open": [], "fails": None, "api": {}, "token": None}
    (place / "state.json").write_text(json.dumps(state), "utf-8")
    patch.setenv("PATH", f"{place}{os.pathsep}{os.environ['PATH']}")
    return Gh(place)
