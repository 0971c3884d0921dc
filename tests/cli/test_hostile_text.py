"""Whatever a report holds, the terminal gets no escape and no hidden character of it: each show_* is tried."""

import enum
import inspect
import re
import types
import typing
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import AwareDatetime

from skillc.cli import show_check, show_compile, show_evidence, show_explain, show_review, show_status, view
from skillc.core.record import Record
from tests.makers import call, make_trace, user
from tests.world import World

HOSTILE = "x\x1b[31mred\x1b]0;title\x07\u202egnp\u200b"
SENT = re.compile("\x1b\\[31mred|\x1b\\]|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u200b\u202e]")


def hostile(kind: Any) -> Any:
    """A value of this type with the hostile text wherever a text can stand."""
    if isinstance(kind, type) and issubclass(kind, Record):
        hints = typing.get_type_hints(kind)
        return kind.model_construct(**{name: hostile(hints[name]) for name in kind.model_fields})
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return next(iter(kind))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return hostile(parts[0])
    if origin is typing.Literal:
        return parts[0]
    if origin in (typing.Union, types.UnionType):
        return hostile(next(part for part in parts if part is not type(None)))
    if origin is tuple:
        return (hostile(parts[0]),) if parts[-1] is Ellipsis else tuple(hostile(part) for part in parts)
    if origin is dict:
        return {HOSTILE: hostile(parts[1])}
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    simple = {bool: False, int: 1, float: 0.5, datetime: moment, AwareDatetime: moment}
    return simple.get(kind, HOSTILE)


def printers() -> list[Any]:
    modules = (show_check, show_compile, show_review, show_evidence, show_explain, show_status)
    found = [f for m in modules for name, f in vars(m).items() if name.startswith("show_") and inspect.isfunction(f)]
    return [f for f in found if f.__name__ not in ("show_skills", "show_skill", "show_verifiers", "show_review")]


def report_of(printer: Any) -> Any:
    """The hostile report that a printer takes: the name of its first annotation is imported for types alone."""
    name = next(iter(inspect.signature(printer).parameters.values())).annotation
    source = inspect.getsource(inspect.getmodule(printer) or view)
    found = re.search(rf"from (\S+) import [^\n]*\b{name}\b", source)
    assert found is not None, name
    return hostile(getattr(__import__(found[1], fromlist=[name]), name))


OPTIONS = {"as_json": False, "dry_run": False, "minimum": 1, "base": "main", "number": 1, "total": 1}


@pytest.mark.parametrize("printer", printers(), ids=lambda f: f.__name__)
def test_no_escape_of_a_report_is_sent(printer: Any, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(view, "has_colour", lambda: True)
    names = list(inspect.signature(printer).parameters)[1:]
    printer(report_of(printer), **{name: OPTIONS[name] for name in names if name in OPTIONS})
    said = "".join(capsys.readouterr())
    assert "red" in said, "the hostile text reached no line, so this shows nothing"
    assert SENT.search(said) is None


def test_a_style_is_sent_and_a_forged_one_is_shown(monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(view, "has_colour", lambda: True)
    view.say(view.styled("mine", "red") + " \x1b[31mtheirs")
    assert capsys.readouterr().out == "\x1b[31mmine\x1b[0m \\x1b[31mtheirs\n"


def test_a_tool_with_a_line_break_in_its_name_stays_on_its_line(world: World, monkeypatch, capsys):
    from skillc.lifecycle.summaries import shown_trace

    trace = make_trace(user("go"), call("Ba\x1b[2Jsh\nt-0 forged", {"command": "ls"}))
    attempt = next(iter(world.attempts().values())).model_copy(update={"trace": trace})
    show_explain.show_trace(shown_trace(world.context(), attempt), as_json=False)
    out = capsys.readouterr().out
    assert "Ba\\x1b[2Jsh t-0 forged" in out
    assert "\x1b" not in out
