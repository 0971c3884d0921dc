"""compile.on: close compiles what a capture closed, and never fails the capture."""

import json
from dataclasses import replace

import pytest

from skillc.errors import RepoError
from skillc.lifecycle.capture import CaptureOptions, capture
from skillc.lifecycle.compile_on_close import compile_on_close
from skillc.lifecycle.context import Context
from skillc.lifecycle.review import review
from tests.reward_world import FAMILY, OPTIONS, refund_run
from tests.world import FIELD, World, sessions_of


def closing(world: World, on: str = "close") -> Context:
    world.set_policy("compile: {on: request}", f"compile: {{on: {on}}}")
    return world.context()


def test_a_family_with_a_new_close_is_compiled(shop: World):
    """The scores come with the sessions, so they are verified when they are captured."""
    context = closing(shop)
    path = shop.home / "more.json"
    path.write_text(json.dumps([refund_run(n, method="voucher", status="pending") for n in range(10, 13)]), "utf-8")
    report = capture(context, [str(path)], replace(OPTIONS, task_family=FAMILY))
    said = compile_on_close(context, report)
    assert said == [f"compiled {FAMILY}: candidate, 1 version: skillc review {FAMILY}"]
    assert [c.task_family for c in review(shop.context()).candidates] == [FAMILY]


@pytest.mark.parametrize("on", ["request", "schedule"])
def test_another_trigger_does_nothing(fresh: World, on: str, monkeypatch):
    context = fresh.context() if on == "request" else closing(fresh, on)
    monkeypatch.setattr("skillc.lifecycle.compile_all.compile_namespace", lambda *_, **__: pytest.fail("compiled"))
    report = capture(context, sessions_of(FIELD)[:1], CaptureOptions(task_family=FIELD))
    assert compile_on_close(context, report) == []
    assert compile_on_close(context, None) == []


def test_what_stops_the_compile_is_told_and_the_capture_stands(fresh: World, monkeypatch):
    context = closing(fresh)

    def stops(*_: object, **__: object) -> None:
        raise RepoError("the disk is full")

    monkeypatch.setattr("skillc.lifecycle.compile_all.compile_namespace", stops)
    report = capture(context, sessions_of(FIELD)[:1], CaptureOptions(task_family=FIELD))
    assert compile_on_close(context, report) == ["compile.on is close, and nothing was compiled: the disk is full"]
    assert report.totals.new == 1


def test_the_same_capture_again_compiles_nothing(fresh: World, monkeypatch):
    context = closing(fresh)
    capture(context, sessions_of(FIELD)[:1], CaptureOptions(task_family=FIELD))
    monkeypatch.setattr("skillc.lifecycle.compile_all.compile_namespace", lambda *_, **__: pytest.fail("compiled"))
    again = capture(fresh.context(), sessions_of(FIELD)[:1], CaptureOptions(task_family=FIELD))
    assert compile_on_close(context, again) == []
