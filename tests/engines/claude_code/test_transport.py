"""Claude Code as a transport: what it is started with, and what it prints is read like a stranger's."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from skillc.core.policy import ClaudePolicy
from skillc.engines.claude_code.transport import ClaudeCodeTransport
from skillc.engines.model.services import ModelServices, ProgramAnswer
from skillc.engines.model.transport import TransportError
from tests.engines.model.test_asking import REQUEST
from tests.model_case import MemoryStore

RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": "ok",
    "structured_output": {"a": 1},
    "stop_reason": "end_turn",
    "total_cost_usd": 0.01,
    "usage": {"input_tokens": 5, "output_tokens": 7},
    "modelUsage": {"claude-opus-5-5": {}},
}


class Program:
    """Stands in for the program: remembers how it was started."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.argv: list[str] = []
        self.text = ""

    def __call__(
        self, argv: Sequence[str], *, text: str, environment: Mapping[str, str], timeout_s: float
    ) -> ProgramAnswer:
        self.argv, self.text = list(argv), text
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, ProgramAnswer):
            return self.answer
        return ProgramAnswer(0, self.answer if isinstance(self.answer, str) else json.dumps(self.answer), "")


def transport(answer: Any, *, has_key: bool = True) -> tuple[ClaudeCodeTransport, Program]:
    program = Program(answer)
    services = ModelServices(policy=ClaudePolicy(), store=MemoryStore(), start=program, has_key=has_key)
    return ClaudeCodeTransport(services), program


def test_it_is_started_alone_without_tools_and_the_question_is_on_standard_input():
    carrier, program = transport(RESULT)
    answer = carrier.ask(REQUEST, timeout_s=10)
    assert json.loads(answer.text) == {"a": 1}
    assert (answer.usage.input_tokens, answer.cost_usd, answer.model) == (5, 0.01, "claude-opus-5-5")
    argv = program.argv
    assert argv[argv.index("--tools") + 1] == ""
    assert {"--bare", "--json-schema", "--system-prompt", "--max-budget-usd", "--no-session-persistence"} <= set(argv)
    assert program.text == "What?"
    assert "What?" not in argv


def test_without_a_key_the_login_of_the_person_is_used_and_nothing_else_of_theirs():
    carrier, program = transport(RESULT, has_key=False)
    carrier.ask(REQUEST, timeout_s=10)
    assert "--bare" not in program.argv
    assert program.argv[program.argv.index("--setting-sources") + 1] == ""
    assert {"--strict-mcp-config", "--disable-slash-commands", "--safe-mode"} <= set(program.argv)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("no json", "malformed"),
        ("[]", "malformed"),
        ({"type": "system"}, "malformed"),
        (RESULT | {"structured_output": None, "result": 5}, "malformed"),
        (RESULT | {"is_error": True, "result": "Invalid API key · Please run /login"}, "auth"),
        (RESULT | {"is_error": True, "api_error_status": 529}, "unavailable"),
        (RESULT | {"is_error": True, "result": "Prompt is too long"}, "too-large"),
        (RESULT | {"subtype": "error_max_budget_usd", "is_error": True}, "bad-request"),
        (RESULT | {"is_error": True, "api_error_status": 400, "result": "x"}, "bad-request"),
        (ProgramAnswer(None, "", ""), "unavailable"),
        (FileNotFoundError(), "auth"),
    ],
)
def test_every_failure_has_its_kind(answer: Any, kind: str):
    carrier, _ = transport(answer)
    with pytest.raises(TransportError) as caught:
        carrier.ask(REQUEST, timeout_s=10)
    assert caught.value.kind == kind


def test_plain_text_is_read_where_there_is_no_structured_output():
    carrier, _ = transport(RESULT | {"structured_output": None, "result": '{"b": 2}'})
    assert carrier.ask(REQUEST, timeout_s=10).text == '{"b": 2}'
    carrier, _ = transport([{"type": "system"}, RESULT])
    assert json.loads(carrier.ask(REQUEST, timeout_s=10).text) == {"a": 1}
