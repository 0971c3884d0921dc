"""A model may suggest a family, and nothing more: it sees no event, and nothing is assigned."""

from collections.abc import Iterator

import pytest

from skillc.cli.app import run
from skillc.errors import UsageError
from skillc.lifecycle.attempts import load_attempts
from skillc.lifecycle.compile import CompileOptions
from skillc.lifecycle.family_suggestions import suggest_families
from tests.model_server import ModelServer, Reply, serving
from tests.world import FIX, World, sessions_of


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving() as found:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "stub")
        yield found


@pytest.fixture
def captured(fresh: World) -> World:
    first, second, *_ = sessions_of(FIX)
    fresh.capture([first], task_family=FIX)
    fresh.capture([second])
    return fresh


def test_a_trace_without_a_family_gets_a_suggestion_and_no_family(
    captured: World, server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(captured.root)
    refs = captured.git("for-each-ref")
    assert run(["families", "suggest"]) == 0
    out, err = capsys.readouterr()
    assert f"  {FIX}  0.90, by its own word" in out
    assert "families assign" in err
    assert captured.git("for-each-ref") == refs
    assert [a.task_family for a in load_attempts(captured.context())].count(None) == 1


def test_the_model_sees_no_event_and_no_value(captured: World, server: ModelServer):
    context = captured.context()
    attempts = load_attempts(context)
    report = suggest_families(context, attempts, CompileOptions(engine="claude"))
    assert [s.task_family for s in report.suggestions] == [FIX]
    (asked,) = server.asked
    (about,) = asked.block("The attempt:")
    assert set(about) == {"objective", "summary", "names"}
    bare = next(a for a in attempts if a.task_family is None)
    long_results = [e.text for e in bare.trace.events if e.text and len(e.text) > 400]
    assert long_results
    assert all(text not in asked.prompt for text in long_results)


def test_an_invented_family_is_none_and_a_failed_call_says_so(captured: World, server: ModelServer):
    server.behave = lambda asked: {"family": "my-own-family", "confidence": 1}
    context = captured.context()
    report = suggest_families(context, load_attempts(context), CompileOptions(engine="claude"))
    assert [s.task_family for s in report.suggestions] == [None]
    server.behave = lambda asked: Reply(status=401)
    (captured.root / ".git" / "skillc" / "answers-1").rename(captured.root / ".git" / "skillc" / "gone")
    report = suggest_families(context, load_attempts(context), CompileOptions(engine="claude"))
    assert report.failure is not None
    assert report.failure.kind == "auth"


def test_the_offline_engine_suggests_nothing_and_says_why(captured: World):
    context = captured.context()
    with pytest.raises(UsageError, match="infers by itself"):
        suggest_families(context, load_attempts(context), CompileOptions())


def test_a_dry_run_names_what_would_be_asked_about_and_asks_nobody(
    captured: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(captured.root)
    assert run(["families", "suggest", "--dry-run"]) == 0
    out, _ = capsys.readouterr()
    assert "would ask claude about 1 Trace; no model was asked" in out
    bare = next(a for a in load_attempts(captured.context()) if a.task_family is None)
    report = suggest_families(
        captured.context(), load_attempts(captured.context()), CompileOptions(engine="claude", dry_run=True)
    )
    assert (report.would_ask, report.calls) == ((bare.trace.trace_id,), ())


def test_without_a_key_the_next_step_is_for_this_command_too(
    captured: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(captured.root)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert run(["families", "suggest"]) == 5
    _, err = capsys.readouterr()
    assert "no key for the Claude API" in err
    assert "--engine claude-code" in err
    assert "skillc compile" not in err
